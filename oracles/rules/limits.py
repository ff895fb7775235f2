"""Limits: a trim is within its limit, takes nothing away without need, and does not refuse without need."""

from collections.abc import Iterator
from typing import cast

from ...messages.cases import Case, Outcome
from ...messages.reading.survivors import same
from ..best.best import most, ref
from ..facts.evidence import Evidence, RawFinding
from .keeps import promised_messages


def cost_of_output(case: Case, outcome: Outcome) -> int:
    """Return what an output costs under the case's kind of limit; what is an input message is not counted again."""
    output, sources, example = outcome.output or (), outcome.sources, case.example
    if example.measure is not None:
        return example.together(output)
    if sources is None:
        return sum(map(example.cost, output))
    if None not in sources and not outcome.mutated:
        return sum(map(example.costs.__getitem__, cast("tuple[int, ...]", sources)))
    changed = set(outcome.mutated)
    return sum(
        example.cost(message) if source is None or source in changed else example.costs[source]
        for message, source in zip(output, sources, strict=True)
    )


def within_limit(evidence: Evidence) -> Iterator[RawFinding]:
    """The output costs more than the limit allows; system messages, pins and insertions count."""
    room = evidence.case.room
    if room is None or evidence.outcome.output is None:
        return
    cost = cost_of_output(evidence.case, evidence.outcome)
    if cost > room:
        whole = round(cost + evidence.case.example.base, 2)
        yield RawFinding("over-limit", (), (), f"the output costs {whole}; the limit is {evidence.case.allowed}")


def identity_under_limit(evidence: Evidence) -> Iterator[RawFinding]:
    """A valid input fits, and did not come back message for message."""
    case, outcome = evidence.case, evidence.outcome
    if not case.fits or case.input_class != "valid" or _refused_for_want_of_room(case, outcome):
        return
    if outcome.status == "refused":
        yield RawFinding("refused", (), (), f"refused, although the whole history fits ({of_limit(case)})")
    elif outcome.status == "ok" and not _unchanged(evidence):
        cut, note = difference(evidence)
        yield RawFinding(cut, evidence.gone, (), f"the whole history fits ({of_limit(case)}), but {note}")


def _refused_for_want_of_room(case: Case, outcome: Outcome) -> bool:
    """Say whether a limit that leaves less than 1 was refused: the caller's mistake; an empty list is no better."""
    return outcome.status == "refused" and case.limit is not None and case.limit.value - case.example.base < 1


def _unchanged(evidence: Evidence) -> bool:
    history, output = evidence.history, evidence.output
    return history == output or (len(history) == len(output) and all(map(same, history, output)))


def of_limit(case: Case) -> str:
    """Say what the whole history costs, and what it may."""
    return f"{round(case.example.total + case.example.base, 2)} of {case.allowed}"


def difference(evidence: Evidence) -> tuple[str, str]:
    """Say how an output differs from its input: the cut, and the words for it."""
    if evidence.gone:
        return "lost", f"messages[{evidence.gone[0]}] is gone"
    if evidence.alignment.duplicates:
        return "duplicated", "a message came back twice"
    if evidence.alignment.new:
        return "invented", f"output[{evidence.alignment.new[0]}] was put in"
    if not evidence.alignment.ordered:
        return "reordered", "its messages came back in another order"
    return "edited", f"messages[{evidence.origin[evidence.edited[0]]}] was edited" if evidence.edited else "it differs"


def refuses_only_when_needed(evidence: Evidence) -> Iterator[RawFinding]:
    """Refused, although a legal trim fits that keeps what the trimmer promised to keep."""
    if evidence.outcome.status != "refused" or evidence.case.room is None:
        return
    if _refused_for_want_of_room(evidence.case, evidence.outcome):
        return
    best = ref(evidence.case, promised=promised_messages(evidence))
    if best is not None:
        kept = f"messages {', '.join(map(str, best))}" if best else "the empty list"
        yield RawFinding("refused", best, (), f"refused, although {kept} would be legal within {evidence.case.allowed}")


def utilisation(case: Case, outcome: Outcome) -> float | None:
    """Return what a trim kept of the most that any legal trim keeps, from 0 to 1; None where that says nothing.

    It says something where the input is valid, does not fit, something does, and it was not refused: whether that was
    needed is for refuses-only-when-needed to say. The promise is about the median over many cases.
    """
    room = case.room
    if room is None or room < 1 or case.fits or case.input_class != "valid" or outcome.status != "ok":
        return None
    best = most(case)
    if best <= 0:
        return None
    return min(cost_of_output(case, outcome) / best, 1.0)


def judged_over_many(_evidence: Evidence) -> Iterator[RawFinding]:
    """utilisation has no verdict on one case: it is the median of `utilisation` over all of them."""
    return iter(())
