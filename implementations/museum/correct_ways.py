"""Correct trimmers that differ in how they return their answer and in what they do to messages that stay.

They return lists unchanged, copied, yielded, awaited, or changed in place by contract. They declare summaries and
markers, refuse, put results in order, insert stand-ins for what is missing, or cut a batch by call and result together.
"""

from collections.abc import Iterator
from copy import deepcopy
from typing import Any

from ..trimmer import Trimmer
from .correct import ALL, FILLS, INTACT, SAFE, correct
from .parts import call_ids, exchanges, head, newest, only, summary_of
from .piece import DoesNotFit, Messages

shelf: list[Trimmer] = []


@correct(shelf, ALL)
def same_list_returned(messages: Messages, limit: int) -> Messages:
    """Returns the very list it was given when that fits."""
    return messages if len(messages) <= limit else only(messages, newest(messages, limit))


@correct(shelf, ALL)
def deep_copies(messages: Messages, limit: int) -> Messages:
    """Returns deep copies, so that no message is the one that was given."""
    return deepcopy(only(messages, newest(messages, limit)))


@correct(shelf, ALL)
def fresh_dicts(messages: Messages, limit: int) -> Messages:
    """Returns new dicts around the old values, with the keys in another order."""
    return [dict(reversed(message.items())) for message in only(messages, newest(messages, limit))]


@correct(shelf, ALL)
def yields(messages: Messages, limit: int) -> Iterator[dict[str, Any]]:
    """Yields the newest exchanges."""
    yield from only(messages, newest(messages, limit))


@correct(shelf, ALL)
def a_tuple(messages: Messages, limit: int) -> tuple[dict[str, Any], ...]:
    """Returns a tuple."""
    return tuple(only(messages, newest(messages, limit)))


@correct(shelf, ALL)
async def awaited(messages: Messages, limit: int) -> Messages:
    """Has to be awaited."""
    return only(messages, newest(messages, limit))


@correct(shelf, ALL, in_place=True)
def in_place(messages: Messages, limit: int) -> None:
    """Changes the list of the caller and returns nothing; that is its contract."""
    messages[:] = only(messages, newest(messages, limit))


@correct(shelf, ALL, in_place=True)
def in_place_pops(messages: Messages, limit: int) -> Messages:
    """Pops the oldest exchange from the caller's list until the rest fits, and returns that list; its contract."""
    while len(messages) > max(limit, 0):
        for index in sorted(exchanges(messages)[0], reverse=True):
            messages.pop(index)
    return messages


@correct(shelf, {**SAFE, **INTACT, **FILLS, "keeps-newest": 1.0})
def refuses(messages: Messages, limit: int) -> Messages:
    """Keeps the system messages and the newest exchanges, and raises when not even the newest one fits beside them."""
    lead = range(head(messages))
    kept = newest(messages, limit, forced=lead)
    if messages and len(messages) - 1 not in kept:
        raise DoesNotFit("the newest exchange is over the limit")
    return only(messages, kept)


@correct(shelf, {"within-limit": 1.0, "order-preserved": 1.0, "deterministic": 1.0, **INTACT, **FILLS})
def wants_a_limit(messages: Messages, limit: int) -> Messages:
    """Raises ValueError at limits below 1, as a range check does."""
    if limit < 1:
        raise ValueError("limit must be at least 1")
    return only(messages, newest(messages, limit))


@correct(shelf, {**SAFE, **FILLS, "keeps-system": 1.0, "refuses-only-when-needed": 1.0})
def declared_summary(messages: Messages, limit: int) -> Messages:
    """Puts a declared summary for what it dropped behind the system messages, where no batch is open."""
    lead = head(messages)
    kept = newest(messages, limit, forced=range(lead))
    if len(kept) < len(messages) and limit > lead:
        fewer = newest(messages, limit - 1, forced=range(lead))
        if len(fewer) > lead:
            summary = summary_of(len(messages) - len(fewer))
            return [*messages[:lead], summary, *only(messages, fewer - set(range(lead)))]
    return only(messages, kept)


@correct(shelf, {**SAFE, **FILLS, "nothing-invented": 1.0, "deterministic": 1.0})
def marker_at_the_gap(messages: Messages, limit: int) -> Messages:
    """Keeps the first exchange and the newest ones, and puts a declared marker where the others were."""
    groups = exchanges(messages)
    kept = newest(messages, limit)
    if len(kept) == len(messages) or len(groups[0]) + len(groups[-1]) + 1 > limit:
        return only(messages, kept)
    first = groups[0]
    kept = newest(messages, limit - 1, forced=first)
    gap = next(index for index in range(len(messages)) if index not in kept)
    if any(group[0] < gap < group[-1] for group in groups if group[0] in kept):
        return only(messages, newest(messages, limit))
    found = only(messages, kept)
    found.insert(gap, {"role": "user", "content": f"[{len(messages) - len(kept)} skipped]", "inserted": True})
    return found


@correct(shelf, {**ALL})
def results_in_call_order(messages: Messages, limit: int) -> Messages:
    """Puts the results that stand behind a call message into the order of its calls."""
    kept = only(messages, newest(messages, limit))
    if len(kept) == len(messages):
        return kept
    found: Messages = []
    for message in kept:
        place = len(found)
        while message["role"] == "tool" and place and found[place - 1]["role"] == "tool":
            place -= 1
        order = call_ids(found[place - 1]) if message["role"] == "tool" and place else []
        run = [it["tool_call_id"] for it in (*found[place:], message)] if order else []
        found.append(message)
        if run and set(run) <= set(order) and len(set(run)) == len(run) and len(set(order)) == len(order):
            found[place:] = sorted(found[place:], key=lambda it, order=order: order.index(it["tool_call_id"]))
    return found


@correct(shelf, {**SAFE, **FILLS})
def calls_cut_with_their_results(messages: Messages, limit: int) -> Messages:
    """Uses what room is left for part of the next older batch: some of its calls, each with its result."""
    kept = newest(messages, limit)
    left = [group for group in exchanges(messages) if group[0] not in kept]
    room = limit - len(kept)
    if not left or room < 2 or len(left[-1]) < 3 or messages[left[-1][0]].get("summary"):
        return only(messages, kept)
    call, *results = left[-1]
    made = call_ids(messages[call])
    if sorted(made) != sorted(messages[index]["tool_call_id"] for index in results) or len(set(made)) < len(made):
        return only(messages, kept)
    results = results[1 - room :]
    answered = {messages[index]["tool_call_id"] for index in results}
    calls = [made for made in messages[call]["tool_calls"] if made["id"] in answered]
    whole = {**dict(enumerate(messages)), call: {**messages[call], "tool_calls": calls}}
    return [whole[index] for index in sorted((*kept, call, *results))]


@correct(shelf, {**SAFE, **FILLS})
def repaired(messages: Messages, limit: int) -> Messages:
    """Repairs on the way: late results go up behind their call, strays and second results go, open calls are answered.

    The stand-ins are declared. A batch at the very end is left open: its results may still come.
    """
    whole: Messages = []
    groups = sorted(group for group in exchanges(messages) if messages[group[0]]["role"] != "tool")
    for number, (first, *results) in enumerate(groups):
        whole.append(messages[first])
        missing = call_ids(messages[first])
        for index in results:
            if messages[index]["tool_call_id"] in missing:
                missing.remove(messages[index]["tool_call_id"])
                whole.append(messages[index])
        if number + 1 < len(groups):
            whole += [
                {"role": "tool", "tool_call_id": call, "content": "no result", "inserted": True} for call in missing
            ]
    return only(whole, newest(whole, limit))
