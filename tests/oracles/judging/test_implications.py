"""Every rule has a generated case that breaks it, and nothing beyond what it implies."""

from functools import cache

import pytest

from trimfuzz.messages.cases import Case, Outcome, Runs
from trimfuzz.oracles.judging.implications import COMES_WITH
from trimfuzz.oracles.judging.judging import judge
from trimfuzz.oracles.packs import PACKS
from trimfuzz.oracles.rules.limits import utilisation
from trimfuzz.oracles.rules.registry import RULES

from ..mutants import mutants

AT_MOST = 30_000
"""Mutants that are tried under one provider; most rules need a few hundred."""
BOUND = 0.25


def provider_of(rule: str) -> str:
    """Return whose rules to judge by: for a pack rule the first that enforces it, strict if nobody else does."""
    enforcing = [name for name, pack in PACKS.items() if rule in pack.enforces]
    return enforcing[0] if enforcing else "neutral"


def broken(case: Case, outcome: Outcome, runs: Runs, rules: tuple[str, ...]) -> set[str]:
    """Return the rules that one case breaks; utilisation, which is said of many cases, by its bound."""
    found = {finding.rule for finding in judge(case, outcome, rules=rules, runs=runs)}
    if "utilisation" in rules and case.input_class == "valid" and not case.fits and case.room:
        share = utilisation(case, outcome)
        return found | ({"utilisation"} if share is not None and share < BOUND else set())
    return found


@cache
def broken_apart(provider: str) -> frozenset[str]:
    """Return the rules, of those to be judged by a provider, that some case breaks with what they imply alone."""
    left = {rule: {rule, *COMES_WITH.get(rule, ())} for rule in RULES if provider_of(rule) == provider}
    found: set[str] = set()
    for case, outcome, runs in mutants(provider, limit=AT_MOST):
        rules = broken(case, outcome, runs, tuple(RULES))
        for rule in rules & left.keys():
            if left[rule] == rules:
                found.add(rule)
                del left[rule]
        if not left:
            break
    return frozenset(found)


@pytest.mark.parametrize("rule", RULES)
def test_a_case_breaks_the_rule_and_what_it_implies(rule: str) -> None:
    """No more and no less: what is listed comes with it, and nothing that is not."""
    assert rule in broken_apart(provider_of(rule)), COMES_WITH.get(rule)


def test_only_rules_are_listed() -> None:
    """None comes with itself."""
    for rule, others in COMES_WITH.items():
        assert rule in RULES
        assert others <= RULES.keys() - {rule}
