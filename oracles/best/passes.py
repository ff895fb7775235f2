"""Passes over the steps of a history: what every legal choice up to a step can cost, found once for all limits.

What a later step must know of all that was chosen before it is little: what now stands in front (the role of the last
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
from .pieces import Step, Steps

WIDEST = 256

Row: TypeAlias = tuple[float, float, float]
"""The least cost of a choice that meets the wish at least to level 0, 1, 2 (see `legal.level_of`)."""
Rows: TypeAlias = tuple[Row | None, ...]
"""A row for each front that choices so far may leave; None where no legal choice does."""
Reach: TypeAlias = tuple[int, ...]
"""For each front, the costs of all legal choices that leave it, as bits."""
Table: TypeAlias = dict[int, Rows]
State = TypeVar("State")


def follow(
    steps: Steps,
    start: State,
    take: Callable[[State, Step], State | None],
    either: Callable[[State, State], State],
) -> Iterator[dict[int, State]]:
    """Yield the states by pattern in front of each step, and at the end of the list.

    `take` adds a step to a state, None where it has no legal place; `either` joins the choices of two equal patterns.
    """
    table = {0: start}
    yield table
    for place, (step, memory) in enumerate(zip(steps.steps, steps.memory, strict=False)):
        bit = 1 << step.unit
        must = bool(steps.forced & bit)
        keep = steps.memory[place + 1].remembered
        behind: dict[int, State] = {}
        for pattern, state in table.items():
            taken = must or bool(pattern & bit)
            if (memory.first and not memory.asks & ~pattern) or taken:
                found = take(state, step)
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


def least(steps: Steps) -> list[Table]:
    """Return for every step, and for the end, the least cost of a legal choice in front of it."""
    start: Rows = tuple([None if front != NOTHING else (0, inf, inf) for front in FRONTS])
    return list(follow(steps, start, _take_least, _lesser))


def _take_least(rows: Rows, step: Step) -> Rows | None:
    cost, level = step.cost, step.level
    found: list[Row | None] = [None] * len(FRONTS)
    if step.role is None:
        for front, leaves in zip(FRONTS, BEHIND_AN_ITEM if step.item else FRONTS, strict=True):
            row = rows[front]
            if row is not None:
                found[leaves] = _less(found[leaves], _behind(row, cost, level))
        return tuple(found)
    best: Row | None = None
    for front in step.after:
        best = _less(best, rows[front])
    if best is None:
        return None
    found[step.role] = _behind(best, cost, level)
    return tuple(found)


def _behind(row: Row, cost: int, level: int) -> Row:
    any_way = row[0] + cost
    if level == 0:
        return (any_way, row[1] + cost, row[2] + cost)
    return (any_way, any_way, row[2] + cost if level == 1 else any_way)


def _less(one: Row | None, other: Row | None) -> Row | None:
    if one is None:
        return other
    if other is None:
        return one
    return (min(one[0], other[0]), min(one[1], other[1]), min(one[2], other[2]))


def _lesser(one: Rows, other: Rows) -> Rows:
    return tuple(map(_less, one, other))


def reach(steps: Steps, bound: int) -> int:
    """Return every cost up to `bound` that a legal choice can have, as bits."""
    limits = sum([step.cost for step in steps.steps]) > bound
    mask = (2 << bound) - 1 if limits else 0

    def shifted(costs: int, cost: int) -> int:
        if not limits:
            return costs << cost
        return costs << cost & mask if cost <= bound else 0

    if steps.independent:
        every = 1
        for step in steps.steps:
            behind = shifted(every, step.cost)
            every = behind if steps.forced >> step.unit & 1 else every | behind
        return every

    def take(costs: Reach, step: Step) -> Reach | None:
        found = [0] * len(FRONTS)
        if step.role is None:
            for front, leaves in zip(FRONTS, BEHIND_AN_ITEM if step.item else FRONTS, strict=True):
                found[leaves] |= shifted(costs[front], step.cost)
        else:
            for front in step.after:
                found[step.role] |= costs[front]
            found[step.role] = shifted(found[step.role], step.cost)
        return tuple(found) if any(found) else None

    table: dict[int, Reach] = {}
    for table in follow(steps, tuple([int(front == NOTHING) for front in FRONTS]), take, _union):  # noqa: B007
        pass
    every = 0
    for costs in table.values():
        for front in steps.ends:
            every |= costs[front]
    return every


def _union(one: Reach, other: Reach) -> Reach:
    return tuple([first | second for first, second in zip(one, other, strict=True)])
