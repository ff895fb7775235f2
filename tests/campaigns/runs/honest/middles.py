"""Honest trimmers of OpenAI chat messages that put something in the place of what they drop: a note, a summary."""

from collections.abc import Callable

from .units import (
    Count,
    DoesNotFit,
    Message,
    Messages,
    as_they_stood,
    conversation,
    joined,
    newest,
    size,
    systems,
    units,
)  # fmt: skip

__all__ = ["DoesNotFit"]


def before(messages: Messages, new: Message, behind: Message) -> Messages:
    """Return the messages with a new one in front of one of them."""
    place = next(index for index, message in enumerate(messages) if message is behind)
    return [*messages[:place], new, *messages[place:]]


def both_ends(messages: Messages, limit: int, count: Count | None = None) -> Messages:
    """The first and the last units, as many as fit, with a note between them that says how many messages are gone.

    Where the note does not fit, the last unit alone; where that does not, it refuses.
    """
    if size(messages, count) <= limit:
        return list(messages)
    front, groups = systems(messages), units(conversation(messages))
    found = as_they_stood(messages, front + joined(groups[-1:]))
    if not groups or size(found, count) > limit:
        raise DoesNotFit("not even the newest unit fits")
    for ends in range(1, len(groups)):
        first, last = joined(groups[: ends // 2]), joined(groups[len(groups) - (ends + 1) // 2 :])
        kept = as_they_stood(messages, front + first + last)
        note = {"role": "user", "content": f"[{len(messages) - len(kept)} messages left out]"}
        wider = before(kept, note, last[0])
        if size(wider, count) > limit:
            break
        found = wider
    return found


def both_ends_by_messages(messages: Messages, limit: int) -> Messages:
    """As `both_ends`, by number of messages."""
    return both_ends(messages, limit)


def summarised(messages: Messages, limit: int, summary: Message) -> Messages:
    """All system messages, one summary of what is gone, and the newest units that fit behind it.

    The summary is left out where it alone would push the newest unit out of the limit; it refuses where even that is
    not enough.
    """
    if len(messages) <= limit:
        return list(messages)
    front, groups = systems(messages), units(conversation(messages))
    room = limit - len(front)
    kept = joined(newest(groups, room - 1))
    if kept:
        return before(as_they_stood(messages, front + kept), summary, kept[0])
    kept = joined(newest(groups, room))
    if not kept:
        raise DoesNotFit("not even the newest unit fits")
    return as_they_stood(messages, front + kept)


def summarising(role: str, *, marked: bool = False) -> Callable[[Messages, int], Messages]:
    """Return the trimmer whose summaries have this role, with or without the mark that declares them."""

    def trim(messages: Messages, limit: int) -> Messages:
        summary: Message = {"role": role, "content": "(a summary of the earlier conversation)"}
        return summarised(messages, limit, {**summary, "summary": True} if marked else summary)

    return trim


by_user, by_user_marked = summarising("user"), summarising("user", marked=True)
by_system, by_system_marked = summarising("system"), summarising("system", marked=True)
by_assistant, by_assistant_marked = summarising("assistant"), summarising("assistant", marked=True)


def everything(messages: Messages, limit: int) -> Messages:
    """All system messages and one summary of all that was said, as soon as it is too much."""
    if len(messages) <= limit:
        return list(messages)
    front = systems(messages)
    if len(front) == len(messages) or len(front) + 1 > limit:
        raise DoesNotFit("the system messages leave no room for a summary")
    return [*front, {"role": "user", "content": "(a summary of the earlier conversation)"}]
