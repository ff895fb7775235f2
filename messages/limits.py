"""Limits: how much a trimmer may keep, what a message costs under each kind, and at which limits anything can change.

Kinds: `messages` (a count), `tokens` (a size by a counter), `turns` (user messages that are no summaries), `compaction`
(an index into the history, and the history's length when that index was computed), `other` (anything else, 1 to the
number of messages: rounds, shares; nobody knows what it counts). A limit below 0 counts as 0.
"""

from collections.abc import Callable, Iterable, Sequence
from itertools import accumulate
from random import Random
from typing import Literal, TypeAlias

from attrs import frozen

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
    seed: int = 0,
    cap: int = SWEEP_CAP,
) -> tuple[Limit, ...]:
    """Return every limit at which a trim of this history can change, smallest first, at most `cap` of them.

    `costs` are the tokens of each message, needed for `tokens` alone. When there are more limits than `cap` (at least
    4), the two smallest and the two largest stay and the others are drawn by `seed`.
    """
    size = len(history)
    if kind == "tokens":
        if costs is None:
            raise ValueError("a token sweep needs the cost of each message")
        values = _token_values(costs, head_length(history))
    elif kind == "compaction":
        return tuple(Limit("compaction", index, size) for index in _capped(range(size + 1), seed, cap))
    elif kind == "other":
        values = range(1, max(size, 1) + 1)
    else:
        values = range(-1, size + 2)
    return tuple(Limit(kind, value) for value in _capped(values, seed, cap))


def _token_values(costs: Sequence[int], head: int) -> Iterable[int]:
    total = sum(costs)
    prefix = sum(costs[:head])
    values = {total, total + 1, 10 * total}
    for suffix in accumulate(reversed(costs[head:]), initial=0):
        for base in (suffix, prefix + suffix):
            values.update((base - 1, base, base + 1))
    return values


def _capped(values: Iterable[int], seed: int, cap: int) -> list[int]:
    ordered = sorted(set(values))
    if len(ordered) <= cap:
        return ordered
    inner = Random(seed).sample(ordered[2:-2], cap - 4)
    return [*ordered[:2], *sorted(inner), *ordered[-2:]]
