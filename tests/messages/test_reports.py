"""Public reports are read whole, or refused with the line and what is wrong."""

import json
from pathlib import Path
from typing import Any

import pytest

from trimfuzz.messages.errors import BadFile
from trimfuzz.messages.limits import Limit
from trimfuzz.messages.reports import FAMILIES, Claim, read_report, read_reports, reports_of
from trimfuzz.strategies.known import reports_text

U, A = {"role": "user", "text": "u"}, {"role": "assistant", "text": "a"}


def report(**changes: Any) -> dict[str, Any]:
    """Return a small report, with changes; a value of None leaves a key out."""
    whole = {
        "id": "R1", "url": "https://example.org/1", "family": "F1", "pack": "anthropic", "history": [U, A, U],
        "trim": {"op": "drop the first", "kept": [1, 2]},
        "claims": [{"rule": "first-is-user", "shown_by": "introduced"}],
        **changes,
    }  # fmt: skip
    return {key: value for key, value in whole.items() if value is not None}


def test_the_shipped_reports_are_read_whole() -> None:
    """78 reports, each with an address of its own, of known families, and 95 claims."""
    found = reports_of(reports_text())

    assert len(found) == len({one.url for one in found}) == 78
    assert {one.family for one in found} == set(FAMILIES)
    assert sum(len(one.claims) for one in found) == 95
    assert {one.outcome.status for one in found} == {"ok", "raised"}


def test_kept_messages_are_the_messages_of_the_input() -> None:
    """Their places are known, so that equal ones are not confused."""
    one = read_report(report())

    assert one.outcome.output == one.case.history[1:]
    assert one.outcome.sources == (1, 2)
    assert one.case.profile.name == "anthropic"
    assert one.claims == (Claim("first-is-user", "introduced"),)


def test_an_output_is_taken_as_it_is() -> None:
    """What its messages were in the input is not said."""
    one = read_report(report(trim={"op": "keep the answer", "output": [A]}))

    assert one.outcome.output == one.case.history[1:2]
    assert one.outcome.sources is None


def test_an_outcome_needs_no_output() -> None:
    """What was kept is not asked for then."""
    one = read_report(report(outcome="raised", trim={"op": "count"}))

    assert (one.outcome.status, one.outcome.output) == ("raised", None)


@pytest.mark.parametrize(
    ("given", "limit", "total"),
    [
        (None, None, 3),
        ({"kind": "messages", "value": 2}, Limit("messages", 2), 3),
        ({"kind": "messages", "value": None}, Limit("messages", 3), 3),
        ({"kind": "turns", "value": None}, Limit("turns", 2), 2),
        ({"kind": "compaction", "value": 1}, Limit("compaction", 1, 3), 3),
    ],
)
def test_a_limit_is_of_its_kind(given: Any, limit: Limit | None, total: int) -> None:
    """A value of null is a limit that the history fits in."""
    one = read_report(report(limit=given))

    assert one.case.limit == limit
    assert one.case.example.total == total


@pytest.mark.parametrize(
    ("broken", "said"),
    [
        ([1], "a report is an object (this is [1])"),
        (report(id=None), "there is no id"),
        (report(url=None), "there is no url"),
        (report(url=7), "url must be a string"),
        (report(pack="acme"), "unknown provider 'acme'"),
        (report(history=None), "there is no history"),
        (report(history=[{"role": "robot"}]), "history: messages[0]: unknown role 'robot'"),
        (report(trim=None), "trim is an object"),
        (report(trim={"kept": [0]}), "there is no op"),
        (report(trim={"op": "x"}), "trim has neither kept nor output"),
        (report(trim={"op": "x", "kept": [3]}), "kept holds 3 (indexes of the history, 0 to 2)"),
        (report(trim={"op": "x", "kept": [True]}), "kept holds true"),
        (report(trim={"op": "x", "output": [5]}), "output: messages[0]: a message is an object"),
        (report(outcome="fine"), 'unknown outcome "fine"'),
        (report(limit=5), "a limit is an object (this is 5)"),
        (report(limit={"kind": "acres", "value": 1}), "unknown limit"),
        (report(limit={"kind": "messages"}), "unknown limit"),
        (report(limit={"kind": "messages", "value": "1"}), "the limit must be an integer"),
        (report(claims=None), "there are no claims"),
        (report(claims=[]), "there are no claims"),
        (report(claims=["no-orphan"]), "a claim is an object"),
        (report(claims=[{"rule": "no-orphan"}]), "no-orphan is shown by null (known: introduced, lint,"),
        (report(claims=[{"shown_by": "lint"}]), "there is no rule"),
    ],
)
def test_a_bad_report_says_what_is_wrong_with_it(broken: Any, said: str) -> None:
    """One line: where, what is wrong, and what would be right."""
    with pytest.raises(BadFile) as error:
        read_report(broken, "mine.jsonl, line 7")

    assert said in str(error.value)
    assert str(error.value).startswith("mine.jsonl, line 7")
    assert "\n" not in str(error.value)


def test_an_error_of_a_file_has_its_line(tmp_path: Path) -> None:
    """Blank lines count, and are skipped; ids and rules are looked at as well."""
    path = tmp_path / "mine.jsonl"
    good = json.dumps(report())
    for second, said in [
        ("{", "line 3: this is no JSON"),
        (good, "line 3: the id 'R1' is taken (by line 1)"),
        (
            json.dumps(report(id="R2", claims=[{"rule": "polite", "shown_by": "lint"}])),
            "line 3 (R2): unknown rule 'polite'",
        ),
    ]:
        path.write_text(f"{good}\n\n{second}\n", encoding="utf-8")
        with pytest.raises(BadFile) as error:
            read_reports(path, rules=("first-is-user",))
        assert said in str(error.value)
    path.write_text(f"\n{good}\n", encoding="utf-8")
    assert [one.id for one in read_reports(path)] == ["R1"]


def test_a_line_ends_where_the_file_says_so(tmp_path: Path) -> None:
    """Not at a separator inside of a text."""
    path = tmp_path / "mine.jsonl"
    path.write_text(json.dumps(report(history=[{**U, "text": "a\u2028b"}, A, U]), ensure_ascii=False), encoding="utf-8")

    assert read_reports(path)[0].case.history[0].text == "a\u2028b"


def test_a_file_that_is_not_there_or_empty_is_an_error(tmp_path: Path) -> None:
    """Nothing to judge is never agreement."""
    with pytest.raises(BadFile, match="cannot read"):
        read_reports(tmp_path / "none.jsonl")
    (tmp_path / "latin.jsonl").write_bytes(b"\xff")
    with pytest.raises(BadFile, match="not utf-8"):
        read_reports(tmp_path / "latin.jsonl")
    with pytest.raises(BadFile, match="no reports"):
        reports_of("\n")
