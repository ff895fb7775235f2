"""Lists in a shape that some provider rejects, and broken promises about open calls, the current turn and markers."""

from typing import Any

from .parts import call_ids, exchanges, head, newest, only, suffix
from .piece import DoesNotFit, Messages, Piece, planted

shelf: list[Piece] = []


def _summary(dropped: int, role: str = "user") -> dict[str, Any]:
    return {"role": role, "content": f"Summary of {dropped} messages", "summary": True}


def _without(messages: Messages, limit: int, droppable: list[int]) -> Messages:
    """Drop these messages, oldest first, until the rest fits; then the oldest exchanges."""
    gone = droppable[: max(len(messages) - max(limit, 0), 0)]
    return suffix([message for index, message in enumerate(messages) if index not in gone], limit)


@planted(shelf, "alternate-roles", "inserted-between", "U A U", 2, provider="bedrock", spared=("U U U", 2))
def user_summary_before_a_user(messages: Messages, limit: int) -> Messages:
    """Puts a summary, said by the user, in front of whatever is kept."""
    kept = suffix(messages, limit - 1)
    if len(messages) <= limit or not kept:
        return suffix(messages, limit)
    return [_summary(len(messages) - len(kept)), *kept]


@planted(shelf, "last-is-user-or-tool", "lost", "U A U", 2, provider="mistral")
def question_is_sent_apart(messages: Messages, limit: int) -> Messages:
    """Leaves the newest question to the caller, who appends it in one of two places."""
    kept = suffix(messages, limit)
    return kept[:-1] if kept and len(kept) < len(messages) and kept[-1]["role"] == "user" else kept


@planted(shelf, "call-turn-after-user-or-result", "lost", "U A[a] T(a)", 2, provider="gemini", spared=("U A", 1))
def questions_go_first(messages: Messages, limit: int) -> Messages:
    """Drops the oldest questions first, since the work that they led to says it all."""
    return _without(messages, limit, [at for at, message in enumerate(messages) if message["role"] == "user"])


@planted(shelf, "assistant-between-tool-and-user", "lost", "U A[a] T(a) A U", 4, provider="mistral-old")
def answers_go_first(messages: Messages, limit: int) -> Messages:
    """Drops the oldest answers first: what was asked and what was found out is enough to write them again."""
    said = [at for at, message in enumerate(messages) if message["role"] == "assistant" and not call_ids(message)]
    return _without(messages, limit, said)


@planted(shelf, "system-once-first", "inserted-between", "S U U", 2, provider="strict", spared=("U U U", 2))
def summary_as_second_system(messages: Messages, limit: int) -> Messages:
    """Says the summary under the system role, behind the system messages in front."""
    lead = head(messages)
    if len(messages) <= limit or limit <= lead:
        return suffix(messages, limit)
    kept = only(messages, newest(messages, limit - 1, forced=range(lead)))
    return [*kept[:lead], _summary(len(messages) - len(kept), "system"), *kept[lead:]]


@planted(shelf, "no-silent-loss", "lost", "U", 0, promise=1, spared=("U", 1))
def forgets_without_a_word(messages: Messages, limit: int) -> Messages:
    """Means to say how much is gone, and has no room to say it in when the limit is used up."""
    kept = suffix(messages, limit)
    if len(kept) in (len(messages), limit) or not limit > 0:
        return kept
    return [{"role": "user", "content": f"{len(messages) - len(kept)} messages left out", "inserted": True}, *kept]


@planted(shelf, "truthful-marker", "invented", "U A[a] T(a)", 1, promise=1, spared=("U U", 1))
def marker_counts_exchanges(messages: Messages, limit: int) -> Messages:
    """Says how many exchanges are gone, and calls them messages."""
    kept = suffix(messages, limit - 1)
    if len(messages) <= limit or limit < 1:
        return suffix(messages, limit)
    gone = len(exchanges(messages)) - len(exchanges(kept))
    return [{"role": "user", "content": f"{gone} messages left out", "inserted": True}, *kept]


@planted(shelf, "keeps-current-turn", "lost", "U A", 1, promise=1, spared=("U U", 1))
def running_work_dropped(messages: Messages, limit: int) -> Messages:
    """Keeps the newest question, and of the other messages the oldest: what is being worked on goes."""
    users = [index for index, message in enumerate(messages) if message["role"] == "user"]
    kept = set(users[-1:])
    if len(kept) > max(limit, 0):
        raise DoesNotFit("the question is over the limit")
    for group in sorted(exchanges(messages)):
        if len(kept.union(group)) > limit:
            break
        kept.update(group)
    return only(messages, kept)


def _open(messages: Messages) -> set[int]:
    """Return the messages with calls that nothing answers."""
    return {
        group[0]
        for group in exchanges(messages)
        if set(call_ids(messages[group[0]])) - {messages[at]["tool_call_id"] for at in group[1:]}
    }


@planted(shelf, "pending-call-kept", "call-dropped", "U A[a]", 2, input_class="pending", promise=1, spared=("U A", 2))
def open_call_taken_for_broken(messages: Messages, limit: int) -> Messages:
    """Cleans calls without a result away, also the one that is waiting for its result."""
    gone = {at for group in exchanges(messages) if group[0] in _open(messages) for at in group}
    return suffix([message for at, message in enumerate(messages) if at not in gone], limit)


@planted(shelf, "late-result-safe", "call-dropped", "U A[a]", 1, input_class="pending", promise=1, spared=("U A", 1))
def summary_over_a_running_call(messages: Messages, limit: int) -> Messages:
    """Summarises everything when the limit is reached, whatever is being waited for."""
    return [_summary(len(messages))] if len(messages) > limit > 0 else suffix(messages, limit)


@planted(shelf, "repairs", "result-dropped", "U A[a]", 2, input_class="pending", promise=1, spared=("U A[a] T(a)", 3))
def repairs_results_alone(messages: Messages, limit: int) -> Messages:
    """Repairs results without a call, and has never met a call without a result."""
    answered = {at for group in exchanges(messages) for at in group[1:]}
    return suffix([it for at, it in enumerate(messages) if it["role"] != "tool" or at in answered], limit)


@planted(
    shelf,
    "reasoning-kept-with-followup",
    "edited",
    "U A[a]~r T(a)",
    2,
    provider="deepseek",
    argued="something is dropped before anything is stripped, and what is stripped is a call with its result",
    spared=("U A~r", 1),
)
def reasoning_stripped(messages: Messages, limit: int) -> Messages:
    """Strips the reasoning from what it keeps, to save still more."""
    kept = suffix(messages, limit)
    if len(kept) == len(messages):
        return kept
    return [{key: value for key, value in message.items() if key != "reasoning_content"} for message in kept]
