"""Tracing: which call and which result of the input each one of the output is.

A message that came back untouched holds what it held, in the same places. In one that was edited calls and results are
found again by their ids, those of one id in their order; a call can also be found by its second id.
"""

from collections.abc import Iterator, Mapping

from ...messages.reading.pairing import Reading, Slot

Origin = tuple[int | None, ...]
"""The input index of each output message; None for one that is new."""


def traced_calls(before: Reading, after: Reading, origin: Origin) -> tuple[int | None, ...]:
    """Return for each call of the output its number in the reading of the input; None if it is new or was renamed."""
    found: list[int | None] = [None] * len(after.slots)
    now, then = after.slots, before.slots
    for untouched, mine, theirs in _kept(before, after, origin, after.slots_of, before.slots_of):
        if untouched:
            _pair_off(found, mine, theirs)
        else:
            _match(found, {index: {now[index].id} for index in mine}, {index: {then[index].id} for index in theirs})
            _match(
                found, {index: _names(now[index]) for index in mine}, {index: _names(then[index]) for index in theirs}
            )
    return tuple(found)


def traced_results(before: Reading, after: Reading, origin: Origin) -> tuple[int | None, ...]:
    """Return for each result of the output its number in the reading of the input; None if it answers another id."""
    found: list[int | None] = [None] * len(after.answers)
    now, then = after.answers, before.answers
    for untouched, mine, theirs in _kept(before, after, origin, after.answers_of, before.answers_of):
        if untouched:
            _pair_off(found, mine, theirs)
        else:
            _match(found, {index: {now[index].id} for index in mine}, {index: {then[index].id} for index in theirs})
    return tuple(found)


def _kept(
    before: Reading,
    after: Reading,
    origin: Origin,
    holds: Mapping[int, list[int]],
    held: Mapping[int, list[int]],
) -> Iterator[tuple[bool, list[int], list[int]]]:
    """Yield for each surviving message whether it is untouched, what it holds now, and what it held."""
    for index, mine in holds.items():
        source = origin[index]
        if source is not None:
            yield after.history[index] is before.history[source], mine, held.get(source, [])


def _pair_off(found: list[int | None], mine: list[int], theirs: list[int]) -> None:
    for one, other in zip(mine, theirs, strict=True):
        found[one] = other


def _names(slot: Slot) -> set[str]:
    """Return the ids that a result of a call can give."""
    return {slot.id} if slot.alt_id is None else {slot.id, slot.alt_id}


def _match(found: list[int | None], mine: dict[int, set[str]], theirs: dict[int, set[str]]) -> None:
    """Match each of mine that is not matched yet with the first free one of theirs that shares an id."""
    taken = {found[index] for index in mine}
    free = [index for index in theirs if index not in taken]
    for index, names in mine.items():
        if found[index] is None:
            match = next((other for other in free if not names.isdisjoint(theirs[other])), None)
            if match is not None:
                found[index] = match
                free.remove(match)
