"""Counters of one's own: which take messages, which lists, and what is said of one that fails."""

import math
from typing import Any

import pytest

from trimfuzz.messages.cases import Case, Example, Outcome
from trimfuzz.messages.errors import BadCounter
from trimfuzz.messages.formats.counters import Counter, total_in, tried
from trimfuzz.messages.formats.counting import cost_in
from trimfuzz.messages.formats.neutral import FORMAT as NEUTRAL_FORMAT
from trimfuzz.messages.formats.openai_chat import FORMAT as OPENAI_CHAT
from trimfuzz.messages.limits import Limit, sweep
from trimfuzz.messages.model import Message
from trimfuzz.oracles.best.best import most, ref
from trimfuzz.oracles.rules.limits import cost_of_output

A, B = {"role": "user", "content": "aaaa"}, {"role": "user", "content": "bb"}
HISTORY = (Message("user", "aaaa"), Message("assistant", "bb"), Message("user", "c"))


def cookbook(messages: list[dict[str, Any]]) -> int:
    """The commonest counter of all: three tokens start the answer."""
    return 3 + sum(4 + len(message["content"]) for message in messages)


def keys_too(messages: Any) -> int:
    """Takes a single message without an error, and counts its keys."""
    return sum(len(str(message)) for message in messages)


def rounded_once(messages: list[dict[str, Any]]) -> int:
    """A quarter of all texts, rounded up once."""
    return math.ceil(sum(len(message["content"]) for message in messages) / 4)


def needs_one(messages: list[dict[str, Any]]) -> int:
    """Cannot count an empty list."""
    return len(messages[0]["role"]) * 0 + cookbook(messages)


def raises(_item: object) -> int:
    """Counts nothing."""
    raise RuntimeError("no vocabulary")


@pytest.mark.parametrize(
    ("function", "lists", "constant"),
    [
        (lambda message: len(message["content"]), False, 0),
        (lambda _item: 10, False, 0),
        (lambda item: len(str(item)), False, 0),
        (cookbook, True, 3),
        (keys_too, True, 0),
        (rounded_once, True, 0),
        (needs_one, True, 3),
    ],
)
def test_what_a_counter_takes_is_tried(function: Any, lists: bool, constant: int) -> None:
    """On a message, then on a list; the constant of a list is found even where it cannot be asked for an empty one."""
    found = tried(function, "mine", OPENAI_CHAT)
    assert (found.lists, found.constant) == (lists, constant)


def test_a_counter_takes_messages_and_lists_alike() -> None:
    """Whoever asks need not know what the function itself takes."""
    single, listed = tried(lambda m: len(m["content"]), "one", OPENAI_CHAT), tried(cookbook, "list", OPENAI_CHAT)
    assert [single(A), single(B), single([A, B]), single([])] == [4, 2, 6, 0]
    assert [listed(A), listed(B), listed([A, B]), listed([])] == [8, 6, 17, 3]


@pytest.mark.parametrize(
    ("function", "said"),
    [
        (raises, "mine: RuntimeError: no vocabulary (asked for one message; a counter takes a message, or a list"),
        (lambda _item: None, "mine returned None, no number of at least 0"),
        (lambda _item: -1, "mine returned -1, no number"),
        (lambda _item: True, "mine returned True, no number"),
        (lambda _item: math.nan, "mine returned nan, no number"),
        (lambda _item: "7", "mine returned a str, no number"),
    ],
)
def test_a_counter_that_cannot_count_is_refused(function: Any, said: str) -> None:
    """With its own error, in one line."""
    with pytest.raises(BadCounter) as caught:
        tried(function, "mine", OPENAI_CHAT)
    assert str(caught.value).startswith(said)
    assert "\n" not in str(caught.value)


def test_a_later_failure_names_the_message() -> None:
    """What it was asked for stands behind its own error."""
    with pytest.raises(BadCounter) as caught:
        tried(lambda m: len(m["content"]), "mine", OPENAI_CHAT)({"role": "assistant", "content": None})
    assert str(caught.value) == (
        "mine: TypeError: object of type 'NoneType' has no len() (asked for {'role': 'assistant', 'content': None})"
    )


def test_the_constant_of_a_list_is_taken_off_the_limit() -> None:
    """Costs are those of messages; room is what the limit leaves for them, and every limit of the sweep has it."""
    counter = tried(cookbook, "mine", OPENAI_CHAT)
    cost = cost_in(OPENAI_CHAT, counter)
    example = Example(HISTORY, cost=cost, base=counter.constant, measure=total_in(OPENAI_CHAT, counter))
    assert (example.costs, example.total, example.together(())) == ((8, 6, 5), 19, 0)
    assert [Case(example, Limit("tokens", value)).room for value in (-1, 0, 2, 3, 4)] == [0, 0, 0, 0, 1]
    assert Case(example, Limit("tokens", 22)).fits
    assert not Case(example, Limit("tokens", 21)).fits
    assert ref(Case(example, Limit("tokens", 14))) == (1, 2)
    plain, moved = (sweep(HISTORY, "tokens", costs=example.costs, base=base) for base in (0, 3))
    assert {limit.value + 3 for limit in plain} - {10 * 19 + 3} == {limit.value for limit in moved} - {10 * 22}


def test_lists_are_measured_as_a_whole() -> None:
    """A total that is rounded once is not the sum of what was rounded for each."""
    counter = tried(rounded_once, "mine", OPENAI_CHAT)
    example = Example(HISTORY, cost=cost_in(OPENAI_CHAT, counter), measure=total_in(OPENAI_CHAT, counter))
    assert (sum(example.costs), example.total) == (3, 2)
    out = Outcome("ok", HISTORY[1:], sources=(1, 2))
    assert cost_of_output(Case(example, Limit("tokens", 1)), out) == 1


def test_a_count_may_be_a_fraction() -> None:
    """A quarter of a length is a common count; limits stay whole numbers."""
    counter = tried(lambda m: len(m["content"]) / 4, "mine", OPENAI_CHAT)
    example = Example(HISTORY, cost=cost_in(OPENAI_CHAT, counter))
    assert example.costs == (1, 0.5, 0.25)
    assert {type(limit.value) for limit in sweep(HISTORY, "tokens", costs=example.costs)} == {int}
    assert most(Case(example, Limit("tokens", 1))) == 0.75


def test_the_items_of_any_format_are_counted() -> None:
    """A counter sees what the trimmer sees."""
    counter = tried(lambda message: len(message.text), "mine", NEUTRAL_FORMAT)
    assert counter == Counter("mine", counter.function, alone=True)
    assert cost_in(NEUTRAL_FORMAT, counter)(HISTORY[0]) == 4
