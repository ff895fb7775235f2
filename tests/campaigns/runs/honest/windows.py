"""Honest windows of OpenAI chat messages: the newest units or turns, with whatever each of them never drops."""

from .units import (
    Count,
    DoesNotFit,
    Messages,
    apart,
    as_they_stood,
    conversation,
    joined,
    newest,
    size,
    systems,
    turns,
    units,
)  # fmt: skip

__all__ = ["DoesNotFit"]


def newest_units(messages: Messages, limit: int, count: Count | None = None) -> Messages:
    """The leading system messages and the newest units that fit; refuses when nothing of the conversation does."""
    if size(messages, count) <= limit:
        return list(messages)
    lead, rest = apart(messages)
    kept = joined(newest(units(rest), limit - size(lead, count), count))
    if not conversation(kept):
        raise DoesNotFit("not even the newest unit fits")
    return lead + kept


def newest_units_by_messages(messages: Messages, limit: int) -> Messages:
    """As `newest_units`, by number of messages."""
    return newest_units(messages, limit)


def systems_to_the_front(messages: Messages, limit: int) -> Messages:
    """All system messages, moved to the front, and the newest units that fit behind them."""
    front = systems(messages)
    return front + joined(newest(units(conversation(messages)), limit - len(front)))


def systems_to_the_front_by_tokens(messages: Messages, limit: int, count: Count) -> Messages:
    """As `systems_to_the_front`, by tokens."""
    front = systems(messages)
    return front + joined(newest(units(conversation(messages)), limit - size(front, count), count))


def whole_turns(messages: Messages, limit: int) -> Messages:
    """The leading system messages and the newest whole turns that fit; refuses when not even the last one does."""
    if len(messages) <= limit:
        return list(messages)
    lead, rest = apart(messages)
    kept = joined(newest(turns(rest), limit - len(lead)))
    if not conversation(kept):
        raise DoesNotFit("the last turn does not fit")
    return lead + kept


def last_turns(messages: Messages, limit: int) -> Messages:
    """The leading system messages and the last so many whole turns, for a limit in turns."""

    def user(message: dict[str, object]) -> int:
        return message["role"] == "user"

    lead, rest = apart(messages)
    kept = newest(turns(rest), limit, user)
    if rest and not kept:
        raise DoesNotFit("there is no room for a turn")
    return lead + joined(kept)


def first_user_for_ever(messages: Messages, limit: int) -> Messages:
    """The leading system messages, the first user message because it is the task, and the newest units that fit."""
    if len(messages) <= limit:
        return list(messages)
    lead, rest = apart(messages)
    groups = units(rest)
    task = next((at for at, group in enumerate(groups) if any(one["role"] == "user" for one in group)), None)
    first = [] if task is None else groups[task]
    others = [group for group in groups if group is not first]
    kept = newest(others, limit - len(lead) - len(first))
    return as_they_stood(messages, [*lead, *first, *joined(kept)])


def zero_is_no_limit(messages: Messages, limit: int) -> Messages:
    """A limit of 0 means that there is none; else the system messages and the newest units that fit."""
    if not limit:
        return list(messages)
    front = systems(messages)
    kept = newest(units(conversation(messages)), limit - len(front))
    return as_they_stood(messages, front + joined(kept))


def last_user_message_alone(messages: Messages, limit: int) -> Messages:
    """The newest whole turns that fit; where the last one does not, its user message alone."""
    if len(messages) <= limit:
        return list(messages)
    lead, rest = apart(messages)
    kept = joined(newest(turns(rest), limit - len(lead)))
    if not conversation(kept):
        kept = [message for message in rest if message["role"] == "user"][-1:]
    return lead + kept


def last_user_message_alone_by_tokens(messages: Messages, limit: int, count: Count) -> Messages:
    """As `last_user_message_alone`, by tokens."""
    if size(messages, count) <= limit:
        return list(messages)
    lead, rest = apart(messages)
    kept = joined(newest(turns(rest), limit - size(lead, count), count))
    if not conversation(kept):
        kept = [message for message in rest if message["role"] == "user"][-1:]
    return lead + kept


def conversation_within(messages: Messages, limit: int) -> Messages:
    """Every system message where it stands, and the newest units of the others: the limit counts the others alone."""
    kept = newest(units(conversation(messages)), limit)
    return as_they_stood(messages, systems(messages) + joined(kept))


def conversation_within_once_over(messages: Messages, limit: int) -> Messages:
    """As `conversation_within`, but a list of no more than `limit` messages is returned before anything is counted."""
    if len(messages) <= limit:
        return messages
    return conversation_within(messages, limit)


def last_turn_whole(messages: Messages, limit: int) -> Messages:
    """The newest whole turns that fit, and the last one in any case, also where that alone is over the limit."""
    if len(messages) <= limit:
        return list(messages)
    lead, rest = apart(messages)
    groups = turns(rest)
    return lead + joined(newest(groups, limit - len(lead)) or groups[-1:])


def last_turn_whole_by_tokens(messages: Messages, limit: int, count: Count) -> Messages:
    """As `last_turn_whole`, by tokens."""
    if size(messages, count) <= limit:
        return list(messages)
    lead, rest = apart(messages)
    groups = turns(rest)
    return lead + joined(newest(groups, limit - size(lead, count), count) or groups[-1:])


def rounds(messages: Messages, limit: int) -> Messages:
    """The last so many rounds of calls and results, and every message that is not part of one."""
    groups = units(messages)
    made = [group for group in groups if group[0].get("tool_calls")]
    old = {id(group) for group in made[: max(len(made) - limit, 0)]}
    return joined(group for group in groups if id(group) not in old)
