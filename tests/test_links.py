"""A file that the editable install does not show yet is named, with the command that shows it."""

from pathlib import Path

import pytest

from .links import INSTALL, stale_install

PROJECT = """
[tool.setuptools]
packages = ["trimfuzz", "trimfuzz.oracles", "trimfuzz.oracles.rules"]
[tool.setuptools.package-dir]
"trimfuzz" = "front"
"trimfuzz.oracles" = "oracles"
"""
FILES = ("front/__init__.py", "oracles/__init__.py", "oracles/rules/__init__.py", "oracles/rules/shape.py")


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A checkout with its link tree, as a strict editable install makes it."""
    (tmp_path / "pyproject.toml").write_text(PROJECT, "utf-8")
    package = tmp_path / "build" / "__editable__.trimfuzz-1-py3-none-any" / "trimfuzz"
    for name in FILES:
        source, link = tmp_path / name, package / name.removeprefix("front/")
        for path in (source, link):
            path.parent.mkdir(parents=True, exist_ok=True)
        source.write_text("", "utf-8")
        link.symlink_to(source)
    return package


def test_a_whole_link_tree_is_fine(tmp_path: Path, package: Path) -> None:
    """Files that are no modules, and what other programs leave behind, are not missed."""
    (tmp_path / "oracles" / "notes.txt").touch()
    (tmp_path / "oracles" / "__pycache__").mkdir()
    assert stale_install(tmp_path, package) is None


def test_a_new_file_is_named(tmp_path: Path, package: Path) -> None:
    """In every folder that is a package; the line ends in what to do."""
    for name in ("front/new.py", "oracles/rules/polite.py"):
        (tmp_path / name).touch()
    assert (
        stale_install(tmp_path, package) == f"not installed yet: front/new.py, oracles/rules/polite.py (run: {INSTALL})"
    )


def test_a_moved_file_is_named_twice(tmp_path: Path, package: Path) -> None:
    """Where it is now, and the link that points to where it was."""
    (tmp_path / "oracles/rules/shape.py").rename(tmp_path / "oracles/shape.py")
    link = (package / "oracles/rules/shape.py").relative_to(tmp_path)
    assert stale_install(tmp_path, package) == (
        f"not installed yet: oracles/shape.py; links to files that are gone: {link} (run: {INSTALL})"
    )


def test_another_install_is_no_link_tree(tmp_path: Path, package: Path) -> None:
    """A wheel in an environment, also one inside the checkout, shows what it was built of."""
    (tmp_path / "oracles/rules/polite.py").touch()
    assert stale_install(tmp_path, tmp_path / ".venv/lib/site-packages/trimfuzz") is None
    assert stale_install(tmp_path, tmp_path / "build/lib/trimfuzz") is None
