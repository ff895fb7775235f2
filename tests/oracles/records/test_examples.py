"""Every recorded example gets its verdict from the rules."""

import json
from pathlib import Path
from typing import Any

import pytest

from trimfuzz.messages.errors import BadFile
from trimfuzz.oracles.records.examples import agreement, judge_example
from trimfuzz.oracles.records.recorded import (
    RecordedCase,
    read_recorded_case,
    read_recorded_cases,
    recorded_cases_in,
    shipped_cases,
)
from trimfuzz.oracles.rules.registry import RULES

ENTRIES = shipped_cases()
U, A = {"role": "user", "text": "u"}, {"role": "assistant", "text": "a"}


def entry(**changes: Any) -> dict[str, Any]:
    """Return a small entry, with changes; a value of None leaves a key out."""
    whole = {"id": "E1", "history": [U, A], "output": [A], "rule": "keeps-newest", "verdict": "held", **changes}
    return {key: value for key, value in whole.items() if value is not None}


@pytest.mark.parametrize("one", ENTRIES, ids=lambda one: f"{one.id}-{one.rule}")
def test_every_example_gets_its_verdict(one: RecordedCase) -> None:
    """The rules, and the reference oracle where it is asked, say what the example says."""
    verdict = judge_example(one)

    assert verdict.judged == one.verdict, [finding.note for finding in verdict.findings]
    assert verdict.reference in (None, one.verdict)


def test_every_rule_has_an_example_that_breaks_it_and_one_that_holds() -> None:
    """A near miss says as much about a rule as a break."""
    verdicts = {(one.rule, one.verdict) for one in ENTRIES}
    missing = [
        f"{rule}: no example is {verdict}"
        for rule in RULES
        for verdict in ("broken", "held")
        if (rule, verdict) not in verdicts
    ]
    assert missing == []


def test_the_reference_oracle_is_asked_for_its_two_rules_alone() -> None:
    """no-orphan and no-input-mutation get a second opinion, whose disagreement counts."""
    asked = {one.rule for one in ENTRIES if judge_example(one).reference is not None}

    assert asked == {"no-orphan", "no-input-mutation"}


def test_agreement_counts_by_rule_in_the_order_of_the_rules() -> None:
    """A row for each rule, all agreed, and together they are all entries."""
    rows = agreement(ENTRIES)

    assert [row.rule for row in rows] == [name for name in RULES if any(one.rule == name for one in ENTRIES)]
    assert sum(row.agreed for row in rows) == len(ENTRIES)
    assert not any(row.disagreements for row in rows)
    assert {row.rule: row.by_reference for row in rows}["no-orphan"] == 22


def test_a_wrong_verdict_is_a_disagreement() -> None:
    """An entry that expects the opposite is shown, and does not count as agreed."""
    (row,) = agreement([entry(verdict="broken")])

    assert row.agreed == 0
    assert [verdict.recorded.id for verdict in row.disagreements] == ["E1"]


def test_a_rule_that_is_not_covered_is_named_and_not_judged() -> None:
    """A rule of another version stands in a row of its own, without a disagreement."""
    rows = agreement([entry(rule="polite"), entry()])

    assert [(row.rule, row.covered, row.agreed) for row in rows] == [
        ("keeps-newest", True, 1),
        ("polite", False, 0),
    ]
    assert rows[1].disagreements == ()


def test_a_limit_of_null_is_above_the_history() -> None:
    """Then the input fits, and dropping a message breaks identity-under-limit; without a limit nothing is known."""
    fits = entry(rule="identity-under-limit", verdict="broken", limit={"kind": "messages", "value": None})

    assert judge_example(fits).agrees
    assert judge_example(entry(rule="identity-under-limit")).agrees


def test_an_object_limit_is_counted_by_its_kind() -> None:
    """Messages count one each, whatever their tokens; a bare number counts tokens."""
    big = [{**U, "tokens": 5}, {**A, "tokens": 5}]
    over = entry(history=big, output=big, rule="within-limit", limit=2, verdict="broken")
    within = entry(history=big, output=big, rule="within-limit", limit={"kind": "messages", "value": 2})

    assert judge_example(over).agrees
    assert judge_example(within).agrees


@pytest.mark.parametrize(
    ("broken", "said"),
    [
        (entry(id=None), "there is no id"),
        (entry(rule=None), "there is no rule"),
        (entry(verdict="maybe"), "unknown verdict 'maybe' (known: held, broken)"),
        (entry(history=None), "there is no history"),
        (entry(output=None), "there is no output"),
        (entry(history=[{"role": "robot"}]), "history: messages[0]: unknown role 'robot'"),
        (entry(provider="acme"), "unknown provider 'acme'"),
        (entry(provider=3), "provider must be a string"),
        (entry(limit="5"), "the limit must be an integer"),
        (entry(limit=True), "the limit must be an integer"),
        (entry(limit={"kind": "acres", "value": 3}), "unknown limit"),
        (entry(outcome="fine"), "unknown outcome 'fine'"),
        (entry(late="c1"), "late must be a list of call ids"),
        (entry(late=[1]), "late must be a list of call ids"),
        (entry(at_least="half"), "at_least must be a number"),
        (entry(request=[]), "request: a request is an object"),
        (entry(request={"tools": "f"}), "a request's tools must be a list of tool names"),
        (entry(sent={"remove": [1]}), "sent: a request's remove must be a list of tool names"),
        ([1], "an entry is an object (this is a list)"),
    ],
)
def test_a_bad_entry_says_what_is_wrong_with_it(broken: Any, said: str) -> None:
    """One line that names the entry, what is wrong, and what would be right."""
    with pytest.raises(BadFile) as error:
        read_recorded_case(broken, "cases.jsonl, line 7")

    assert said in str(error.value)
    assert str(error.value).startswith("cases.jsonl, line 7")


@pytest.mark.parametrize(
    ("rule", "key"),
    [
        ("idempotent", "again"),
        ("monotone", "at_larger_limit"),
        ("utilisation", "at_least"),
        ("tools-declared", "request"),
        ("filter-complete", "request"),
    ],
)
def test_an_entry_that_lacks_what_its_rule_needs_is_no_verdict(rule: str, key: str) -> None:
    """It is an error, and not a rule that held."""
    with pytest.raises(BadFile, match=f"E1: there is no {key}"):
        judge_example(entry(rule=rule, limit=1))


def test_a_file_is_read_line_by_line(tmp_path: Path) -> None:
    """Blank lines are skipped, and an error has its line."""
    path = tmp_path / "cases.jsonl"
    path.write_text(f"{json.dumps(entry())}\n\n{{\n", encoding="utf-8")

    with pytest.raises(BadFile, match="line 3: this is no JSON"):
        read_recorded_cases(path)
    path.write_text(f"{json.dumps(entry())}\n\n", encoding="utf-8")
    assert [one.id for one in read_recorded_cases(path)] == ["E1"]


def test_a_file_that_is_not_there_or_empty_is_an_error(tmp_path: Path) -> None:
    """Nothing to judge is never agreement."""
    with pytest.raises(BadFile, match="cannot read"):
        read_recorded_cases(tmp_path / "none.jsonl")
    with pytest.raises(BadFile, match="no entries"):
        recorded_cases_in("\n", "cases.jsonl")
