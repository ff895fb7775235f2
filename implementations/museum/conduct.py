"""Broken promises: what must stay is dropped, too much or too little is kept, the order or the words change."""

from .parts import SYSTEM, exchanges, head, newest, only, suffix
from .piece import DoesNotFit, Messages, Piece, planted

shelf: list[Piece] = []


def _something(messages: Messages, limit: int, *, lead: int = 0) -> Messages:
    """The first `lead` messages and the newest exchanges, or a refusal where not even one of these fits."""
    kept = newest(messages, limit, forced=range(lead))
    if len(messages) > lead and len(kept) == lead:
        raise DoesNotFit("the newest exchange is over the limit")
    return only(messages, kept)


@planted(shelf, "keeps-system", "lost", "S U", 1, promise=1)
def system_dropped(messages: Messages, limit: int) -> Messages:
    """Treats the system message as the oldest message that it is."""
    return _something(messages, limit)


@planted(shelf, "keeps-pinned", "lost", "U! U", 1, promise=1)
def pins_dropped(messages: Messages, limit: int) -> Messages:
    """Keeps the system messages and what is newest, and knows nothing of pins."""
    return _something(messages, limit, lead=head(messages))


@planted(shelf, "keeps-latest-user", "lost", "U A", 1, promise=1, spared=("U A U", 1))
def latest_user_dropped(messages: Messages, limit: int) -> Messages:
    """Keeps the system messages and what is newest, whoever said it: the question behind a long answer goes."""
    return _something(messages, limit, lead=head(messages))


@planted(shelf, "keeps-newest", "lost", "U U", 1, promise=1)
def newest_dropped(messages: Messages, limit: int) -> Messages:
    """Keeps the oldest exchanges that fit, whole."""
    kept: set[int] = set()
    for group in sorted(exchanges(messages)):
        if len(kept) + len(group) > limit:
            break
        kept.update(group)
    if messages and not kept:
        raise DoesNotFit("the oldest exchange is over the limit")
    return only(messages, kept)


@planted(shelf, "identity-under-limit", "lost", "U", 1, promise=1, spared=("U", 2))
def trims_what_fits(messages: Messages, limit: int) -> Messages:
    """Leaves room for the answer, also where nothing has to go."""
    return suffix(messages, limit - 1)


@planted(shelf, "utilisation", "lost", "U A[a] T(a)", 1, promise=0.5, spared=("U U", 1))
def newest_exchange_alone(messages: Messages, limit: int) -> Messages:
    """Keeps one exchange, however much more would fit."""
    if len(messages) <= limit:
        return messages
    return only(messages, newest(messages, limit, groups=exchanges(messages)[-1:]))


@planted(shelf, "nonempty-history", "emptied", "U U", 1, promise=1)
def everything_emptied(messages: Messages, limit: int) -> Messages:
    """Starts over when the limit is reached."""
    return [] if len(messages) > limit else messages


@planted(shelf, "nonempty-history", "emptied", "U A[a] T(a)", 1, promise=1)
def huge_result_evicts_all(messages: Messages, limit: int) -> Messages:
    """Stops at the first exchange that does not fit, and then nothing but the system messages in front may be left."""
    if len(messages) <= limit:
        return messages
    spoken = [group for group in exchanges(messages) if messages[group[0]]["role"] not in SYSTEM]
    return only(messages, newest(messages, limit, forced=range(head(messages)), groups=spoken))


@planted(shelf, "refuses-only-when-needed", "refused", "U U", 1, promise=1, spared=("U", 0))
def refuses_to_trim(messages: Messages, limit: int) -> Messages:
    """Refuses whatever is over the limit."""
    if len(messages) > max(limit, 0):
        raise DoesNotFit("over the limit")
    return messages


@planted(shelf, "order-preserved", "reordered", "U U S", 2, promise=1, spared=("U S U", 2))
def system_to_the_front(messages: Messages, limit: int) -> Messages:
    """Moves system messages to the front, where a system message belongs."""
    kept = suffix(messages, limit)
    return sorted(kept, key=lambda message: message["role"] != "system") if len(kept) < len(messages) else kept


@planted(shelf, "content-intact", "edited", "U A[a] T(a)", 2, promise=1)
def shortened_results(messages: Messages, limit: int) -> Messages:
    """Cuts the results that it keeps down to half."""
    kept = suffix(messages, limit)
    if len(kept) == len(messages):
        return kept
    return [
        {**message, "content": message["content"][: len(message["content"]) // 2]}
        if message["role"] == "tool" and not message.get("summary")
        else message
        for message in kept
    ]


@planted(shelf, "first-is-user", "lost", "U A", 1, provider="bedrock", spared=("U A U", 1))
def opens_on_an_assistant(messages: Messages, limit: int) -> Messages:
    """Keeps whole exchanges, and lets the list begin with whatever the oldest of them is."""
    return suffix(messages, limit)


@planted(shelf, "nonempty-user", "emptied", "U A", 1, provider="strict", spared=("U U", 1))
def no_user_left(messages: Messages, limit: int) -> Messages:
    """Keeps the work, and of the users only what is left when there was none."""
    kept = suffix(messages, limit)
    work = [message for message in kept if message["role"] != "user"]
    return work if work and len(kept) < len(messages) else kept
