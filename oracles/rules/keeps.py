"""Keeps: what a trimmer promised never to drop."""

from collections.abc import Collection, Iterable, Iterator

from ...messages.reading.survivors import same
from ..facts.evidence import Evidence, RawFinding


def _lost(evidence: Evidence, messages: Collection[int], what: str) -> Iterable[RawFinding]:
    place = evidence.place
    gone = tuple(sorted([at for at in messages if at not in place])) if messages else ()
    return (RawFinding("lost", gone, (), f"messages[{gone[0]}], {what}, is gone"),) if gone else ()


def keeps_system(evidence: Evidence) -> Iterable[RawFinding]:
    """A message of the leading run of system and developer messages is gone."""
    return _lost(evidence, evidence.frame.head, "a leading system message")


def keeps_pinned(evidence: Evidence) -> Iterable[RawFinding]:
    """A pinned message is gone."""
    return _lost(evidence, evidence.frame.pinned, "which is pinned")


def keeps_latest_user(evidence: Evidence) -> Iterable[RawFinding]:
    """The last user message, summaries aside, is gone."""
    latest = evidence.frame.latest_user
    return _lost(evidence, () if latest is None else (latest,), "the latest user message")


def promised_messages(evidence: Evidence) -> frozenset[int]:
    """Return the messages that a trimmer promised to keep, beside the head and the pinned ones."""
    promises, frame, size = evidence.promises, evidence.frame, len(evidence.history)
    found: set[int] = set()
    if "keeps-newest" in promises and size:
        found.add(size - 1)
    if frame.latest_user is not None:
        if "keeps-current-turn" in promises:
            found.update(range(frame.latest_user, size))
        elif "keeps-latest-user" in promises:
            found.add(frame.latest_user)
    return frozenset(found)


def keeps_newest(evidence: Evidence) -> Iterator[RawFinding]:
    """The last message is gone, or was edited."""
    last = len(evidence.history) - 1
    if last < 0:
        return
    where = evidence.place.get(last)
    if where is None:
        yield RawFinding("lost", (last,), (), f"messages[{last}], the newest, is gone")
    elif not same(evidence.history[last], evidence.output[where]):
        yield RawFinding("edited", (last,), (), f"messages[{last}], the newest, was edited")


def keeps_current_turn(evidence: Evidence) -> Iterable[RawFinding]:
    """A message from the last user message on is gone."""
    latest = evidence.frame.latest_user
    turn = () if latest is None else range(latest, len(evidence.history))
    return _lost(evidence, turn, "part of the turn that is running")


def pending_call_kept(evidence: Evidence) -> Iterator[RawFinding]:
    """A message with a call that waits for its result is gone: the result will find no call."""
    before = evidence.before
    for number in before.open_batches:
        for index in before.batches[number].slots:
            slot = before.slots[index]
            if slot.answer is None and not slot.provider_executed and slot.message not in evidence.place:
                note = f"messages[{slot.message}] is gone; its call {slot.id} still waits for a result"
                yield RawFinding("call-dropped", (slot.message,), (slot.id,), note)
