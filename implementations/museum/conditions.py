"""Faults that show under one condition only: most histories pass, and so do most test suites."""

from collections.abc import Callable
from itertools import pairwise
from typing import Any

from .parts import SYSTEM, call_ids, exchanges, newest, only, suffix
from .piece import Messages, Piece, planted

shelf: list[Piece] = []


@planted(
    shelf,
    "no-orphan",
    "call-dropped",
    "U " * 39 + "A[a] T(a)",
    1,
    argued="histories of up to 40 messages are trimmed by exchanges; the 41 messages need one call and its result",
    spared=("U " * 38 + "A[a] T(a)", 1),
)
def beyond_forty(messages: Messages, limit: int) -> Messages:
    """Trims by exchanges up to 40 messages, and falls back to a slice for longer ones, to save time."""
    if len(messages) > 40:
        return messages[-limit:] if limit > 0 else []
    return suffix(messages, limit)


@planted(shelf, "no-orphan", "call-dropped", "U=a A[a] T(a)=c", 42, kind="tokens", spared=("U=a A[a] T(a)=c", 43))
def exactly_at_the_limit(messages: Messages, limit: int, count: Callable[[Any], int]) -> Messages:
    """Keeps the newest exchanges within the tokens, and takes one message more off when they fill the limit exactly."""
    kept = only(messages, newest(messages, limit, size=count))
    if len(kept) < len(messages) and count(kept) == limit:
        return kept[1:]
    return kept


@planted(shelf, "no-orphan", "call-dropped", "U A[a,b,c] T(a) T(b) T(c)", 1, spared=("U A[a,b] T(a) T(b)", 1))
def two_results_at_most(messages: Messages, limit: int) -> Messages:
    """Looks for the results of a call message in the two messages behind it; three parallel calls are one too many."""
    groups: list[list[int]] = []
    for group in exchanges(messages):
        near = [index for index in group if index <= group[0] + 2 or len(call_ids(messages[group[0]])) < 3]
        groups += [near, *([index] for index in group if index not in near)]
    return only(messages, newest(messages, limit, groups=sorted(groups, key=lambda group: group[-1])))


@planted(
    shelf,
    "no-orphan",
    "call-dropped",
    "A[a,b] T(a) U! T(b)",
    2,
    input_class="interleaved",
    spared=("A[a,b] T(a) U T(b)", 1),
)
def pin_between_results(messages: Messages, limit: int) -> Messages:
    """Treats a pinned message between the results of a batch as the end of the batch."""
    return only(messages, newest(messages, limit, groups=_ended(messages, lambda it: "keep_during_truncation" in it)))


@planted(
    shelf,
    "no-orphan",
    "call-dropped",
    "A[a,b] T(a) U T(b)",
    1,
    input_class="interleaved",
    spared=("A[a,b] U T(a) T(b)", 1),
)
def steer_between_results(messages: Messages, limit: int) -> Messages:
    """Treats a user message between the results of a batch as the end of the batch."""
    return only(messages, newest(messages, limit, groups=_ended(messages, lambda it: it["role"] == "user")))


def _ended(messages: Messages, ends: Callable[[dict[str, Any]], bool]) -> list[list[int]]:
    """Group by exchanges, but let a message that `ends` a batch part the results before it from those behind it."""
    groups: list[list[int]] = []
    for group in exchanges(messages):
        parts = [group[:1]]
        for before, index in pairwise(group):
            between = messages[before + 1 : index] if messages[before]["role"] == "tool" else []
            if any(ends(message) for message in between if message["role"] != "tool"):
                parts.append([])
            parts[-1].append(index)
        groups += parts
    return sorted(groups, key=lambda group: group[-1])


@planted(shelf, "call-answered", "result-dropped", "U A[x] T(x) A[x] T(x)", 1, spared=("U A[x] T(x) A[y] T(y)", 1))
def first_owner_of_an_id(messages: Messages, limit: int) -> Messages:
    """Gives each result to the first call of its id; where ids start again with every turn that is the wrong one."""
    owner: dict[str, list[int]] = {}
    groups: list[list[int]] = []
    for index, message in enumerate(messages):
        group = owner.get(message["tool_call_id"]) if message["role"] == "tool" else None
        if group is None:
            group = list[int]()
            groups.append(group)
        group.append(index)
        for call in call_ids(message):
            owner.setdefault(call, group)
    return only(messages, newest(messages, limit, groups=groups))


@planted(shelf, "no-orphan", "call-dropped", "U A[a] T(a)!", 1, spared=("U A[a] T(a)", 1))
def pinned_result_alone(messages: Messages, limit: int) -> Messages:
    """Keeps a pinned message whatever happens to the exchange that it is part of."""
    pinned = {index for index, message in enumerate(messages) if message.get("keep_during_truncation")}
    return only(messages, newest(messages, limit, forced=pinned))


@planted(shelf, "idempotent", "lost", "U U U", 2, promise=1)
def stale_marker(messages: Messages, limit: int) -> Messages:
    """Trims from the marker that it left itself: its own output loses one more exchange, though it fits."""
    text = "[earlier messages left out]"
    if messages and messages[0]["content"] == text:
        return suffix(messages, min(limit, len(messages) - 1))
    kept = suffix(messages, limit - 1)
    if len(messages) <= limit or not kept:
        return suffix(messages, limit)
    return [{"role": "user", "content": text, "summary": True}, *kept]


@planted(shelf, "keeps-system", "lost", "D", 0, promise=1, spared=("S", 0))
def developer_is_nobody(messages: Messages, limit: int) -> Messages:
    """Keeps leading system messages and refuses when they do not fit; it has never heard of `developer`."""
    forced = [index for index in range(_lead(messages)) if messages[index]["role"] == "system"]
    return only(messages, newest(messages, limit, forced=forced))


@planted(shelf, "total-no-raise", "raised:KeyError", "D", 0, spared=("S", 0))
def developer_unknown(messages: Messages, limit: int) -> Messages:
    """Looks roles up in a table of the four that it knows."""
    rank = {"system": 0, "user": 1, "assistant": 1, "tool": 1}
    order = [rank[message["role"]] for message in messages] if len(messages) > limit else []
    return suffix(messages, limit) if order else list(messages)


@planted(shelf, "total-no-raise", "raised:StopIteration", "U", 0, spared=("S", 0))
def no_system_message(messages: Messages, limit: int) -> Messages:
    """Takes the first system message to hand, which there is not always."""
    if len(messages) <= max(limit, 0):
        return messages
    system = next(index for index, message in enumerate(messages) if message["role"] in SYSTEM)
    return only(messages, newest(messages, limit, forced=[system] if system < _lead(messages) else []))


def _lead(messages: Messages) -> int:
    return next((index for index, message in enumerate(messages) if message["role"] not in SYSTEM), len(messages))


@planted(shelf, "total-no-raise", "raised:TypeError", "U A[a] T(a)", 0, spared=("U A[a]+ T(a)", 0))
def content_is_none(messages: Messages, limit: int) -> Messages:
    """Measures the content of a message, which a bare call has not."""
    size = sum(len(message["content"]) for message in messages)
    return suffix(messages, limit if size >= 0 else 0)


@planted(shelf, "total-no-raise", "raised:IndexError", "", 0, spared=("U", 0))
def empty_list(messages: Messages, limit: int) -> Messages:
    """Looks at the first message, which there is not always."""
    lead = 1 if messages[0]["role"] == "system" and limit > 0 else 0
    return only(messages, newest(messages, limit, forced=range(lead)))


@planted(shelf, "terminates", "hung", "S", 0, spared=("U", 0))
def endless_loop(messages: Messages, limit: int) -> Messages:
    """Drops the oldest exchange that is no system message until the rest fits, which it never may."""
    kept = list(messages)
    while len(kept) > max(limit, 0):
        free = [group for group in exchanges(kept) if kept[group[0]]["role"] != "system"]
        kept = [message for index, message in enumerate(kept) if not free or index not in free[0]]
    return kept


@planted(shelf, "deterministic", "invented", "U U U", 2, promise=1)
def stamped_summary(messages: Messages, limit: int) -> Messages:
    """Stamps the summary of what it dropped, so that no two trims of one history are equal."""
    from uuid import uuid4

    kept = suffix(messages, limit - 1) if len(messages) > limit else messages
    if kept is messages or not kept:
        return suffix(messages, limit)
    return [{"role": "user", "content": f"Summary {uuid4().hex}", "summary": True}, *kept]


@planted(shelf, "monotone", "lost", "U U U U", 2, promise=1, spared=("U U U", 2))
def half_of_a_large_limit(messages: Messages, limit: int) -> Messages:
    """Leaves half of a large limit free for the answer; a small limit is used up."""
    if len(messages) > limit > 2:
        return suffix(messages, limit // 2)
    return suffix(messages, limit)
