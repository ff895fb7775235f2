"""Counting: the default size of a message, against a literal formula."""

import json
import math
import pickle

import pytest

from trimfuzz.messages.formats.counting import cost_in, default_count, message_count, native_count
from trimfuzz.messages.formats.neutral import FORMAT as NEUTRAL_FORMAT
from trimfuzz.messages.formats.openai_chat import FORMAT as OPENAI_CHAT
from trimfuzz.messages.formats.openai_responses import FORMAT as OPENAI_RESPONSES
from trimfuzz.messages.model import Call, Message

CALL = {"id": "c1", "type": "function", "function": {"name": "f", "arguments": '{"a": 1}'}}
DICTS = [
    {"role": "user", "content": ""},
    {"role": "user", "content": "x"},
    {"role": "user", "content": "déjà vu \U0001f600"},
    {"role": "assistant", "content": None, "tool_calls": [CALL]},
    {"role": "tool", "content": "r" * 101, "tool_call_id": "c1"},
]


def formula(item: dict) -> int:
    """A quarter of the length of the compact JSON, rounded up."""
    return math.ceil(len(json.dumps(item, separators=(",", ":"), ensure_ascii=False)) / 4)


@pytest.mark.parametrize("item", DICTS)
def test_a_dict_counts_a_quarter_of_its_compact_json(item: dict) -> None:
    """In characters, not in bytes or escapes."""
    assert default_count(item) == formula(item)


def test_one_letter_more_can_cost_nothing_and_four_cost_one() -> None:
    """It is rounded up per message: 28 characters without text."""
    counts = [default_count({"role": "user", "content": "x" * size}) for size in range(8)]
    assert counts == [7, 8, 8, 8, 8, 9, 9, 9]


def test_a_list_counts_the_sum_of_its_messages() -> None:
    """Rounded up one by one; an empty list is nothing."""
    assert default_count(DICTS) == sum(map(formula, DICTS))
    assert default_count([]) == 0


def test_marks_cost_nothing() -> None:
    """Neither of the three; other extra keys do."""
    item = DICTS[1]
    for mark in ("keep_during_truncation", "summary", "inserted"):
        assert default_count({**item, mark: True}) == formula(item)
    assert default_count({**item, "src": 1}) == formula({**item, "src": 1})


def test_a_neutral_message_costs_what_its_dict_costs() -> None:
    """Whatever the format of the trimmer; one that openai-chat cannot carry costs its neutral JSON."""
    message = Message("assistant", "a", calls=(Call("c1"),), keep_during_truncation=True, tokens=5)
    assert message_count(message) == formula({**DICTS[3], "content": "a", "tool_calls": [
        {"id": "c1", "type": "function", "function": {"name": "f", "arguments": "{}"}},
    ]})  # fmt: skip
    assert message_count(Message("reasoning", "thought")) == formula({"role": "reasoning", "text": "thought"})


@pytest.mark.parametrize("form", [OPENAI_CHAT, NEUTRAL_FORMAT])
def test_a_trimmer_and_the_suite_measure_alike(form) -> None:
    """The count handed to the trimmer, of an item and of a list, is the cost that the limit is measured in."""
    history = [Message("user", "u" * size, keep_during_truncation=size == 3) for size in range(9)]
    count = native_count(form)
    cost = cost_in(form, count)
    items = [form.write(message) for message in history]
    assert [count(item) for item in items] == [cost(message) for message in history]
    assert count(items) == sum(map(cost, history))
    assert count([]) == 0
    assert [cost(message) for message in history] == [formula({"role": "user", "content": "u" * n}) for n in range(9)]


def test_a_cost_measures_with_the_count_in_force() -> None:
    """A counter of one's own sees the items of the format."""
    assert cost_in(OPENAI_CHAT, lambda item: len(item["content"]))(Message("user", "four")) == 4


def test_what_a_format_cannot_carry_has_its_default_size() -> None:
    """Its own counter is not asked: there is no item to hand it."""
    orphaned = Message("assistant", None, extra={"inline_results": [{"call_id": "c1", "text": "r"}]})
    cost = cost_in(OPENAI_RESPONSES, lambda _item: 1)
    assert cost(orphaned) == message_count(orphaned) > 1
    assert cost(Message("user", "text")) == 1


@pytest.mark.parametrize("form", [OPENAI_CHAT, NEUTRAL_FORMAT])
def test_costs_and_counts_can_be_sent_to_another_process(form) -> None:
    """They come back measuring the same."""
    message = Message("user", "some text")
    cost = cost_in(form, native_count(form))
    assert pickle.loads(pickle.dumps(cost))(message) == cost(message) == message_count(message)
