"""The layers, on the syntax tree: which package may import which, and in which order the modules of a folder stand.

The data flows one way, so the imports do too. An oracle must not know whom it judges; the reference oracle shares no
code with the rules that it checks; the pytest plugin, loaded in everybody's every run, imports nothing heavy. The order
is data in `tests/tools/layers.py`; a new module is named there, but for shelves of siblings.
"""

import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from .tools.imports import PACKAGES, ROOT, Edge, edges, imports, read_sources
from .tools.layers import (
    MOST_MODULES,
    PACKAGE_LAYERS,
    SHELVES,
    circles,
    crowded,
    edge_faults,
    hidden_imports,
    line_faults,
    package_faults,
    stale_names,
    unnamed,
)

SOURCES = read_sources()
TESTS = sorted(path.relative_to(ROOT) for path in (ROOT / "tests").rglob("*.py"))


def test_every_module_keeps_to_the_layers_of_packages() -> None:
    """On the source as it stands."""
    assert package_faults(SOURCES) == []


def test_every_package_is_looked_at() -> None:
    """A package that moved would not be checked."""
    assert {path.parts[0] for path in SOURCES} == set(PACKAGE_LAYERS) == set(PACKAGES)
    assert Path("oracles/reference.py") in SOURCES
    assert Path("implementations/reference.py") in SOURCES


def test_every_module_keeps_to_the_lines_of_its_folder() -> None:
    """On the source as it stands: no import leads up, and none leads to a neighbour in the same line."""
    assert line_faults(SOURCES) == []


def test_no_modules_import_each_other_in_a_circle() -> None:
    """Imports inside functions and for type checkers count, and so do those of registries that look for modules."""
    assert circles(SOURCES) == []
    assert hidden_imports(SOURCES) == [], "name it in DISCOVERS"


def test_every_module_has_a_line() -> None:
    """A new folder, or a new module of a folder that is no shelf, is named in `LINES`; what is gone is not."""
    assert unnamed(SOURCES) == []
    assert stale_names(SOURCES) == []


def test_no_folder_is_crowded() -> None:
    """A reader sees a folder at a glance; only shelves of siblings may be longer."""
    assert crowded(SOURCES) == []
    assert {"implementations/museum", "implementations/packages", "oracles/rules", "oracles/packs"} <= SHELVES


@pytest.mark.parametrize(
    ("path", "source", "said"),
    [
        ("messages/a.py", "from ..oracles.rules import RULES", "messages may not import oracles"),
        ("messages/a.py", "from .. import strategies", "messages may not import strategies"),
        ("strategies/known/a.py", "from ...oracles import rules", "strategies may not import oracles"),
        (
            "oracles/a.py",
            "def f():\n    from ..implementations import museum",
            "oracles may not import implementations",
        ),
        ("oracles/packs/a.py", "from ...strategies.lane import x", "oracles may not import strategies"),
        ("oracles/a.py", "import_module('trimfuzz.campaigns.runs.check')", "oracles may not import campaigns"),
        ("oracles/a.py", "importlib.import_module('..campaigns.check', __package__)", "may not import campaigns"),
        ("oracles/reference.py", "from ..messages.pairing import read", "the reference oracle shares no code"),
        ("oracles/reference.py", "from .rules import RULES", "the reference oracle shares no code"),
        ("implementations/museum/a.py", "from ...oracles.best import ref", "implementations may not import oracles"),
        ("implementations/reference.py", "from ..campaigns import check", "implementations may not import campaigns"),
        ("campaigns/a.py", "from trimfuzz.messages import model", "inside the packages imports are relative"),
        ("campaigns/a.py", "from trimfuzz import conformance", "campaigns may not import front"),
        ("campaigns/a.py", "import messages.model", "a package by its bare name"),
        ("campaigns/a.py", "from oracles import rules", "a package by its bare name"),
        ("front/__init__.py", "from trimfuzz.campaigns import check", "the public names are loaded lazily"),
        ("front/__init__.py", "def f():\n    from trimfuzz.oracles import rules", "front may not import oracles"),
        ("front/__main__.py", "from trimfuzz.messages import model", "front may not import messages"),
    ],
)
def test_an_import_against_the_layers_is_seen(path: str, source: str, said: str) -> None:
    """The check itself, on one line for each rule."""
    assert [fault for fault in package_faults({Path(path): source}) if said in fault]


@pytest.mark.parametrize(
    ("path", "source"),
    [
        ("strategies/known/a.py", "from ...messages.model import Call\nfrom ..ops import OPS\nfrom . import b"),
        ("implementations/reference.py", "from ..oracles.best import ref\nfrom ..messages.model import History"),
        ("oracles/reference.py", "from ..messages.model import Message\nfrom collections import Counter"),
        ("campaigns/a.py", "from ..oracles.rules import RULES\nfrom ..strategies import lane\nimport json"),
        ("front/__init__.py", "if TYPE_CHECKING:\n    from trimfuzz.campaigns.runs.check import check"),
        ("front/__main__.py", "from trimfuzz.campaigns.commands.cli import main"),
    ],
)
def test_an_allowed_import_is_let_through(path: str, source: str) -> None:
    """The check itself, the other way round."""
    assert package_faults({Path(path): source}) == []


def tree(**sources: str) -> dict[Path, str]:
    """Return the sources of a folder `f` of `campaigns`, by the name of the module."""
    return {Path(f"campaigns/f/{name}.py"): source for name, source in sources.items()}


F = {"campaigns/f": ("low", "mid beside", "*", "top"), "campaigns": ("f",)}


def test_an_import_turned_round_is_seen() -> None:
    """The check itself: the same two modules, first as they should be."""
    right = tree(low="", mid="from .low import x", top="def f():\n    from . import mid")
    assert line_faults(right, F) == []
    turned = tree(low="from .mid import x", mid="", top="")
    assert line_faults(turned, F) == [
        "campaigns/f/low.py:1 imports campaigns/f/mid.py: in campaigns/f/, mid stands above low"
    ]
    inside = tree(low="def f():\n    from . import mid", mid="", top="")
    assert len(line_faults(inside, F)) == 1


def test_every_import_of_the_tree_is_seen_when_it_is_turned_round() -> None:
    """On the source as it stands: the lines tell the two ends of each import inside a package apart."""
    inside = [one for one in edges(SOURCES) if one.importer.parts[0] == one.imported.parts[0]]
    assert len(inside) > 300
    turned = [Edge(one.imported, one.importer, one.line) for one in inside]
    assert [str(one) for one in turned if not edge_faults([one])] == []


def test_siblings_that_import_each_other_are_seen() -> None:
    """The check itself: neighbours in a line, and modules of a shelf."""
    assert "one line" in line_faults(tree(mid="from .beside import x", beside=""), F)[0]
    assert "one line" in line_faults(tree(a="from .b import x", b=""), F)[0]
    assert line_faults(tree(a="from .low import x", low="", top="from .a import x"), F) == []
    assert line_faults(tree(a="from .top import x", top=""), F) != []
    assert line_faults({**tree(a="from . import x"), Path("campaigns/f/__init__.py"): "x = 1"}, F) != []


def test_a_circle_is_seen() -> None:
    """The check itself: of two and of three modules, inside functions, and by way of a registry that looks for them."""
    assert circles(tree(a="from .b import x", b="import re"), {}) == []
    assert circles(tree(a="from .b import x", b="def f():\n    from . import a"), {}) == [
        ["campaigns/f/a.py", "campaigns/f/b.py"]
    ]
    three = tree(
        a="from .b import x", b="from .c import x", c="if TYPE_CHECKING:\n    from .a import x", d="from .a import x"
    )
    assert circles(three, {}) == [["campaigns/f/a.py", "campaigns/f/b.py", "campaigns/f/c.py"]]
    looks = {"campaigns/f/registry.py": ("campaigns/f/*.py",)}
    assert circles(tree(registry="from .base import x", base="", a="from .base import x"), looks) == []
    assert circles(tree(registry="from .base import x", base="", a="from .registry import x"), looks) != []
    apart = {"campaigns/registry.py": ("campaigns/f/*.py",)}
    registry = {Path("campaigns/registry.py"): "import pkgutil"}
    assert circles({**tree(a="import re"), **registry}, apart) == []
    assert circles({**tree(a="from ..registry import x"), **registry}, apart) != []
    assert hidden_imports(registry, {}) == ["campaigns/registry.py"]
    assert hidden_imports(registry, apart) == []


def test_a_module_without_a_line_is_seen() -> None:
    """The check itself: a folder, a module, a name that is gone, a name in two lines."""
    lines = {"campaigns": ("f",), "campaigns/f": ("low", "mid")}
    assert unnamed(tree(low="", mid=""), lines) == []
    assert unnamed(tree(low="", new=""), lines) == ["campaigns/f/new: no line names it"]
    assert unnamed(tree(low=""), {"campaigns": ("f",)}) == ["campaigns/f/ has no lines"]
    assert unnamed(tree(new=""), F) == []
    assert stale_names(tree(low=""), lines) == ["campaigns/f/mid"]
    assert stale_names(tree(low=""), {"campaigns/f": ("low", "low")}) == ["campaigns/f/low twice"]


def test_a_crowd_is_seen() -> None:
    """The check itself: an `__init__` is no module of its folder."""
    full = tree(__init__="", **{f"m{n}": "" for n in range(MOST_MODULES)})
    assert crowded(full, ()) == []
    more = {**full, **tree(one_more="")}
    assert crowded(more, ()) == [f"campaigns/f/ has {MOST_MODULES + 1}"]
    assert crowded(more, {"campaigns/f"}) == []


def test_no_test_imports_a_package_by_its_bare_name() -> None:
    """Users import `trimfuzz.<package>`, and so do the tests."""
    bare = [
        f"{path}:{one.line}: {one.name}"
        for path in TESTS
        for one in imports(path, (ROOT / path).read_text())
        if not one.relative and one.name.split(".")[0] in PACKAGE_LAYERS
    ]
    assert bare == []


def test_outside_the_adapters_only_core_dependencies_are_imported() -> None:
    """An adapter to a real package imports that package; everything else must run without the extras."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    core = {requirement.split(">")[0].removeprefix("pytest-") for requirement in project["dependencies"]}
    assert "attrs" in core
    foreign = [
        f"{path}:{one.line}: {one.name}"
        for path, source in SOURCES.items()
        if not path.is_relative_to("implementations/packages")
        for one in imports(path, source)
        if one.package is None and one.name.split(".")[0] not in sys.stdlib_module_names | core
    ]
    assert foreign == []


def test_the_pytest_plugin_brings_nothing_heavy() -> None:
    """In a fresh process it loads `trimfuzz`, the packages it is in and itself, and no library but pytest."""
    heavy = "trimfuzz.messages attrs attr cattrs click hypothesis rich xdist"
    code = (
        "import pytest, sys; before = set(sys.modules); import trimfuzz.campaigns.pytest.plugin; "
        "print(*sorted(set(sys.modules) - before))"
    )
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert [name for name in loaded if name.startswith("trimfuzz")] == [
        "trimfuzz", "trimfuzz.campaigns", "trimfuzz.campaigns.pytest", "trimfuzz.campaigns.pytest.plugin",
    ]  # fmt: skip
    assert [name for name in loaded if name.split(".")[0] in heavy.split()] == []
    others = {name.split(".")[0] for name in loaded} - {"trimfuzz"}
    assert others <= sys.stdlib_module_names
