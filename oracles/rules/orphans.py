"""Orphans: a result that lost its call, or that is now read as the result of another call.

The first shows in the output alone. The second does not: where ids are used again a result can find an earlier call of
its id, the provider takes the list, and the model reads the wrong answer. So survivors are traced to the calls they
had.
"""

from collections.abc import Callable, Iterable

from ...messages.reading.survivors import same
from ..facts.evidence import Evidence, RawFinding
from ..facts.list_faults import shown
from .pairs import ORPHANS


def no_orphan(evidence: Evidence) -> Iterable[RawFinding]:
    """A result lost its call, or now answers a call that it was not the result of."""
    return lost_results(evidence).values()


def lost_results(evidence: Evidence) -> dict[int, RawFinding]:
    """Return what breaks no-orphan by answer of the output."""
    found: dict[int, RawFinding] | None = evidence.memo.get("lost")
    if found is None:
        orphans = (fault.subject[0] for fault in evidence.introduced(ORPHANS))
        found = {index: orphaned(evidence, index) for index in orphans if not _given(evidence, index)}
        found |= parted(evidence, lambda role: role != "assistant", found)
        evidence.memo["lost"] = found
    return found


def _given(evidence: Evidence, index: int) -> bool:
    """Say whether an orphan of the output was one in the input, even where a server anchor excused it there."""
    source = evidence.answer_origin[index]
    return source is not None and evidence.before.answers[source].orphan


def parted(evidence: Evidence, wanted: Callable[[str], bool], known: dict[int, RawFinding]) -> dict[int, RawFinding]:
    """Return the surviving results whose call message is gone, or that now answer a call of another message.

    Two call messages that are equal are one here: nobody can say which of them a result belongs to.
    """
    before, after, place, origin = evidence.before, evidence.after, evidence.place, evidence.origin
    history = evidence.history
    found: dict[int, RawFinding] = {}
    for source, index in evidence.answer_place.items():
        then, now = before.answers[source], after.answers[index]
        host = None if now.slot is None else origin[after.slots[now.slot].message]
        if then.batch is None or (then.slot is not None and before.slots[then.slot].message == host):
            continue
        if index in known or not wanted(now.role):
            continue
        own = _call_messages(evidence, source)
        if host is not None:
            if host not in own and not any(same(history[host], history[message]) for message in own):
                note = (
                    f"messages[{then.message}] answers {shown(then.id)} of messages[{own[0]}], "
                    f"but is now read as the answer to messages[{host}]"
                )
                found[index] = RawFinding("reordered", (*sorted({own[0], host}), then.message), (then.id,), note)
        elif not any(message in place for message in own):
            found[index] = _call_dropped(then.message, own[0], then.id)
    return found


def _call_messages(evidence: Evidence, source: int) -> tuple[int, ...]:
    """Return the message whose call a result of the input answers; for a surplus one all that it could answer."""
    before = evidence.before
    answer = before.answers[source]
    if answer.slot is not None:
        return (before.slots[answer.slot].message,)
    assert answer.batch is not None
    slots = (before.slots[slot] for slot in before.batches[answer.batch].slots)
    return tuple(dict.fromkeys(slot.message for slot in slots if answer.id in (slot.id, slot.alt_id)))


def _call_dropped(result: int, call: int, call_id: str) -> RawFinding:
    note = f"messages[{result}] answers {shown(call_id)}; its call at messages[{call}] was dropped"
    return RawFinding("call-dropped", (call, result), (call_id,), note)


def orphaned(evidence: Evidence, index: int) -> RawFinding:
    """Say how an orphan of the output came to be one."""
    answer = evidence.after.answers[index]
    at, ids = answer.message, (answer.id,)
    source = evidence.answer_origin[index]
    nothing = f"no call of {shown(answer.id)} stands before it"
    if (arrival := evidence.arrival(at)) is not None:
        return RawFinding(arrival, evidence.inputs(at), ids, f"{evidence.name(at)} is a result, but {nothing}")
    if source is None:
        note = f"{evidence.name(at)} was made to answer another id, and {nothing}"
        return RawFinding("edited", evidence.inputs(at), ids, note)
    call = _call_messages(evidence, source)[0]
    if call not in evidence.place:
        return _call_dropped(evidence.before.answers[source].message, call, answer.id)
    messages = (*evidence.inputs(at), call)
    slot = evidence.before.answers[source].slot
    if slot is not None and slot not in evidence.slot_place:
        renamed = len(evidence.output[evidence.place[call]].calls) == len(evidence.history[call].calls)
        what, cut = ("renamed in", "edited") if renamed else ("cut out of", "call-dropped")
        note = f"{evidence.name(at)} answers {shown(answer.id)}; that call was {what} messages[{call}]"
        return RawFinding(cut, tuple(sorted(messages)), ids, note)
    note = f"{evidence.name(at)} answers {shown(answer.id)}, but no longer stands behind its call at messages[{call}]"
    return RawFinding("reordered", tuple(sorted(messages)), ids, note)
