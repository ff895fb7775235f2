"""Trims that change their input: the caller's list, a text, a flag, an id, the arguments of one call."""

from copy import copy

from .parts import exchanges, suffix
from .piece import Messages, Piece, planted

shelf: list[Piece] = []


@planted(shelf, "no-input-mutation", "mutated", "U", 0)
def pop_from_the_list(messages: Messages, limit: int) -> Messages:
    """Pops the oldest exchange until the rest fits, from the very list of the caller."""
    while len(messages) > max(limit, 0):
        for index in sorted(exchanges(messages)[0], reverse=True):
            messages.pop(index)
    return messages


@planted(shelf, "no-input-mutation", "mutated", "U", 0)
def clear_and_refill(messages: Messages, limit: int) -> Messages:
    """Clears the caller's list and fills it again."""
    messages[:] = suffix(messages, limit)
    return list(messages)


@planted(shelf, "no-input-mutation", "mutated", "U A[a] T(a)", 2)
def shorten_results_in_place(messages: Messages, limit: int) -> Messages:
    """Shortens the results it keeps, in the caller's own dicts."""
    kept = suffix(messages, limit)
    for message in kept if len(kept) < len(messages) else []:
        if message["role"] == "tool":
            message["content"] = message["content"][:1] + "..."
    return kept


@planted(shelf, "no-input-mutation", "mutated", "U A[a] T(a)", 2)
def clear_arguments_of_a_copy(messages: Messages, limit: int) -> Messages:
    """Copies a message before it edits it; the copy is shallow, and the arguments lie two levels down."""
    kept: Messages = []
    for message in suffix(messages, limit):
        if len(messages) > limit and message.get("tool_calls"):
            message = copy(message)
            message["tool_calls"][0]["function"]["arguments"] = ""
        kept.append(message)
    return kept


@planted(shelf, "no-input-mutation", "mutated", "U!", 1, spared=("U", 1))
def clear_the_pin(messages: Messages, limit: int) -> Messages:
    """Clears the pin of each message it keeps, since it was honoured."""
    kept = suffix(messages, limit)
    for message in kept:
        message.pop("keep_during_truncation", None)
    return kept


@planted(shelf, "no-input-mutation", "mutated", "U", 1, spared=("", 0))
def note_the_size(messages: Messages, limit: int) -> Messages:
    """Notes in each message how large it is, so as not to count it again."""
    for message in messages:
        message["size"] = len(message["content"] or "")
    return suffix(messages, limit)
