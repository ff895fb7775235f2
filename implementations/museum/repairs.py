"""Batches taken apart, and repairs that do damage: placeholders, stand-ins, renamed and blanked ids."""

from collections.abc import Callable
from typing import Any

from .parts import call_ids, exchanges, newest, only, suffix
from .piece import Messages, Piece, planted

shelf: list[Piece] = []


def _user(text: str, **marks: bool) -> dict[str, Any]:
    return {"role": "user", "content": text, **marks}


def _result(call: str, text: str, **marks: bool) -> dict[str, Any]:
    return {"role": "tool", "tool_call_id": call, "content": text, **marks}


def _renamed(message: dict[str, Any], new: Callable[[dict[str, Any]], str], names: dict[str, str]) -> dict[str, Any]:
    """Copy a message with other call ids; `names` remembers what each id became, for the results behind it."""
    if message["role"] == "tool":
        return {**message, "tool_call_id": names.get(message["tool_call_id"], message["tool_call_id"])}
    if not message.get("tool_calls"):
        return message
    names.update((call["id"], new(call)) for call in message["tool_calls"])
    return {**message, "tool_calls": [{**call, "id": names[call["id"]]} for call in message["tool_calls"]]}


@planted(shelf, "batch-atomic", "result-dropped", "U A[a,b] T(a) T(b)", 2, spared=("U A[a] T(a)", 1))
def half_a_batch(messages: Messages, limit: int) -> Messages:
    """Drops the oldest results of an exchange that does not fit, and keeps its call for the newer ones."""
    kept = newest(messages, limit)
    room = max(limit, 0) - len(kept)
    left = [group for group in exchanges(messages) if group[0] not in kept]
    if left and 1 < room < len(left[-1]):
        kept.update([left[-1][0], *left[-1][1 - room :]])
    return only(messages, kept)


@planted(shelf, "batch-atomic", "invented", "U A[a,b]", 3, input_class="pending", spared=("U A[a]", 3))
def answer_the_first_call(messages: Messages, limit: int) -> Messages:
    """Answers the first call of a batch that was cut short, and forgets that it made others."""
    kept = suffix(messages, limit)
    if kept and len(kept) < limit and len(call_ids(kept[-1])) > 1:
        kept.append(_result(call_ids(kept[-1])[0], "interrupted", inserted=True))
    return kept


@planted(shelf, "one-result-per-call", "invented", "U A[a,b] T(a) T(b)", 5, spared=("U A[a] T(a)", 4))
def placeholder_beside_the_result(messages: Messages, limit: int) -> Messages:
    """Answers every call that the next message does not answer; with parallel calls only one result stands there."""
    found: Messages = []
    kept = suffix(messages, limit)
    for index, message in enumerate(kept):
        found.append(message)
        behind = kept[index + 1] if index + 1 < len(kept) else {"role": "none"}
        if behind["role"] == "tool" and behind["tool_call_id"] in call_ids(message):
            missing = [call for call in call_ids(message) if call != behind["tool_call_id"]]
            found += [_result(call, "no result", inserted=True) for call in missing]
    return found if len(found) <= limit else kept


@planted(shelf, "nothing-duplicated", "duplicated", "U A[a] T(a)", 3, spared=("U A[a] T(a)", 2))
def latest_result_again(messages: Messages, limit: int) -> Messages:
    """Says the newest result twice, if there is room, so that the model will not overlook it."""
    kept = suffix(messages, limit - 1)
    results = [index for index, message in enumerate(kept) if message["role"] == "tool"]
    return [*kept[: results[-1]], kept[results[-1]], *kept[results[-1] :]] if results else suffix(messages, limit)


@planted(shelf, "result-adjacent", "inserted-between", "U U A[a] T(a)", 3, spared=("S U U U", 3))
def summary_behind_the_first(messages: Messages, limit: int) -> Messages:
    """Puts the summary behind the first message, as if that were always the system prompt."""
    kept = suffix(messages, limit - 1)
    if len(messages) <= limit or len(kept) < 2:
        return suffix(messages, limit)
    return [kept[0], _user("Summary of what was dropped.", summary=True), *kept[1:]]


@planted(shelf, "result-adjacent", "inserted-between", "U A[a,b,c] T(a) T(b) T(c)", 3, spared=("U A[a,b] T(a) T(b)", 2))
def placeholder_for_results(messages: Messages, limit: int) -> Messages:
    """Puts one placeholder where it dropped several messages, also when these are results of a batch that stays."""
    kept = newest(messages, limit)
    left = [group for group in exchanges(messages) if group[0] not in kept]
    room = limit - len(kept)
    if not left or not 3 <= room < len(left[-1]):
        return only(messages, kept)
    call, *results = left[-1]
    found = only(messages, {*kept, call, *results[2 - room :]})
    found.insert(sum(index <= call for index in (*kept, call)), _user("[omitted]", inserted=True))
    return found


@planted(shelf, "real-result-not-dropped", "edited", "U A[a] T(a)", 2, promise=1)
def cleared_result(messages: Messages, limit: int) -> Messages:
    """Clears the results that it keeps, and says so where the result was."""
    kept = suffix(messages, limit)
    if len(kept) == len(messages):
        return kept
    return [{**message, "content": "[cleared]"} if message["role"] == "tool" else message for message in kept]


@planted(shelf, "nothing-invented", "invented", "U U U", 2, promise=1)
def undeclared_placeholder(messages: Messages, limit: int) -> Messages:
    """Puts a note in front of what it kept, and nothing says that the note is no message of the user."""
    kept = suffix(messages, limit - 1)
    if len(messages) <= limit or not kept:
        return suffix(messages, limit)
    return [_user("[earlier messages left out]"), *kept]


@planted(shelf, "invented-call", "invented", "U U U U", 3)
def summary_as_a_tool_call(messages: Messages, limit: int) -> Messages:
    """Hands the summary over as the result of a tool call that nobody made."""
    kept = suffix(messages, limit - 2)
    if len(messages) <= limit or not kept:
        return suffix(messages, limit)
    call = {"id": "memory", "type": "function", "function": {"name": "recall", "arguments": "{}"}}
    return [{"role": "assistant", "content": None, "tool_calls": [call]}, _result("memory", "Summary."), *kept]


@planted(shelf, "unique-call-id", "invented", "U A[a,b]", 1, input_class="pending", spared=("U A[a]", 1))
def named_for_the_function(messages: Messages, limit: int) -> Messages:
    """Uses the name of the function as the id of the call, which parallel calls of one function share."""
    names: dict[str, str] = {}
    return [_renamed(message, lambda call: call["function"]["name"], names) for message in suffix(messages, limit)]


@planted(shelf, "nonempty-call-id", "invented", "U A[a]", 1, input_class="pending", spared=("U", 1))
def blanked_ids(messages: Messages, limit: int) -> Messages:
    """Blanks the ids, since providers that need none match results by position."""
    names: dict[str, str] = {}
    return [_renamed(message, lambda _call: "", names) for message in suffix(messages, limit)]


@planted(shelf, "invented-call", "invented", "U A[a]", 1, input_class="pending", spared=("U", 1))
def renamed_calls(messages: Messages, limit: int) -> Messages:
    """Gives the calls it keeps new ids, and leaves the results with the old ones."""
    return [
        _renamed(message, lambda call: f"new_{call['id']}", {}) if message["role"] != "tool" else message
        for message in suffix(messages, limit)
    ]


@planted(
    shelf, "nonempty-message", "emptied", "U A[a]", 1, input_class="pending", provider="kimi", spared=("U A[a] T(a)", 2)
)
def emptied_shell(messages: Messages, limit: int) -> Messages:
    """Takes the calls out of an assistant message whose results it dropped, and leaves the message."""
    kept = suffix(messages, limit)
    answered = {message["tool_call_id"] for message in kept if message["role"] == "tool"}
    found: Messages = []
    for message in kept:
        if message.get("tool_calls") and not answered.intersection(call_ids(message)):
            message = {key: value for key, value in message.items() if key != "tool_calls"}
        found.append(message)
    return found


@planted(shelf, "call-answered", "result-dropped", "U A[x] T(x) A[x] T(x)", 4, spared=("U A[x] T(x) A[y] T(y)", 4))
def one_result_for_each_id(messages: Messages, limit: int) -> Messages:
    """Drops results whose id has been seen, as duplicates; where ids start again with every turn they are none."""
    seen: set[str] = set()
    found: Messages = []
    for message in suffix(messages, limit):
        if message["role"] == "tool":
            if message["tool_call_id"] in seen:
                continue
            seen.add(message["tool_call_id"])
        found.append(message)
    return found
