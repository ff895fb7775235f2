"""Legal trims: which sets of messages a trimmer that only drops messages may keep.

Such a trim is legal if it keeps what is forced (the head, every pinned message, and what those need), is made of whole
units with what each of them needs, and its list has no fault that the input had not. With whole units every result
keeps its call, every call its results, every step its reasoning; nothing new can come between them, and no result can
come to answer another call, for the batch that it answers is kept and still the latest one of its id in front of it. So
of all rules only those about neighbours, the first and the last message are left to look at, where the profile turns
them on: what a message follows is the one thing that changes when others go.

This module says it as plainly as possible, for one set at a time; `unit_parts` says it once for all sets.
"""

from collections.abc import Collection, Iterable
from functools import lru_cache
from typing import TypeAlias

from ...messages.cases import Example
from ...messages.model import SYSTEM_ROLES, head_length
from ...messages.reading.profiles import Profile
from ...messages.reading.units import Units, opens_turn

NOTHING, USER, ASSISTANT, TOOL, REASONING_FIRST, REASONING_AFTER_ASSISTANT, BEARER = range(7)
FRONTS = (NOTHING, USER, ASSISTANT, TOOL, REASONING_FIRST, REASONING_AFTER_ASSISTANT, BEARER)
"""What can stand in front of a message of the conversation: nothing, a message of this role, or a reasoning item.

A bearer is a user message with results, where that is told from a tool message: where results are sent by the user. An
item only excuses a call turn. For all other rules it is as if it were not there, so what it stands behind counts."""

BEHIND_AN_ITEM = (
    REASONING_FIRST,
    USER,
    REASONING_AFTER_ASSISTANT,
    TOOL,
    REASONING_FIRST,
    REASONING_AFTER_ASSISTANT,
    BEARER,
)
"""What stands in front after a reasoning item, by what stood there before."""

NONE: frozenset[int] = frozenset()

ShapeFault: TypeAlias = tuple[str, int | None]
"""A broken shape rule and the message it is about; None where it is about the list."""


def forced(example: Example, promised: frozenset[int] = NONE) -> frozenset[int]:
    """Return the units that every legal trim keeps: those of the head and of pinned messages, and what those need.

    `promised` are messages that a trimmer has to keep beside those.
    """
    units, head = example.units, head_length(example.history)
    return closed(
        (
            units.unit_of[index]
            for index, message in enumerate(example.history)
            if index < head or message.keep_during_truncation or index in promised
        ),
        units,
    )


def closed(chosen: Iterable[int], units: Units) -> frozenset[int]:
    """Return the units given with all that they need, and what those need in turn."""
    found: set[int] = set()
    left = list(chosen)
    while left:
        unit = left.pop()
        if unit not in found:
            found.add(unit)
            left.extend(units.needs.get(unit, ()))
    return frozenset(found)


def role_in_turn(example: Example, index: int) -> int:
    """Return the role that a message of the conversation has for its neighbours; a bearer of results counts as tool."""
    role = example.history[index].role
    if role == "assistant":
        return ASSISTANT
    if role == "tool":
        return TOOL
    if index not in example.reading.answers_of:
        return USER
    return BEARER if example.profile.results_from_user else TOOL


def makes_calls(example: Example, index: int) -> bool:
    """Say whether a message is a client call turn: it makes a call that the provider does not run itself."""
    message = example.history[index]
    return message.role == "assistant" and not all(call.provider_executed for call in message.calls)


def level_of(example: Example, index: int) -> int:
    """Return what a message does for the wish that a trim keep something to answer: 2 user, 1 conversation, 0 nothing.

    Where the profile asks for no user message, one is worth as much as any other message of the conversation.
    """
    message = example.history[index]
    if message.role in SYSTEM_ROLES or message.role == "reasoning":
        return 0
    return 2 if example.profile.need_user and opens_turn(message) else 1


_OF_THE_USER = frozenset({USER, BEARER})


@lru_cache(maxsize=1024)
def _faults_behind(profile: Profile, front: int, role: int, calls: bool, opens: bool) -> frozenset[str]:
    found: set[str] = set()
    if front in (NOTHING, REASONING_FIRST) and not opens:
        found.add("first-is-user")
    if front == USER == role or (front in (ASSISTANT, REASONING_AFTER_ASSISTANT) and role == ASSISTANT):
        found.add("alternate-roles")
    if BEARER in (front, role) and {front, role} <= _OF_THE_USER:
        found.add("alternate-roles")
    if front == TOOL and role == USER:
        found.add("assistant-between-tool-and-user")
    if calls and front in (NOTHING, ASSISTANT):
        found.add("call-turn-after-user-or-result")
    return frozenset(found & profile.shape)


def faults_behind(example: Example, front: int, index: int) -> frozenset[str]:
    """Return the rules that a message of the conversation breaks by what stands in front of it."""
    message, role = example.history[index], role_in_turn(example, index)
    return _faults_behind(example.profile, front, role, makes_calls(example, index), opens_turn(message))


def shape_faults(example: Example, kept: Collection[int]) -> set[ShapeFault]:
    """Return the faults that the kept messages have through what they follow, what comes first and what comes last."""
    shape, front = example.profile.shape, NOTHING
    found: set[ShapeFault] = set()
    for index, message in enumerate(example.history):
        if index not in kept or message.role in SYSTEM_ROLES:
            continue
        if message.role == "reasoning":
            front = BEHIND_AN_ITEM[front]
            continue
        role = role_in_turn(example, index)
        for rule in faults_behind(example, front, index):
            found.add((rule, None if rule == "first-is-user" else index))
        front = role
    if front in (ASSISTANT, REASONING_AFTER_ASSISTANT) and "last-is-user-or-tool" in shape:
        found.add(("last-is-user-or-tool", None))
    return found


def legal(example: Example, kept: Iterable[int]) -> bool:
    """Say whether keeping exactly these messages (indexes) of an example's history is a legal trim."""
    units, chosen = example.units, frozenset(kept)
    taken = frozenset(units.unit_of[index] for index in chosen)
    return (
        forced(example) <= taken
        and closed(taken, units) == taken
        and all(chosen.issuperset(units.members[unit]) for unit in taken)
        and shape_faults(example, chosen) <= shape_faults(example, range(len(example.history)))
    )
