"""Correct trimmers in common styles: each does something that careless rules would report.

They use none of the pairing code of trimfuzz and do not copy the reference: a suffix, whole turns, the first and the
last messages, what is left when the middle is dropped. They keep what they promise, and promise nothing else.
"""

from collections import Counter
from collections.abc import Callable
from typing import Any

from ..trimmer import Trimmer
from .parts import call_ids, exchanges, head, newest, only
from .piece import DoesNotFit, Function, Messages, as_trimmer, name_of

shelf: list[Trimmer] = []

SAFE = {"within-limit": 1.0, "identity-under-limit": 1.0, "order-preserved": 1.0, "deterministic": 1.0}
INTACT = {"content-intact": 1.0, "nothing-invented": 1.0, "real-result-not-dropped": 1.0, "idempotent": 1.0}
FILLS = {"nonempty-history": 1.0, "utilisation": 0.25}
ALL = {**SAFE, **INTACT, **FILLS, "refuses-only-when-needed": 1.0}


def correct(store: list[Trimmer], promises: dict[str, float], **fields: Any) -> Callable[[Function], Function]:
    """File what is correct in a store, with what it promises; `fields` are further ones of `Trimmer`."""

    def file(function: Function) -> Function:
        declared = {"mild": True, "refuses": (DoesNotFit,), "promises": promises, **fields}
        source = f"{function.__module__}:{function.__name__}"
        store.append(as_trimmer(function, name_of(function), source=source, **declared))
        return function

    return file


@correct(shelf, {**ALL, "monotone": 1.0})
def suffix_by_units(messages: Messages, limit: int) -> Messages:
    """The newest exchanges that fit. System messages are messages like any other."""
    return only(messages, newest(messages, limit))


@correct(shelf, ALL, limits=("tokens",))
def suffix_by_tokens(messages: Messages, limit: int, count: Callable[[Any], int]) -> Messages:
    """The newest exchanges that fit into the tokens."""
    return only(messages, newest(messages, limit, size=count))


@correct(shelf, {**ALL, "keeps-system": 1.0})
def system_and_tail(messages: Messages, limit: int) -> Messages:
    """The leading system messages and the newest exchanges; refuses when the system messages alone are too much."""
    return only(messages, newest(messages, limit, forced=range(head(messages))))


@correct(shelf, {**ALL, "keeps-system": 1.0})
def first_and_last(messages: Messages, limit: int) -> Messages:
    """The system messages, the first user message because it is the task, and the newest exchanges."""
    lead = head(messages)
    task = [index for index, message in enumerate(messages) if message["role"] == "user"][:1]
    forced = [*range(lead), *task] if lead + len(task) <= limit else range(lead)
    return only(messages, newest(messages, limit, forced=forced))


@correct(shelf, {**ALL, "keeps-system": 1.0}, limits=("tokens",))
def units_from_the_middle(messages: Messages, limit: int, count: Callable[[Any], int]) -> Messages:
    """Drops exchanges from the middle outwards, so that both the beginning and the end stay longest."""
    lead = head(messages)
    groups = [group for group in exchanges(messages) if group[0] >= lead]
    size = sum(map(count, messages))
    while groups and size > limit:
        gone = groups.pop((len(groups) - 1) // 2)
        size -= sum(count(messages[index]) for index in gone)
    if size > max(limit, 0):
        raise DoesNotFit("the system messages are over the limit")
    return only(messages, [*range(lead), *(index for group in groups for index in group)])


@correct(shelf, {**SAFE, **INTACT, **FILLS, "keeps-system": 1.0}, limits=("tokens",))
def drop_oldest_exchange(messages: Messages, limit: int, count: Callable[[Any], int]) -> Messages:
    """Drops the oldest exchange, again and again, until the rest fits; refuses rather than return no conversation."""
    groups = exchanges(messages)
    sizes = [sum(count(messages[index]) for index in group) for group in groups]
    lead, oldest = head(messages), head(messages)
    while oldest < len(groups) and sum(sizes[:lead]) + sum(sizes[oldest:]) > limit:
        oldest += 1
    if (oldest == len(groups) and len(messages) > lead) or sum(sizes[:lead]) + sum(sizes[oldest:]) > max(limit, 0):
        raise DoesNotFit("the newest exchange is over the limit")
    return only(messages, [index for group in (*groups[:lead], *groups[oldest:]) for index in group])


def turn_starts(messages: Messages) -> list[int]:
    """Return the user messages at which a list may be cut: no result behind them belongs to a call before them."""
    crossed: set[int] = set()
    for group in exchanges(messages):
        crossed.update(range(group[0] + 1, group[-1] + 1))
    return [index for index, message in enumerate(messages) if message["role"] == "user" and index not in crossed]


@correct(shelf, {**SAFE, **INTACT, **FILLS})
def whole_user_turns(messages: Messages, limit: int) -> Messages:
    """The newest whole turns; a steer inside a batch opens none. Refuses when the newest turn does not fit."""
    for start in (0, *turn_starts(messages)):
        if len(messages) - start <= max(limit, 0):
            return messages[start:]
    raise DoesNotFit("the newest turn is over the limit")


@correct(shelf, {**SAFE, **INTACT}, limits=("turns",))
def last_turns(messages: Messages, limit: int) -> Messages:
    """The last so many turns. A turn that can not be parted from the one before it counts with it, or is refused."""
    users = [message["role"] == "user" and not message.get("summary") for message in messages]
    for start in (0, *turn_starts(messages)):
        if sum(users[start:]) <= max(limit, 0):
            return messages[start:]
    raise DoesNotFit("the newest turn can not be parted from the one before it")


@correct(shelf, {**SAFE, **INTACT, "keeps-pinned": 1.0, "keeps-system": 1.0})
def keeps_pins(messages: Messages, limit: int) -> Messages:
    """The system messages, each exchange with a pinned message, and the newest others; refuses when it can not."""
    forced = set(range(head(messages)))
    for group in exchanges(messages):
        if any(messages[index].get("keep_during_truncation") for index in group):
            forced.update(group)
    kept = newest(messages, limit, forced=forced)
    if messages and not kept:
        raise DoesNotFit("the newest exchange is over the limit")
    return only(messages, kept)


@correct(shelf, {**SAFE, **INTACT, "keeps-newest": 1.0})
def keeps_open_calls(messages: Messages, limit: int) -> Messages:
    """Never drops a call that waits for its result, nor the newest exchange; refuses when it can not."""
    groups = exchanges(messages)
    forced: set[int] = set(groups[-1] if groups else ())
    for group in groups:
        made = Counter(call for index in group for call in call_ids(messages[index]))
        made.subtract(messages[index]["tool_call_id"] for index in group if messages[index]["role"] == "tool")
        if any(times > 0 for times in made.values()):
            forced.update(group)
    return only(messages, newest(messages, limit, forced=forced))


@correct(shelf, {**SAFE, **INTACT, **FILLS, "keeps-system": 1.0})
def tool_traffic_first(messages: Messages, limit: int) -> Messages:
    """Drops old tool exchanges before it drops anything that was said; the list that stays is no suffix."""
    lead = head(messages)
    groups = [group for group in exchanges(messages) if group[0] >= lead]
    left, newest_group = len(messages), groups[-1:]
    order = sorted(groups[:-1], key=lambda group: (len(group) == 1, group[-1])) + newest_group
    gone: set[int] = set()
    for group in order:
        if left <= limit:
            break
        gone.update(group)
        left -= len(group)
    if left > max(limit, 0) or (groups and left == lead):
        raise DoesNotFit("the newest exchange is over the limit")
    return only(messages, set(range(len(messages))) - gone)
