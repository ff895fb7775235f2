"""Accepted findings: what is known does not fail, what is new does, and so does what is gone."""

from pathlib import Path

import pytest
from attrs import evolve

from trimfuzz.campaigns.engine.bugs import fold
from trimfuzz.campaigns.engine.records import Record
from trimfuzz.campaigns.runs import campaign as campaigns
from trimfuzz.campaigns.store.accepted import FILE, Accepted, accept, read_accepted, settled
from trimfuzz.messages.errors import BadFile
from trimfuzz.messages.limits import Limit

from ..commandline import trimfuzz

HISTORY = [{"role": "user", "text": "a''' \"\"\" \\ \ud800 é"}, {"role": "user"}]
CLASSES = ("valid", "pending")
SLICE = """
def trim(messages, limit):
    return messages[-limit:] if limit > 0 else []
"""
TIDY = """
def trim(messages, limit):
    if len(messages) <= limit:
        return messages
    raise ValueError("too long")
"""


@pytest.fixture(autouse=True)
def _unshrunk(monkeypatch: pytest.MonkeyPatch) -> None:
    """Shrink nothing: how large an accepted finding is does not matter here."""
    monkeypatch.setattr(campaigns, "SHRINK_CAMPAIGN_SECONDS", 0.0)


def record(cause: str = "no-orphan/valid/call-dropped", trimmer: str = "mine.py:trim") -> Record:
    """A finding that fails."""
    rule, input_class, cut = cause.split("/")
    return Record(trimmer, rule, cause, cut, "always", True, input_class, HISTORY, Limit("compaction", 1, 2), "ok")


def test_what_is_written_is_read(tmp_path: Path) -> None:
    """Whatever stands in a history comes back, with the limit, the reason, and a day where no reason is given."""
    path = tmp_path / FILE
    accept(path, [record()], [], reason="old")
    accept(path, [record("within-limit/valid/over-limit")], [])

    first, second = read_accepted(path)
    assert first == Accepted("mine.py:trim", "no-orphan/call-dropped", "old", HISTORY, Limit("compaction", 1, 2))
    assert second.reason.startswith("not looked at yet (accepted on 20")


def test_comments_and_reasons_of_others_stay(tmp_path: Path) -> None:
    """Taking one entry out leaves the rest as it was written by hand."""
    path = tmp_path / FILE
    accept(path, [record(), record("within-limit/valid/over-limit")], [], reason="old")
    path.write_text(path.read_text("utf-8").replace('reason = "old"', 'reason = "see #12"  # by hand'), "utf-8")
    accept(path, [], read_accepted(path)[:1])

    (left,) = read_accepted(path)
    assert (left.cause, left.reason) == ("within-limit/over-limit", "see #12")
    assert "# by hand" in path.read_text("utf-8")
    accept(path, [], [left])
    assert read_accepted(path) == ()


def test_settled_says_what_is_known_and_what_is_gone() -> None:
    """An accepted bug fails no more; another trimmer's entry, and another cause's, match nothing."""
    entries = [
        Accepted("mine.py:trim", "no-orphan/call-dropped", "old", HISTORY),
        Accepted("other", "no-orphan/call-dropped", "old", HISTORY),
        Accepted("mine.py:trim", "no-orphan/malformed/call-dropped", "old", HISTORY),
    ]
    found, gone = settled(fold([record(), record("within-limit/valid/over-limit")], CLASSES), entries)

    new, known = found.bugs
    assert (known.record.fails, known.record.accepted) == (False, "old")
    assert (new.record.fails, new.record.accepted) == (True, None)
    assert (new.number, known.number) == (1, 2), "what fails is counted first"
    assert gone == entries[1:]


@pytest.mark.parametrize("cause", ["no-orphan/valid/call-dropped", "no-orphan/pending/call-dropped"])
def test_the_class_in_a_file_of_an_earlier_version_counts_for_nothing(cause: str) -> None:
    """It names the same bug as an entry of today."""
    found, gone = settled(fold([record()], CLASSES), [Accepted("mine.py:trim", cause, "old", HISTORY)])
    assert found.failing == ()
    assert gone == []


def test_a_bug_is_accepted_by_any_of_its_causes() -> None:
    """Every cause of it is settled then, and every entry that is one of them matches."""
    half = evolve(record("batch-atomic/valid/call-dropped"), explained_by=["no-orphan/call-dropped"])
    for causes in (["batch-atomic/valid/call-dropped"], ["no-orphan/call-dropped", "batch-atomic/call-dropped"]):
        entries = [Accepted("mine.py:trim", cause, "old", HISTORY) for cause in causes]
        found, gone = settled(fold([record(), half], CLASSES), entries)
        assert gone == []
        assert {(one.fails, one.accepted) for one in found.causes} == {(False, "old")}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("finding = 3", "something else than"),
        ("[[found]]\n", "something else than"),
        ("[[finding", "is not TOML"),
        ("[[finding]]\ntrimmer = 'a'\ncause = 'b/c/d'\nhistory = '[]'", "finding 1 has no reason"),
        ("[[finding]]\ntrimmer = 'a'\ncause = 'b/c/d'\nreason = ' '\nhistory = '{}'", "finding 1 has no reason"),
        ("[[finding]]\ntrimmer = 'a'\ncause = 'b'\nreason = 'r'\nhistory = '{'", "its history cannot be read"),
        ("[[finding]]\ntrimmer = 'a'\ncause = 'b'\nreason = 'r'\nhistory = '{}'", "its history cannot be read"),
        (
            "[[finding]]\ntrimmer = 'a'\ncause = 'b'\nreason = 'r'\nlimit = 3\nhistory = '{\"role\": \"user\"}'",
            "its limit is no limit",
        ),
        (2 * "[[finding]]\ntrimmer = 'a'\ncause = 'b'\nreason = 'r'\nhistory = '{\"role\": \"user\"}'\n", "twice"),
    ],
)
def test_bad_files_are_said_in_one_line(tmp_path: Path, text: str, words: str) -> None:
    """The entry and what is wrong with it are named."""
    path = tmp_path / FILE
    path.write_text(text, "utf-8")
    with pytest.raises(BadFile, match=words) as caught:
        read_accepted(path)
    assert "\n" not in str(caught.value)


def test_a_missing_file_that_was_named_is_said(tmp_path: Path) -> None:
    """A file that is named must be there; without a name none is needed."""
    said = trimfuzz("check", "oasis-pre", "--known", "none.toml", code=2, cwd=tmp_path)
    assert "cannot read none.toml" in said.stderr


@pytest.mark.slow
def test_legacy_trimmer_from_the_first_campaign_to_the_fix(tmp_path: Path) -> None:
    """Found, accepted, quiet, and told when it is gone: the life of a known finding, in campaign and check."""
    mine = tmp_path / "mine.py"
    mine.write_text(SLICE, "utf-8")
    campaign = ("campaign", "mine.py:trim", "--examples", "60", "--inputs", "valid", "--jobs", "1", "--seed", "2")
    check = (
        "check",
        "mine.py:trim",
        "--examples",
        "30",
        "--inputs",
        "valid",
        "--shrink",
        "0",
        "--seconds",
        "0",
        "--seed",
        "2",
    )
    trimfuzz(*campaign, code=1, cwd=tmp_path)
    assert " new" not in trimfuzz(*campaign, code=1, cwd=tmp_path).stdout
    assert "accepted: 1 bug written to" in trimfuzz(*campaign, "--accept", "--reason", "old", cwd=tmp_path).stdout

    again = trimfuzz(*campaign, "--json", cwd=tmp_path).document
    (account,) = again["trimmers"]
    assert {found["accepted"] for found in account["causes"] if found["state"] == "accepted"} == {"old"}
    assert not any(found["fails"] for found in account["causes"])
    assert trimfuzz(*check, "--json", cwd=tmp_path).document["stale"] == []

    mine.write_text(TIDY, "utf-8")
    gone = trimfuzz(*check, code=1, cwd=tmp_path).stdout
    assert "is not found any more" in gone
    stale = trimfuzz(*campaign, "--json", code=1, cwd=tmp_path).document["trimmers"][0]["stale"]
    assert "no-orphan/call-dropped" in {one["cause"] for one in stale}


@pytest.mark.slow
def test_no_folder_of_ones_own_is_written(tmp_path: Path) -> None:
    """A target that is named by its whole path stands there as fixtures name it, and is known under both names."""
    (tmp_path / "mine.py").write_text(SLICE, "utf-8")
    options = ("--examples", "20", "--inputs", "valid", "--seed", "2")
    trimfuzz("campaign", f"{tmp_path / 'mine.py'}:trim", *options, "--jobs", "1", "--accept", cwd=tmp_path)

    assert str(tmp_path) not in (tmp_path / FILE).read_text("utf-8")
    assert {one.trimmer for one in read_accepted(tmp_path / FILE)} == {"mine.py:trim"}
    for target in ("mine.py:trim", f"{tmp_path / 'mine.py'}:trim"):
        trimfuzz("campaign", target, *options, "--jobs", "1", cwd=tmp_path)
        trimfuzz("check", target, *options, "--shrink", "0", "--seconds", "0", cwd=tmp_path)


@pytest.mark.slow
def test_something_new_fails_beside_what_is_known(tmp_path: Path) -> None:
    """A new cause of a trimmer with accepted findings fails, alone."""
    (tmp_path / "mine.py").write_text(SLICE, "utf-8")
    campaign = ("campaign", "mine.py:trim", "--examples", "60", "--inputs", "valid", "--jobs", "1", "--seed", "2")
    trimfuzz(*campaign, "--accept", cwd=tmp_path)
    (tmp_path / "mine.py").write_text(SLICE.replace("    return", "    assert limit != 2\n    return"), "utf-8")
    found = trimfuzz(*campaign, "--json", code=1, cwd=tmp_path).document["trimmers"][0]

    failing = {one["rule"] for one in found["causes"] if one["fails"]}
    assert "total-no-raise" in failing
    assert "no-orphan" not in failing
    assert found["stale"] == []
