"""Parts of units: a history cut into the runs of messages in which a trim is decided, one after the other.

A part is a run of neighbouring messages of one unit. Most units are one part; a batch with a steer inside is two, with
the steer between them. The choice to keep a unit is made at its first part and *remembered* up to its last one, and
longer where another unit needs it. Inside a part all stands as it stood in the input, so only what its first message
follows, and the role that its last one leaves behind, can make a trim illegal.

Where no rule is about neighbours (most profiles) every unit is one part, whatever stands between its messages.
"""

from collections.abc import Iterable
from itertools import groupby
from typing import cast

from attrs import frozen

from ...messages.cases import Example
from ...messages.model import SYSTEM_ROLES
from .legal import (
    ASSISTANT,
    BEHIND_AN_ITEM,
    FRONTS,
    NONE,
    REASONING_AFTER_ASSISTANT,
    ShapeFault,
    closed,
    faults_behind,
    forced,
    level_of,
    role_in_turn,
    shape_faults,
)

LAST = "last-is-user-or-tool"
NEIGHBOUR_RULES = frozenset({
    "first-is-user", "alternate-roles", LAST, "call-turn-after-user-or-result", "assistant-between-tool-and-user",
})  # fmt: skip


@frozen
class UnitPart:
    """A run of messages of one unit.

    `level` is the most that one of them does for the wish (`legal.level_of`). `after` is what may stand in front of it
    (`legal.FRONTS`), `role` is what it puts in front of the next. A part without a message of the conversation has the
    role None and leaves what was there; one of reasoning items (`item`) adds an item to that.
    """

    unit: int
    cost: int
    level: int
    after: tuple[int, ...] = FRONTS
    role: int | None = None
    item: bool = False


@frozen
class UnitMemory:
    """What is known of other units when a part is decided. Sets of units are ints with a bit for each unit.

    `first`: the choice is made here. `remembered`: units, not the forced ones, that were chosen or not before this part
    and still matter; of these the unit `asks` for some, and is `owed` to others, which need it.
    """

    first: bool
    remembered: int
    asks: int
    owed: int


@frozen
class UnitParts:
    """A history as parts, with the memory in front of each.

    `forced`, `needs` and `needed_by` are units as bits; needs of needs are among them, forced units are not. `ends` are
    the roles that the list may end on.
    """

    parts: tuple[UnitPart, ...]
    memory: tuple[UnitMemory, ...]
    members: tuple[tuple[int, ...], ...]
    forced: int
    needs: dict[int, int]
    needed_by: dict[int, int]
    ends: tuple[int, ...]

    @property
    def has_conversation(self) -> bool:
        """Whether there is anything to answer in the whole history."""
        return any(part.level for part in self.parts)

    @property
    def independent(self) -> bool:
        """Whether each unit can be kept or dropped without a look at any other."""
        return not self.needs and all(part.role is None for part in self.parts)


def unit_parts_of(example: Example, promised: frozenset[int] = NONE) -> UnitParts:
    """Cut the history of an example into parts, found once; `promised` are messages that must stay (`legal.forced`)."""
    key = ("best.parts", promised)
    if key not in example.memo:
        example.memo[key] = _cut(example, promised)
    return cast("UnitParts", example.memo[key])


def _cut(example: Example, promised: frozenset[int]) -> UnitParts:
    units, must, shape = example.units, forced(example, promised), example.profile.shape
    ends = FRONTS
    if shape & NEIGHBOUR_RULES:
        given = shape_faults(example, range(len(example.history)))
        runs = groupby(range(len(example.history)), key=units.unit_of.__getitem__)
        parts = tuple([_unit_part_in_a_row(example, unit, tuple(run), given) for unit, run in runs])
        if LAST in shape and (LAST, None) not in given:
            ends = tuple([front for front in FRONTS if front not in (ASSISTANT, REASONING_AFTER_ASSISTANT)])
    else:
        by_newest = sorted(range(len(units.members)), key=lambda unit: units.members[unit][-1])
        parts = tuple([_unit_part(example, unit, units.members[unit]) for unit in by_newest])
    needs = {unit: closed([unit], units) - must - {unit} for unit in units.needs if unit not in must}
    needed_by: dict[int, set[int]] = {}
    for unit, others in needs.items():
        for other in others:
            needed_by.setdefault(other, set()).add(unit)
    known = {unit: bits(others) for unit, others in needs.items() if others}
    owed = {unit: bits(others) for unit, others in needed_by.items()}
    return UnitParts(parts, _memory(parts, must, known, owed), units.members, bits(must), known, owed, ends)


def _memory(
    parts: tuple[UnitPart, ...], must: frozenset[int], needs: dict[int, int], needed_by: dict[int, int]
) -> tuple[UnitMemory, ...]:
    opens: dict[int, int] = {}
    closes: dict[int, int] = {}
    for place, part in enumerate(parts):
        opens.setdefault(part.unit, place)
        closes[part.unit] = place
    for unit, others in needs.items():
        for other in numbers(others):
            closes[unit] = max(closes[unit], opens[other])
            closes[other] = max(closes[other], opens[unit])
    forgotten: dict[int, int] = {}
    for unit, place in closes.items():
        forgotten[place] = forgotten.get(place, 0) | 1 << unit
    found: list[UnitMemory] = []
    remembered = 0
    for place, part in enumerate(parts):
        unit, first = part.unit, opens[part.unit] == place
        found.append(
            UnitMemory(first, remembered, remembered & needs.get(unit, 0), remembered & needed_by.get(unit, 0))
        )
        if first and unit not in must:
            remembered |= 1 << unit
        remembered &= ~forgotten.get(place, 0)
    found.append(UnitMemory(False, remembered, 0, 0))
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


def _unit_part(example: Example, unit: int, run: tuple[int, ...]) -> UnitPart:
    """Return a part that is asked nothing by its neighbours, and asks nothing of them."""
    costs = example.costs
    return UnitPart(unit, sum([costs[index] for index in run]), max([level_of(example, index) for index in run]))


def _unit_part_in_a_row(example: Example, unit: int, run: tuple[int, ...], given: set[ShapeFault]) -> UnitPart:
    """Return a part among neighbours; `given` are the faults that the input has."""
    after, role, item = FRONTS, None, False
    for index in run:
        kind = example.history[index].role
        if kind in SYSTEM_ROLES:
            continue
        if kind == "reasoning":
            item, role = True, None if role is None else BEHIND_AN_ITEM[role]
            continue
        turn = role_in_turn(example, index)
        if role is None:
            in_front = BEHIND_AN_ITEM if item else FRONTS
            after = tuple([front for front in FRONTS if _may_stand(example, index, in_front[front], given)])
        role = turn
    plain = _unit_part(example, unit, run)
    return UnitPart(unit, plain.cost, plain.level, after, role, item)


def _may_stand(example: Example, index: int, front: int, given: set[ShapeFault]) -> bool:
    """Say whether a message may stand behind this: without a fault, or with one that it has in the input."""
    faults = faults_behind(example, front, index)
    return all((rule, index) in given or (rule, None) in given for rule in faults)
