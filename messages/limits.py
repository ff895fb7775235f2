"""Limits: how much a trimmer may keep, what a message costs under each kind, and at which limits anything can change.

Kinds: `messages` (a count), `tokens` (a size by a counter), `turns` (user messages that are no summaries), `compaction`
(an index into the history, and the history's length when that index was computed), `other` (anything else, 1 to the
number of messages: rounds, shares; nobody knows what it counts). A limit below 0 counts as 0.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import accumulate
from math import ceil, floor
from random import Random
from typing import Any, Literal, TypeAlias, cast

from attrs import frozen

from .errors import BadHistory
from .model import History, Message, head_length

LimitKind: TypeAlias = Literal["messages", "tokens", "turns", "compaction", "other"]
LIMIT_KINDS: tuple[LimitKind, ...] = ("messages", "tokens", "turns", "compaction", "other")
NO_AMOUNT: frozenset[LimitKind] = frozenset({"compaction", "other"})
"""Kinds whose value does not say how much may stay."""
Cost: TypeAlias = Callable[[Message], int]

SWEEP_CAP = 48


@frozen
class Limit:
    """One limit. `value` counts messages, tokens or turns; for `compaction` it is the index of the first message kept,
    and `length` the length of the history when that index was computed.
    """

    kind: LimitKind
    value: int
    length: int | None = None

    @property
    def index(self) -> int:
        """The compaction index: messages before it are to be summarised."""
        return self.value


def limit_to_json(limit: Limit | None) -> dict[str, Any] | None:
    """Write a limit as JSON data: its kind and value, and the length that a compaction point has."""
    if limit is None:
        return None
    length = {} if limit.length is None else {"length": limit.length}
    return {"kind": limit.kind, "value": limit.value, **length}


def limit_from_json(data: object) -> Limit | None:
    """Read a limit from JSON data; raises `BadHistory` for what is none."""
    if data is None:
        return None
    if not isinstance(data, Mapping):
        raise BadHistory("limit must be an object")
    given = cast("Mapping[str, Any]", data)
    kind, value, length = given.get("kind"), given.get("value"), given.get("length")
    if kind not in LIMIT_KINDS:
        raise BadHistory(f"unknown kind of limit {kind!r}", "known: " + ", ".join(LIMIT_KINDS))
    if type(value) is not int or not (length is None or type(length) is int):
        raise BadHistory("a limit's value and length are whole numbers")
    return Limit(kind, value, length)


def one_each(_message: Message) -> int:
    """Cost under a `messages` limit."""
    return 1


def one_per_turn(message: Message) -> int:
    """Cost under a `turns` limit: a user message that is no summary opens a turn, unless it holds results alone."""
    if message.role != "user" or message.summary:
        return 0
    return 0 if message.text is None and message.extra and message.extra.get("inline_results") else 1


def cost_of(kind: LimitKind, count: Cost) -> Cost:
    """Return what a message costs under a kind of limit; `count` is used for tokens alone.

    Under one that is no amount, each costs 1: no rule measures it, but a smaller history is a smaller case.
    """
    if kind == "tokens":
        return count
    return one_per_turn if kind == "turns" else one_each


def sweep(
    history: History,
    kind: LimitKind,
    *,
    costs: Sequence[int] | None = None,
    base: int = 0,
    seed: int = 0,
    cap: int = SWEEP_CAP,
) -> tuple[Limit, ...]:
    """Return every limit at which a trim of this history can change, smallest first, at most `cap` of them.

    `costs` are the tokens of each message, needed for `tokens` alone, `base` those of a list without any. When there
    are more limits than `cap` (at least 4), the two smallest and the two largest stay and the others are drawn by
    `seed`.
    """
    size = len(history)
    if kind == "tokens":
        if costs is None:
            raise ValueError("a token sweep needs the cost of each message")
        values = _token_values(costs, head_length(history), base)
    elif kind == "compaction":
        return tuple(Limit("compaction", index, size) for index in _capped(range(size + 1), seed, cap))
    elif kind == "other":
        values = range(1, max(size, 1) + 1)
    else:
        values = range(-1, size + 2)
    return tuple(Limit(kind, value) for value in _capped(values, seed, cap))


def _token_values(costs: Sequence[int], head: int, base: int) -> Iterable[int]:
    total = base + sum(costs)
    prefix = sum(costs[:head])
    values = {total, total + 1, 10 * total}
    for suffix in accumulate(reversed(costs[head:]), initial=base):
        for kept in (suffix, prefix + suffix):
            values.update((kept - 1, kept, kept + 1))
    if all(type(cost) is int for cost in costs):
        return values
    return {whole for value in values for whole in (floor(value), ceil(value))}  # a counter may return fractions


def _capped(values: Iterable[int], seed: int, cap: int) -> list[int]:
    ordered = sorted(set(values))
    if len(ordered) <= cap:
        return ordered
    inner = Random(seed).sample(ordered[2:-2], cap - 4)
    return [*ordered[:2], *sorted(inner), *ordered[-2:]]
