"""Limits: what a message costs, and the sweep over every limit at which a trim can change."""

from itertools import accumulate

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trimfuzz.messages.errors import BadHistory
from trimfuzz.messages.limits import SWEEP_CAP, Limit, cost_of, limit_from_json, limit_to_json, sweep
from trimfuzz.messages.model import Message, head_length

SMALL_HISTORIES = st.lists(st.tuples(st.sampled_from(["system", "user", "assistant"]), st.integers(1, 9)), max_size=6)


def values(limits: tuple[Limit, ...]) -> list[int]:
    """Return the bare values."""
    return [limit.value for limit in limits]


@pytest.mark.parametrize("kind", ["messages", "turns"])
@pytest.mark.parametrize("shorthand", ["", "U", "S U A U"])
def test_counted_limits_run_from_below_zero_to_above_the_history(h, kind, shorthand: str) -> None:
    """From -1 to one more than there are messages, each once."""
    history = h(shorthand)
    found = sweep(history, kind)
    assert values(found) == list(range(-1, len(history) + 2))
    assert {limit.kind for limit in found} == {kind}


def test_a_compaction_point_can_stand_before_between_and_behind_all_messages(h) -> None:
    """Every index from 0 to the length, each with the length it was computed at."""
    found = sweep(h("U A[c1] T(c1)"), "compaction")
    assert [(limit.index, limit.length) for limit in found] == [(0, 3), (1, 3), (2, 3), (3, 3)]


@pytest.mark.parametrize(("shorthand", "expected"), [("", [1]), ("U", [1]), ("S U A U", [1, 2, 3, 4])])
def test_a_limit_of_another_kind_is_one_to_the_number_of_messages(h, shorthand: str, expected: list[int]) -> None:
    """Nobody knows what it counts: neither 0 nor what is above means anything."""
    found = sweep(h(shorthand), "other")
    assert values(found) == expected
    assert {limit.kind for limit in found} == {"other"}
    assert cost_of("other", lambda message: len(message.text or ""))(Message("user", "long text")) == 1


def test_token_limits_stand_around_every_suffix_with_and_without_the_head(h) -> None:
    """Sums 0, 7, 17 without the head of 100 and 100, 107, 117 with it, their neighbours, and the total's."""
    found = sweep(h("S U A"), "tokens", costs=[100, 10, 7])
    assert values(found) == [-1, 0, 1, 6, 7, 8, 16, 17, 18, 99, 100, 101, 106, 107, 108, 116, 117, 118, 1170]


def test_token_limits_of_an_empty_history(h) -> None:
    """Nothing is there, and still the limits around zero are tried."""
    assert values(sweep((), "tokens", costs=[])) == [-1, 0, 1]


def test_a_token_sweep_needs_costs(h) -> None:
    """Without them it does not guess."""
    with pytest.raises(ValueError, match="needs the cost of each message"):
        sweep(h("U"), "tokens")


@given(SMALL_HISTORIES)
def test_between_two_swept_token_limits_no_suffix_trim_changes(items) -> None:
    """The longest suffix that fits, with the head and without, is the same at any limit as at the swept one below."""
    history, costs = tuple(Message(role) for role, _ in items), [cost for _, cost in items]
    head = head_length(history)
    tails = list(accumulate(reversed(costs[head:]), initial=0))
    swept = values(sweep(history, "tokens", costs=costs, cap=10_000))

    def trims(limit: int) -> tuple[int, ...]:
        bare = sum(tail <= limit for tail in tails)
        return bare, sum(tail + sum(costs[:head]) <= limit for tail in tails)

    for limit in range(-1, sum(costs) + 3):
        below = max(value for value in swept if value <= limit)
        assert trims(limit) == trims(below)
        for tail in tails:
            assert {tail - 1, tail, tail + 1} <= set(swept)


def test_a_long_history_is_swept_at_no_more_than_the_cap(h) -> None:
    """48 limits, each once, in order, drawn from the full sweep, with both ends kept."""
    history = h("U " * 100)
    full, capped = values(sweep(history, "messages", cap=1000)), values(sweep(history, "messages"))
    assert len(capped) == SWEEP_CAP == 48
    assert capped == sorted(set(capped))
    assert set(capped) < set(full)
    assert capped[:2] + capped[-2:] == [-1, 0, 100, 101]


def test_the_seed_alone_decides_which_limits_are_drawn(h) -> None:
    """The same seed draws the same ones, and over the seeds every limit is drawn."""
    history = h("U " * 100)
    assert sweep(history, "messages", seed=5) == sweep(history, "messages", seed=5)
    drawn = {value for seed in range(60) for value in values(sweep(history, "messages", seed=seed))}
    assert drawn == set(range(-1, 102))


def test_every_kind_of_limit_is_capped(h) -> None:
    """Tokens and compaction points as well, and a cap of one's own holds."""
    history = h("U " * 100)
    assert len(sweep(history, "tokens", costs=[3] * 100)) == 48
    assert len(sweep(history, "compaction")) == 48
    assert len(sweep(history, "turns", cap=7)) == 7


def test_what_a_message_costs_depends_on_the_kind() -> None:
    """One each, by the counter, or one for a user message that is no summary."""
    messages = [
        Message("user", "u"), Message("user", "s", summary=True), Message("assistant", "a"), Message("system", "s"),
    ]  # fmt: skip

    def costs(kind) -> list[int]:
        return [cost_of(kind, lambda message: len(message.role))(message) for message in messages]

    assert costs("messages") == [1, 1, 1, 1]
    assert costs("tokens") == [4, 4, 9, 6]
    assert costs("turns") == [1, 0, 0, 0]


@pytest.mark.parametrize(
    ("limit", "data"),
    [
        (None, None),
        (Limit("messages", -1), {"kind": "messages", "value": -1}),
        (Limit("compaction", 2, 5), {"kind": "compaction", "value": 2, "length": 5}),
    ],
)
def test_a_limit_as_json_comes_back(limit, data) -> None:
    """The length is there where it is known."""
    assert limit_to_json(limit) == data
    assert limit_from_json(data) == limit


@pytest.mark.parametrize(
    ("data", "words"),
    [
        ([], "limit must be an object"),
        ({"kind": "words", "value": 1}, "unknown kind of limit 'words'"),
        ({"kind": "tokens", "value": True}, "whole numbers"),
        ({"kind": "compaction", "value": 1, "length": 1.5}, "whole numbers"),
    ],
)
def test_what_is_no_limit_is_refused(data, words) -> None:
    """With what is wrong about it."""
    with pytest.raises(BadHistory, match=words):
        limit_from_json(data)
