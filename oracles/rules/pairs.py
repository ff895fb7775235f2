"""Pairs: the faults of pairing in one list. Every result behind its call, every call with its result, nothing between.

Calls that the provider runs itself are paired in the same way, but a rule of their own speaks of them: their results
stand inside an assistant message, and client code neither makes nor answers them.
"""

from collections.abc import Iterator

from ..facts.list_faults import Fault, shown
from ..facts.views import FaultRule, View


def _first_assistant(view: View) -> int:
    """Return the index of the first assistant message; the length of the list without one."""
    return next((at for at, message in enumerate(view.history) if message.role == "assistant"), len(view.history))


def _orphans(view: View, *, provider_executed: bool) -> Iterator[Fault]:
    answers = view.reading.answers
    found = [
        index
        for index, answer in enumerate(answers)
        if answer.batch is None and (answer.role == "assistant") == provider_executed
    ]
    anchor = _first_assistant(view) if found and view.profile.anchored and not provider_executed else 0
    for index in found:
        answer = answers[index]
        if answer.message >= anchor:
            note = f"messages[{answer.message}] answers {shown(answer.id)}, but no call of that id stands before it"
            yield Fault("answer", (index,), messages=(answer.message,), ids=(answer.id,), note=note)


def _unanswered(view: View, *, provider_executed: bool) -> Iterator[Fault]:
    reading = view.reading
    for number, pending in reading.open_batches.items():
        for index in reading.batches[number].slots:
            slot = reading.slots[index]
            if slot.answer is None and slot.provider_executed == provider_executed:
                note = f"messages[{slot.message}] calls {shown(slot.id)}, and no result answers it"
                yield Fault("slot", (index,), "open", messages=(slot.message,), ids=(slot.id,), note=note)
                if not pending:
                    yield Fault("slot", (index,), "abandoned", messages=(slot.message,), ids=(slot.id,), note=note)


def _surplus(view: View) -> Iterator[Fault]:
    for index, answer in enumerate(view.reading.answers):
        if answer.surplus:
            note = f"messages[{answer.message}] answers {shown(answer.id)}, which has its result already"
            yield Fault("answer", (index,), messages=(answer.message,), ids=(answer.id,), note=note)


def _interposers(view: View) -> Iterator[Fault]:
    for index, between in view.reading.interposers:
        answer = view.reading.answers[index]
        note = f"messages[{between}] stands between messages[{answer.message}] and the call that it answers"
        yield Fault("between", (index, between), messages=(between, answer.message), ids=(answer.id,), note=note)


def _clashes(view: View) -> Iterator[Fault]:
    slots = view.reading.slots
    for one, other in view.reading.shadows:
        first, second = slots[one], slots[other]
        note = f"messages[{second.message}] calls {shown(second.id)}, an id still in use at messages[{first.message}]"
        yield Fault("slots", (one, other), messages=(first.message, second.message), ids=(second.id,), note=note)


def _empty_ids(view: View) -> Iterator[Fault]:
    for index in dict.fromkeys(slot.message for slot in view.reading.slots if not slot.id):
        note = f"messages[{index}] makes a call with an empty id"
        yield Fault("message", (index,), messages=(index,), ids=("",), note=note)


def _server_pairs(view: View) -> Iterator[Fault]:
    yield from _orphans(view, provider_executed=True)
    yield from _unanswered(view, provider_executed=True)


ORPHANS = FaultRule("no-orphan", lambda view: _orphans(view, provider_executed=False))
UNANSWERED = FaultRule("call-answered", lambda view: _unanswered(view, provider_executed=False))
SERVER_PAIRS = FaultRule("provider-executed-pair", _server_pairs)
SURPLUS = FaultRule("one-result-per-call", _surplus)
INTERPOSERS = FaultRule("result-adjacent", _interposers)
CLASHES = FaultRule("unique-call-id", _clashes)
EMPTY_IDS = FaultRule("nonempty-call-id", _empty_ids)
