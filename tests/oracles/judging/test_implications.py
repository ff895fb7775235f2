"""Every rule has a generated case that breaks it, and nothing beyond what it implies."""

from collections.abc import Iterable, Iterator, Mapping
from textwrap import shorten
from typing import TypeAlias

import pytest
from attrs import define

from trimfuzz.messages.cases import Case, Outcome, Runs
from trimfuzz.messages.model import Message
from trimfuzz.oracles.judging.implications import COMES_WITH
from trimfuzz.oracles.judging.judging import judge
from trimfuzz.oracles.packs import PACKS
from trimfuzz.oracles.rules.limits import utilisation
from trimfuzz.oracles.rules.registry import RULES

from ..mutants import mutants

AT_MOST = 12_000
"""Mutants that are tried under one provider; most rules need a few hundred."""
ENOUGH = 200
"""Mutants that break a rule after which nothing is a coincidence: what all of them break as well, it comes with."""
SEEDS = {"anthropic": 1, "openai-responses": 1}
"""Where another seed than 0 comes to every rule much sooner."""
BOUND = 0.25

Mutant: TypeAlias = tuple[Case, Outcome, Runs]


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


@define
class Search:
    """What the mutants that break one rule have shown so far."""

    rule: str
    implied: frozenset[str]
    hits: int = 0
    always: frozenset[str] = frozenset()
    """What every one of them breaks beyond the rule itself."""
    nearest: tuple[set[str], Mutant] | None = None
    """The one that is least off: the rules that it breaks too much or too little, and the mutant."""

    def take(self, rules: set[str], mutant: Mutant) -> bool:
        """Note a mutant that breaks the rule; say whether it breaks exactly what is listed."""
        self.always = frozenset(rules - {self.rule}) & (self.always if self.hits else frozenset(rules))
        self.hits += 1
        off = (rules - {self.rule}) ^ self.implied
        if self.nearest is None or (len(off), _size(mutant)) < (len(self.nearest[0]), _size(self.nearest[1])):
            self.nearest = (off, mutant)
        return not off

    @property
    def hopeless(self) -> bool:
        """Whether enough mutants broke something with the rule that is not listed."""
        return self.hits >= ENOUGH and not self.always <= self.implied

    def problem(self, provider: str) -> str:
        """Say what the rule came along with instead, and show the nearest case."""
        if self.nearest is None:
            return f"{self.rule}: no mutant breaks it under {provider} (tests/oracles/mutants.py makes them)"
        off, (case, outcome, runs) = self.nearest
        too_much, too_little = sorted(off - self.implied), sorted(off & self.implied)
        unlisted = sorted(self.always - self.implied)
        lines = [
            f"{self.rule}: none of {self.hits} mutants that break it under {provider} breaks just what is listed"
            f" in implications.py ({', '.join(sorted(self.implied)) or 'nothing'})",
            f"  all of them also break: {', '.join(unlisted)}" if unlisted else "",
            f"  the nearest also breaks: {', '.join(too_much)}" if too_much else "",
            f"  the nearest does not break: {', '.join(too_little)}" if too_little else "",
            f"  its input, at {case.limit}:",
            *_lines(case.history),
            f"  its output ({outcome.status}):",
            *_lines(outcome.output or ()),
            *(
                f"  with a further run: {name}"
                for name in ("again", "twice", "larger", "stored")
                if getattr(runs, name)
            ),
        ]
        return "\n".join(line for line in lines if line)


def _lines(messages: Iterable[Message]) -> Iterator[str]:
    return (f"    {shorten(repr(message), 110)}" for message in messages)


def _size(mutant: Mutant) -> int:
    return len(mutant[0].history)


def problems_of(
    provider: str, comes_with: Mapping[str, frozenset[str]] = COMES_WITH, *, at_most: int = AT_MOST
) -> list[str]:
    """Return, for the rules judged by a provider that no mutant breaks with just what is listed, what it is instead."""
    searches = [Search(rule, comes_with.get(rule, frozenset())) for rule in RULES if provider_of(rule) == provider]
    left, given_up = {one.rule: one for one in searches}, list[Search]()
    for mutant in mutants(provider, seed=SEEDS.get(provider, 0), limit=at_most):
        rules = broken(*mutant, tuple(RULES))
        for rule in rules & left.keys():
            if left[rule].take(rules, mutant):
                del left[rule]
            elif left[rule].hopeless:
                given_up.append(left.pop(rule))
        if not left:
            break
    return [one.problem(provider) for one in (*given_up, *left.values())]


SLOW = ("anthropic", "mistral-old", "neutral", "openai-responses")
"""Under these providers thousands of mutants are needed."""


@pytest.mark.parametrize(
    "provider",
    [
        pytest.param(name, marks=[pytest.mark.slow] if name in SLOW else [])
        for name in sorted(set(map(provider_of, RULES)))
    ],
)
def test_a_case_breaks_each_rule_and_what_it_implies(provider: str) -> None:
    """No more and no less: what is listed comes with it, and nothing that is not."""
    found = problems_of(provider)
    assert not found, "\n\n".join(found)


@pytest.mark.slow
def test_what_is_not_listed_is_named_with_its_case() -> None:
    """A rule that was added without what it comes with is named, and so is what came along, in a case."""
    found = problems_of("ai-sdk", {**COMES_WITH, "approval-pair": frozenset()}, at_most=1000)
    assert len(found) == 1
    line, always, _nearest, *case = found[0].splitlines()
    assert line.startswith("approval-pair: none of ")
    assert always == "  all of them also break: repairs"
    assert any("approval_request" in line for line in case)


@pytest.mark.slow
def test_what_is_listed_and_does_not_come_is_named() -> None:
    """An implication that is none never comes along."""
    found = problems_of("ai-sdk", {**COMES_WITH, "approval-pair": frozenset({"repairs", "terminates"})}, at_most=1000)
    assert [problem.partition(":")[0] for problem in found] == ["approval-pair"]
    assert "  the nearest does not break: terminates" in found[0].splitlines()


def test_only_rules_are_listed() -> None:
    """None comes with itself."""
    for rule, others in COMES_WITH.items():
        assert rule in RULES
        assert others <= RULES.keys() - {rule}
