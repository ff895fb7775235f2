"""A shelf: modules found by looking into a folder, in an order that is listed as far as it matters."""

import sys
from pathlib import Path

import pytest

from trimfuzz.messages.shelf import modules_in, ordered


def test_every_module_of_a_folder_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By name, and no folder inside."""
    shelf = tmp_path / "shelf_of_a_test"
    (shelf / "folder").mkdir(parents=True)
    for name in ("__init__", "zebra", "ant", "folder/__init__"):
        (shelf / f"{name}.py").write_text(f"NAME = {name!r}\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    try:
        assert [module.NAME for module in modules_in(shelf.name)] == ["ant", "zebra"]
    finally:
        for name in [name for name in sys.modules if name.partition(".")[0] == shelf.name]:
            del sys.modules[name]


def test_the_names_that_come_first_are_listed_and_the_rest_follows() -> None:
    """A name that is not there is no gap."""
    assert list(ordered({"a": 1, "b": 2, "c": 3}, ("c", "x", "b"))) == ["c", "b", "a"]
