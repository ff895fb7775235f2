"""Parts that museum pieces and correct trimmers share: exchanges, and the newest of them that fit.

Written as trimmers are written in practice: on dicts, without the pairing code of trimfuzz. A result belongs to the
latest message before it that made a call with its id.
"""

from collections.abc import Callable, Iterable
from operator import itemgetter
from typing import Any

from .piece import DoesNotFit, Messages

SYSTEM = ("system", "developer")


def call_ids(message: dict[str, Any]) -> list[str]:
    """Return the ids of the calls that a message makes."""
    return [call["id"] for call in message.get("tool_calls") or ()]


def exchanges(messages: Messages) -> list[list[int]]:
    """Group indexes: a call message with every result that belongs to it, wherever it stands; any other message alone.

    Ordered by the last message of each group, so that the newest message is in the last group.
    """
    groups: list[list[int]] = []
    owner: dict[str, list[int]] = {}
    for index, message in enumerate(messages):
        group = owner.get(message["tool_call_id"]) if message["role"] == "tool" else None
        if group is not None:
            group.append(index)
            continue
        group = [index]
        groups.append(group)
        for call in message.get("tool_calls") or ():
            owner[call["id"]] = group
    return sorted(groups, key=itemgetter(-1))


def head(messages: Messages) -> int:
    """Return how many messages lead with a system role."""
    return next((index for index, message in enumerate(messages) if message["role"] not in SYSTEM), len(messages))


def only(messages: Messages, kept: Iterable[int]) -> Messages:
    """Return the messages at these indexes, in their order."""
    return [messages[index] for index in sorted(kept)]


def summary_of(gone: int) -> dict[str, Any]:
    """Return a declared summary for so many messages."""
    return {"role": "user", "content": f"[{gone} earlier messages summarised]", "summary": True}


def one_each(_message: dict[str, Any]) -> int:
    """Count a message as one."""
    return 1


def newest(
    messages: Messages,
    limit: int,
    *,
    size: Callable[[dict[str, Any]], int] = one_each,
    forced: Iterable[int] = (),
    groups: list[list[int]] | None = None,
) -> set[int]:
    """Return the indexes of what is `forced` and of the newest exchanges beside it, up to the first that does not fit.

    Raises `DoesNotFit` when what is forced is over the limit (a limit below 0 is 0).
    """
    kept = set(forced)
    room = max(limit, 0) - sum(size(messages[index]) for index in kept)
    if room < 0:
        raise DoesNotFit("what must stay is over the limit")
    for group in reversed(exchanges(messages) if groups is None else groups):
        more = [index for index in group if index not in kept]
        room -= sum(size(messages[index]) for index in more)
        if room < 0:
            break
        kept.update(more)
    return kept


def suffix(messages: Messages, limit: int) -> Messages:
    """Return the newest exchanges that fit, by number of messages; the correct trim that most pieces spoil."""
    return only(messages, newest(messages, limit))
