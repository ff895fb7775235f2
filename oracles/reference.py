"""The reference oracle: no-orphan and no-input-mutation once more, as plainly as the definitions can be written down.

The fast rules read a history once, keep tables and take short cuts. This module does none of that: for every result it
looks through the list again, and for every pair of messages it compares field by field. It knows the message model and
nothing else of this suite, so a mistake in the pairing, in the survivors or in a rule can not hide in both. It is far
too slow for a campaign; generated cases and the examples must get the same verdict from both.

no-orphan, in words. A result is tied to the calls of its id in the latest batch that has one: its *calls*. In a trimmed
list a result is wrong if no call of its id stands before it, unless the same result was that lost in the input already.
It is also wrong if it had calls and the message it answered is gone, or if it now answers a call that was kept of
another message: then it says what another call returned. Two call messages that are equal to a reader are one as far as
this goes, since nobody can tell which of them a result belongs to.
"""

from typing import Any, NamedTuple

from ..messages.model import Call, History, Message

NOT_COMPARED = ("src", "simplified", "inserted", "origin", "injection")


class Result(NamedTuple):
    """One result of a list, and what it answers there.

    `calls` are the messages of its batch that have a call of its id (empty: an orphan); `answers` is the one it answers
    (None: an orphan, or one result too many).
    """

    message: int
    position: int
    id: str
    calls: tuple[int, ...]
    answers: int | None


def orphans(
    history: History,
    output: History,
    *,
    sources: tuple[int | None, ...] | None = None,
    merge_items: bool = False,
    anchored: bool = False,
) -> frozenset[int]:
    """Return the output indexes of the messages with a result that breaks no-orphan; empty when the rule holds.

    `sources` gives for each output message the index of the input message that it is (the same object), None where
    none is shared. `merge_items` reads call messages side by side as one batch. Under `anchored` results in front of
    the first assistant message answer calls that the server remembers.
    """
    origin, copies = origins(history, output, sources)
    before = results(history, batches(history, merge_items=merge_items))
    after = results(output, batches(output, merge_items=merge_items, origins=(history, origin)))
    kept = {origin[place] for place in range(len(output)) if place not in copies}
    anchor = first_assistant(output) if anchored else 0

    wrong: set[int] = set()
    for now in after:
        if output[now.message].role == "assistant":
            continue  # a result inside an assistant message is the provider's own: provider-executed-pair speaks of it
        then = None if now.message in copies else the_same_result(now, origin[now.message], after, before)
        if not now.calls:
            given = then is not None and not then.calls
            if not given and now.message >= anchor:
                wrong.add(now.message)
        if then is not None and then.calls and lost_its_call(now, then, history, origin, copies, kept):
            wrong.add(now.message)
    return frozenset(wrong)


def lost_its_call(
    now: Result,
    then: Result,
    history: History,
    origin: list[int | None],
    copies: set[int],
    kept: set[int | None],
) -> bool:
    """Say whether a surviving result that had calls in the input lost the message it answered, or answers another."""
    its_own = then.calls if then.answers is None else (then.answers,)
    if now.answers is not None and now.answers not in copies:
        host = origin[now.answers]
        if host is not None:
            return not any(host == own or alike(history[host], history[own]) for own in its_own)
    return not any(own in kept for own in its_own)


def the_same_result(now: Result, source: int | None, after: list[Result], before: list[Result]) -> Result | None:
    """Return what a result of the output was in the input: in the source of its message, the same one of its id."""
    if source is None:
        return None
    earlier = [other for other in after if other.message == now.message and other.position < now.position]
    nth = sum(other.id == now.id for other in earlier)
    known = [then for then in before if then.message == source and then.id == now.id]
    return known[nth] if nth < len(known) else None


def first_assistant(history: History) -> int:
    """Return the index of the first assistant message; the length of the list without one."""
    for index, message in enumerate(history):
        if message.role == "assistant":
            return index
    return len(history)


def batches(
    history: History,
    *,
    merge_items: bool,
    origins: tuple[History, list[int | None]] | None = None,
) -> dict[int, int]:
    """Return for each call message the message that opens its batch, which is itself unless call messages are merged.

    With `origins`, the input and where each message came from, survivors of different batches of the input stay apart.
    """
    apart: list[int | None] = [None] * len(history)
    if origins is not None:
        given, origin = origins
        opened = batches(given, merge_items=merge_items)
        apart = [None if source is None else opened.get(source) for source in origin]
    found: dict[int, int] = {}
    for index, message in enumerate(history):
        if not makes_calls(message):
            continue
        found[index] = index
        if not merge_items or index == 0 or message.text:
            continue
        previous = history[index - 1]
        if not makes_calls(previous) or previous.extra.get("inline_results"):
            continue
        mine, its = apart[index], apart[index - 1]
        if mine is None or its is None or mine == its:
            found[index] = found[index - 1]
    return found


def makes_calls(message: Message) -> bool:
    """Say whether a message opens or joins a batch."""
    return message.role == "assistant" and len(message.calls) > 0


def results(history: History, batch_of: dict[int, int]) -> list[Result]:
    """Return every result of a list in order, each tied to the latest batch that has a call of its id."""
    found: list[Result] = []
    taken: set[tuple[int, int]] = set()
    for index, message in enumerate(history):
        for position, wanted in enumerate(answered_ids(message)):
            callers = [
                other
                for other in range(index + 1)
                if other in batch_of and any(wanted in names(call) for call in history[other].calls)
            ]
            calls = tuple(other for other in callers if batch_of[other] == batch_of[callers[-1]])
            answers = None
            for other in reversed(calls):
                free = [
                    place
                    for place, call in enumerate(history[other].calls)
                    if wanted in names(call) and (other, place) not in taken
                ]
                if free:
                    taken.add((other, free[0]))
                    answers = other
                    break
            found.append(Result(index, position, wanted, calls, answers))
    return found


def names(call: Call) -> tuple[str, ...]:
    """Return the ids that a result of this call may give."""
    return (call.id,) if call.alt_id is None else (call.id, call.alt_id)


def answered_ids(message: Message) -> list[str]:
    """Return the id of every result in a message: its own, if it is a tool message, and those of its inline results."""
    ids: list[str] = []
    if message.role == "tool":
        only_approves = "approval_response" in message.extra and not message.call_id
        if not only_approves:
            ids.append(message.call_id or "")
    for entry in message.extra.get("inline_results") or ():
        if isinstance(entry, str):
            ids.append(entry)
        elif hasattr(entry, "get"):
            ids.append(str(entry.get("call_id") or entry.get("id") or ""))
        else:
            ids.append("")
    return ids


def origins(
    history: History, output: History, sources: tuple[int | None, ...] | None
) -> tuple[list[int | None], set[int]]:
    """Return for each output message its input index (None: new), and which output messages are second copies.

    Shared objects settle it where no two input messages are equal. Otherwise it is the alignment in order of greatest
    total likeness, the newest messages first where there is a choice; then what is left in any order; then copies.
    """
    if sources is not None and None not in sources:
        whole = list(sources) == list(range(len(history)))
        if whole or not any(alike(one, other) for index, one in enumerate(history) for other in history[:index]):
            copies = {place for place, source in enumerate(sources) if source in sources[:place]}
            return list(sources), copies

    def likeness(index: int, place: int) -> int:
        if sources is not None and sources[place] == index:
            return 4
        return how_alike(history[index], output[place])

    best: dict[tuple[int, int], tuple[int, tuple[tuple[int, int], ...]]] = {}
    for length in range(len(history) + 1):
        for count in range(len(output) + 1):
            if length == 0 or count == 0:
                best[length, count] = (0, ())
                continue
            index, place = length - 1, count - 1
            choices = [best[length, place], best[index, count]]
            if likeness(index, place):
                total, pairs = best[index, place]
                choices.insert(0, (total + likeness(index, place), (*pairs, (index, place))))
            best[length, count] = max(choices, key=lambda choice: choice[0])
    found: list[int | None] = [None] * len(output)
    for index, place in best[len(history), len(output)][1]:
        found[place] = index

    newest_first = range(len(history) - 1, -1, -1)
    for wanted in (4, 3):
        for place in range(len(output) - 1, -1, -1):
            if found[place] is None:
                free = [index for index in newest_first if index not in found and likeness(index, place) == wanted]
                found[place] = free[0] if free else None
    copies: set[int] = set()
    for place in range(len(output)):
        if found[place] is None:
            equal = [index for index in newest_first if likeness(index, place) == 4]
            if equal:
                found[place] = equal[0]
                copies.add(place)
    return found, copies


def how_alike(one: Message, other: Message) -> int:
    """Return how alike an input message and an output message are: 4 equal, 3 alike, 1 a mere shell, 0 not at all."""
    if other.extra.get("inserted"):
        return 0
    if alike(one, other):
        return 4
    if other.summary or one.role != other.role:
        return 0
    if one.role == "tool" and (one.call_id or "") != (other.call_id or ""):
        return 0
    then, now = one.text or "", other.text or ""
    ids = [call.id for call in other.calls]
    if now and (now[:8] == then[:8] or then.startswith(now)):
        return 3
    if ids and all(wanted in [call.id for call in one.calls] for wanted in ids):
        return 3
    return 1 if not now and not ids else 0


def alike(one: Message, other: Message) -> bool:
    """Say whether a reader sees the same message twice; sizes and bookkeeping are not compared."""
    return read_as(one) == read_as(other)


def read_as(message: Message) -> list[Any]:
    """Return everything of a message that counts when it is compared with another."""
    return [
        message.role,
        message.text or "",
        [fields_of(call) for call in message.calls],
        message.call_id or "",
        message.name,
        message.reasoning,
        message.keep_during_truncation,
        message.summary,
        {key: value for key, value in message.extra.items() if key not in NOT_COMPARED},
    ]


def fields_of(call: Call) -> list[Any]:
    """Return everything that a call says."""
    return [call.id, call.name, call.arguments, call.provider_executed, call.alt_id]


def mutated(before: History, after: History, *, same_objects: bool = True) -> bool:
    """Say whether the input was changed: any field of any message, or the list itself.

    `before` is the input as it was built, `after` as the trimmer left it; `same_objects` says whether the caller's list
    still holds the same objects in the same order.
    """
    if not same_objects or len(before) != len(after):
        return True
    return any(everything_in(one) != everything_in(other) for one, other in zip(before, after, strict=True))


def everything_in(message: Message) -> list[Any]:
    """Return every field of a message, down to the arguments of its calls."""
    return [
        message.role,
        message.text,
        [fields_of(call) for call in message.calls],
        message.call_id,
        message.name,
        message.reasoning,
        message.keep_during_truncation,
        message.summary,
        message.tokens,
        dict(message.extra),
    ]
