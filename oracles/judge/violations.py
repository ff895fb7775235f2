"""Violations: everything that one provider would reject, or take with a loss, in a transcript.

`lint` finds the faults of a list under a profile. A pack says what its provider does about each; and a few are no
faults under a provider that has a way of its own of saying the same thing.
"""

import re

from attrs import frozen

from ...messages.formats.detect import ReadRequest
from ...messages.model import SYSTEM_ROLES
from ..provider import Pack, ProviderAnswer
from ..rules.lint import Complaint, lint
from ..rules.registry import RULES
from ..rules.requests import undeclared
from .advice import ADVICE

_INDEX = re.compile(r"messages\[(\d+)\]")
"""A message in a note: an index of items there, and said as the path in the file here."""


@frozen
class Violation:
    """One fault of a list. `places` are paths in the file, `messages` indexes of items, `answer` is the provider's.

    `fails` is false where the provider is known to take it: then it is told, and does not count.
    """

    rule: str
    messages: tuple[int, ...]
    places: tuple[str, ...]
    ids: tuple[str, ...]
    note: str
    fails: bool
    answer: ProviderAnswer | None
    advice: str


def violations_of(transcript: ReadRequest, found: Pack) -> tuple[Violation, ...]:
    """Return every fault of a transcript under a pack, ordered by the first message that it is about."""
    complaints = [one for one in lint(transcript.sent, found.profile) if not _excused(one, transcript, found)]
    if "nonempty-history" in found.enforces and _is_empty(transcript, found):
        complaints.append(Complaint("nonempty-history", (), (), "there is no conversation in it"))
    if "tools-declared" in found.enforces | found.mentions:
        blocks = [index for fault in undeclared(transcript.sent, transcript.request) for index in fault.messages]
        if blocks:  # one fault of the request, wherever its history shows it
            note = "calls and results are in its history, and the request declares no tools"
            complaints.append(Complaint("tools-declared", tuple(blocks), (), note))
    violations = [_violation(one, transcript, found) for one in complaints]
    return tuple(sorted(violations, key=lambda one: (one.messages[:1] or (0,), one.rule)))


def _is_empty(transcript: ReadRequest, found: Pack) -> bool:
    if not found.profile.system_outside:
        return not transcript.sent
    return all(message.role in SYSTEM_ROLES for message in transcript.sent)


def _excused(one: Complaint, transcript: ReadRequest, found: Pack) -> bool:
    """Say whether this provider has a way of its own of saying what the rule takes for a fault.

    Under every provider, an approval may have been asked for on the server, and a call may stand there.
    """
    if found.excuses is not None and found.excuses(one, transcript):
        return True
    if transcript.anchored and one.rule == "approval-pair":
        return any("approval_response" in transcript.sent[index].extra for index in one.messages)
    return transcript.anchored and one.rule == "no-orphan" and transcript.refers


def _violation(one: Complaint, transcript: ReadRequest, found: Pack) -> Violation:
    answer = found.answers.get(one.rule)
    places = tuple(transcript.sent_where[index] for index in one.messages)
    enforced = RULES[one.rule].kind == "always" or one.rule in found.enforces
    fails = enforced if answer is None else answer.severity == "hard"
    note = _INDEX.sub(lambda found: transcript.sent_where[int(found[1])], one.note)
    return Violation(one.rule, one.messages, places, one.ids, note, fails, answer, ADVICE[one.rule])
