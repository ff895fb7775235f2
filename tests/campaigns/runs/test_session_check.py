"""Sessions from the command line and as a test case: found, shrunk, kept as fixtures, played again."""

import json
from importlib.resources import files as files_of
from pathlib import Path
from typing import Any

import hypothesis
import jsonschema
import pytest

import trimfuzz as front
from trimfuzz.campaigns import schemas
from trimfuzz.campaigns.pytest.sessions import BrokenSession
from trimfuzz.campaigns.runs.session_check import check_sessions
from trimfuzz.campaigns.store.fixture_format import dump_fixture, load_fixture
from trimfuzz.campaigns.store.fixtures import read_fixture, write_fixture
from trimfuzz.campaigns.target.spec import Spec
from trimfuzz.messages.errors import BadFile, BadTarget

from ..commandline import trimfuzz

QUIET = hypothesis.settings(max_examples=60, deadline=None, derandomize=True, database=None)
LATE = ['user "a"', "call x", "plan 2", 'result x "b"', "apply", "send"]


def published(name: str) -> Any:
    """Return a schema that is shipped."""
    return json.loads((files_of(schemas) / name).read_text("utf-8"))


@pytest.mark.slow
def test_report_shows_the_script_and_the_request(tmp_path: Path) -> None:
    said = trimfuzz(
        "sessions", "kimi-pr1054", "--examples", "80", "--seconds", "0", "--seed", "1", code=1, cwd=tmp_path
    ).stdout
    assert "trimfuzz sessions kimi-pr1054" in said
    assert "1 no-orphan  on valid input" in said
    assert '1  user "a"' in said
    assert "2  call x" in said
    assert "the compaction is recorded" in said
    assert "its call was dropped" in said
    assert "   also         batch-atomic; on interleaved input too" in said
    assert "to fix (exit code 1)" in said
    assert "reproduce    trimfuzz replay .trimfuzz/last/kimi-pr1054--no-orphan--" in said


@pytest.mark.slow
def test_document_and_fixtures_that_can_be_replayed(tmp_path: Path) -> None:
    run = ("sessions", "codebuff-post", "--then", "codebuff-drop-unanswered", "--examples", "400", "--seed", "1")
    said = trimfuzz(*run, "--seconds", "0", "--json", "--fixtures", "found", code=1, cwd=tmp_path).document
    jsonschema.validate(said, published("sessions.json"))
    failing = [one for one in said["causes"] if one["fails"]]
    assert said["then"] == "codebuff-drop-unanswered"
    assert said["sessions"] == 400
    assert "no-orphan/valid/call-dropped" in {one["cause"] for one in failing}
    assert all(len(one["script"]["steps"]) <= 8 for one in failing)

    files = sorted((tmp_path / "found").iterdir())
    data = json.loads(next(file for file in files if "no-orphan" in file.name).read_text())
    jsonschema.validate(data, published("fixture.json"))
    assert data["script"] == said["bugs"][0]["script"]
    guarded = {one["cause"] for one in said["causes"] if one["script"]["then"] == "codebuff-drop-unanswered"}
    assert "no-orphan/interleaved/call-dropped" in guarded, "without the guard there is no orphan"
    assert data["signature"].endswith(" session")
    rows = trimfuzz("replay", "found", "--json", code=1, cwd=tmp_path).document["fixtures"]
    assert {row["state"] for row in rows} == {"failed"}
    fixed = trimfuzz("replay", "found", "--with", "reference", "--json", cwd=tmp_path).document["fixtures"]
    valid = [row["state"] for row in fixed if "/valid/" in row["cause"]]
    assert valid
    assert set(valid) == {"fixed"}


@pytest.mark.slow
def test_nothing_that_fails(tmp_path: Path) -> None:
    run = ("sessions", "museum:remembers-whole-exchanges", "--examples", "60", "--seconds", "0", "--seed", "2")
    said = trimfuzz(*run).stdout
    assert "nothing found that fails (exit code 0)" in said
    steered = trimfuzz("sessions", "merak-post", "--examples", "60", "--seconds", "0", "--seed", "1").stdout
    assert 'steer "b"' in steered
    trimfuzz(
        *("sessions", "merak-post", "--examples", "60", "--seconds", "0", "--seed", "1", "--fail-on", "interleaved"),
        code=1,
    )


@pytest.mark.slow
def test_what_could_not_be_run(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(
        "def nothing(messages, limit):\n    return None\n\n\n"
        "def gone(messages, limit):\n    import os\n    os._exit(3)\n"
    )
    assert "unknown trimmer" in trimfuzz("sessions", "kimi-prae", code=2).stderr
    both = trimfuzz("sessions", "kimi-pre", "--then", "museum:suffix-by-units", code=2).stderr
    assert "takes openai-chat messages" in both
    said = trimfuzz("sessions", "mine.py:nothing", "--limit", "messages", "--examples", "20", code=2, cwd=tmp_path)
    assert "returned None" in said.stderr
    run = ("sessions", "mine.py:gone", "--limit", "messages", "--examples", "3", "--seconds", "0", "--json")
    found = trimfuzz(*run, code=1, cwd=tmp_path).document["causes"]
    assert "total-no-raise/valid/crashed" in {one["cause"] for one in found}
    assert {one["rule"] for one in found} == {"total-no-raise"}


@pytest.mark.slow
def test_two_runs_of_one_seed_are_the_same() -> None:
    one, other = (check_sessions(Spec("kimi-pre"), examples=60, seconds=0, seed=4) for _ in range(2))
    assert one.records == other.records
    with pytest.raises(BadTarget):
        check_sessions(Spec("kimi-pre"), then="nobody", examples=1)


# Fixtures


@pytest.mark.slow
def test_fixture_with_a_script_comes_back(tmp_path: Path) -> None:
    check = check_sessions(Spec("kimi-pr1054"), examples=60, seconds=0, seed=1)
    record = next(one for one in check.records if one.cause == "no-orphan/valid/call-dropped")
    assert record.script is not None
    path = write_fixture(record, tmp_path, spec=Spec("kimi-pr1054"), wire="neutral")
    fixture = read_fixture(path)
    assert fixture.script is not None
    assert fixture.script.keep == "sent"
    assert load_fixture(dump_fixture(fixture)).script == fixture.script
    text = path.read_text()
    assert '\n      "call x",\n' in text, "a step has a line of its own"
    broken = dump_fixture(fixture) | {"script": {"steps": ["shout"]}}
    with pytest.raises(BadFile, match="script: unknown step 'shout'"):
        load_fixture(broken)


# As a test case


def run(case: Any) -> None:
    """Run a test case as pytest does."""
    case("runTest").runTest()


@pytest.mark.slow
def test_case_fails_with_a_script() -> None:
    with pytest.raises(BrokenSession) as broken:
        run(front.sessions("kimi-pr1054", settings=hypothesis.settings(QUIET, max_examples=600)))
    assert broken.value.record.minimal
    assert len(broken.value.script.steps) <= 6
    said = str(broken.value)
    assert said.startswith("no-orphan/valid/call-dropped (keep=sent)")
    assert "call x" in said
    assert "its call was dropped" in said


@pytest.mark.slow
def test_case_of_a_function_with_promises() -> None:
    def tail(messages: list[Any], limit: int) -> list[Any]:
        """The newest messages, wherever that cuts."""
        return messages[-limit:] if limit > 0 else []

    with pytest.raises(BrokenSession) as broken:
        run(front.sessions(tail, limit="messages", settings=hypothesis.settings(QUIET, max_examples=600)))
    assert broken.value.record.cause.startswith("no-orphan/valid/")
    run(
        front.sessions(
            lambda messages, limit: messages, limit="messages", promises=["late-result-safe"], settings=QUIET
        )
    )


@pytest.mark.slow
def test_case_of_what_is_correct_passes() -> None:
    run(front.sessions("museum:compacts-whole-exchanges", settings=QUIET))
    run(front.sessions("reference", settings=QUIET, steps=15))
