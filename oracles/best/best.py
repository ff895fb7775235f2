"""The best legal trim: what a trimmer that makes no mistake keeps, and the most that it could keep.

`ref` is the history itself if it fits. Else it is, of all legal trims within the limit, the newest: of two sets the
one that holds the highest index in which they differ. So the newest unit that can be kept is kept, and one that does
not fit is skipped, not a stop. Before that comes the wish for something to answer: a trim that keeps a user message
(where the profile asks for one), or at least some conversation, is preferred to one that does not. No legal trim at all
is a refusal, and so is nothing but system messages of a history with conversation: that is no request. `most` is the
largest cost of any legal trim: the denominator of utilisation, a number and no list.

Both walk over what was found once for a history (`parts`, `passes`), so that a further limit costs little.
"""

from math import inf
from typing import TypeAlias, cast

from attrs import frozen

from ...messages.cases import Case, Example
from .legal import BEHIND_AN_ITEM, FRONTS, NONE
from .passes import Table, least, reach
from .unit_parts import UnitParts, unit_parts_of

Kept: TypeAlias = tuple[int, ...] | None

TOO_LARGE = 1 << 22
"""Costs above this (half a megabyte of bits a state), and fractions, are not listed: the cost of `ref` stands in."""


def ref(case: Case, *, promised: frozenset[int] = NONE) -> Kept:
    """Return the indexes that the reference trimmer keeps, ascending; None where it refuses.

    An unknown limit, or a compaction point, asks for nothing to go. `promised` are messages that stay, as if pinned.
    """
    room, example = case.room, case.example
    if room is None or example.total <= room:
        return tuple(range(len(example.history)))
    known = cast("dict[int, Kept]", example.memo.setdefault(("best.ref", promised), {}))
    if room not in known:
        known[room] = _newest(example, room, promised)
    return known[room]


def most(case: Case) -> int:
    """Return the largest cost of any legal trim within the limit, 0 where there is none."""
    room, example = case.room, case.example
    if room is None or example.total <= room:
        return example.total
    if room > TOO_LARGE or not all([type(cost) is int for cost in example.costs]):
        return sum([example.costs[index] for index in ref(case) or ()])
    if "best.reach" not in example.memo:
        example.memo["best.reach"] = reach(unit_parts_of(example), min(example.total, TOO_LARGE))
    costs = cast("int", example.memo["best.reach"]) & ((2 << room) - 1)
    return max(costs.bit_length() - 1, 0)


def _newest(example: Example, room: int, promised: frozenset[int]) -> Kept:
    key, parts = ("best.walk", promised), unit_parts_of(example, promised)
    if key not in example.memo:
        example.memo[key] = _free(parts) if parts.independent else _Tables(parts, tuple(least(parts)))
    walk = cast("_Free | _Tables", example.memo[key])
    wish = 1 if parts.has_conversation else 0
    units = _newest_free(walk, room, wish) if isinstance(walk, _Free) else _newest_in(walk, room, wish)
    if units is None:
        return None
    members = parts.members
    return tuple(sorted([index for unit in units for index in members[unit]]))


@frozen
class _Free:
    """Units that stand each for itself, newest first: (unit, cost, level), and what they cost least from there on.

    `forced` are the units that stay, with their cost and the level of the wish that they meet. `least[level][place]` is
    the least cost of a unit of that level, at `place` or behind it.
    """

    forced: tuple[int, ...]
    cost: int
    level: int
    units: tuple[tuple[int, int, int], ...]
    least: tuple[tuple[float, ...], ...]


def _free(parts: UnitParts) -> _Free:
    must = [part for part in parts.parts if parts.forced >> part.unit & 1]
    units = [(part.unit, part.cost, part.level) for part in parts.parts if not parts.forced >> part.unit & 1]
    cheapest: list[tuple[float, ...]] = []
    for wanted in range(3):
        lowest = [inf]
        for _unit, cost, level in units:
            lowest.append(min(lowest[-1], cost if level >= wanted else inf))
        cheapest.append(tuple(reversed(lowest)))
    return _Free(
        tuple([part.unit for part in must]),
        sum([part.cost for part in must]),
        max([part.level for part in must], default=0),
        tuple(reversed(units)),
        tuple(cheapest),
    )


def _newest_free(free: _Free, room: int, asked: int) -> list[int] | None:
    left = room - free.cost
    if left < 0:
        return None
    kept, place = list(free.forced), 0
    wish = max([level for level in range(3) if level <= free.level or free.least[level][0] <= left])
    if wish < asked:
        return None
    if wish > free.level:
        lowest = free.least[wish]
        for place, (unit, cost, level) in enumerate(free.units, 1):
            meets = level >= wish
            if cost <= (left if meets else left - lowest[place]):
                kept.append(unit)
                left -= cost
                if meets:
                    break
    for unit, cost, _level in free.units[place:]:
        if cost <= left:
            kept.append(unit)
            left -= cost
    return kept


@frozen
class _Tables:
    """UnitParts, with the least cost of every state in front of each of them."""

    parts: UnitParts
    tables: tuple[Table, ...]


def _newest_in(walk: _Tables, room: int, asked: int) -> list[int] | None:
    """Walk from the newest part to the oldest, and keep a unit wherever what is before it can still be completed.

    `asked` is the least level of the wish that will do.
    """
    parts, tables = walk.parts, walk.tables
    fronts, left = parts.ends, room
    levels = (wish for wish in (2, 1, 0) if wish >= asked)
    wish = next((wish for wish in levels if _least(tables[-1], fronts, wish, 0, 0) <= left), None)
    if wish is None:
        return None
    kept: list[int] = []
    kept_units, dropped = parts.forced, 0
    for place in range(len(parts.parts) - 1, -1, -1):
        part, table, remembered = parts.parts[place], tables[place], parts.memory[place].remembered
        unit, role = part.unit, part.role
        bit = 1 << unit
        if dropped & bit:
            continue
        now = kept_units | bit | parts.needs.get(unit, 0)
        before = part.after
        if role is None:
            before = fronts if not part.item else tuple([front for front in FRONTS if BEHIND_AN_ITEM[front] in fronts])
        still = wish if part.level < wish else 0
        if not kept_units & bit and (
            (role is not None and role not in fronts)
            or _least(table, before, still, now & remembered, dropped) > left - part.cost
        ):
            dropped |= bit | parts.needed_by.get(unit, 0)
            continue
        kept_units, fronts, wish, left = now, before, still, left - part.cost
        if parts.memory[place].first:
            kept.append(unit)
    return kept


def _least(table: Table, fronts: tuple[int, ...], wish: int, taken: int, dropped: int) -> float:
    """Return the least cost of a choice that leaves one of these fronts, with these units taken and dropped."""
    found = inf
    for pattern, rows in table.items():
        if pattern & dropped or taken & ~pattern:
            continue
        for front in fronts:
            row = rows[front]
            if row is not None and row[wish] < found:
                found = row[wish]
    return found
