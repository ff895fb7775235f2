"""`trimfuzz.replay`: recorded findings again, from Python."""

from pathlib import Path

import pytest

import trimfuzz
from trimfuzz.campaigns.store.fixture_format import Fixture, FoundBy
from trimfuzz.campaigns.store.fixtures import save_fixture
from trimfuzz.messages.limits import Limit
from trimfuzz.messages.shorthand import history

MINE = """
def broken(messages, limit):
    return messages[-limit:] if limit > 0 else []

def whole(messages, limit):
    return list(messages)
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working directory with a fixture of a file of trimmers."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.py").write_text(MINE, "utf-8")
    made = Fixture(
        "0" * 12, "s", "no-orphan", "no-orphan/valid/call-dropped", "valid", "openai-chat", "openai-chat",
        history("U A[a] T(a)"), Limit("messages", 1), found_by=FoundBy("mine.py:broken"),
    )  # fmt: skip
    save_fixture(made, tmp_path / "fixtures" / "one.json")
    return tmp_path


@pytest.mark.slow
def test_states_and_exit_code(folder: Path) -> None:
    """On the trimmer that it was found on, and on another one."""
    again = trimfuzz.replay("fixtures")
    assert again.states == {"failed": 1, "fixed": 0, "changed": 0, "error": 0}
    assert again.exit_code == 1
    assert again.to_json()["fixtures"][0]["state"] == "failed"
    other = trimfuzz.replay([folder / "fixtures"], "mine.py:whole", timeout=1)
    assert (other.states["fixed"], other.exit_code) == (1, 0)
    gone = trimfuzz.replay("fixtures", "mine.py:none")
    assert (gone.states["error"], gone.exit_code) == (1, 2)


def test_what_cannot_be_meant_is_one_line(folder: Path) -> None:
    """With the sentence of the command."""
    with pytest.raises(trimfuzz.TrimfuzzError, match="cannot read nowhere"):
        trimfuzz.replay("nowhere")
    with pytest.raises(trimfuzz.TrimfuzzError, match="--timeout -1 bounds no trim"):
        trimfuzz.replay("fixtures", timeout=-1)
    with pytest.raises(trimfuzz.TrimfuzzError, match="--format says nothing about oasis-pre"):
        trimfuzz.replay("fixtures", "oasis-pre", format="yaml")
