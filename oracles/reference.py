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

from collections.abc import Callable
from typing import Any, NamedTuple

from ..messages.model import Call, History, Message, is_declared_insertion

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
    one_response: bool = False,
    anchored: bool = False,
) -> frozenset[int]:
    """Return the output indexes of the messages with a result that breaks no-orphan; empty when the rule holds.

    `sources` gives for each output message the index of the input message that it is (the same object), None where
    none is shared. `merge_items` reads call messages side by side as one batch, `one_response` those as well between
    which only the model speaks. Under `anchored` results in front of the first assistant message answer calls that the
    server remembers.
    """
    own = matched(history, output, sources, confused=False)
    merging = Merging(merge_items, one_response)
    wrong = wrong_results(history, output, own, merging, anchored)
    if not wrong or sources is None:
        return wrong
    # Of equal messages nobody can say which was kept, so what shared objects say must look wrong as well.
    seen = matched(history, output, sources, confused=True)
    return wrong if wrong_results(history, output, seen, merging, anchored) else frozenset()


class Merging(NamedTuple):
    """Which call messages are of one batch: those side by side, and those with nothing but the model's own between."""

    side_by_side: bool
    one_response: bool


class Origins(NamedTuple):
    """Where each output message comes from (None: it is new), and which output messages are second copies."""

    of: list[int | None]
    copies: set[int]


def wrong_results(
    history: History, output: History, origins: Origins, merging: Merging, anchored: bool
) -> frozenset[int]:
    """Return the output messages with a result that breaks no-orphan, given where every message comes from."""
    before = results(history, batches(history, merging))
    after = results(output, batches(output, merging, origins=(history, origins)))
    anchor = first_assistant(output) if anchored else 0

    wrong: set[int] = set()
    for now in after:
        if output[now.message].role == "assistant":
            continue  # a result inside an assistant message is the provider's own: provider-executed-pair speaks of it
        then = None
        if now.message not in origins.copies:
            then = the_same_result(now, origins.of[now.message], after, before)
        if not now.calls and now.message >= anchor and (then is None or then.calls):
            wrong.add(now.message)
        if then is not None and then.calls and lost_its_call(now, then, history, origins):
            wrong.add(now.message)
    return frozenset(wrong)


def lost_its_call(now: Result, then: Result, history: History, origins: Origins) -> bool:
    """Say whether a surviving result that had calls in the input lost the message it answered, or answers another."""
    its_own = then.calls if then.answers is None else (then.answers,)
    if now.answers is not None and now.answers not in origins.copies:
        host = origins.of[now.answers]
        if host is not None:
            return not any(host == own or alike(history[host], history[own]) for own in its_own)
    kept = [source for place, source in enumerate(origins.of) if place not in origins.copies]
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
    merging: Merging,
    *,
    origins: tuple[History, Origins] | None = None,
) -> dict[int, int]:
    """Return for each call message the message that opens its batch, which is itself unless call messages are merged.

    With `origins`, the input and where each message came from, survivors of different batches of the input stay apart.
    """
    apart: list[int | None] = [None] * len(history)
    if origins is not None:
        given, (sources, _copies) = origins
        opened = batches(given, merging)
        apart = [None if source is None else opened.get(source) for source in sources]
    found: dict[int, int] = {}
    for index, message in enumerate(history):
        if not makes_calls(message):
            continue
        found[index] = index
        joined = None if message.text else goes_on_from(history, index, merging)
        if joined is not None:
            batch = [other for other in found if found[other] == found[joined]]
            known = [apart[other] for other in batch if apart[other] is not None]
            if apart[index] is None or not known or known[0] == apart[index]:
                found[index] = found[joined]
    return found


def goes_on_from(history: History, index: int, merging: Merging) -> int | None:
    """Return the earlier call message whose batch one without text goes on with; None where it opens its own."""
    before = index - 1
    if merging.side_by_side and before >= 0 and makes_calls(history[before]) and not bears_inside(history[before]):
        return before
    if merging.one_response and asks_client(history[index]):
        while before >= 0 and history[before].role in ("assistant", "reasoning"):
            if asks_client(history[before]) and not bears_inside(history[before]):
                return before
            before -= 1
    return None


def asks_client(message: Message) -> bool:
    """Say whether the client is to run one of its calls."""
    return makes_calls(message) and not all(call.provider_executed for call in message.calls)


def bears_inside(message: Message) -> bool:
    """Say whether results stand inside a message."""
    return bool(message.extra.get("inline_results"))


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


def all_differ(history: History) -> bool:
    """Say whether a reader can tell all messages of a list apart."""
    return not any(alike(one, other) for index, one in enumerate(history) for other in history[:index])


def matched(history: History, output: History, sources: tuple[int | None, ...] | None, *, confused: bool) -> Origins:
    """Say where each output message comes from. Objects of the input come from there, a second time as copies.

    Other messages are matched by looks; if `confused`, objects are too, with the messages that are equal to them. Where
    every output message equals another one of the input and no two of those are equal, the order does not matter.
    Else it is the alignment in order of greatest total likeness; where there is a choice, the one whose results are
    with the calls they stand behind, and then the newest messages first;
    then what is left in any order; then what equals a message that is taken: copies.
    """
    distinct = all_differ(history)
    if sources is not None and None not in sources and (distinct or not confused):
        return Origins(list(sources), {place for place, source in enumerate(sources) if source in sources[:place]})

    def likeness(index: int, place: int) -> int:
        value = how_alike(history[index], output[place])
        if sources is not None and sources[place] is not None:
            return 4 if sources[place] == index or (confused and value == 4) else 0
        return value

    places, newest_first = range(len(output)), range(len(history) - 1, -1, -1)
    equals = [[index for index in newest_first if likeness(index, place) == 4] for place in places]
    if distinct and all(equals[place] or declares_itself_new(output[place]) for place in places):
        known = [equal[0] for equal in equals if equal]
        if len(set(known)) == len(known):
            return Origins([equal[0] if equal else None for equal in equals], set())

    askers, answerers = behind_calls(history), behind_calls(output)

    def company(index: int, place: int) -> int:
        one, other = askers[index], answerers[place]
        return 0 if one is None or other is None else likeness(one, other)

    found = in_order(len(history), len(output), likeness, company)
    for wanted in (4, 3):
        for place in reversed(places):
            if found[place] is None:
                free = [index for index in newest_first if index not in found and likeness(index, place) == wanted]
                found[place] = free[0] if free else None
    copies = {place for place in places if found[place] is None and equals[place]}
    return Origins([equals[place][0] if place in copies else found[place] for place in places], copies)


def behind_calls(history: History) -> list[int | None]:
    """Return for each message that bears results the last message in front of it that makes the call of the first."""
    found: list[int | None] = []
    for index, message in enumerate(history):
        wanted = answered_ids(message)[:1]
        makers = [
            other
            for other in range(index)
            if any(each in names(call) for each in wanted for call in history[other].calls)
        ]
        found.append(makers[-1] if makers else None)
    return found


def in_order(
    length: int, count: int, likeness: Callable[[int, int], int], company: Callable[[int, int], int]
) -> list[int | None]:
    """Return for each output message its input index in the alignment that keeps the order and is likest in total.

    Of equal totals it is the one with more company, that is with results matched where their calls are alike too. Then
    it is the one that matches the last two messages, or else leaves out the last one of the output.
    """
    best: dict[tuple[int, int], tuple[tuple[int, int], tuple[tuple[int, int], ...]]] = {}
    for index in range(-1, length):
        for place in range(-1, count):
            if index < 0 or place < 0:
                best[index, place] = ((0, 0), ())
                continue
            choices = [best[index, place - 1], best[index - 1, place]]
            if likeness(index, place):
                (total, met), pairs = best[index - 1, place - 1]
                sums = (total + likeness(index, place), met + company(index, place))
                choices.insert(0, (sums, (*pairs, (index, place))))
            best[index, place] = max(choices, key=lambda choice: choice[0])
    found: list[int | None] = [None] * count
    for index, place in best[length - 1, count - 1][1]:
        found[place] = index
    return found


def how_alike(one: Message, other: Message) -> int:
    """Return how alike an input message and an output message are.

    4 equal, 3 alike, 2 another result of the same id, 1 a mere shell, 0 not at all.
    """
    bears = answered_ids(other)
    if other.extra.get("inserted") and not one.extra.get("inserted") and not bears:
        return 0
    if alike(one, other):
        return 4
    if declares_itself_new(other) or one.role != other.role:
        return 0
    if one.role == "tool" and (one.call_id or "") != (other.call_id or ""):
        return 0
    then, now = one.text or "", other.text or ""
    ids = [call.id for call in other.calls]
    if now and then and (now[:8] == then[:8] or now[-8:] == then[-8:] or then.startswith(now) or now.startswith(then)):
        return 3
    if ids and all(wanted in [call.id for call in one.calls] for wanted in ids):
        return 3
    if bears and not ids:
        if other.role == "tool":
            return 2
        return 3 if all(wanted in answered_ids(one) for wanted in bears) else 0
    return 1 if not now and not ids else 0


def declares_itself_new(message: Message) -> bool:
    """Say whether an output message is a declared summary or marker; a result is none, whatever marks it bears."""
    return is_declared_insertion(message) and not answered_ids(message)


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
