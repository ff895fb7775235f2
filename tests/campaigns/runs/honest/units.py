"""Parts that the honest trimmers of OpenAI chat messages share: units, turns, and the newest units that fit.

A unit is a message that makes calls with everything up to its last result; any other message is a unit alone. Nothing
of a batch stands outside of its unit, so a list that is cut between units orphans no result.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeAlias

Message: TypeAlias = dict[str, Any]
Messages: TypeAlias = list[Message]
Count: TypeAlias = Callable[[Message], int]
Ids: TypeAlias = Callable[[Message], Iterable[object]]


class DoesNotFit(Exception):
    """Nothing that could be sent fits into the limit."""


def is_system(message: Message) -> bool:
    """Say whether a message is a system or a developer message."""
    return message["role"] in ("system", "developer")


def called(message: Message) -> Iterable[object]:
    """Return the ids of the calls that a message makes."""
    return [call["id"] for call in message.get("tool_calls") or ()]


def answered(message: Message) -> Iterable[object]:
    """Return the ids of the calls that a message answers."""
    return [message["tool_call_id"]] if message["role"] == "tool" else []


def units(messages: Sequence[Message], opens: Ids = called, closes: Ids = answered) -> list[Messages]:
    """Split a list into units. `opens` and `closes` return the ids of the calls that a message makes and answers.

    An id belongs to the latest message before its answer that made a call of it.
    """
    maker: dict[object, int] = {}
    reach = list(range(len(messages)))
    for index, message in enumerate(messages):
        for identity in closes(message):
            if identity in maker:
                reach[maker[identity]] = index
        maker.update(dict.fromkeys(opens(message), index))
    found: list[Messages] = []
    end = -1
    for index, message in enumerate(messages):
        if index > end:
            found.append([])
        found[-1].append(message)
        end = max(end, reach[index])
    return found


def turns(messages: Sequence[Message]) -> list[Messages]:
    """Split a list at the user messages that open a unit. What stands before the first one is part of its turn."""
    found: list[Messages] = []
    started = False
    for unit in units(messages):
        opens = unit[0]["role"] == "user"
        if not found or (opens and started):
            found.append([])
        started = started or opens
        found[-1].extend(unit)
    return found


def size(messages: Iterable[Message], count: Count | None = None) -> int:
    """Return how many messages these are, or what they cost."""
    return sum(1 if count is None else count(message) for message in messages)


def apart(messages: Messages) -> tuple[Messages, Messages]:
    """Return the leading system messages, and the rest."""
    lead = 0
    while lead < len(messages) and is_system(messages[lead]):
        lead += 1
    return messages[:lead], messages[lead:]


def systems(messages: Messages) -> Messages:
    """Return all system messages, wherever they stand."""
    return [message for message in messages if is_system(message)]


def conversation(messages: Messages) -> Messages:
    """Return the messages that are no system messages."""
    return [message for message in messages if not is_system(message)]


def joined(groups: Iterable[Messages]) -> Messages:
    """Return the messages of all groups as one list."""
    return [message for group in groups for message in group]


def newest(groups: Sequence[Messages], room: int, count: Count | None = None) -> list[Messages]:
    """Return the newest groups that fit into the room, up to the first that does not."""
    kept: list[Messages] = []
    for group in reversed(groups):
        room -= size(group, count)
        if room < 0:
            break
        kept.insert(0, group)
    return kept


def as_they_stood(messages: Messages, kept: Iterable[Message]) -> Messages:
    """Return the messages that are kept, in the order of the list."""
    wanted = {id(message) for message in kept}
    return [message for message in messages if id(message) in wanted]
