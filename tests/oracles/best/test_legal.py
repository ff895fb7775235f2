"""Legal trims: what may stay without the rest; and that the rules of the registry say the same of every subset."""

from itertools import combinations
from random import Random

import pytest

from trimfuzz.messages.cases import Outcome
from trimfuzz.messages.model import Call, History, Message
from trimfuzz.messages.reading.profiles import PROFILES
from trimfuzz.oracles.best.legal import closed, forced, legal
from trimfuzz.oracles.judging.judging import judge_in_full
from trimfuzz.oracles.rules.registry import RULES

from ..randoms import random_history
from ..search import Kept, at, example_of

OF_SUBSETS = {"order-preserved", "content-intact", "nothing-invented"}
OF_THE_BEST = {"nonempty-history", "nonempty-user"}
JUDGED = tuple(
    name for name, rule in RULES.items() if name in OF_SUBSETS or (rule.kind != "promise" and name not in OF_THE_BEST)
)
"""Every rule that a legal trim must not break; the two about what is left depend on the best legal trim itself."""

S, D, U, A = (Message(role, "text") for role in ("system", "developer", "user", "assistant"))
R = Message("reasoning", "thought")
PIN = Message("user", "keep me", keep_during_truncation=True)
C = Message("assistant", calls=(Call("c"),))
P = Message("assistant", calls=(Call("p", provider_executed=True),))
T = Message("tool", "result", call_id="c")
INLINE = Message("user", extra={"inline_results": ["c"]})
SAYING = Message("user", "go on", extra={"inline_results": ["lost"]})
THOUGHT = Message("assistant", "step", reasoning="because")
STEP = Message("assistant", "next step")


@pytest.mark.parametrize(
    ("provider", "history", "kept", "expected"),
    [
        ("neutral", (U, C, T, U), (0, 3), True),
        ("neutral", (U, C, T, U), (0, 1, 3), False),
        ("neutral", (U, C, T, U), (0, 2, 3), False),
        ("neutral", (U, C, U, T), (2,), True),
        ("neutral", (U, C, U, T), (1, 3), True),
        ("neutral", (C, T, T), (0, 1), True),
        ("neutral", (C, T, T), (2,), False),
        ("neutral", (T, U), (0,), True),
        ("neutral", (S, D, U), (2,), False),
        ("neutral", (S, U, D), (0,), True),
        ("neutral", (U, PIN), (0,), False),
        ("neutral", (U, R, A, U), (0, 2), False),
        ("neutral", (U, A, U), (), True),
        ("anthropic", (U, C, T, A, U), (1, 2, 4), False),
        ("anthropic", (A, U, C, T, U), (2, 3, 4), True),
        ("anthropic", (U, A, U), (0, 1), False),
        ("anthropic", (U, A), (0, 1), True),
        ("anthropic", (U, C, INLINE), (1, 2), False),
        ("anthropic", (U, THOUGHT, STEP, STEP, U), (0, 2, 4), True),
        ("anthropic", (U, THOUGHT, STEP, INLINE), (0, 2, 3), False),
        ("anthropic", (U, THOUGHT, STEP, INLINE), (0, 1, 3), True),
        ("bedrock", (U, A, U, A, U), (0, 3, 4), True),
        ("bedrock", (U, A, U, A, U), (0, 4), False),
        ("bedrock", (U, U, A, U), (0, 1), True),
        ("bedrock", (U, A, S, A, U), (0, 3, 4), True),
        ("bedrock", (U, A, C, INLINE, U), (0, 2, 3, 4), True),
        ("bedrock", (U, C, T, A, U), (0, 1, 2, 4), True),
        ("bedrock", (U, C, INLINE, A, U), (0, 1, 2, 4), False),
        ("bedrock", (U, C, T, U), (0, 1, 2, 3), True),
        ("bedrock", (SAYING, A, U), (0, 2), False),
        ("bedrock", (U, A, SAYING, A, U), (2, 3, 4), True),
        ("bedrock", (U, A, INLINE, A, U), (2, 3, 4), False),
        ("strict", (U, C, INLINE, A, U), (0, 1, 2, 4), False),
        ("gemini", (U, C, T, C, T), (3, 4), False),
        ("gemini", (U, C, T, P, U), (3, 4), True),
        ("gemini", (U, A, U, C, T), (0, 1, 3, 4), False),
        ("gemini", (U, A, U, R, C, T), (0, 1, 3, 4, 5), True),
        ("gemini", (U, A, U, S, C, T), (0, 1, 4, 5), False),
        ("mistral", (U, A, U, A), (2, 3), True),
        ("mistral-old", (U, C, T, A, U), (1, 2, 4), False),
        ("mistral-old", (C, T, U, A, U), (0, 1, 2), True),
        ("strict", (U, A, S, U), (0, 1, 2), False),
    ],
)
def test_what_may_stay(provider: str, history: History, kept: Kept, expected: bool) -> None:
    """Whole units with what they need and what is forced; neighbours, ends and beginnings as the profile has them."""
    assert legal(example_of(history, provider), kept) == expected


def test_what_is_forced_brings_what_it_needs() -> None:
    """The head, pins with their units, and the batch that a pinned surplus result needs; not what only stands near."""
    surplus = Message("tool", "again", call_id="c", keep_during_truncation=True)
    example = example_of((S, U, C, T, U, surplus, D))
    units = example.units
    assert forced(example) == {units.unit_of[index] for index in (0, 2, 3, 5)}
    assert closed([units.unit_of[5]], units) == {units.unit_of[index] for index in (2, 5)}


@pytest.mark.slow
@pytest.mark.parametrize("provider", PROFILES)
def test_the_rules_find_nothing_in_a_legal_trim_and_something_in_any_other(provider: str) -> None:
    """Of all subsets of random histories that are whole units, those are legal in which no rule finds anything."""
    good = bad = 0
    for seed in range(60):
        random = Random(seed)
        history = random_history(random, random.randint(2, 7), equal_texts=random.random() < 0.2)
        example = example_of(history, provider)
        case, units = at(example, None), example.units
        for count in range(len(units.members) + 1):
            for chosen in combinations(range(len(units.members)), count):
                if not forced(example) <= set(chosen) == set(closed(chosen, units)):
                    continue
                kept = tuple(sorted(index for unit in chosen for index in units.members[unit]))
                outcome = Outcome("ok", tuple(history[index] for index in kept), sources=kept)
                found = judge_in_full(case, outcome, rules=JUDGED)
                assert legal(example, kept) == (not found), (seed, kept, history, found)
                good, bad = good + (not found), bad + bool(found)
    assert good > 300
    assert bad > 50 or not PROFILES[provider].shape


@pytest.mark.parametrize("provider", ["neutral", "openai-responses", "anthropic"])
def test_a_trim_that_parts_a_unit_is_found_out(provider: str) -> None:
    """Of the subsets that part a unit or leave out a need, the rules let pass only a surplus result put first."""
    parted = 0
    for seed in range(60):
        history = random_history(Random(seed), 6, well_formed=0.5)
        example = example_of(history, provider)
        case = at(example, None)
        if any(answer.surplus for answer in example.reading.answers) or forced(example):
            continue
        for count in range(len(history)):
            for kept in combinations(range(len(history)), count):
                if not legal(example, kept):
                    outcome = Outcome("ok", tuple(history[index] for index in kept), sources=kept)
                    assert judge_in_full(case, outcome, rules=JUDGED), (seed, kept, history)
                    parted += 1
    assert parted > 100
