"""Fixtures: written once per signature, whole or not at all, and read back with everything in them."""

import json
import os
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve
from jsonschema import Draft202012Validator

from trimfuzz.campaigns import schemas
from trimfuzz.campaigns.engine.bugs import Bug
from trimfuzz.campaigns.engine.records import Record
from trimfuzz.campaigns.store.fixture_format import dump_fixture, load_fixture
from trimfuzz.campaigns.store.fixtures import (
    find_fixture,
    portable,
    read_all,
    read_fixture,
    save_fixture,
    write_fixture,
)
from trimfuzz.campaigns.store.signatures import fingerprint_of
from trimfuzz.campaigns.target.spec import Spec
from trimfuzz.messages.errors import BadFile
from trimfuzz.messages.limits import Limit
from trimfuzz.messages.neutral import dump_history, load_history
from trimfuzz.messages.shorthand import history

SPEC = Spec("oasis-pre", in_place=True, promises={"utilisation": 0.5})
SCHEMA = json.loads((Path(schemas.__file__).parent / "fixture.json").read_text("utf-8"))


def record(written: str = "U A[a] T(a)", *, limit: Limit | None = None, **others: Any) -> Record:
    """Make the record of a dropped call: the last message is what came back."""
    given = history(written)
    made = Record(
        "oasis-pre", "no-orphan", "no-orphan/valid/call-dropped", "call-dropped", "always", True, "valid",
        dump_history(given), limit or Limit("messages", 1), "ok", dump_history(given[-1:]),
        messages=[len(given) - 1], provider="openai-chat", failure="KeyError: /home/somebody/secret",
    )  # fmt: skip
    return evolve(made, **others)


def write(found: Record, folder: Path, **others: Any) -> Path:
    """Write a record with fixed particulars."""
    given: dict[str, Any] = {"spec": SPEC, "wire": "openai-chat", "version": "1.2", "seed": 7, "date": "2026-01-31"}
    return write_fixture(found, folder, **(given | others))


def test_written_fixture_holds_all_of_format_2(tmp_path: Path) -> None:
    """Every key of the format is there, in its order, with what was found; the schema agrees."""
    path = write(record(), tmp_path)
    data = json.loads(path.read_text("utf-8"))

    assert list(data) == SCHEMA["required"]
    assert list(data["found_by"]) == SCHEMA["properties"]["found_by"]["required"]
    Draft202012Validator(SCHEMA).validate(data)
    assert data["format"] == 2
    assert data["signature"] == "oasis-pre no-orphan/call-dropped A[1]>|T"
    assert data["id"] == fingerprint_of(data["signature"], data["history"])
    assert path.name == f"oasis-pre--no-orphan--{data['id']}.json"
    assert data["history"] == record().history
    assert data["limit"] == {"kind": "messages", "value": 1}
    in_force = {"without": [], "system": "inside", "marks": "auto", "lowest_limit": 1}
    assert data["options"] == {"in_place": True, "promises": {"utilisation": 0.5}, **in_force}
    assert {**data["found_by"], "suite": ""} == {
        "trimmer": "oasis-pre", "version": "1.2", "suite": "", "date": "2026-01-31", "seed": 7,
    }  # fmt: skip


def test_written_fixture_says_what_is_sent_and_answered(tmp_path: Path) -> None:
    """The items of the format beside the neutral messages, the provider's words, and how sure they are."""
    data = json.loads(write(record(), tmp_path).read_text("utf-8"))

    assert data["wire_output"] == [{"role": "tool", "tool_call_id": "a", "content": "T2"}]
    assert data["wire_history"][1]["tool_calls"][0]["id"] == "a"
    assert data["provider_answer"]["text"].startswith("Invalid parameter: messages with role 'tool'")
    assert data["provider_answer"]["confidence"] in "ABCD"
    assert data["pack"]["read"] >= data["provider_answer"]["date"] > "2026"
    quiet = json.loads(write(record(rule="within-limit", cause="within-limit/valid/over-limit"), tmp_path).read_text())
    assert quiet["provider_answer"] is None
    Draft202012Validator(SCHEMA).validate(quiet)
    odd = json.loads(write(record(provider="anthropic"), tmp_path / "odd", wire="of-an-adapter").read_text("utf-8"))
    assert (odd["wire_history"], odd["wire_output"]) == (None, None)
    assert odd["pack"]["version"]
    Draft202012Validator(SCHEMA).validate(odd)


def test_a_bug_names_what_was_folded_into_it(tmp_path: Path) -> None:
    """The causes, in one file."""
    half = record(rule="batch-atomic", cause="batch-atomic/valid/call-dropped")
    given: dict[str, Any] = {"spec": SPEC, "wire": "openai-chat"}
    path = write_fixture(Bug(1, record(), (half,)), tmp_path, **given)

    assert read_fixture(path).also == ("batch-atomic/valid/call-dropped",)
    assert len(list(tmp_path.iterdir())) == 1


def test_format_1_is_read(tmp_path: Path) -> None:
    """Its signature is read without the class, and is found again by what is found today."""
    old = {
        "format": 1, "id": "0123456789ab", "signature": "oasis-pre no-orphan/valid/call-dropped A[1]>|T",
        "rule": "no-orphan", "cause": "no-orphan/valid/call-dropped", "input_class": "valid",
        "provider": "openai-chat", "wire": "openai-chat", "history": record().history,
        "limit": {"kind": "messages", "value": 1}, "options": {}, "output": record().output,
        "found_by": {"trimmer": "oasis-pre", "version": "1.2", "suite": "0.1.0", "date": "2026-01-31", "seed": 7},
    }  # fmt: skip
    path = tmp_path / "oasis-pre--no-orphan--0123456789ab.json"
    path.write_text(json.dumps(old), "utf-8")
    found = read_fixture(path)

    assert found.signature == "oasis-pre no-orphan/call-dropped A[1]>|T"
    assert (found.also, found.provider_answer, found.wire_history) == ((), None, None)
    assert find_fixture(record(), tmp_path) == found
    pending = record(cause="no-orphan/pending/call-dropped", input_class="pending")
    assert write(pending, tmp_path) == path


def test_public_report_of_a_finding_is_on_file(tmp_path: Path) -> None:
    """It is said where there is one, read back, and kept when a smaller history takes the place."""
    larger = write(evolve(record("U U A[a] T(a)"), url="https://example.org/1"), tmp_path)
    data = json.loads(larger.read_text("utf-8"))

    Draft202012Validator(SCHEMA).validate(data)
    assert data["found_by"]["url"] == "https://example.org/1"
    assert load_fixture(data).found_by.url == "https://example.org/1"

    smaller = write(record(), tmp_path)

    assert smaller != larger
    assert read_fixture(smaller).found_by.url == "https://example.org/1"
    assert "url" not in write(record(), tmp_path / "generated").read_text("utf-8")


def test_schema_is_a_schema() -> None:
    """What is published can be used by other people's validators."""
    Draft202012Validator.check_schema(SCHEMA)


def test_read_back_equals_what_was_written(tmp_path: Path) -> None:
    """Reading and writing lose nothing, a compaction point's length and a missing limit included."""
    for limit in (Limit("compaction", 2, 3), Limit("tokens", -1)):
        found = read_fixture(write(record(limit=limit), tmp_path / limit.kind))

        assert found.limit == limit
        assert load_fixture(dump_fixture(found)) == found

    unknown = read_fixture(write(evolve(record(), limit=None, output=None), tmp_path / "none"))

    assert unknown.limit is None
    assert unknown.output is None


def test_history_is_all_that_is_kept_of_a_run(tmp_path: Path) -> None:
    """Messages of errors, which can hold anything of the machine, do not reach a fixture."""
    assert "secret" not in write(record(), tmp_path).read_text("utf-8")


def test_target_below_the_working_directory_is_named_from_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A fixture names no home directory."""
    monkeypatch.chdir(tmp_path)

    assert portable(f"{tmp_path}/pkg/mine.py:trim") == "pkg/mine.py:trim"
    assert portable("./pkg/../mine.py:trim") == "mine.py:trim"
    assert portable("/elsewhere/mine.py:trim") == portable("../elsewhere/mine.py:trim") == "mine.py:trim"
    assert portable("/elsewhere/mine.py") == "mine.py"
    assert portable("package.module:trim") == "package.module:trim"
    assert portable("museum:tail-slice") == "museum:tail-slice"


def test_no_folder_of_a_target_is_in_its_fixture(tmp_path: Path) -> None:
    """Not in its content, not in its signature, and not in the name of the file."""
    home = "/home/somebody/secret"
    mine = record(trimmer=f"{home}/mine.py:trim")
    spec = Spec(f"{home}/mine.py:trim", count=f"{home}/words.py:count", refuses=(f"{home}/mine.py:TooSmall",))
    path = write(mine, tmp_path, spec=spec)

    assert "secret" not in path.name + path.read_text("utf-8")
    options = read_fixture(path).options
    assert (options["count"], options["refuses"]) == ("words.py:count", ["mine.py:TooSmall"])
    assert find_fixture(mine, tmp_path) == read_fixture(path)


def test_second_finding_of_a_signature_leaves_the_file_alone(tmp_path: Path) -> None:
    """A finding that is on file already, at the same size or smaller, writes nothing."""
    first = write(record(), tmp_path)
    before = first.read_bytes()

    assert write(record(), tmp_path, seed=8) == first
    assert write(record("U U U A[a] T(a)"), tmp_path) == first
    assert first.read_bytes() == before
    assert len(list(tmp_path.iterdir())) == 1


def test_smaller_finding_takes_the_place_and_what_was_added(tmp_path: Path) -> None:
    """The new file replaces the larger one and keeps the keys that somebody wrote into it."""
    large = write(record("U U U A[a] T(a)"), tmp_path)
    data = json.loads(large.read_text("utf-8"))
    large.write_text(json.dumps({**data, "comment": "reported upstream"}), "utf-8")
    small = write(record(), tmp_path)

    assert [path.name for path in tmp_path.iterdir()] == [small.name]
    assert json.loads(small.read_text("utf-8"))["comment"] == "reported upstream"
    assert len(read_fixture(small).history) == 3


def test_different_signatures_are_different_files(tmp_path: Path) -> None:
    """Two bugs never share a file, also where one rule of one trimmer is broken twice."""
    one = write(record(), tmp_path)
    two = write(record("U A[a,b] T(a) T(b)"), tmp_path)

    assert one != two
    assert find_fixture(record(), tmp_path) == read_fixture(one)
    assert find_fixture(record(trimmer="other"), tmp_path) is None


def test_odd_names_become_file_names(tmp_path: Path) -> None:
    """A target with slashes, colons and blanks, or none at all, still names a file inside the folder."""
    for trimmer in ("../a b/mine.py:Trim.view", "..", "[*]"):
        path = write(record(trimmer=trimmer), tmp_path)

        assert path.parent == tmp_path
        assert find_fixture(record(trimmer=trimmer), tmp_path) == read_fixture(path)


def test_unknown_keys_survive_a_rewrite(tmp_path: Path) -> None:
    """Keys that this version does not know are kept, at the top, in messages and about the finder."""
    data = json.loads(write(record(), tmp_path).read_text("utf-8"))
    data |= {"upstream": {"issue": 12}, "found_by": {**data["found_by"], "host": "ci"}}
    data["history"][0]["origin"] = "known"
    path = tmp_path / "edited.json"
    path.write_text(json.dumps(data), "utf-8")
    save_fixture(read_fixture(path), path)

    assert json.loads(path.read_text("utf-8")) == data


def test_missing_keys_have_defaults() -> None:
    """A hand-written fixture needs a rule, a cause and a history."""
    found = load_fixture({"format": 1, "rule": "no-orphan", "cause": "no-orphan/valid/lost", "history": []})

    assert (found.provider, found.limit, found.output, dict(found.options)) == ("neutral", None, None, {})
    assert len(found.id) == 12


GOOD: dict[str, Any] = {"format": 1, "rule": "r", "cause": "r/valid/lost", "history": [{"role": "user"}]}


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"format": 3}, "fixture format 3 is newer than this (this version of trimfuzz reads 1 and 2)"),
        ({"format": 0}, "fixture format 0 is not known"),
        ({"also": "x"}, "also must be a list"),
        ({"pack": []}, "pack must be an object"),
        ({"provider_answer": 4}, "provider_answer must be an object"),
        ({"wire_output": {}}, "wire_output must be a list"),
        ({"format": True}, "fixture format True"),
        ({"format": "1"}, "fixture format '1'"),
        ({"rule": None}, "needs 'rule'"),
        ({"history": {"role": "user"}}, "history: a history is a list"),
        ({"history": [{"role": "user"}, {"role": "robot"}]}, "history[1]: unknown role 'robot'"),
        ({"output": [{"text": "x"}]}, "output[0]: unknown role None"),
        ({"limit": 3}, "limit must be an object"),
        ({"limit": {"kind": "words", "value": 3}}, "unknown kind of limit 'words'"),
        ({"limit": {"kind": "tokens", "value": 3.5}}, "whole numbers"),
        ({"options": []}, "options must be an object"),
        ({"found_by": "me"}, "found_by must be an object"),
        ({"signature": 5}, "signature must be a string"),
    ],
)
def test_bad_fixture_is_one_line_with_its_path(tmp_path: Path, change: dict[str, Any], words: str) -> None:
    """What is wrong is said in one line that begins with the file."""
    path = tmp_path / "bad.json"
    path.write_text(json.dumps(GOOD | change), "utf-8")

    with pytest.raises(BadFile) as caught:
        read_fixture(path)
    assert str(caught.value).startswith(f"{path}: ")
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b"null", b"\xff\xfe", b"[" * 100_000, b'{"history": []}'])
def test_other_files_are_no_fixtures(tmp_path: Path, content: bytes) -> None:
    """Anything else that is called .json gives one line too."""
    path = tmp_path / "other.json"
    path.write_bytes(content)

    with pytest.raises(BadFile, match=r"other\.json"):
        read_fixture(path)


def test_missing_file_is_said_and_an_empty_folder_is_empty(tmp_path: Path) -> None:
    """A path that does not exist is an error; a folder in which nothing was found yet is none."""
    with pytest.raises(BadFile, match="cannot read"):
        list(read_all([tmp_path / "none.json"]))
    assert list(read_all([tmp_path])) == []


def test_folders_are_read_whole_and_in_order(tmp_path: Path) -> None:
    """Files below a folder come by name; what is being written is left out."""
    deep = write(record(trimmer="b"), tmp_path / "deep")
    top = write(record(trimmer="a"), tmp_path)
    (tmp_path / ".half.json").write_text("{", "utf-8")

    assert [found.path for found in read_all([tmp_path])] == [top, deep]
    assert [found.path for found in read_all([deep, top])] == [deep, top]


def test_folder_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    """A folder that is a file, or below one, is one clear line, and nothing is left behind."""
    (tmp_path / "file").write_text("", "utf-8")

    with pytest.raises(BadFile, match="cannot write"):
        write(record(), tmp_path / "file" / "below")
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_failed_write_keeps_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A write that breaks off leaves the fixture as it was, and no half file."""
    path = write(record(), tmp_path)
    before = path.read_bytes()

    def full(_descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(BadFile, match="No space left"):
        save_fixture(evolve(read_fixture(path), rule="other"), path)
    assert path.read_bytes() == before
    assert len(list(tmp_path.iterdir())) == 1


def test_file_is_laid_out_for_reading(tmp_path: Path) -> None:
    """One line for each message, letters as they are, and half a surrogate pair escaped."""
    given = load_history([{"role": "user", "text": "grüße"}, {"role": "user", "text": "\ud800"}])
    path = write(evolve(record(), history=dump_history(given)), tmp_path)
    text = path.read_text("utf-8")

    assert '    {"role": "user", "text": "grüße"},\n    {"role": "user", "text": "\\ud800"}\n' in text
    assert read_fixture(path).history == given
