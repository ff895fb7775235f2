"""Naming: a function by which another process finds it again."""

import sys
from pathlib import Path

import pytest

from trimfuzz.campaigns.python_api.naming import name_of_object, target_text
from trimfuzz.campaigns.target.loading import load_object
from trimfuzz.implementations.registry import find
from trimfuzz.implementations.trimmer import Trimmer
from trimfuzz.messages.errors import BadTarget


def test_a_name_leads_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """To a function of a package, to one of a file elsewhere, and to one of a file in the working directory."""
    assert name_of_object(pytest.fixture) == "_pytest.fixtures:fixture"
    monkeypatch.setattr(sys, "path", [*sys.path])
    (tmp_path / "boxes.py").write_text("class Box:\n    @staticmethod\n    def trim(m, n): return m\n", "utf-8")
    found = load_object(f"{tmp_path}/boxes.py:Box.trim")

    assert name_of_object(found) == f"{tmp_path}/boxes.py:Box.trim"
    monkeypatch.chdir(tmp_path)
    assert name_of_object(found) == "boxes:Box.trim"
    del sys.modules["boxes"]


def test_registered_trimmers_have_their_names() -> None:
    """Text stays text, and what is registered under its name is that name."""
    assert target_text("mine.py:trim") == "mine.py:trim"
    assert target_text(find("oasis-pre")) == "oasis-pre"
    with pytest.raises(BadTarget):
        target_text(Trimmer("oasis-pre", lambda items, _limit, _count: items, limits=("turns",)))


def test_what_has_no_name_is_refused_in_one_line() -> None:
    """An object of a class, a function in a function, a decorated one that stands under another name."""

    def inner() -> None: ...

    for found in (object(), inner, lambda: None):
        with pytest.raises(BadTarget) as caught:
            name_of_object(found)
        assert "\n" not in str(caught.value)
