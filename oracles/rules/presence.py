"""Presence: something of the conversation comes back, if anything legal fits.

nonempty-history is one rule in several forms (`NonemptyForm`). The relation asks whether the best legal trim has some
conversation; the mild form, which a bare function is taken to promise, only asks for the newest unit; a pack's own form
is what the provider rejects, whatever would have fitted; of a trimmer that is taken to promise the mild form, with the
same mercy as there, so that to withdraw a promise never asks for more. An unknown limit is taken to leave room for
something.
"""

from collections.abc import Iterator

from ...messages.cases import Case
from ...messages.reading.units import opens_turn
from ..best.best import ref
from ..best.legal import closed, forced
from ..facts.evidence import Evidence, RawFinding


def nonempty_history(evidence: Evidence) -> Iterator[RawFinding]:
    """The input has conversation, the output none, and some would have been legal within the limit."""
    if evidence.nonempty.rejected:
        yield from _rejected(evidence)
        return
    conversation = evidence.frame.conversation
    if not conversation or evidence.has_conversation:
        return
    if evidence.nonempty.mild and not _newest_fits(evidence):
        return
    if _some_legal(evidence, conversation):
        note = "nothing of the conversation came back" + _although(evidence.case)
        yield RawFinding("emptied", tuple(sorted(conversation)), (), note)


def nonempty_user(evidence: Evidence) -> Iterator[RawFinding]:
    """The input has a user message, the output none, and one would have been legal within the limit."""
    if not evidence.profile.need_user:
        return
    users = frozenset(at for at, message in enumerate(evidence.history) if opens_turn(message))
    if not users or any(map(opens_turn, evidence.output)):
        return
    if _some_legal(evidence, users):
        note = "no user message came back" + _although(evidence.case)
        yield RawFinding("emptied", tuple(sorted(users)), (), note)


def _rejected(evidence: Evidence) -> Iterator[RawFinding]:
    """Judge as the provider would: no message at all, or no conversation where the system prompt is no message.

    Where nothing legal is within the limit, nobody is blamed: sending nothing and refusing are both honest then.
    """
    if evidence.profile.system_outside:
        left = "nothing but system messages is left, and those are sent apart"
        wanted, note = evidence.frame.conversation, left if evidence.output else "no message is left to send"
        rejected = not evidence.has_conversation
    else:
        wanted, note = frozenset(range(len(evidence.history))), "no message is left to send"
        rejected = not evidence.output
    if evidence.nonempty.mild and not _newest_fits(evidence):
        return
    if rejected and wanted and _some_legal(evidence, frozenset(wanted)):
        yield RawFinding("emptied", tuple(sorted(wanted)), (), note)


def _some_legal(evidence: Evidence, wanted: frozenset[int]) -> bool:
    """Say whether the best legal trim has one of these messages; an unknown limit is taken to leave room for one."""
    if evidence.case.room is None:
        return True
    best = ref(evidence.case)
    return best is not None and not wanted.isdisjoint(best)


def _newest_fits(evidence: Evidence) -> bool:
    """Say whether the newest unit fits, with what is forced, and is of the conversation.

    A system message at the very end is the newest unit too, and a suffix that has room for it alone is no fault. No
    turn at all leaves room for what costs none, but nobody would call it a fault to keep nothing then.
    """
    room, example, limit = evidence.case.room, evidence.case.example, evidence.case.limit
    if room is None:
        return True
    if room < 1 and limit is not None and limit.kind == "turns":
        return False
    if len(example.history) - 1 not in evidence.frame.conversation:
        return False
    parts = example.units
    newest = parts.unit_of[-1]
    units = closed({newest, *forced(example)}, parts)
    return sum(example.costs[at] for unit in units for at in parts.members[unit]) <= room


def _although(case: Case) -> str:
    return "" if case.room is None else f", although some of it is legal within {case.allowed}"
