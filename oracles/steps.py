"""Steps: a history cut into the pieces in which a trim is decided, one after the other.

A step is a run of neighbouring messages of one unit. Most units are one step; a batch with a steer inside is two, with
the steer between them. The choice to keep a unit is made at its first step and *remembered* up to its last one, and
longer where another unit needs it. Inside a step all stands as it stood in the input, so only what its first message
follows, and the role that its last one leaves behind, can make a trim illegal.

Where no rule is about neighbours (most profiles) every unit is one step, whatever stands between its messages.
"""

from collections.abc import Iterable
from itertools import groupby
from typing import cast

from attrs import frozen

from ..messages.cases import Example
from .legal import (
    ASSISTANT,
    NOTHING,
    TOOL,
    USER,
    closed,
    faults_behind,
    forced,
    level_of,
    makes_bare_calls,
    parts_of,
    role_in_turn,
    shape_faults,
)

NEIGHBOUR_RULES = frozenset({
    "first-is-user", "alternate-roles", "last-is-user-or-tool", "call-turn-after-user-or-result",
    "assistant-between-tool-and-user",
})  # fmt: skip
ANY = (NOTHING, USER, ASSISTANT, TOOL)


@frozen
class Step:
    """A run of messages of one unit.

    `level` is the most that one of them does for the wish (`legal.level_of`). `after` are the roles that may stand in
    front of its first message of the conversation, `role` is that of its last one; None where it has none.
    """

    unit: int
    cost: int
    level: int
    after: tuple[int, ...] = ANY
    role: int | None = None


@frozen
class Memory:
    """What is known of other units when a step is decided. Sets of units are ints with a bit for each unit.

    `first`: the choice is made here. `remembered`: units, not the forced ones, that were chosen or not before this step
    and still matter; of these the unit `asks` for some, and is `owed` to others, which need it.
    """

    first: bool
    remembered: int
    asks: int
    owed: int


@frozen
class Steps:
    """A history as steps, with the memory in front of each.

    `forced`, `needs` and `needed_by` are units as bits; needs of needs are among them, forced units are not. `ends` are
    the roles that the list may end on.
    """

    steps: tuple[Step, ...]
    memory: tuple[Memory, ...]
    members: tuple[tuple[int, ...], ...]
    forced: int
    needs: dict[int, int]
    needed_by: dict[int, int]
    ends: tuple[int, ...]

    @property
    def independent(self) -> bool:
        """Whether each unit can be kept or dropped without a look at any other."""
        return not self.needs and all(step.role is None for step in self.steps)


def steps_of(example: Example) -> Steps:
    """Cut the history of an example into steps, found once."""
    if "steps" not in example.memo:
        example.memo["steps"] = _cut(example)
    return cast("Steps", example.memo["steps"])


def _cut(example: Example) -> Steps:
    parts, must = parts_of(example), forced(example)
    ends = ANY
    if example.profile.shape & NEIGHBOUR_RULES:
        steps = _runs(example)
        given = {rule for rule, index in shape_faults(example, range(len(example.history))) if index is None}
        if "last-is-user-or-tool" in example.profile.shape - given:
            ends = tuple(role for role in ANY if role != ASSISTANT)
    else:
        by_newest = sorted(range(len(parts.members)), key=lambda unit: parts.members[unit][-1])
        steps = tuple([_step(example, unit, parts.members[unit]) for unit in by_newest])
    needs = {unit: closed([unit], parts) - must - {unit} for unit in parts.needs if unit not in must}
    needed_by: dict[int, set[int]] = {}
    for unit, others in needs.items():
        for other in others:
            needed_by.setdefault(other, set()).add(unit)
    known = {unit: bits(others) for unit, others in needs.items() if others}
    owed = {unit: bits(others) for unit, others in needed_by.items()}
    return Steps(steps, _memory(steps, must, known, owed), parts.members, bits(must), known, owed, ends)


def _memory(
    steps: tuple[Step, ...], must: frozenset[int], needs: dict[int, int], needed_by: dict[int, int]
) -> tuple[Memory, ...]:
    opens: dict[int, int] = {}
    closes: dict[int, int] = {}
    for place, step in enumerate(steps):
        opens.setdefault(step.unit, place)
        closes[step.unit] = place
    for unit, others in needs.items():
        for other in numbers(others):
            closes[unit] = max(closes[unit], opens[other])
            closes[other] = max(closes[other], opens[unit])
    forgotten: dict[int, int] = {}
    for unit, place in closes.items():
        forgotten[place] = forgotten.get(place, 0) | 1 << unit
    found: list[Memory] = []
    remembered = 0
    for place, step in enumerate(steps):
        unit, first = step.unit, opens[step.unit] == place
        found.append(Memory(first, remembered, remembered & needs.get(unit, 0), remembered & needed_by.get(unit, 0)))
        if first and unit not in must:
            remembered |= 1 << unit
        remembered &= ~forgotten.get(place, 0)
    found.append(Memory(False, remembered, 0, 0))
    return tuple(found)


def bits(units: Iterable[int]) -> int:
    """Return an int with a bit for each unit."""
    found = 0
    for unit in units:
        found |= 1 << unit
    return found


def numbers(units: int) -> Iterable[int]:
    """Yield the units whose bits are set, lowest first."""
    while units:
        lowest = units & -units
        yield lowest.bit_length() - 1
        units ^= lowest


def _runs(example: Example) -> tuple[Step, ...]:
    after = _may_follow(example)
    unit_of = parts_of(example).unit_of
    found: list[Step] = []
    for unit, group in groupby(range(len(unit_of)), key=unit_of.__getitem__):
        run = tuple(group)
        spoken = [index for index in run if index in after]
        if spoken:
            found.append(_step(example, unit, run, after=after[spoken[0]], role=role_in_turn(example, spoken[-1])))
        else:
            found.append(_step(example, unit, run))
    return tuple(found)


def _step(
    example: Example, unit: int, run: tuple[int, ...], *, after: tuple[int, ...] = ANY, role: int | None = None
) -> Step:
    cost = sum([example.costs[index] for index in run])
    return Step(unit, cost, max([level_of(example, index) for index in run]), after, role)


def _may_follow(example: Example) -> dict[int, tuple[int, ...]]:
    """Return for each message of the conversation what it may follow: no fault, or one that it had in the input."""
    shape, before = example.profile.shape, NOTHING
    found: dict[int, tuple[int, ...]] = {}
    opened: frozenset[str] = frozenset()
    for index in example.reading.conversation:
        role, bare_calls = role_in_turn(example, index), makes_bare_calls(example, index)
        had = faults_behind(shape, before, role, bare_calls)
        if before == NOTHING:
            opened = had & {"first-is-user"}
        given = had | opened
        found[index] = tuple(other for other in ANY if faults_behind(shape, other, role, bare_calls) <= given)
        before = role
    return found
