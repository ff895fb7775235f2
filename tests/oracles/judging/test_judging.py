"""The short way for clean trims, the full way, and the reference trims all agree."""

from random import Random

import pytest

from trimfuzz.messages.cases import CUTS, Case, Example, Outcome
from trimfuzz.messages.errors import BadName
from trimfuzz.messages.limits import Limit
from trimfuzz.messages.model import History
from trimfuzz.messages.reading.profiles import PROFILES
from trimfuzz.oracles.best.best import ref
from trimfuzz.oracles.facts.evidence import Evidence
from trimfuzz.oracles.judging.judging import judge, judge_in_full
from trimfuzz.oracles.reference import orphans
from trimfuzz.oracles.rules.registry import RULES

from ..randoms import random_history, random_trim
from ..shorthand import case_of, ok, size_of

ABOUT_THE_TRIM = tuple(
    name for name, rule in RULES.items() if rule.kind != "promise" or name in ("order-preserved", "nothing-invented")
)
"""What a legal trim never breaks. Presence apart, these are the rules that make it legal."""


def random_example(random: Random, size: int) -> Example:
    """Return an example under any profile."""
    history = random_history(random, random.randint(0, size), equal_texts=random.random() < 0.4)
    return Example(history, profile=random.choice(list(PROFILES.values())), cost=size_of)


def kept(history: History, indexes: tuple[int, ...]) -> Outcome:
    """Return the outcome of a trim that only drops."""
    return Outcome("ok", tuple(history[index] for index in indexes), sources=indexes)


@pytest.mark.parametrize("seed", range(3))
def test_the_short_way_and_the_full_way_agree(seed: int) -> None:
    """On trims of every kind, with and without shared objects, under all profiles: finding for finding."""
    random = Random(seed)
    clean = 0
    for _ in range(250):
        example = random_example(random, 10)
        output, sources = random_trim(random, example.history)
        shared = random.choice((sources, None, tuple(None for _ in output)))
        case = Case(example, random.choice((None, Limit("tokens", random.randint(-1, 20)))))
        outcome = Outcome("ok", output, sources=shared)
        clean += Evidence(case, outcome).clean
        assert judge(case, outcome) == judge_in_full(case, outcome), (example.history, output)
    assert 50 < clean < 240


@pytest.mark.parametrize("seed", range(3))
def test_no_orphan_agrees_with_the_reference_oracle(seed: int) -> None:
    """On trims that drop, with ids and messages that occur more than once."""
    random = Random(seed)
    broken = 0
    for _ in range(250):
        example = random_example(random, 10)
        history, profile = example.history, example.profile
        share = random.choice((0.3, 0.6, 0.9))
        sources = tuple(index for index in range(len(history)) if random.random() < share)
        outcome = kept(history, sources)
        found = judge(Case(example), outcome, rules=("no-orphan",))
        wrong = orphans(
            history, outcome.output or (), sources=sources,
            merge_items=profile.merge_items, one_response=profile.one_response, anchored=profile.anchored,
        )  # fmt: skip
        assert bool(found) == bool(wrong), (profile.name, history, sources)
        broken += bool(found)
    assert broken > 10


@pytest.mark.parametrize("seed", range(2))
def test_the_reference_trim_breaks_nothing(seed: int) -> None:
    """Judged the full way: neither the pairing, nor a shape, nor a promise that every trimmer could make."""
    random = Random(seed)
    promises = tuple(
        name for name, rule in RULES.items() if rule.group == "limits" or name in ("keeps-system", "keeps-pinned")
    )
    refused = 0
    for _ in range(150):
        example = random_example(random, 12)
        for value in (0, 1, random.randint(2, 20)):
            case = Case(example, Limit("tokens", value))
            best = ref(case)
            refused += best is None
            outcome = Outcome("refused") if best is None else kept(example.history, best)
            assert judge_in_full(case, outcome, rules=ABOUT_THE_TRIM + promises) == [], (case, best)
    assert refused > 20


def test_each_rule_alone_says_what_it_says_among_all() -> None:
    """No verdict depends on which other rules were asked."""
    random = Random(5)
    for _ in range(60):
        example = random_example(random, 9)
        output, sources = random_trim(random, example.history)
        case, outcome = Case(example, Limit("tokens", 4)), Outcome("ok", output, sources=sources)
        together = judge(case, outcome)
        alone = [finding for name in RULES for finding in judge(case, outcome, rules=(name,))]
        assert together == alone


def test_every_cut_is_of_the_closed_list() -> None:
    """So that causes can be compared over versions."""
    random = Random(6)
    seen: set[str] = set()
    for _ in range(400):
        example = random_example(random, 9)
        output, sources = random_trim(random, example.history)
        found = judge(Case(example, Limit("tokens", 4)), Outcome("ok", output, sources=sources))
        assert all(finding.note and finding.messages == tuple(finding.messages) for finding in found)
        assert all(0 <= at < len(example.history) for finding in found for at in finding.messages)
        seen |= {finding.cut for finding in found}
    assert seen <= set(CUTS)
    assert len(seen) > 8


def test_a_clean_trim_is_recognised_by_its_units() -> None:
    """Whole units in order, untouched; half a step, another order, an edit or a changed list are not clean."""
    case = case_of("S U A[c1,c2] T(c1) T(c2) U")

    def clean(outcome: Outcome) -> bool:
        return Evidence(case, outcome).clean

    assert clean(ok(case.history, "0 2 3 4"))
    assert clean(ok(case.history, ""))
    assert not clean(ok(case.history, "0 2 3"))
    assert not clean(ok(case.history, "1 0 5"))
    assert not clean(ok(case.history, "0 0"))
    assert not clean(ok(case.history, "1=short"))
    assert not clean(Outcome("ok", case.history, sources=(0, 1, 2, 3, 4, 5), list_changed=True))
    assert not clean(Outcome("ok", case.history, sources=(0, 1, 2, 3, 4, 5), mutated=(1,)))


def test_a_surplus_result_is_clean_only_with_its_batch() -> None:
    """It is no part of the step, but without the step it would be an orphan."""
    case = case_of("U A[c1] T(c1) T(c1) U")

    assert Evidence(case, ok(case.history, "1 2 3")).clean
    assert Evidence(case, ok(case.history, "1 2 4")).clean
    assert not Evidence(case, ok(case.history, "3 4")).clean


def test_copies_of_messages_make_a_clean_trim_too() -> None:
    """Where no object is shared the messages are compared."""
    case = case_of("S U A[c1] T(c1) U")
    copies = tuple(type(message)(message.role, message.text, calls=message.calls, call_id=message.call_id)
                   for message in case.history[1:])  # fmt: skip

    assert Evidence(case, Outcome("ok", copies)).clean
    assert judge(case, Outcome("ok", copies), rules=("no-orphan", "content-intact", "nothing-duplicated")) == []


def test_sources_are_not_believed_for_a_message_that_came_out_different() -> None:
    """An index says where it came from; an edit is an edit all the same."""
    case = case_of("U A[c1]+ T(c1)=long")
    outcome = Outcome("ok", ok(case.history, "0 1 2=lo").output, sources=(0, 1, 2))

    assert [finding.cut for finding in judge(case, outcome, rules=("content-intact",))] == ["edited"]


def test_equal_messages_excuse_only_what_rests_on_them() -> None:
    """Dropping one of two equal calls is not blamed; dropping the other's own call besides is."""
    case = case_of("U A[x] T(x) U A[x] T(x) A[y] T(y)")
    excused = Outcome("ok", ok(case.history, "0 1 5").output, sources=(0, 1, 5))
    blamed = Outcome("ok", ok(case.history, "0 1 5 7").output, sources=(0, 1, 5, 7))

    assert judge(case, excused, rules=("no-orphan", "batch-atomic", "call-answered")) == []
    assert {finding.rule for finding in judge(case, blamed)} >= {"no-orphan", "batch-atomic"}


def test_an_unknown_rule_is_an_error() -> None:
    """Never a rule that silently holds."""
    with pytest.raises(BadName):
        judge(case_of("U"), ok(case_of("U").history, "0"), rules=["no-orphans"])
