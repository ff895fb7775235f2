"""Shrinking reaches the smallest history: planted conditions, each with the fewest messages that can meet it."""

from collections import Counter
from collections.abc import Callable, Iterator
from itertools import pairwise
from random import Random
from typing import Any

import pytest
from hypothesis import find, settings

from trimfuzz.messages.limits import Limit
from trimfuzz.messages.model import History, Message
from trimfuzz.messages.reading.pairing import INPUT_CLASSES, InputClass, read
from trimfuzz.strategies import histories, histories_with_points

SEEDS = 3


def shrunk(strategy: Any, condition: Callable[[Any], bool], seed: int) -> Any:
    """Return the smallest example that Hypothesis comes to from one seed."""
    return find(strategy, condition, random=Random(seed), settings=settings(max_examples=2000, database=None))


def spans(history: History, least: int = 1) -> Iterator[range]:
    """For each batch of so many calls, the indexes at which a cut lies inside it."""
    reading = read(history)
    for batch in reading.batches:
        if len(batch.slots) >= least and batch.answers:
            last = max(reading.answers[answer].message for answer in batch.answers)
            yield range(batch.messages[0] + 1, last + 1)


def window_splits(history: History, size: int, least: int = 1) -> bool:
    """Whether the last `size` messages begin inside a batch."""
    return any(len(history) - size in span for span in spans(history, least))


def between(history: History) -> Iterator[Message]:
    """Messages between two results of one batch."""
    reading = read(history)
    for answer, place in reading.interposers:
        if reading.answers[answer].slot is not None and history[place - 1].role == "tool" != history[place].role:
            yield history[place]


def reused(history: History) -> bool:
    """An id that results of two batches name."""
    pairs = {(answer.id, answer.batch) for answer in read(history).answers if answer.slot is not None}
    return len({name for name, _ in pairs}) < len(pairs)


PLANTED: dict[str, tuple[InputClass, Callable[[History], bool], int]] = {
    "not empty": ("valid", bool, 1),
    "a window splits a batch": ("valid", lambda history: any(spans(history)), 3),
    "a window of two splits a batch": ("valid", lambda history: window_splits(history, 2), 4),
    "a batch of three is split": ("valid", lambda history: any(spans(history, 3)), 5),
    "a batch of five is split": ("valid", lambda history: any(spans(history, 5)), 7),
    "more than forty messages": ("valid", lambda history: len(history) > 40, 41),
    "a window of forty splits a batch of three": ("valid", lambda history: window_splits(history, 40, 3), 42),
    "an id is used again": ("valid", reused, 5),
    "a pinned result in a parallel batch": (
        "valid",
        lambda history: any(
            history[place].keep_during_truncation for span in spans(history, 2) for place in span
        ),
        4,
    ),
    "a huge result": ("valid", lambda history: any(len(message.text or "") > 500 for message in history[2:]), 3),
    "system first, and a user right behind a result": (
        "valid",
        lambda history: history[:1] != ()
        and history[0].role == "system"
        and any(one.role == "tool" and other.role == "user" for one, other in pairwise(history)),
        5,
    ),
    "an open call": ("pending", lambda history: bool(history[-1].calls), 2),
    "a batch answered in part": ("pending", lambda history: history[-1].role == "tool", 3),
    "a steer": ("interleaved", lambda history: any(read(history).interposers), 3),
    "a pinned steer between results": (
        "interleaved", lambda history: any(message.keep_during_truncation for message in between(history)), 4,
    ),
    "a call that is never answered": ("interleaved", lambda history: not all(read(history).open_batches.values()), 2),
    "an orphan": ("malformed", lambda history: any(answer.orphan for answer in read(history).answers), 1),
    "a second result": ("malformed", lambda history: any(answer.surplus for answer in read(history).answers), 3),
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.slow] if PLANTED[name][2] > 40 else []) for name in PLANTED]
)
def test_the_fewest_messages_are_reached(name: str) -> None:
    """From nearly every seed the example has as few messages as any that meets the condition."""
    input_class, condition, least = PLANTED[name]
    strategy = histories(inputs=[input_class])
    seeds = SEEDS if least < 40 else 1
    found = [shrunk(strategy, condition, seed) for seed in range(seeds)]
    sizes = Counter(map(len, found))
    assert min(sizes) == least, sizes
    assert sizes[least] >= seeds - 1, sizes
    assert max(sizes) <= least + 2, sizes
    assert all(read(history).input_class == input_class for history in found)


@pytest.mark.parametrize("input_class", INPUT_CLASSES)
def test_shrinking_stays_in_the_class(input_class: InputClass) -> None:
    """With all classes drawn, a history of a class shrinks to the smallest of that class, not of another."""
    smallest = {"valid": 0, "pending": 2, "interleaved": 1, "malformed": 1}
    for seed in range(2):
        history = shrunk(histories(), lambda history: read(history).input_class == input_class, seed)
        assert read(history).input_class == input_class
        assert len(history) <= smallest[input_class] + 1


@pytest.mark.slow
def test_what_is_left_is_plain() -> None:
    """Nothing special survives that the condition does not ask for."""
    for seed in range(4):
        history = shrunk(histories(inputs=["valid"]), lambda history: any(spans(history, 2)), seed)
        assert len(history) == 4
        assert [message.role for message in history] == ["user", "assistant", "tool", "tool"]
        for message in history:
            assert not any((message.keep_during_truncation, message.summary, message.reasoning, message.extra))
            assert len(message.text or "") < 5
            assert all(call.arguments == "{}" and not call.alt_id for call in message.calls)


@pytest.mark.slow
def test_a_compaction_point_stays_where_it_is_while_messages_go() -> None:
    """A cut inside a batch of three shrinks to that batch alone; so does one computed in flight."""

    def inside(drawn: tuple[History, Limit]) -> bool:
        return any(drawn[1].index in span for span in spans(drawn[0], 3))

    def in_flight(drawn: tuple[History, Limit]) -> bool:
        history, point = drawn
        return any(point.length in span and point.index < span.start for span in spans(history, 2))

    for condition, least in ((inside, 5), (in_flight, 4)):
        strategy = histories_with_points(inputs=["valid"])
        sizes = Counter(len(shrunk(strategy, condition, seed)[0]) for seed in range(SEEDS))
        assert sizes[least] >= SEEDS - 1, sizes
