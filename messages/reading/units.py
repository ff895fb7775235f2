"""Units: the smallest sets of messages that must stand or fall together, and what one unit needs of another.

A unit is the call messages of a batch with their paired results; a reasoning item with the message that follows from
it; an approval request with its response; otherwise one message. A surplus result is no part of its batch but needs
it.
"""

from attrs import frozen

from ..model import Message
from .pairing import Reading
from .profile import Profile


@frozen
class Units:
    """`members` are the units (ascending indexes, ordered by first member); `unit_of` the unit of each message.

    `needs` gives for a unit the units without which it may not stay.
    """

    members: tuple[tuple[int, ...], ...]
    unit_of: tuple[int, ...]
    needs: dict[int, frozenset[int]]


def units(reading: Reading, profile: Profile) -> Units:
    """Partition a history into units, with the one-way needs of the profile."""
    size = len(reading.history)
    parent = list(range(size))

    def find(index: int) -> int:
        while parent[index] != index:
            parent[index] = parent[parent[index]]
            index = parent[index]
        return index

    def join(one: int, other: int) -> None:
        first, second = sorted((find(one), find(other)))
        parent[second] = first

    for batch in reading.batches:
        for message in batch.messages[1:]:
            join(batch.messages[0], message)
    for answer in reading.answers:
        if answer.slot is not None:
            join(reading.slots[answer.slot].message, answer.message)
    requests: dict[object, int] = {}
    waiting: dict[object, list[int]] = {}
    for index, message in enumerate(reading.history):
        if message.role == "reasoning" and follower(reading, index) is not None:
            join(index, index + 1)
        if message.extra:
            request = message.extra.get("approval_request")
            response = message.extra.get("approval_response")
            if request is not None:
                requests[request] = index
                waiting.setdefault(request, []).append(index)
            if response in requests:
                # One response answers every request that waits for it, so none of them may stay without it.
                for asked in (requests[response], *waiting.pop(response, ())):
                    join(asked, index)

    roots = sorted({find(index) for index in range(size)})
    number = {root: unit for unit, root in enumerate(roots)}
    unit_of = tuple(number[find(index)] for index in range(size))
    members: list[list[int]] = [[] for _ in roots]
    for index, unit in enumerate(unit_of):
        members[unit].append(index)
    needs: dict[int, set[int]] = {}
    for one, other in needed_messages(reading, profile):
        if unit_of[one] != unit_of[other]:
            needs.setdefault(unit_of[one], set()).add(unit_of[other])
    return Units(tuple(map(tuple, members)), unit_of, {unit: frozenset(others) for unit, others in needs.items()})


def follower(reading: Reading, index: int) -> int | None:
    """Return the message that a reasoning item leads to: the assistant or reasoning item right behind it, or None."""
    behind = index + 1
    if behind < len(reading.history) and reading.history[behind].role in ("assistant", "reasoning"):
        return behind
    return None


def needed_messages(reading: Reading, profile: Profile) -> list[tuple[int, int]]:
    """Return pairs (message, message it needs): a surplus result its batch, a step its turn's reasoning."""
    pairs = [
        (answer.message, reading.batches[answer.batch].messages[0])
        for answer in reading.answers
        if answer.batch is not None and answer.slot is None
    ]
    if profile.turn_reasoning:
        pairs.extend(reasoning_sources(reading))
    return pairs


def reasoning_sources(reading: Reading) -> list[tuple[int, int]]:
    """Return, behind the last user message, each assistant without reasoning and the nearest earlier with it."""
    pairs: list[tuple[int, int]] = []
    source: int | None = None
    for index in range(last_user(reading) + 1, len(reading.history)):
        message = reading.history[index]
        if message.role != "assistant":
            continue
        if message.reasoning:
            source = index
        elif source is not None:
            pairs.append((index, source))
    return pairs


def last_user(reading: Reading) -> int:
    """Return the index of the last user message that opens a turn; -1 without one."""
    for index in range(len(reading.history) - 1, -1, -1):
        if opens_turn(reading.history[index]):
            return index
    return -1


def opens_turn(message: Message) -> bool:
    """Say whether a person speaks: a user message that is no mere bearer of results. Results alone open no turn."""
    return message.role == "user" and (
        not message.extra or not message.extra.get("inline_results") or bool(message.text)
    )
