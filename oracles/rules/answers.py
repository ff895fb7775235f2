"""Answers: every call keeps its one result, right behind it, under an id of its own.

Each rule asks what the trimmer introduced, and says by which cut: what was open, displaced or doubled before was given.
"""

from collections.abc import Iterable, Iterator

from ..facts.evidence import Evidence, RawFinding
from ..facts.list_faults import Fault, shown
from .orphans import lost_results, orphaned, parted
from .pairs import CLASHES, EMPTY_IDS, INTERPOSERS, SERVER_PAIRS, SURPLUS, UNANSWERED


def call_answered(evidence: Evidence) -> Iterator[RawFinding]:
    """A call has no result, and it had one; or nothing can answer it any more, and something could."""
    return _left_open(evidence, evidence.introduced(UNANSWERED))


def provider_executed_pair(evidence: Evidence) -> Iterator[RawFinding]:
    """A call that the provider ran and its result inside the reply are no longer together."""
    faults = evidence.introduced(SERVER_PAIRS)
    lost = {fault.subject[0]: orphaned(evidence, fault.subject[0]) for fault in faults if fault.kind == "answer"}
    lost |= parted(evidence, lambda role: role == "assistant", lost)
    yield from lost.values()
    yield from _left_open(evidence, [fault for fault in faults if fault.kind == "slot"])


def _left_open(evidence: Evidence, faults: Iterable[Fault]) -> Iterator[RawFinding]:
    details: dict[int, set[str]] = {}
    for fault in faults:
        details.setdefault(fault.subject[0], set()).add(fault.detail)
    for index, detail in details.items():
        yield _unanswered_now(evidence, index) if "open" in detail else _abandoned_now(evidence, index)


def _unanswered_now(evidence: Evidence, index: int) -> RawFinding:
    """Say how a call of the output came to be without a result."""
    slot = evidence.after.slots[index]
    at, ids = slot.message, (slot.id,)
    source = evidence.slot_origin[index]
    if (arrival := evidence.arrival(at)) is not None:
        note = f"{evidence.name(at)} calls {shown(slot.id)}, and no result answers it"
        return RawFinding(arrival, evidence.inputs(at), ids, note)
    answer = None if source is None else evidence.before.slots[source].answer
    if answer is None:
        note = f"{evidence.name(at)} was made to call {shown(slot.id)}, and no result answers that"
        return RawFinding("edited", evidence.inputs(at), ids, note)
    result = evidence.before.answers[answer].message
    messages = tuple(sorted({*evidence.inputs(at), result}))
    calls = f"{evidence.name(at)} calls {shown(slot.id)}; its result at messages[{result}]"
    if answer in evidence.answer_place:
        return RawFinding("reordered", messages, ids, f"{calls} no longer answers it from where it stands")
    if result in evidence.place and evidence.after.answers_of.get(evidence.place[result]):
        return RawFinding("edited", messages, ids, f"{calls} was made to answer another id")
    return RawFinding("result-dropped", messages, ids, f"{calls} was dropped")


def _abandoned_now(evidence: Evidence, index: int) -> RawFinding:
    """Say what stands behind a pending batch now, so that nothing can answer it any more."""
    after = evidence.after
    slot = after.slots[index]
    foreign = [
        at
        for at in range(after.ends[slot.batch] + 1, len(evidence.output))
        if slot.batch not in after.results_of.get(at, ())
    ]
    put = [at for at in foreign if not _stood_behind(evidence, at, slot.message)]
    behind = (put or foreign)[0]
    waits = f"{evidence.name(slot.message)} waits for the result of {shown(slot.id)}"
    if put:
        note = f"{waits}; {evidence.name(behind)} was put behind it, so nothing can answer it any more"
        return RawFinding(evidence.put_there(behind), evidence.inputs(slot.message, behind), (slot.id,), note)
    note = f"{waits}; {evidence.name(behind)} stood behind it as a result of its step, and lost the call it answers"
    return RawFinding("call-dropped", evidence.inputs(slot.message, behind), (slot.id,), note)


def _stood_behind(evidence: Evidence, at: int, call: int) -> bool:
    """Say whether a survivor stood behind a call message in the input already."""
    source, own = evidence.origin[at], evidence.origin[call]
    return source is not None and own is not None and source > own


def one_result_per_call(evidence: Evidence) -> Iterator[RawFinding]:
    """A call has more results than one, and had not."""
    after = evidence.after
    for fault in evidence.introduced(SURPLUS):
        index = fault.subject[0]
        if index in lost_results(evidence):
            continue
        answer = after.answers[index]
        assert answer.batch is not None
        rivals = [
            after.answers[other].message
            for other in after.batches[answer.batch].answers
            if after.answers[other].id == answer.id and other != index
        ]
        arrivals = {evidence.arrival(at) for at in (answer.message, *rivals)}
        if "duplicated" in arrivals:
            cut = "duplicated"
        elif "invented" in arrivals:
            cut = "invented"
        else:
            cut = "call-dropped" if _was_cut_out(evidence, answer.id) else "reordered"
        others = ", ".join(dict.fromkeys(map(evidence.name, rivals))) or "another result"
        note = f"{evidence.name(answer.message)} answers {shown(answer.id)}, which {others} answers already"
        yield RawFinding(cut, evidence.inputs(answer.message, *rivals), (answer.id,), note)


def _was_cut_out(evidence: Evidence, call_id: str) -> bool:
    """Say whether a call of this id was cut out of a message that stayed."""
    return any(
        slot.id == call_id and slot.message in evidence.place and index not in evidence.slot_place
        for index, slot in enumerate(evidence.before.slots)
    )


def result_adjacent(evidence: Evidence) -> Iterator[RawFinding]:
    """A message stands between a call and its result that did not stand between them before."""
    after = evidence.after
    for fault in evidence.introduced(INTERPOSERS):
        index, between = fault.subject
        answer = after.answers[index]
        if evidence.arrival(between) or evidence.arrival(answer.message):
            cut = evidence.put_there(between if evidence.arrival(between) else answer.message)
        elif index in lost_results(evidence):
            cut = lost_results(evidence)[index].cut
        else:
            cut = "reordered" if not evidence.alignment.ordered else "call-dropped"
        note = (
            f"{evidence.name(between)} stands between {evidence.name(answer.message)} "
            f"and the call of {shown(answer.id)} that it answers"
        )
        yield RawFinding(cut, evidence.inputs(between, answer.message), (answer.id,), note)


def unique_call_id(evidence: Evidence) -> Iterator[RawFinding]:
    """Two calls share an id that is in use, and one of them did not have it before."""
    after, before = evidence.after, evidence.before
    for fault in CLASHES.faults(evidence.out):
        culprits = [
            slot
            for slot in fault.subject
            if (source := evidence.slot_origin[slot]) is None
            or {after.slots[slot].id, after.slots[slot].alt_id} - {before.slots[source].id, before.slots[source].alt_id}
        ]
        if not culprits:
            continue
        first, second = (after.slots[slot].message for slot in fault.subject)
        cut = evidence.arrival(after.slots[culprits[-1]].message) or "edited"
        note = f"{evidence.name(second)} calls {shown(fault.ids[0])}, an id still in use at {evidence.name(first)}"
        yield RawFinding(cut, evidence.inputs(first, second), fault.ids, note)


def nonempty_call_id(evidence: Evidence) -> Iterator[RawFinding]:
    """A message makes a call with an empty id, and did not before."""
    for fault in evidence.introduced(EMPTY_IDS):
        at = fault.subject[0]
        cut = evidence.arrival(at) or "edited"
        yield RawFinding(cut, evidence.inputs(at), ("",), f"{evidence.name(at)} makes a call with an empty id")
