"""The house and its arrows, on the syntax tree: which room may import which, and how.

The data flows one way, so the imports do too. An oracle must not know whom it judges; the reference oracle shares no
code with the rules that it checks; the pytest plugin, loaded in everybody's every run, imports nothing heavy.
"""

import ast
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from attrs import frozen

ROOT = Path(__file__).parent.parent
MAY_IMPORT = {
    "messages": set(),
    "strategies": {"messages"},
    "oracles": {"messages"},
    "implementations": {"messages"},
    "campaigns": {"messages", "strategies", "oracles", "implementations"},
    "front": {"campaigns"},
}
SOURCES = sorted(path.relative_to(ROOT) for room in MAY_IMPORT for path in (ROOT / room).rglob("*.py"))
TESTS = sorted(path.relative_to(ROOT) for path in (ROOT / "tests").rglob("*.py"))


@frozen
class Import:
    """One imported module by its full name, and how it was written."""

    name: str
    line: int
    relative: bool
    at_once: bool
    """Imported with the module: not inside a function, and not for type checkers alone."""

    @property
    def room(self) -> str | None:
        """The room of ours that it names; None for somebody else's module."""
        first, *rest = self.name.split(".")
        return (rest[0] if rest else "front") if first == "trimfuzz" else None


def imports(path: Path, source: str) -> Iterator[Import]:
    """Yield what a module imports; `path` is relative to the root and says which module it is."""
    package = ["trimfuzz", *path.parts[:-1]] if path.parts[0] != "front" else ["trimfuzz"]
    for node, at_once in nodes(ast.parse(source), True):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield Import(alias.name, node.lineno, False, at_once)
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else []
            for alias in node.names:
                # `from .. import oracles` names a room only together with what it imports.
                name = ".".join([*base, *([node.module] if node.module else [alias.name])])
                yield Import(name, node.lineno, node.level > 0, at_once)
        elif isinstance(node, ast.Call) and (asked := asked_for(node)):
            level = len(asked) - len(asked.lstrip("."))
            base = package[: len(package) - level + 1] if level else []
            yield Import(".".join([*base, asked.lstrip(".")]), node.lineno, level > 0, False)


def asked_for(call: ast.Call) -> str | None:
    """Return the module that a call of `import_module` with a plain string asks for."""
    if ast.unparse(call.func).split(".")[-1] == "import_module" and call.args:
        first = call.args[0]
        return first.value if isinstance(first, ast.Constant) and isinstance(first.value, str) else None
    return None


def nodes(tree: ast.AST, at_once: bool) -> Iterator[tuple[ast.AST, bool]]:
    """Yield every node, and whether it runs when the module is imported."""
    for node in ast.iter_child_nodes(tree):
        inside = at_once and not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
        if isinstance(node, ast.If) and ast.unparse(node.test).endswith("TYPE_CHECKING"):
            inside = False
        yield node, at_once
        yield from nodes(node, inside)


def faults(path: Path, source: str) -> list[str]:
    """Return what a module imports against the rules of the house."""
    room = path.parts[0]
    allowed = MAY_IMPORT[room] | {room}
    if path == Path("implementations/reference.py"):
        allowed = allowed | {"oracles"}
    found: list[str] = []
    for one in imports(path, source):
        where = f"{path}:{one.line}: {one.name}"
        if one.name.split(".")[0] in MAY_IMPORT:
            found.append(f"{where}: a room by its bare name")
        elif one.room is None:
            continue
        elif one.room not in allowed:
            found.append(f"{where}: {room} may not import {one.room}")
        elif path == Path("oracles/reference.py") and one.name != "trimfuzz.messages.model":
            found.append(f"{where}: the reference oracle shares no code")
        elif room == "front" and path.name == "__init__.py" and one.at_once:
            found.append(f"{where}: the front door opens lazily")
        elif room != "front" and not one.relative:
            found.append(f"{where}: inside the rooms imports are relative")
    return found


@pytest.mark.parametrize("path", SOURCES, ids=str)
def test_every_module_keeps_to_the_arrows(path: Path) -> None:
    """On the source as it stands."""
    assert faults(path, (ROOT / path).read_text()) == []


def test_every_room_is_looked_at() -> None:
    """A room that moved would not be checked."""
    assert {path.parts[0] for path in SOURCES} == set(MAY_IMPORT)
    assert Path("oracles/reference.py") in SOURCES
    assert Path("implementations/reference.py") in SOURCES


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
        ("campaigns/a.py", "from trimfuzz.messages import model", "inside the rooms imports are relative"),
        ("campaigns/a.py", "from trimfuzz import conformance", "campaigns may not import front"),
        ("campaigns/a.py", "import messages.model", "a room by its bare name"),
        ("campaigns/a.py", "from oracles import rules", "a room by its bare name"),
        ("front/__init__.py", "from trimfuzz.campaigns import check", "the front door opens lazily"),
        ("front/__init__.py", "def f():\n    from trimfuzz.oracles import rules", "front may not import oracles"),
        ("front/__main__.py", "from trimfuzz.messages import model", "front may not import messages"),
    ],
)
def test_a_broken_arrow_is_seen(path: str, source: str, said: str) -> None:
    """The check itself, on one line for each rule."""
    assert [fault for fault in faults(Path(path), source) if said in fault]


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
    assert faults(Path(path), source) == []


@pytest.mark.parametrize("path", TESTS, ids=str)
def test_no_test_imports_a_room_by_its_bare_name(path: Path) -> None:
    """Users import `trimfuzz.<room>`, and so do the tests."""
    names = [one.name for one in imports(path, (ROOT / path).read_text()) if not one.relative]
    assert [name for name in names if name.split(".")[0] in MAY_IMPORT] == []


def test_outside_the_adapters_only_core_dependencies_are_imported() -> None:
    """An adapter to a real package imports that package; everything else must run without the extras."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    core = {requirement.split(">")[0].removeprefix("pytest-") for requirement in project["dependencies"]}
    assert "attrs" in core
    foreign = [
        f"{path}:{one.line}: {one.name}"
        for path in SOURCES
        if not path.is_relative_to("implementations/packages")
        for one in imports(path, (ROOT / path).read_text())
        if one.room is None and one.name.split(".")[0] not in sys.stdlib_module_names | core
    ]
    assert foreign == []


def test_the_pytest_plugin_brings_nothing_heavy() -> None:
    """In a fresh process it loads the front door, the room and itself, and no library but pytest."""
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
