"""Passes over the parts of a history: what every legal choice up to a part can cost, found once for all limits.

What a later part must know of all that was chosen before it is little: what now stands in front (the role of the last
message of the conversation, `legal.FRONTS`), how far the wish for something to answer is met, and which of the
remembered units were taken (a *pattern*, as bits). For each such state `least` has the least cost of a legal choice,
and `reach` every cost that a legal choice can have.

Remembered units are what makes it dear: each doubles the patterns. Past `WIDEST` patterns only those are followed that
keep the newest of the remembered units and drop the older ones; the whole list is always among them.
"""

from collections.abc import Callable, Iterator
from math import inf
from typing import TypeAlias, TypeVar

from .legal import BEHIND_AN_ITEM, FRONTS, NOTHING
from .unit_parts import UnitPart, UnitParts

WIDEST = 256

LeastCosts: TypeAlias = tuple[float, float, float]
"""The least cost of a choice that meets the wish at least to level 0, 1, 2 (see `legal.level_of`)."""
LeastByFront: TypeAlias = tuple[LeastCosts | None, ...]
"""A row for each front that choices so far may leave; None where no legal choice does."""
Reach: TypeAlias = tuple[int, ...]
"""For each front, the costs of all legal choices that leave it, as bits."""
Table: TypeAlias = dict[int, LeastByFront]
State = TypeVar("State")


def follow(
    parts: UnitParts,
    start: State,
    take: Callable[[State, UnitPart], State | None],
    either: Callable[[State, State], State],
) -> Iterator[dict[int, State]]:
    """Yield the states by pattern in front of each part, and at the end of the list.

    `take` adds a part to a state, None where it has no legal place; `either` joins the choices of two equal patterns.
    """
    table = {0: start}
    yield table
    for place, (part, memory) in enumerate(zip(parts.parts, parts.memory, strict=False)):
        bit = 1 << part.unit
        must = bool(parts.forced & bit)
        keep = parts.memory[place + 1].remembered
        behind: dict[int, State] = {}
        for pattern, state in table.items():
            taken = must or bool(pattern & bit)
            if (memory.first and not memory.asks & ~pattern) or taken:
                found = take(state, part)
                if found is not None:
                    after = (pattern | bit) & keep
                    behind[after] = either(behind[after], found) if after in behind else found
            if not taken and not memory.owed & pattern:
                after = pattern & keep
                behind[after] = either(behind[after], state) if after in behind else state
        table = behind if len(behind) <= WIDEST else _newest_taken(behind, keep)
        yield table


def _newest_taken(table: dict[int, State], remembered: int) -> dict[int, State]:
    """Leave the patterns in which every remembered unit that opened after a taken one is taken too."""
    return {pattern: state for pattern, state in table.items() if pattern == remembered & -(pattern & -pattern)}


def least(parts: UnitParts) -> list[Table]:
    """Return for every part, and for the end, the least cost of a legal choice in front of it."""
    start: LeastByFront = tuple([None if front != NOTHING else (0, inf, inf) for front in FRONTS])
    return list(follow(parts, start, _take_least, _lesser))


def _take_least(rows: LeastByFront, part: UnitPart) -> LeastByFront | None:
    cost, level = part.cost, part.level
    found: list[LeastCosts | None] = [None] * len(FRONTS)
    if part.role is None:
        for front, leaves in zip(FRONTS, BEHIND_AN_ITEM if part.item else FRONTS, strict=True):
            row = rows[front]
            if row is not None:
                found[leaves] = _less(found[leaves], _behind(row, cost, level))
        return tuple(found)
    best: LeastCosts | None = None
    for front in part.after:
        best = _less(best, rows[front])
    if best is None:
        return None
    found[part.role] = _behind(best, cost, level)
    return tuple(found)


def _behind(row: LeastCosts, cost: int, level: int) -> LeastCosts:
    any_way = row[0] + cost
    if level == 0:
        return (any_way, row[1] + cost, row[2] + cost)
    return (any_way, any_way, row[2] + cost if level == 1 else any_way)


def _less(one: LeastCosts | None, other: LeastCosts | None) -> LeastCosts | None:
    if one is None:
        return other
    if other is None:
        return one
    return (min(one[0], other[0]), min(one[1], other[1]), min(one[2], other[2]))


def _lesser(one: LeastByFront, other: LeastByFront) -> LeastByFront:
    return tuple(map(_less, one, other))


def reach(parts: UnitParts, bound: int) -> int:
    """Return every cost up to `bound` that a legal choice can have, as bits."""
    limits = sum([part.cost for part in parts.parts]) > bound
    mask = (2 << bound) - 1 if limits else 0

    def shifted(costs: int, cost: int) -> int:
        if not limits:
            return costs << cost
        return costs << cost & mask if cost <= bound else 0

    if parts.independent:
        every = 1
        for part in parts.parts:
            behind = shifted(every, part.cost)
            every = behind if parts.forced >> part.unit & 1 else every | behind
        return every

    def take(costs: Reach, part: UnitPart) -> Reach | None:
        found = [0] * len(FRONTS)
        if part.role is None:
            for front, leaves in zip(FRONTS, BEHIND_AN_ITEM if part.item else FRONTS, strict=True):
                found[leaves] |= shifted(costs[front], part.cost)
        else:
            for front in part.after:
                found[part.role] |= costs[front]
            found[part.role] = shifted(found[part.role], part.cost)
        return tuple(found) if any(found) else None

    table: dict[int, Reach] = {}
    for table in follow(parts, tuple([int(front == NOTHING) for front in FRONTS]), take, _union):  # noqa: B007
        pass
    every = 0
    for costs in table.values():
        for front in parts.ends:
            every |= costs[front]
    return every


def _union(one: Reach, other: Reach) -> Reach:
    return tuple([first | second for first, second in zip(one, other, strict=True)])
