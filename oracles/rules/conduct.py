"""Conduct: what stays is what it was, where it was, once; what goes is not hidden."""

import re
from collections.abc import Collection, Iterator, Mapping

from ...messages.model import Message, is_declared_insertion
from ...messages.reading.pairing import Reading, result_texts
from ...messages.reading.survivors import likeness, texts_alike
from ..facts.evidence import Evidence, RawFinding
from ..facts.list_faults import shown


def nothing_duplicated(evidence: Evidence) -> Iterator[RawFinding]:
    """A message came back twice."""
    for index in sorted(evidence.alignment.duplicates):
        messages = evidence.inputs(index)
        yield RawFinding("duplicated", messages, (), f"output[{index}] is a second copy of messages[{messages[0]}]")


def nothing_invented(evidence: Evidence) -> Iterator[RawFinding]:
    """A new message came back that does not declare itself a summary or a marker."""
    for index in evidence.alignment.new:
        if not is_declared_insertion(evidence.output[index]) and not _only_stands_in(evidence, index):
            yield RawFinding("invented", (), (), f"output[{index}] is no message of the input, and is not declared")


def _only_stands_in(evidence: Evidence, index: int) -> bool:
    """Say whether a message bears nothing but results in the place of those that its calls had."""
    message = evidence.output[index]
    answers = evidence.after.answers_of.get(index, ())
    if not answers or message.calls or (message.role != "tool" and message.text):
        return False
    return all(answer in evidence.stand_ins for answer in answers)


def content_intact(evidence: Evidence) -> Iterator[RawFinding]:
    """A message that stayed was edited; `simplified` declares an edit, and so does a mark on a replaced result."""
    for index in evidence.edited:
        messages = evidence.inputs(index)
        if not _declares_its_edit(evidence.history[messages[0]], evidence.output[index]):
            yield RawFinding("edited", messages, (), f"messages[{messages[0]}] came back with other content")


def _declares_its_edit(source: Message, message: Message) -> bool:
    if message.extra.get("simplified"):
        return True
    marked = is_declared_insertion(message) and not is_declared_insertion(source)
    return marked and likeness(source, message) == 2


def order_preserved(evidence: Evidence) -> Iterator[RawFinding]:
    """A message stands behind one that came later in the input.

    Allowed are repairs: a displaced or orphaned result that now stands with its call, and results of one batch that
    were put into the order of their calls.
    """
    return order_findings(evidence)


def order_findings(evidence: Evidence, *, aside: Collection[int] = ()) -> Iterator[RawFinding]:
    """Yield what order-preserved finds; input messages that are put `aside` may stand anywhere."""
    if evidence.alignment.ordered:
        return
    before = evidence.before
    pulled = _pulled_up(evidence)
    top: tuple[int, int | None] = (-1, None)
    runner_up = -1  # the latest that came by so far and is no result of the batch of `top`
    results: dict[int, list[tuple[int, int]]] = {}
    for source, index in evidence.place.items():
        if index in pulled or source in aside:
            continue
        batch, slot = _result_of(before, source)
        own = batch is not None and batch == top[1]
        other = runner_up if own else top[0]
        if batch is not None:
            siblings = results.setdefault(batch, [])
            other = max([other, *(its for its, place in siblings if place > slot)])
            siblings.append((source, slot))
        if other > source:
            note = f"messages[{source}] came out behind messages[{other}], which it stood in front of"
            yield RawFinding("reordered", (source, other), (), note)
        if source > top[0]:
            runner_up = runner_up if own else top[0]
            top = (source, batch)
        elif not own:
            runner_up = max(runner_up, source)


def _result_of(reading: Reading, message: int) -> tuple[int | None, int]:
    """Return the batch and the call that a message is the one result of; no batch for any other message."""
    answers = reading.answers_of.get(message, ())
    if len(answers) != 1:
        return None, -1
    answer = reading.answers[answers[0]]
    return (None, -1) if answer.slot is None else (answer.batch, answer.slot)


def _pulled_up(evidence: Evidence) -> set[int]:
    """Return the output messages whose results were displaced or orphans, and now stand with their call."""
    strayed = {index for index, _ in evidence.before.interposers}
    strayed |= {index for index, answer in enumerate(evidence.before.answers) if answer.orphan}
    after = evidence.after
    displaced = {index for index, _ in after.interposers}
    return {
        at
        for at, answers in after.answers_of.items()
        if all(
            evidence.answer_origin[index] in strayed
            and after.answers[index].slot is not None
            and index not in displaced
            for index in answers
        )
    }


def real_result_not_dropped(evidence: Evidence) -> Iterator[RawFinding]:
    """A result went missing or was replaced while its call stayed, or went although everything fits.

    Here alone ids are compared without the blanks around them. Behind a server anchor a leading result is real as well.
    """
    before = evidence.frame.without_blanks
    may_go = not evidence.case.fits or len(evidence.place) == len(evidence.history)
    if may_go and evidence.clean and before is evidence.before:
        return
    anchor = _leading(before) if evidence.profile.anchored else 0
    place = {**{result: index for index, result in evidence.stand_ins.items()}, **evidence.answer_place}
    for index, answer in enumerate(before.answers):
        if answer.role == "assistant" or (answer.slot is None and not (answer.orphan and answer.message < anchor)):
            continue
        at, result = answer.message, f"messages[{answer.message}], the result of {shown(answer.id)}"
        call_stays = answer.slot is not None and _call_stays(evidence, answer.slot)
        where = _where(evidence, index, place)
        if where is None:
            if call_stays or evidence.case.fits:
                why = "its call stayed" if call_stays else "everything fits"
                yield RawFinding("result-dropped", (at,), (answer.id,), f"{result}, was dropped, although {why}")
        elif call_stays and _replaced(evidence, index, where):
            yield RawFinding("edited", (at,), (answer.id,), f"{result}, came back with another text in its place")


def _where(evidence: Evidence, result: int, place: Mapping[int, int]) -> tuple[int, int] | None:
    """Return the output message in which a result of the input, or what stands in its place, is, and where in it."""
    if result in place:
        found = evidence.after.answers[place[result]]
        return found.message, found.position
    answer = evidence.before.answers[result]
    return (evidence.place[answer.message], 0) if answer.role == "tool" and answer.message in evidence.place else None


def _replaced(evidence: Evidence, result: int, where: tuple[int, int]) -> bool:
    """Say whether a result has another text, not one that was cut."""
    answer = evidence.before.answers[result]
    before = result_texts(evidence.history[answer.message])[answer.position]
    texts = result_texts(evidence.output[where[0]])
    after = texts[where[1]] if where[1] < len(texts) else ""
    return before != after and not texts_alike(before, after)


def _leading(reading: Reading) -> int:
    roles = (index for index, message in enumerate(reading.history) if message.role == "assistant")
    return next(roles, len(reading.history))


def _call_stays(evidence: Evidence, slot: int) -> bool:
    call = evidence.before.slots[slot]
    where = evidence.place.get(call.message)
    if where is None:
        return False
    return slot in evidence.slot_place or any(
        other.id.strip() == call.id.strip() for other in evidence.output[where].calls
    )


def no_silent_loss(evidence: Evidence) -> Iterator[RawFinding]:
    """Something is gone, and nothing in the output says so."""
    if len(evidence.place) == len(evidence.history):
        return
    gone = evidence.gone
    new = () if evidence.exact is not None else evidence.alignment.new
    if not any(is_declared_insertion(evidence.output[index]) for index in new):
        note = f"messages[{gone[0]}] is gone, and nothing in the output says so"
        yield RawFinding("lost", gone, (), note)


def truthful_marker(evidence: Evidence) -> Iterator[RawFinding]:
    """The first number in an inserted marker is not the number of messages that are gone."""
    for index in evidence.alignment.new:
        marker = evidence.output[index]
        number = re.search(r"\d+", marker.text or "") if marker.extra.get("inserted") else None
        if number is not None and int(number[0]) != len(evidence.gone):
            note = f"output[{index}] says {number[0]}; {len(evidence.gone)} messages are gone"
            yield RawFinding("invented", evidence.gone, (), note)
