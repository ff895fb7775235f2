"""Safety: a trimmer comes back, without an error, and leaves alone what it was handed."""

from collections.abc import Iterator

from ..facts.evidence import Evidence, RawFinding


def no_input_mutation(evidence: Evidence) -> Iterator[RawFinding]:
    """The input differs before and after, or the caller's list no longer holds the same objects in the same order."""
    outcome = evidence.outcome
    if outcome.mutated:
        at = outcome.mutated[0]
        yield RawFinding("mutated", outcome.mutated, (), f"messages[{at}] was changed in place{_what(evidence, at)}")
    elif outcome.list_changed:
        size = len(evidence.history)
        now = "" if outcome.after is None else f": it had {size} messages, and has {len(outcome.after)}"
        yield RawFinding("mutated", (), (), f"the caller's list was changed{now}")


def _what(evidence: Evidence, at: int) -> str:
    """Name the first field that was changed, where the input could be read afterwards."""
    after = evidence.outcome.after
    if after is None or at >= len(after):
        return ""
    one, other = evidence.history[at], after[at]
    for name in ("role", "text", "calls", "call_id", "name", "reasoning", "keep_during_truncation", "summary", "extra"):
        if getattr(one, name) != getattr(other, name):
            return f": its {name}"
    return ""


def total_no_raise(evidence: Evidence) -> Iterator[RawFinding]:
    """The trimmer raised, crashed, or returned something that is no history; a declared refusal is none of these."""
    outcome = evidence.outcome
    said = outcome.failure.message if outcome.failure else ""
    if outcome.status in ("raised", "protocol-error"):
        name = outcome.failure.type if outcome.failure else outcome.status
        verb = "raised" if outcome.status == "raised" else "answered with no history:"
        what = f"{verb} {name}: {said}" if outcome.status == "raised" else f"{verb} {said}"
        yield RawFinding(f"raised:{name}", (), (), what.rstrip(": "))
    elif outcome.status == "crashed":
        yield RawFinding("crashed", (), (), f"the process died: {said}".rstrip(": "))


def terminates(evidence: Evidence) -> Iterator[RawFinding]:
    """The trimmer did not come back in time."""
    if evidence.outcome.status == "hung":
        said = evidence.outcome.failure.message if evidence.outcome.failure else ""
        yield RawFinding("hung", (), (), said or "the trimmer did not come back")
