"""Exercise: a tick is given only where there was something to break."""

import pytest

from trimfuzz.messages.cases import Outcome, Runs
from trimfuzz.oracles.judging.exercise import CONDITIONS, could_break, could_break_relations
from trimfuzz.oracles.records.recorded import shipped_cases
from trimfuzz.oracles.rules.registry import RULES

from ..shorthand import case_of, ok


@pytest.mark.parametrize(
    ("given", "provider", "rule", "could"),
    [
        ("U A", "neutral", "no-orphan", False),
        ("U A[a]", "neutral", "no-orphan", False),
        ("U A[a] T(a)", "neutral", "no-orphan", True),
        ("U A[a]", "neutral", "unique-call-id", True),
        ("U A[a]", "neutral", "pending-call-kept", True),
        ("U A[a] T(a)", "neutral", "pending-call-kept", False),
        ("U A", "neutral", "keeps-system", False),
        ("S U", "neutral", "keeps-system", True),
        ("U A", "neutral", "keeps-pinned", False),
        ("U! A", "neutral", "keeps-pinned", True),
        ("A U", "bedrock", "first-is-user", False),
        ("U A", "bedrock", "first-is-user", True),
        ("U A U", "neutral", "alternate-roles", True),
        ("U A", "neutral", "alternate-roles", False),
        ("U A", "anthropic", "reasoning-kept-with-followup", False),
        ("U A~r U A", "anthropic", "signed-reasoning-unmodified", True),
        ("U A[p*] U", "anthropic", "provider-executed-pair", True),
        ("U A[p] U", "anthropic", "provider-executed-pair", False),
        ("U A?x U:x", "neutral", "approval-pair", True),
        ("U A^m", "neutral", "unique-item-id", True),
    ],
)
def test_what_an_input_must_have(given: str, provider: str, rule: str, could: bool) -> None:
    """Both sides of the conditions."""
    case = case_of(given, provider=provider)
    assert (rule in could_break(case, ok(case.history, "0"))) is could


def test_the_limit() -> None:
    """What fits can come back changed, what does not can come back too large."""
    for limit, rules in ((2, {"identity-under-limit"}), (1, {"within-limit"}), (None, set[str]())):
        case = case_of("U A", limit=limit)
        found = could_break(case, ok(case.history, "0")) & {"identity-under-limit", "within-limit"}
        assert found == rules


def test_where_nothing_came_back() -> None:
    """A refusal says something about refusals, and nothing about pairs; a skipped case nothing at all."""
    case = case_of("U A[a] T(a)", limit=1)
    refused = could_break(case, Outcome("refused"))
    assert {"refuses-only-when-needed", "no-input-mutation", "total-no-raise"} <= refused
    assert not {"no-orphan", "within-limit", "nonempty-history"} & refused
    assert could_break(case, Outcome("skipped")) == frozenset()


def test_further_runs() -> None:
    """A relation is exercised by its run."""
    case = case_of("U A")
    outcome = ok(case.history, "0")
    assert could_break_relations(case, outcome, Runs(again=outcome)) == {"deterministic"}
    assert could_break_relations(case, outcome, Runs()) == frozenset()
    assert not could_break(case, outcome) & {name for name, rule in RULES.items() if rule.runs}


def test_what_is_broken_was_exercised() -> None:
    """In every example that breaks a rule, that rule is among those that could be broken."""
    broken = [one for one in shipped_cases() if one.verdict == "broken" and not RULES[one.rule].runs and not one.late]
    missed = [
        one.id for one in broken if one.rule != "utilisation" and one.rule not in could_break(one.case, one.outcome)
    ]
    assert len(broken) > 60
    assert missed == []


def test_conditions_name_rules() -> None:
    """A rule that was given up is given up here."""
    assert set(CONDITIONS) <= set(RULES)
