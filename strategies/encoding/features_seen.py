"""Features seen: which of the switches a history uses, read off the history itself.

The generator never asks here. It is for histories from elsewhere (public cases, candidates of a shrink, sessions):
where a feature is left out, one that has it is no case. Three features belong to a compaction point, not to a history.
"""

from collections.abc import Callable, Iterable, Iterator
from itertools import pairwise
from typing import TypeAlias

from ...messages.limits import Limit
from ...messages.model import SYSTEM_ROLES, History, Message, head_length
from ...messages.reading.pairing import Reading, read

Seen: TypeAlias = Callable[[History, Reading], bool]
LONG_TEXT, LONG_ARGUMENTS, LONG_HISTORY = 90, 100, 40
POINT_FEATURES = ("cut_in_batch", "cut_in_flight", "cut_stale")
"""What a compaction point has, and not the history that it lies in."""


def features_in(history: History, names: Iterable[str] | None = None) -> frozenset[str]:
    """Return the features that a history uses, of these names, else of all that can be read off."""
    reading = read(history)
    asked = SEEN if names is None else [name for name in names if name in SEEN]
    return frozenset(name for name in asked if SEEN[name](history, reading))


def left_out_in(history: History, off: frozenset[str]) -> frozenset[str]:
    """Return what a history has of what is off.

    As in generation, no_system is ignored where there can be no system message, unnamed_results where there can be no
    name.
    """
    ignored: set[str] = {"no_system"} if {"system", "developer"} <= off else set()
    if "tool_names" in off:
        ignored.add("unnamed_results")
    return features_in(history, off - ignored)


def point_features(history: History, point: Limit) -> frozenset[str]:
    """Return the features that a compaction point of a history has."""
    spans = list(_spans(read(history)))
    length = len(history) if point.length is None else point.length
    seen = {
        "cut_in_batch": any(first < point.index <= last for first, last in spans),
        "cut_in_flight": any(first < length <= last for first, last in spans),
        "cut_stale": length != len(history),
    }
    return frozenset(name for name in POINT_FEATURES if seen[name])


def _spans(reading: Reading) -> Iterator[tuple[int, int]]:
    """Yield for each batch its first call message and its last message."""
    for batch in reading.batches:
        yield batch.messages[0], max((*batch.messages, *(reading.answers[answer].message for answer in batch.answers)))


def _displaced(reading: Reading) -> Iterator[tuple[int, list[int]]]:
    """For each paired result that something stands in front of: its batch, and what stands there."""
    for index, answer in enumerate(reading.answers):
        if answer.slot is not None and answer.batch is not None:
            between = [message for place, message in reading.interposers if place == index]
            if between:
                yield answer.batch, between


def _steered(reading: Reading) -> Iterator[Message]:
    """Messages right behind a call or result of a batch, in front of another result of it."""
    for batch, between in _displaced(reading):
        known = reading.batches[batch]
        members = {*known.messages, *(reading.answers[answer].message for answer in known.answers)}
        for message in between:
            if message - 1 in members:
                yield reading.history[message]


def _tool_steps(history: History, _reading: Reading) -> bool:
    """Two call messages without a user message between them."""
    stepped = False
    for message in history:
        if message.calls and stepped:
            return True
        if message.role == "user" and "inline_results" not in message.extra:
            stepped = False
        stepped = stepped or bool(message.calls)
    return False


def _out_of_order(_history: History, reading: Reading) -> bool:
    """A batch whose results are not in call order."""
    return any(
        one > other
        for batch in reading.batches
        for one, other in pairwise(
            slot for slot in (reading.answers[answer].slot for answer in batch.answers) if slot is not None
        )
    )


def _reused(_history: History, reading: Reading) -> bool:
    """An id used by two batches, the first of which was answered by then."""
    batches: dict[str, set[int]] = {}
    for slot in reading.slots:
        if slot.id:
            batches.setdefault(slot.id, set()).add(slot.batch)
    shadowed = {reading.slots[later].id for _, later in reading.shadows}
    return any(len(found) > 1 and name not in shadowed for name, found in batches.items())


def _late(_history: History, reading: Reading) -> bool:
    """A result that a user message and then another call stand in front of."""
    for _, between in _displaced(reading):
        users = [message for message in between if reading.history[message].role == "user"]
        if users and any(reading.history[message].calls for message in between if message > users[0]):
            return True
    return False


def _abandoned(_history: History, reading: Reading) -> bool:
    """A batch that is open in the middle, and not because its id was used again."""
    shadowed = {reading.slots[slot].batch for pair in reading.shadows for slot in pair}
    return any(not at_tail and batch not in shadowed for batch, at_tail in reading.open_batches.items())


def _unpaired(reading: Reading, *, called_later: bool) -> bool:
    """A result without a call in front of it: with one of its id behind it, or with none at all."""
    ids = {name for slot in reading.slots for name in (slot.id, slot.alt_id)}
    return any(answer.orphan and (answer.id in ids) is called_later for answer in reading.answers)


def _neighbours(history: History) -> Iterator[tuple[Message, Message]]:
    """User and assistant messages of one role side by side, system messages and bearers of results aside."""
    spoken = [message for message in history if message.role not in SYSTEM_ROLES]
    for one, other in pairwise(spoken):
        results = "inline_results" in one.extra or "inline_results" in other.extra
        if one.role == other.role and (one.role == "assistant" or (one.role == "user" and not results)):
            yield one, other


def _split(_history: History, reading: Reading) -> bool:
    """A batch whose results stand in several user messages."""
    bearers: dict[int, set[int]] = {}
    for answer in reading.answers:
        if answer.role == "user" and answer.batch is not None:
            bearers.setdefault(answer.batch, set()).add(answer.message)
    return any(len(found) > 1 for found in bearers.values())


def _key(name: str) -> Seen:
    return lambda history, _: any(name in message.extra for message in history)


def _some(wanted: Callable[[Message], object]) -> Seen:
    return lambda history, _: any(map(wanted, history))


def _last(wanted: Callable[[Message], object]) -> Seen:
    return lambda history, _: bool(history and wanted(history[-1]))


SEEN: dict[str, Seen] = {
    "parallel": _some(lambda message: len(message.calls) > 1),
    "tool_steps": _tool_steps,
    "out_of_order": _out_of_order,
    "repeated_roles": lambda history, _: any(True for _pair in _neighbours(history)),
    "calls_after_text": lambda history, _: any(
        not call.provider_executed for _one, other in _neighbours(history) for call in other.calls
    ),
    "user_after_result": lambda history, _: any(
        one.role == "tool" and other.role == "user" for one, other in pairwise(history)
    ),
    "call_text": _some(lambda message: message.calls and message.text),
    "null_content": _some(lambda message: message.text is None),
    "arguments": _some(lambda message: any(len(call.arguments) > LONG_ARGUMENTS for call in message.calls)),
    "tool_names": _some(lambda message: message.name),
    "sizes": _some(lambda message: len(message.text or "") > LONG_TEXT),
    "long": lambda history, _: len(history) > LONG_HISTORY,
    "empty": lambda history, _: not history,
    "keep": _some(lambda message: message.keep_during_truncation),
    "summary": _some(lambda message: message.summary),
    "system": lambda history, _: any(message.role == "system" for message in history[: head_length(history)]),
    "no_system": lambda history, _: head_length(history) == 0,
    "system_alone": lambda history, _: 0 < head_length(history) == len(history),
    "several_systems": lambda history, _: head_length(history) > 1,
    "developer": _some(lambda message: message.role == "developer"),
    "system_midway": lambda history, _: any(
        message.role in SYSTEM_ROLES for message in history[head_length(history) :]
    ),
    "reasoning": _some(lambda message: message.reasoning),
    "signature": _key("signature"),
    "reasoning_items": _some(lambda message: message.role == "reasoning"),
    "provider_executed": lambda _, reading: any(slot.provider_executed for slot in reading.slots),
    "inline_results": _key("inline_results"),
    "split_results": _split,
    "text_before_results": _key("text_first"),
    "approvals": _key("approval_request"),
    "approval_apart": _some(lambda message: message.call_id is None and "approval_response" in message.extra),
    "alt_ids": lambda _, reading: any(slot.alt_id for slot in reading.slots),
    "item_ids": _key("item_id"),
    "unnamed_results": _some(
        lambda message: message.role == "tool" and message.name is None and message.call_id is not None
    ),
    "unsigned_reasoning": _some(lambda message: message.reasoning and "signature" not in message.extra),
    "bare_signature": _some(lambda message: message.calls and not message.reasoning and "signature" in message.extra),
    "user_results": _some(lambda message: message.role == "user" and "inline_results" in message.extra),
    "provider_later": _some(
        lambda message: message.role == "assistant" and "inline_results" in message.extra and not message.calls
    ),
    "provider_tool_results": lambda _, reading: any(
        slot.provider_executed and slot.answer is not None and reading.answers[slot.answer].role == "tool"
        for slot in reading.slots
    ),
    "mixed_calls": _some(lambda message: len({call.provider_executed for call in message.calls}) > 1),
    "adjacent_calls": lambda history, _: any(
        one.calls and other.calls and "inline_results" not in one.extra for one, other in pairwise(history)
    ),
    "reused_ids": _reused,
    "open_tail": lambda _, reading: any(reading.open_batches.values()),
    "ends_on_call": _last(lambda message: message.calls),
    "ends_on_result": _last(lambda message: message.role == "tool"),
    "ends_on_assistant": _last(lambda message: message.role == "assistant" and not message.calls),
    "steer_user": lambda _, reading: any(message.role == "user" for message in _steered(reading)),
    "steer_system": lambda _, reading: any(message.role in SYSTEM_ROLES for message in _steered(reading)),
    "steer_assistant": lambda _, reading: any(
        message.role == "assistant" and not message.calls for message in _steered(reading)
    ),
    "nested_calls": lambda _, reading: any(message.calls for message in _steered(reading)),
    "abandoned": _abandoned,
    "late_results": _late,
    "opens_on_assistant": lambda history, reading: (
        bool(reading.conversation) and history[reading.conversation[0]].role != "user"
    ),
    "orphans": lambda _, reading: _unpaired(reading, called_later=False),
    "displaced_results": lambda _, reading: _unpaired(reading, called_later=True),
    "duplicate_results": lambda _, reading: any(answer.surplus and answer.id for answer in reading.answers),
    "duplicate_ids": _some(lambda message: any(call.id and message.calls.count(call) > 1 for call in message.calls)),
    "empty_ids": lambda _, reading: any(not slot.id for slot in reading.slots),
    "reopened_ids": lambda _, reading: any(
        reading.slots[one].id and reading.slots[one].batch != reading.slots[other].batch
        for one, other in reading.shadows
    ),
}
"""What shows that a history uses a feature, by the name of the switch."""
