"""Trimmers that do next to nothing, and the two lines that half of all programs have. None may pass."""


class DoesNotFit(Exception):
    """What is always said."""


def identity(messages, limit):
    return messages


def empty(messages, limit):
    return []


def system_only(messages, limit):
    return [message for message in messages if message["role"] in ("system", "developer")]


def newest_only(messages, limit):
    return messages[-1:]


def newest_unit_only(messages, limit):
    start = len(messages) - 1
    while start > 0 and messages[start]["role"] == "tool":
        start -= 1
    return messages[max(start, 0) :]


def refuses(messages, limit):
    raise DoesNotFit


def refuses_what_is_over(messages, limit):
    if len(messages) > limit:
        raise DoesNotFit
    return messages


def raises(messages, limit):
    raise RuntimeError("there is no such table")


def pops(messages, limit):
    while len(messages) > limit:
        messages.pop(0)
    return messages


def pops_tokens(messages, limit, count):
    while sum(map(count, messages)) > limit:
        messages.pop(0)
    return messages
