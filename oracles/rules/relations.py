"""Relations: what further runs, or a result that comes later, must agree with."""

from collections.abc import Iterator, Sequence
from typing import cast

from attrs import evolve

from ...messages.cases import Case, Example, Outcome
from ...messages.model import History, Message
from ...messages.reading.survivors import align, same
from ..facts.evidence import Breach, Evidence
from ..facts.list_faults import Fault, shown
from ..facts.views import FaultRule, View
from .contents import APPROVALS
from .limits import cost_of_output
from .lint import tolerated
from .orphans import no_orphan
from .pairs import CLASHES, EMPTY_IDS, INTERPOSERS, ORPHANS, SERVER_PAIRS, SURPLUS, UNANSWERED

# Further runs


def idempotent(evidence: Evidence) -> Iterator[Breach]:
    """The trim of a trim is not the trim."""
    return _differs(evidence.outcome, evidence.runs.twice, "trimming the output again")


def deterministic(evidence: Evidence) -> Iterator[Breach]:
    """The same case came out differently the second time."""
    return _differs(evidence.outcome, evidence.runs.again, "the same trim once more")


def state_consistent(evidence: Evidence) -> Iterator[Breach]:
    """What is stored, saved or reloaded is not what was sent."""
    return _differs(evidence.outcome, evidence.runs.stored, "what was stored")


def _differs(one: Outcome, other: Outcome | None, what: str) -> Iterator[Breach]:
    if other is None or one.status == "skipped" or other.status == "skipped":
        return
    if other.status != one.status:
        name = other.failure.type if other.failure and other.status == "raised" else other.status
        cut = {"ok": "refused" if one.status == "refused" else "invented"}.get(other.status, other.status)
        if other.status in ("raised", "protocol-error"):
            cut = f"raised:{name}"
        yield Breach(cut, (), (), f"{what} gives {name}, and not {one.status}")
    elif one.output is not None and other.output is not None and not _equal(one.output, other.output):
        cut, note = _how(one.output, other.output)
        yield Breach(cut, (), (), f"{what} gives another list: {note}")


def _equal(one: History, other: History) -> bool:
    return one == other or (len(one) == len(other) and all(map(same, one, other)))


def _how(one: History, other: History) -> tuple[str, str]:
    alignment = align(one, other)
    missing = [index for index in range(len(one)) if index not in alignment.place]
    if alignment.new:
        return "invented", f"its message {alignment.new[0]} is new"
    if alignment.duplicates:
        return "duplicated", f"its message {min(alignment.duplicates)} is a second copy"
    if missing:
        return "lost", f"message {missing[0]} of the output is gone"
    return ("edited", "a message was edited") if alignment.ordered else ("reordered", "the order is another")


def monotone(evidence: Evidence) -> Iterator[Breach]:
    """A larger limit keeps less, in what the limit counts."""
    larger = evidence.runs.larger
    if larger is None or evidence.outcome.output is None:
        return
    case, outcome = larger
    here = cost_of_output(evidence.case, evidence.outcome)
    if outcome.status == "refused":
        if here:
            yield Breach("refused", (), (), f"keeps {here}, and refuses at the larger limit {_value(case)}")
    elif outcome.output is not None:
        there = cost_of_output(case, outcome)
        if there < here:
            yield Breach("lost", (), (), f"keeps {here}, but only {there} at the larger limit {_value(case)}")


def _value(case: Case) -> str:
    return "" if case.limit is None else str(case.limit.value)


# A result that comes after the trim


def late_result_safe(evidence: Evidence) -> Iterator[Breach]:
    """The result of a call that was in flight, appended to both lists, finds no call."""
    before = evidence.before
    pending = [number for number, waits in before.open_batches.items() if waits]
    slots = [before.slots[slot] for number in pending for slot in before.batches[number].slots]
    slots = [slot for slot in slots if slot.answer is None and not slot.provider_executed]
    if not slots or (evidence.clean and all(slot.message in evidence.place for slot in slots)):
        return
    ids = [slot.id for slot in slots]
    yield from lost_when_late(evidence, ids)


def lost_when_late(evidence: Evidence, ids: Sequence[str]) -> Iterator[Breach]:
    """Append the results of these calls to both lists, and yield what no-orphan says of them."""
    size = len(evidence.history)
    case, outcome = with_late(evidence, ids)
    for breach in no_orphan(Evidence(case, outcome)):
        if any(at >= size for at in breach.messages):
            calls = tuple(at for at in breach.messages if at < size)
            late = f"the result of {shown(breach.ids[0])}, coming after the trim, finds"
            if breach.cut == "call-dropped" and calls:
                found = f"no call: messages[{calls[0]}] was dropped"
            else:
                found = "another call" if len(calls) > 1 else "no call"
            yield Breach(breach.cut, calls, breach.ids, f"{late} {found}")


def with_late(evidence: Evidence, ids: Sequence[str]) -> tuple[Case, Outcome]:
    """Return the case and the outcome with the results of these calls appended to the input and to the output."""
    late = tuple(Message("tool", f"late result {number}", call_id=call_id) for number, call_id in enumerate(ids))
    example = evidence.case.example
    size = len(example.history)
    longer = Example(example.history + late, profile=example.profile, cost=example.cost)
    sources = (*evidence.alignment.sources, *range(size, size + len(late)))
    outcome = evolve(evidence.outcome, output=evidence.output + late, sources=sources)
    return evolve(evidence.case, example=longer), outcome


# Repairs


_MENDED: tuple[tuple[FaultRule, str], ...] = (
    (ORPHANS, "call-dropped"),
    (UNANSWERED, "result-dropped"),
    (SERVER_PAIRS, "call-dropped"),
    (SURPLUS, "duplicated"),
    (INTERPOSERS, "inserted-between"),
    (CLASHES, "duplicated"),
    (EMPTY_IDS, "edited"),
    (APPROVALS, "lost"),
)
_KNOWN = "relations.unmended"


def repairs(evidence: Evidence) -> Iterator[Breach]:
    """The output still has a fault of pairing, adjacency or approvals, given or not."""
    if evidence.clean and _pairs_alone(evidence):
        place = evidence.place
        for cut, fault in _unmended_input(evidence):
            if all(at in place for at in fault.messages):
                yield Breach(cut, fault.messages, fault.ids, f"still there: {fault.note}")
        return
    for cut, fault in _unmended(View(evidence.output, evidence.profile)):
        yield Breach(cut, evidence.inputs(*fault.messages), fault.ids, f"still there: {evidence.retold(fault)}")


def _pairs_alone(evidence: Evidence) -> bool:
    """Say whether the faults of a clean trim are those of the input among the messages that stayed.

    A server anchor, a call message that comes to stand beside another one's, an id that is shadowed more than once and
    an approval that is asked for twice can make others of them.
    """
    profile, before = evidence.profile, evidence.before
    in_place = before.input_class in ("valid", "pending") or not profile.merge_items
    return in_place and not profile.anchored and not before.shadows and not evidence.frame.has_approvals


def _unmended_input(evidence: Evidence) -> tuple[tuple[str, Fault], ...]:
    memo = evidence.case.example.memo
    if _KNOWN not in memo:
        memo[_KNOWN] = tuple(_unmended(evidence.frame.view))
    return cast("tuple[tuple[str, Fault], ...]", memo[_KNOWN])


def _unmended(view: View) -> Iterator[tuple[str, Fault]]:
    for rule, cut in _MENDED:
        for fault in rule.faults(view):
            if fault.detail != "abandoned" and not tolerated(rule, fault, view):
                yield cut, fault
