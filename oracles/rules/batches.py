"""Batches: the calls of one turn and their results stand or fall together, and no call or result is made up."""

from collections.abc import Iterator

from ...messages.reading.pairing import Batch
from ..facts.evidence import Evidence, RawFinding
from ..facts.list_faults import shown


def batch_atomic(evidence: Evidence) -> Iterator[RawFinding]:
    """A step came out in part: some of its calls or results stayed, others did not.

    Members are the call messages and their paired results, not surplus results, and not what stands between. Where
    messages may be edited, a call may be cut out together with its result; `whole_batch` forbids that.
    """
    place, answer_place = evidence.place, evidence.answer_place
    for batch in evidence.before.batches:
        kept = [message for message in batch.messages if message in place]
        if len(kept) == len(batch.messages):
            yield from _calls_kept(evidence, batch)
        elif kept:
            lost = next(message for message in batch.messages if message not in place)
            note = f"messages[{lost}] was dropped; messages[{kept[0]}] makes the other calls of the same step"
            yield RawFinding("call-dropped", (*sorted({lost, kept[0]}),), _ids(evidence, batch), note)
        else:
            for index in batch.answers:
                answer = evidence.before.answers[index]
                if answer.slot is not None and index in answer_place:
                    call = evidence.before.slots[answer.slot].message
                    note = f"messages[{answer.message}] stayed; the step it belongs to, messages[{call}], was dropped"
                    yield RawFinding("call-dropped", (call, answer.message), (answer.id,), note)
                    break


def _calls_kept(evidence: Evidence, batch: Batch) -> Iterator[RawFinding]:
    """Judge a batch of which every call message survived, call by call."""
    before, after = evidence.before, evidence.after
    filled: list[int] = []
    free: list[int] = []
    for index in batch.slots:
        slot = before.slots[index]
        where = evidence.slot_place.get(index)
        answer = slot.answer
        if where is None:
            if answer is not None and answer in evidence.answer_place:
                result = before.answers[answer].message
                note = (
                    f"{shown(slot.id)} was cut out of messages[{slot.message}]; its result, messages[{result}], stayed"
                )
                yield RawFinding("call-dropped", (slot.message, result), (slot.id,), note)
            elif evidence.profile.whole_batch:
                note = f"the call of {shown(slot.id)} was cut out of messages[{slot.message}], which may not be edited"
                yield RawFinding("edited", (slot.message,), (slot.id,), note)
            continue
        answered = after.slots[where].answer is not None
        (filled if answered and answer is None else free if not answered else []).append(index)
        if answer is not None and not answered:
            result = before.answers[answer].message
            note = f"messages[{slot.message}] stayed; the result of {shown(slot.id)}, messages[{result}], did not"
            cut = "reordered" if answer in evidence.answer_place else "result-dropped"
            yield RawFinding(cut, tuple(sorted({slot.message, result})), (slot.id,), note)
    if filled and free:
        slot = before.slots[filled[0]]
        note = f"{shown(slot.id)} of messages[{slot.message}] came out answered, and other calls of that step open"
        yield RawFinding("invented", (slot.message,), _ids(evidence, batch), note)


def _ids(evidence: Evidence, batch: Batch) -> tuple[str, ...]:
    return tuple(dict.fromkeys(evidence.before.slots[slot].id for slot in batch.slots))


def invented_call(evidence: Evidence) -> Iterator[RawFinding]:
    """A call that nobody made, or a result for a call that was not open; a stand-in for an open call is a repair."""
    for index in evidence.alignment.new:
        message = evidence.output[index]
        if message.calls:
            ids = tuple(call.id for call in message.calls)
            note = f"output[{index}] is new and makes the call {shown(ids[0])}"
            yield RawFinding("invented", (), ids, note)
    yield from _invented_results(evidence)
    for index in evidence.edited:
        source = evidence.origin[index]
        assert source is not None
        known = {name for call in evidence.history[source].calls for name in (call.id, call.alt_id)}
        strange = [call.id for call in evidence.output[index].calls if call.id not in known]
        if strange:
            note = f"messages[{source}] came out with a call {shown(strange[0])} that it never made"
            yield RawFinding("edited", (source,), tuple(strange), note)


def _invented_results(evidence: Evidence) -> Iterator[RawFinding]:
    """Judge results one by one, also where one message bears several.

    One result in and one result out for a call are the same, edited; a result more than there was is new.
    """
    after = evidence.after
    for at in after.answers_of:
        for number in _more_than_there_were(evidence, at):
            answer = after.answers[number]
            source = None if answer.slot is None else evidence.slot_origin[answer.slot]
            slot = None if source is None else evidence.before.slots[source]
            if number in evidence.stand_ins or (slot is not None and slot.answer is None):
                continue
            messages = () if slot is None else (slot.message,)
            what = "is" if evidence.output[at].role == "tool" else "holds"
            note = f"{evidence.name(at)} {what} a new result for {shown(answer.id)}, and answers no call that was open"
            yield RawFinding("invented", messages, (answer.id,), note)


def _more_than_there_were(evidence: Evidence, at: int) -> list[int]:
    """Return the results in an output message that come from none of the input; one with another id was renamed."""
    if at in evidence.alignment.duplicates:
        return []
    unknown = [number for number in evidence.after.answers_of[at] if evidence.answer_origin[number] is None]
    source = evidence.origin[at]
    if source is None or not unknown:
        return unknown
    lost = [number for number in evidence.before.answers_of.get(source, ()) if number not in evidence.answer_place]
    return unknown[len(lost) :]
