"""Faults of a request: everything in it that one provider would reject, or take with a loss.

`lint` finds the faults of a list under a profile. A pack says what its provider does about each; and a few are no
faults under a provider that has a way of its own of saying the same thing.
"""

import re

from attrs import evolve

from ...messages.formats.detect import ReadRequest
from ...messages.model import SYSTEM_ROLES
from ..facts.list_faults import Fault
from ..provider import Pack
from ..rules.contents import unsigned_calls
from ..rules.lint import lint
from ..rules.registry import RULES
from ..rules.requests import undeclared
from .advice import ADVICE
from .references import stood_for

_INDEX = re.compile(r"messages\[(\d+)\]")
"""A message in a note: an index of items there, and said as the path in the file here."""


def faults_of_request(request: ReadRequest, found: Pack) -> tuple[Fault, ...]:
    """Return every fault of a request under a pack, ordered by the first message that it is about."""
    faults = [one for one in lint(request.sent, found.profile) if not _excused(one, request, found)]
    elsewhere = stood_for(faults, request)
    faults = [one for one in faults if one not in elsewhere]
    if "nonempty-history" in found.enforces and _is_empty(request, found):
        faults.append(Fault("list", rule="nonempty-history", note="there is no conversation in it"))
    if "tools-declared" in found.enforces | found.mentions:
        blocks = [index for fault in undeclared(request.sent, request.request) for index in fault.messages]
        lost = {one.messages[0] for one in faults if one.rule == "no-orphan"}
        if any(index not in lost for index in blocks):  # one fault of the request, wherever its history shows it
            note = "calls and results are in its history, and the request declares no tools"
            faults.append(Fault("list", rule="tools-declared", messages=tuple(blocks), note=note))
    if found.profile.signed_calls:
        faults += [evolve(one, rule="reasoning-kept-with-followup") for one in unsigned_calls(request.sent)]
    told = [_under_pack(one, request, found) for one in faults]
    return tuple(sorted(told, key=lambda one: (one.messages[:1] or (0,), one.rule)))


def _is_empty(request: ReadRequest, found: Pack) -> bool:
    if not found.profile.system_outside:
        return not request.sent
    return all(message.role in SYSTEM_ROLES for message in request.sent)


def _excused(one: Fault, request: ReadRequest, found: Pack) -> bool:
    """Say whether this provider has a way of its own of saying what the rule takes for a fault.

    Under every provider, an approval may have been asked for on the server.
    """
    if found.excuses is not None and found.excuses(one, request):
        return True
    if not request.anchored or one.rule != "approval-pair":
        return False
    return any("approval_response" in request.sent[index].extra for index in one.messages)


def _under_pack(one: Fault, request: ReadRequest, found: Pack) -> Fault:
    answer = found.answers.get(one.rule)
    places = tuple(request.sent_where[index] for index in one.messages)
    enforced = RULES[one.rule].kind == "always" or one.rule in found.enforces
    if found.profile.one_response and answer is None:
        enforced = False  # the Responses API pairs by ids alone; of what no source tells nothing is rejected
    fails = enforced if answer is None else answer.severity == "hard"
    note = _INDEX.sub(lambda found: request.sent_where[int(found[1])], one.note)
    return evolve(one, places=places, note=note, fails=fails, answer=answer, advice=ADVICE[one.rule])
