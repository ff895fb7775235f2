"""Honest trimmers in the ways in which they are called: in place, async, as generator, memory, compactor, late."""

import time
from collections.abc import AsyncIterator, Iterator
from functools import cache
from typing import Any

from .units import Message, Messages, apart, as_they_stood, called, conversation, joined, newest, systems, units


def trimmed(messages: Messages, limit: int) -> Messages:
    """All system messages and the newest units that fit; the newest one in any case."""
    front, groups = systems(messages), units(conversation(messages))
    kept = newest(groups, limit - len(front)) or groups[-1:]
    return as_they_stood(messages, front + joined(kept))


def in_place(messages: Messages, limit: int) -> None:
    """Deletes what is too much from the list that it was given."""
    kept = {id(message) for message in trimmed(messages, limit)}
    for index in reversed(range(len(messages))):
        if id(messages[index]) not in kept:
            del messages[index]


async def asynchronous(messages: Messages, limit: int) -> Messages:
    """A coroutine."""
    return trimmed(messages, limit)


def generator(messages: Messages, limit: int) -> Iterator[Message]:
    """Yields what stays."""
    yield from trimmed(messages, limit)


async def asynchronous_generator(messages: Messages, limit: int) -> AsyncIterator[Message]:
    """Yields what stays, in a coroutine."""
    for message in trimmed(messages, limit):
        yield message


class Memory:
    """Trims on every message that is added. What is still open is in the newest unit, which always stays."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.messages: Messages = []

    def add(self, message: Message) -> None:
        """Take a message in."""
        self.messages = trimmed([*self.messages, message], self.limit)

    def view(self) -> Messages:
        """Return what would be sent."""
        return list(self.messages)


class Compactor:
    """Plans where to cut: at the point that it is given, or in front of the unit in which that lies.

    A call that had no result yet when the plan was made is never cut off from what is still to come.
    """

    def plan(self, messages: Messages, limit: Any) -> int:
        """Return the index of the first message that stays."""
        lead, rest = apart(messages)
        start, place = len(lead), min(limit.index, len(messages))
        for unit in units(rest):
            if start + len(unit) > place or _is_open(unit):
                break
            start += len(unit)
        return start

    def apply(self, messages: Messages, plan: int) -> Messages:
        """Return the leading system messages, a summary and what stays."""
        lead, _ = apart(messages)
        if plan <= len(lead):
            return list(messages)
        return [*lead, {"role": "user", "content": "(a summary of the earlier conversation)"}, *messages[plan:]]


def _is_open(unit: Messages) -> bool:
    """Say whether a unit has fewer results than calls."""
    return sum(len(list(called(message))) for message in unit) > sum(message["role"] == "tool" for message in unit)


@cache
def tokenizer() -> object:
    """Stand in for a package that takes long to import."""
    time.sleep(4)
    return object()


def late(messages: Messages, limit: int) -> Messages:
    """Slow when it is called for the first time, and never again."""
    tokenizer()
    return trimmed(messages, limit)


class Budget:
    """A memory with a counter of its own, for a whole list: what the messages cost and a constant for the list."""

    def __init__(self, max_tokens: int) -> None:
        self.max_tokens = max_tokens
        self.messages: Messages = []

    @staticmethod
    def count(messages: Messages) -> int:
        """Return what a list costs."""
        return 3 + sum(4 + len(str(message["content"] or "")) for message in messages)

    def add(self, message: Message) -> None:
        """Take a message in."""
        self.messages.append(message)

    def view(self) -> Messages:
        """Return all system messages and the newest units that fit, the newest one in any case."""
        front, groups = systems(self.messages), units(conversation(self.messages))
        kept = as_they_stood(self.messages, front + joined(groups))
        while len(groups) > 1 and self.count(kept) > self.max_tokens:
            del groups[0]
            kept = as_they_stood(self.messages, front + joined(groups))
        return kept
