"""Packaging: what is installed is what the repository holds, once, and nothing of the machine it was made on."""

import ast
import json
import re
import subprocess
import tomllib
from fnmatch import fnmatch
from importlib.metadata import Distribution, distributions, version
from importlib.resources import files
from pathlib import Path

import pytest

import trimfuzz

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
FOLDERS = PROJECT["tool"]["setuptools"]["package-dir"]
"""The folder of each top package: `trimfuzz` itself is `front`."""


def package_of(folder: Path) -> str:
    """Return the package that a folder of the repository is installed as."""
    top = "trimfuzz" if folder.parts[0] == "front" else f"trimfuzz.{folder.parts[0]}"
    return ".".join([top, *folder.parts[1:]])


def committed() -> list[Path]:
    """Return every file of the repository, by git where there is one."""
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False)
    if listed.returncode == 0:
        found = [Path(line) for line in listed.stdout.splitlines()]
    else:
        found = [path.relative_to(ROOT) for path in ROOT.rglob("*")]
    return [path for path in found if (ROOT / path).is_file()]


def installed_names() -> set[str]:
    """Return where each packaged file of the repository belongs in a wheel."""
    return {
        "/".join([*package_of(path.parent).split("."), path.name])
        for path in committed()
        if path.parts[0] in FOLDERS.values()
    }


def wheel() -> Distribution | None:
    """Return the package as installed from a wheel; None where it is a view of the source tree."""
    for found in distributions(name="trimfuzz"):
        origin = json.loads(found.read_text("direct_url.json") or "{}")
        if found.read_text("RECORD") and not origin.get("dir_info", {}).get("editable"):
            return found
    return None


def test_the_package_list_is_the_folders_that_hold_python_files() -> None:
    """A folder that is not listed would be missing from the wheel, and every package opens with an `__init__`."""
    folders = {path.parent for path in committed() if path.suffix == ".py" and path.parts[0] in FOLDERS.values()}
    assert set(PROJECT["tool"]["setuptools"]["packages"]) == {package_of(folder) for folder in folders}
    assert [folder for folder in folders if not (ROOT / folder / "__init__.py").is_file()] == []


def test_every_package_is_mapped() -> None:
    """A sub-package follows from the package above it; no folder is named like the package itself."""
    assert {package_of(Path(folder)): folder for folder in FOLDERS.values()} == FOLDERS
    assert not (ROOT / "trimfuzz").exists()


def test_every_data_file_in_a_package_is_package_data() -> None:
    """By the patterns of pyproject, which are the whole truth."""
    patterns = PROJECT["tool"]["setuptools"]["package-data"]["*"]
    left_out = [
        str(path)
        for path in committed()
        if path.parts[0] in FOLDERS.values()
        and path.suffix != ".py"
        and not any(fnmatch(path.name, pattern) for pattern in patterns)
    ]
    assert left_out == []


def test_a_wheel_holds_every_file_and_no_other() -> None:
    """What was deleted is gone, also where an old build folder lies about."""
    found = wheel()
    if found is None or found.files is None:
        pytest.skip("installed as a view of the source tree; .ci/run installs a wheel")
    packaged = {str(path) for path in found.files if path.parts[0] == "trimfuzz" and path.suffix != ".pyc"}
    assert packaged == installed_names()


def test_the_version_stands_in_one_place() -> None:
    """Everybody else reads it from the metadata."""
    assert version("trimfuzz") == PROJECT["project"]["version"]
    for path in committed():
        if path.suffix == ".py" and path.parts[0] in FOLDERS.values():
            assert not assigns_a_version((ROOT / path).read_text()), path


def assigns_a_version(source: str) -> bool:
    """Say whether a module spells out a version of its own."""
    return any(
        isinstance(node, ast.Assign | ast.AnnAssign)
        and isinstance(node.value, ast.Constant)
        and re.search(r"^(__version__|VERSION|SUITE_VERSION)\b", ast.unparse(node)) is not None
        and isinstance(node.value.value, str)
        for node in ast.walk(ast.parse(source))
    )


@pytest.mark.parametrize("source", ["__version__ = '1.0'", "VERSION: str = '1.0'"])
def test_a_version_spelt_out_is_seen(source: str) -> None:
    """The check itself; a format's number is no version."""
    assert assigns_a_version(source)
    assert not assigns_a_version("VERSION = version('trimfuzz')\nFORMAT = 1")


def test_the_package_is_typed() -> None:
    """Type checkers of users read its annotations."""
    assert (files("trimfuzz") / "py.typed").is_file()


def test_every_public_name_can_be_had() -> None:
    """They are loaded when they are asked for, and any other name is an error."""
    assert [name for name in trimfuzz.__all__ if not callable(getattr(trimfuzz, name))] == []
    assert set(trimfuzz.__all__) <= set(dir(trimfuzz))
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        trimfuzz.nothing  # noqa: B018 # pyright: ignore[reportAttributeAccessIssue]


# Put together, so that this file does not hold what it looks for.
PLACES = ("work", "root", "farm", "home", "Users", "tmp/venv")
HOSTS = ("arti" + "factory", "nex" + "us", "dev" + "pi", "pypi-" + "mirror", "index" + "-url", "local" + "host:")
LEAKS = re.compile("|".join([*(f"(?<![\\w.:/])/{place}/(?!somebody/)" for place in PLACES), *HOSTS]))


def test_no_file_names_a_machine_path_or_a_registry() -> None:
    """Neither a folder of somebody's machine nor the host that packages came from."""
    leaks: list[str] = []
    for path in committed():
        text = (ROOT / path).read_bytes().decode(errors="ignore")
        leaks.extend(f"{path}: {match.group()}" for match in LEAKS.finditer(text))
    assert leaks == []


@pytest.mark.parametrize("leak", ["/" + "work/main/x.py", "see /" + "home/me/x", "pip --index" + "-url=x"])
def test_a_leak_is_seen(leak: str) -> None:
    """The check itself; a path inside the repository and an address are none."""
    assert LEAKS.search(leak)
    assert not LEAKS.search("tests/work/x.py https://example.org/home/x ../work/x")
