"""All adapters at once: what importing them costs, what is missing without packages, and what they leave alone."""

import re
import socket
import subprocess
import sys
import tomllib
from importlib import import_module
from pathlib import Path

import pytest

from trimfuzz.implementations.packages import MODULES

ROOT = Path(__file__).parents[3]
FOLDER = ROOT / "implementations" / "packages"
HISTORIES = ("", "S", "U", "S U A U A", "S U A[c0] T(c0) A U A[c1,c2] T(c1) T(c2) A U", "U A[x] T(x) A[x] T(x)")

IMPORT_ALL = """
import sys
from importlib import import_module
from trimfuzz.implementations.packages import MODULES
for module in MODULES:
    import_module("trimfuzz.implementations.packages." + module)
tops = {name.partition(".")[0] for name in sys.modules}
print(*sorted(tops - set(sys.stdlib_module_names) - {"trimfuzz", "attr", "attrs", "__main__"}))
"""

WITHOUT_PACKAGES = """
import sys
from importlib import import_module
from trimfuzz.implementations.packages import MODULES

class Nothing:
    def find_spec(self, name, path=None, target=None):
        top = name.partition(".")[0]
        if top in sys.stdlib_module_names or top in ("trimfuzz", "attr", "attrs"):
            return None
        raise ModuleNotFoundError(name, name=name)

    def find_distributions(self, context=None):
        return iter(())

sys.meta_path.insert(0, Nothing())
for module in MODULES:
    try:
        import_module("trimfuzz.implementations.packages." + module).trimmers()
    except ImportError:
        print(module)
"""

A_TRIMMER_OF_A_MISSING_PACKAGE = (
    WITHOUT_PACKAGES.partition("for module")[0]
    + """
from trimfuzz.implementations.registry import find
try:
    find("ag2-tail-window")
except Exception as error:
    print(type(error).__name__, error)
"""
)


def printed(program: str) -> list[str]:
    """Run a program in a fresh interpreter and return the words it prints."""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=120)
    return done.stdout.split()


def found(module: str):
    """Return a module's trimmers; skips without its package."""
    try:
        return import_module(f"trimfuzz.implementations.packages.{module}").trimmers()
    except ImportError as error:
        pytest.skip(str(error))


def test_importing_costs_nothing():
    """No third-party package is imported with the modules (site hooks of the environment aside)."""
    assert set(printed(IMPORT_ALL)) <= {
        "sitecustomize",
        "usercustomize",
        "_distutils_hack",
        "__editable___trimfuzz_finder",
    }


def test_a_missing_package_is_an_import_error_of_trimmers():
    """Every module says so itself, and only when it is asked."""
    assert printed(WITHOUT_PACKAGES) == list(MODULES)


def test_a_trimmer_of_a_missing_package_is_not_unknown():
    """Asked for by name, it is said to be unavailable, and what would bring it."""
    words = printed(A_TRIMMER_OF_A_MISSING_PACKAGE)
    assert words[0] == "BadTarget"
    assert "trimfuzz[adapters-more]" in words


def adapters() -> list[str]:
    """Return the modules of the folder that offer `trimmers()`."""
    return sorted(path.stem for path in FOLDER.glob("*.py") if "\ndef trimmers(" in path.read_text("utf-8"))


def test_every_adapter_is_listed():
    """A module that is not listed is never run."""
    unlisted = [module for module in adapters() if module not in MODULES]
    assert [f"implementations/packages/__init__.py does not list {module}" for module in unlisted] == []


def test_every_adapter_has_an_extra_that_installs_its_package():
    """The distribution that its `about(...)` names is in one of the two extras."""
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]
    brought = {re.split("[><=]", one)[0] for name in ("adapters", "adapters-more") for one in extras[name]}
    asked = {
        name: module
        for module in adapters()
        for name in re.findall(r'\babout\(\s*"([^"]+)"', (FOLDER / f"{module}.py").read_text("utf-8"))
    }
    assert [
        f"no extra of pyproject.toml has {name}, for {module}" for name, module in asked.items() if name not in brought
    ] == []


def test_every_adapter_has_tests():
    """What it returns for a history worked out by hand stands in a file of this folder."""
    text = "".join(path.read_text("utf-8") for path in Path(__file__).parent.glob("test_*.py"))
    assert [f"no test of {module}" for module in adapters() if f'"{module}"' not in text] == []


@pytest.mark.parametrize("module", MODULES)
def test_every_trimmer_carries_its_story(module):
    """Version, upstream and licence are there, and the docstring speaks of licence and reports."""
    for trimmer in found(module):
        assert trimmer.version
        assert trimmer.source.startswith("https://")
        assert "versions seen" in trimmer.story
    doc = import_module(f"trimfuzz.implementations.packages.{module}").__doc__ or ""
    assert "Licence" in doc
    assert "Reports" in doc


def test_names_are_unique():
    """No two adapters register under one name; those that are not installed do not count."""
    names: list[str] = []
    for module in MODULES:
        try:
            names += [
                trimmer.name for trimmer in import_module(f"trimfuzz.implementations.packages.{module}").trimmers()
            ]
        except ImportError:
            continue
    assert len(names) == len(set(names))


@pytest.mark.parametrize("module", MODULES)
def test_promises_are_known_rules(module):
    """What is promised can be judged."""
    rules = pytest.importorskip("trimfuzz.oracles.rules.registry").RULES
    for trimmer in found(module):
        assert set(trimmer.promises) <= set(rules)


@pytest.mark.slow
@pytest.mark.parametrize("module", MODULES)
def test_nothing_is_shown_fetched_or_written(module, outcome, capfd, monkeypatch, tmp_path):
    """A trim prints nothing, opens no connection and leaves no file in the working directory."""

    def refuse(*_arguments, **_options):
        raise AssertionError("opened a connection")

    trimmers = found(module)
    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket, "create_connection", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    monkeypatch.chdir(tmp_path)
    capfd.readouterr()
    for trimmer in trimmers:
        for history in HISTORIES:
            for kind in trimmer.limits:
                for value in (0, 1, 3, 30, 500):
                    assert outcome(module, trimmer.name, history, kind, value).status in ("ok", "refused")
    assert capfd.readouterr().out == ""
    assert list(tmp_path.iterdir()) == []
