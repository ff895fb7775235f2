"""Passes over the steps of a history: what every legal choice up to a step can cost, found once for all limits.

What a later step must know of all that was chosen before it is little: the role of the last message of the
conversation, how far the wish for something to answer is met, and which of the remembered units were taken (a
*pattern*, as bits). For each such state `least` has the least cost of a legal choice, and `reach` every cost that a
legal choice can have.

Remembered units are what makes it dear: each doubles the patterns. Past `WIDEST` patterns only those are followed that
keep the newest of the remembered units and drop the older ones; the whole list is always among them.
"""

from collections.abc import Callable, Iterator
from math import inf
from typing import TypeAlias, TypeVar

from .legal import NOTHING
from .steps import Step, Steps

WIDEST = 256

Row: TypeAlias = tuple[float, float, float]
"""The least cost of a choice that meets the wish at least to level 0, 1, 2 (see `legal.level_of`)."""
Rows: TypeAlias = tuple[Row | None, Row | None, Row | None, Row | None]
"""A row for each role that the list may end on so far; None where no legal choice does."""
Reach: TypeAlias = tuple[int, int, int, int]
"""For each role, the costs of all legal choices that end on it, as bits."""
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
    rows: list[Row | None] = [None] * 4
    rows[NOTHING] = (0, inf, inf)
    return list(follow(steps, _four(rows), _take_least, _lesser))


def _take_least(rows: Rows, step: Step) -> Rows | None:
    cost, level = step.cost, step.level
    if step.role is None:
        return _four([None if row is None else _behind(row, cost, level) for row in rows])
    best: Row | None = None
    for role in step.after:
        row = rows[role]
        if row is not None:
            best = row if best is None else _less(best, row)
    if best is None:
        return None
    found: list[Row | None] = [None] * 4
    found[step.role] = _behind(best, cost, level)
    return _four(found)


def _behind(row: Row, cost: int, level: int) -> Row:
    any_way = row[0] + cost
    if level == 0:
        return (any_way, row[1] + cost, row[2] + cost)
    return (any_way, any_way, row[2] + cost if level == 1 else any_way)


def _less(one: Row, other: Row) -> Row:
    return (min(one[0], other[0]), min(one[1], other[1]), min(one[2], other[2]))


def _lesser(one: Rows, other: Rows) -> Rows:
    return _four(
        [
            second if first is None else first if second is None else _less(first, second)
            for first, second in zip(one, other, strict=True)
        ]
    )


def _four(rows: list[Row | None]) -> Rows:
    return (rows[0], rows[1], rows[2], rows[3])


def reach(steps: Steps, bound: int) -> int:
    """Return every cost up to `bound` that a legal choice can have, as bits."""

    def shifted(costs: int, cost: int) -> int:
        return costs << cost & (2 << bound) - 1 if cost <= bound else 0

    def take(costs: Reach, step: Step) -> Reach | None:
        if step.role is None:
            return _each([shifted(each, step.cost) for each in costs])
        found = 0
        for role in step.after:
            found |= costs[role]
        behind = [0, 0, 0, 0]
        behind[step.role] = shifted(found, step.cost)
        return _each(behind) if behind[step.role] else None

    table: dict[int, Reach] = {}
    for table in follow(steps, (1, 0, 0, 0), take, _union):  # noqa: B007
        pass
    found = 0
    for costs in table.values():
        for role in steps.ends:
            found |= costs[role]
    return found


def _union(one: Reach, other: Reach) -> Reach:
    return (one[0] | other[0], one[1] | other[1], one[2] | other[2], one[3] | other[3])


def _each(costs: list[int]) -> Reach:
    return (costs[0], costs[1], costs[2], costs[3])
