"""The last findings: every case that was shown can be run again alone."""

from pathlib import Path

import pytest

from trimfuzz.campaigns.engine.bugs import Bug
from trimfuzz.campaigns.engine.records import Record
from trimfuzz.campaigns.store.fixtures import read_all
from trimfuzz.campaigns.store.last import FOLDER, store_last
from trimfuzz.campaigns.target.contract_summary import ContractSummary
from trimfuzz.campaigns.target.spec import Spec
from trimfuzz.messages.limits import Limit

from ..commandline import trimfuzz

HISTORY = [{"role": "user", "text": "a"}]
CONTRACT = ContractSummary(
    "mine.py:trim", "", "", "openai-chat", "messages", "openai-chat", "default", {}, [], False, [], []
)
MINE = """
def trim(messages, limit):
    while len(messages) > limit:
        messages.pop(0)
    return messages
"""


def bug(rule: str, target: str = "mine.py:trim") -> Bug:
    """A bug of a rule."""
    limit = Limit("messages", 1)
    return Bug(1, Record(target, rule, f"{rule}/valid/lost", "lost", "always", True, "valid", HISTORY, limit, "ok", []))


def store(*bugs: Bug, target: str = "mine.py:trim") -> dict[str, Path]:
    """Store what a run found."""
    return store_last(bugs, spec=Spec(target), contract=CONTRACT, seed=1)


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_the_next_run_takes_the_place_of_the_last_one() -> None:
    """Of the same trimmer; what another one broke stays."""
    store(bug("no-orphan"), bug("call-answered"))
    store(bug("no-orphan", "other.py:trim"), target="other.py:trim")
    files = store(bug("batch-atomic"))

    assert set(files) == {"batch-atomic/valid/lost"}
    assert [one.rule for one in read_all([FOLDER])] == ["batch-atomic", "no-orphan"]
    assert store() == {}
    assert [one.found_by.trimmer for one in read_all([FOLDER])] == ["other.py:trim"]


def test_the_folder_keeps_itself_out_of_a_repository() -> None:
    """It is made with the first finding, and not for nothing."""
    store()
    assert not FOLDER.exists()
    store(bug("no-orphan"))
    assert (FOLDER / ".gitignore").read_text("utf-8") == "*\n"


def test_what_cannot_be_written_hides_nothing(tmp_path: Path) -> None:
    """The report stands without files then."""
    (tmp_path / ".trimfuzz").write_text("", "utf-8")
    assert store(bug("no-orphan")) == {}


def test_the_line_under_a_bug_runs_its_case_alone(tmp_path: Path) -> None:
    """With options that a command line cannot repeat from the name alone; nothing else is run."""
    (tmp_path / "mine.py").write_text(MINE, "utf-8")
    run = ("check", "mine.py:trim", "--examples", "10", "--seconds", "0", "--shrink", "0", "--seed", "1")
    found = trimfuzz(*run, "--promise", "keeps-system", "--json", code=1, cwd=tmp_path).document
    assert {one["rule"] for one in found["bugs"]} >= {"no-orphan", "no-input-mutation", "keeps-system"}
    for one in found["bugs"]:
        command = one["reproduce"].split()
        assert command[:2] == ["trimfuzz", "replay"]
        (row,) = trimfuzz(*command[1:], "--json", code=1, cwd=tmp_path).document["fixtures"]
        assert (row["state"], row["found"], row["fails"]) == ("failed", one["cause"], True)
