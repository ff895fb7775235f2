"""Violations: everything that one provider would reject, or take with a loss, in a transcript.

`lint` finds the faults of a list under a profile. A pack says what its provider does about each; and a few are no
faults under a provider that has a way of its own of saying the same thing.
"""

import re

from attrs import frozen

from ...messages.formats.detect import Transcript
from ...messages.model import SYSTEM_ROLES
from ..packs import Entry, Pack
from ..rules.contents import unsigned_calls
from ..rules.lint import Complaint, lint
from ..rules.registry import RULES
from ..rules.requests import undeclared
from .advice import ADVICE
from .references import stood_for

_INDEX = re.compile(r"messages\[(\d+)\]")
"""A message in a note: an index of items there, and said as the path in the file here."""


@frozen
class Violation:
    """One fault of a list. `places` are paths in the file, `messages` indexes of items, `entry` what the provider does.

    `fails` is false where the provider is known to take it: then it is told, and does not count.
    """

    rule: str
    messages: tuple[int, ...]
    places: tuple[str, ...]
    ids: tuple[str, ...]
    note: str
    fails: bool
    entry: Entry | None
    advice: str


def violations_of(transcript: Transcript, found: Pack) -> tuple[Violation, ...]:
    """Return every fault of a transcript under a pack, ordered by the first message that it is about."""
    complaints = [one for one in lint(transcript.sent, found.profile) if not _excused(one, transcript, found)]
    elsewhere = stood_for(complaints, transcript.items)
    complaints = [one for one in complaints if one not in elsewhere]
    if "nonempty-history" in found.enforces and _is_empty(transcript, found):
        complaints.append(Complaint("nonempty-history", (), (), "there is no conversation in it"))
    if found.name in ("neutral", "strict") or "tools-declared" in found.entries:
        blocks = [index for fault in undeclared(transcript.sent, transcript.request) for index in fault.messages]
        lost = {one.messages[0] for one in complaints if one.rule == "no-orphan"}
        if any(index not in lost for index in blocks):  # one fault of the request, wherever its history shows it
            note = "calls and results are in its history, and the request declares no tools"
            complaints.append(Complaint("tools-declared", tuple(blocks), (), note))
    if found.profile.signed_calls:
        for fault in unsigned_calls(transcript.sent):
            complaints.append(Complaint("reasoning-kept-with-followup", fault.messages, fault.ids, fault.note))
    violations = [_violation(one, transcript, found) for one in complaints]
    return tuple(sorted(violations, key=lambda one: (one.messages[:1] or (0,), one.rule)))


def _is_empty(transcript: Transcript, found: Pack) -> bool:
    if not found.profile.system_outside:
        return not transcript.sent
    return all(message.role in SYSTEM_ROLES for message in transcript.sent)


def _excused(one: Complaint, transcript: Transcript, found: Pack) -> bool:
    """Say whether this provider has a way of its own of saying what the rule takes for a fault.

    Gemini pairs calls without ids by their order; an approval may have been asked for on the server; and a call that
    the AI SDK asks an approval for is answered when that has been given.
    """
    base = found.name.partition("@")[0]
    extras = [transcript.sent[index].extra for index in one.messages]
    if base == "gemini" and one.rule in ("nonempty-call-id", "unique-call-id"):
        return not any(one.ids)
    if transcript.anchored and one.rule == "approval-pair":
        return any("approval_response" in extra for extra in extras)
    if base == "ai-sdk" and one.rule == "call-answered":
        given = {message.extra.get("approval_response") for message in transcript.sent}
        return any(extra.get("approval_request") in given - {None} for extra in extras)
    if base == "ai-sdk" and one.rule == "result-adjacent":
        return "approval_response" in extras[0]
    return False


def _violation(one: Complaint, transcript: Transcript, found: Pack) -> Violation:
    entry = found.entries.get(one.rule)
    places = tuple(transcript.sent_where[index] for index in one.messages)
    enforced = RULES[one.rule].kind == "always" or one.rule in found.enforces
    if found.profile.one_response and entry is None:
        enforced = False  # the Responses API pairs by ids alone; of what no source tells nothing is rejected
    fails = enforced if entry is None else entry.severity == "hard"
    note = _INDEX.sub(lambda found: transcript.sent_where[int(found[1])], one.note)
    return Violation(one.rule, one.messages, places, one.ids, note, fails, entry, ADVICE[one.rule])
