"""The claims of public reports are found by the rules."""

import json

import pytest

from trimfuzz.messages.reports import Report, read_report, reports_of
from trimfuzz.oracles.records.claims import judge_report
from trimfuzz.oracles.rules.registry import RULES
from trimfuzz.strategies.known import reports_text

REPORTS = reports_of(reports_text(), rules=RULES)


@pytest.mark.parametrize("report", REPORTS, ids=lambda report: report.id)
def test_every_claim_that_one_trim_can_show_is_found(report: Report) -> None:
    """With a sentence; what takes a session has no verdict."""
    for judged in judge_report(report).claims:
        assert (judged.found is None) == (judged.claim.shown_by == "scenario")
        assert judged.found is None or (judged.found and judged.note), judged


def test_nothing_is_found_where_the_whole_list_came_back() -> None:
    """The same cases, left alone, break no rule that is judged by input and output."""
    for line in reports_text().splitlines():
        given = json.loads(line)
        whole = list(range(len(given["history"])))
        left = {**given, "outcome": None, "trim": {"op": "none", "kept": whole}}
        if given["id"] in ("C95", "C96", "C97"):
            continue  # reports of a limit that is exceeded: the whole list does that
        judged = judge_report(read_report(left))
        wrongly = [one.claim.rule for one in judged.claims if one.found and one.claim.shown_by != "lint"]
        assert wrongly == [], given["id"]
        assert judged.beyond == (), given["id"]


def test_a_claim_of_a_lint_is_about_the_list_that_was_sent() -> None:
    """A fault of the input that was repaired is not found; one that is still there is, though it was given."""
    orphan = {"role": "tool", "call_id": "c9", "text": "t"}
    given = {
        "id": "R", "url": "u", "family": "F1", "pack": "openai-chat",
        "history": [{"role": "user", "text": "u"}, orphan],
        "trim": {"op": "none", "kept": [0, 1]}, "claims": [{"rule": "no-orphan", "shown_by": "lint"}],
    }  # fmt: skip
    repaired = {**given, "trim": {"op": "repair", "kept": [0]}}
    introduced = {**given, "claims": [{"rule": "no-orphan", "shown_by": "introduced"}]}

    assert [judge_report(read_report(one)).claims[0].found for one in (given, repaired, introduced)] == [
        True,
        False,
        False,
    ]


def test_what_fails_beyond_the_claims_is_told() -> None:
    """Promises are not, since nobody knows what was promised; nor what only malformed input shows."""
    beyond = {report.id: {found.rule for found in judge_report(report).beyond} for report in REPORTS}

    assert beyond["C04"] == {"batch-atomic", "first-is-user"}
    assert beyond["C61"] == set()  # it loses messages silently, which fails nobody who did not promise
    assert beyond["C39"] == set()  # two user messages side by side, on malformed input
