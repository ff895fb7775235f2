"""Lint: everything that a provider would reject in one list, without asking where it came from."""

from attrs import frozen

from ...messages.model import SYSTEM_ROLES, History
from ...messages.reading.profiles import NEUTRAL, Profile
from ...messages.requests import Request
from ..facts.list_faults import Fault
from ..facts.views import FaultRule, View
from . import contents, pairs, shape
from .requests import undeclared

FAULT_RULES: tuple[FaultRule, ...] = (
    pairs.ORPHANS, pairs.UNANSWERED, pairs.INTERPOSERS, pairs.SURPLUS, pairs.CLASHES, pairs.EMPTY_IDS,
    pairs.SERVER_PAIRS,
    shape.FIRST_IS_USER, shape.ALTERNATE_ROLES, shape.LAST_IS_USER_OR_TOOL, shape.CALL_TURNS, shape.ASSISTANT_BETWEEN,
    shape.SYSTEM_ONCE_FIRST, shape.RESULTS_TOGETHER, shape.RESULTS_BEFORE_TEXT, shape.ONLY_RESULTS,
    contents.EMPTY_MESSAGES, contents.ITEM_IDS, contents.STRANDED_REASONING, contents.APPROVALS,
)  # fmt: skip


@frozen
class Complaint:
    """One fault of a list: the rule, the messages and ids it is about, and a sentence for a person."""

    rule: str
    messages: tuple[int, ...]
    ids: tuple[str, ...]
    note: str


def lint(history: History, profile: Profile = NEUTRAL, request: Request | None = None) -> tuple[Complaint, ...]:
    """Return all faults of a list under a profile, one for each subject, in the order of the rules.

    The neutral profile tolerates a system or user message between a call and its result. Where the rest of the
    `request` is known, its list of tools is looked at as well.
    """
    view = View(history, profile)
    found: list[Complaint] = []
    for rule in FAULT_RULES:
        seen: set[tuple[str, tuple[int, ...]]] = set()
        for fault in rule.faults(view):
            subject = (fault.kind, fault.subject)
            if subject not in seen and not tolerated(rule, fault, view):
                seen.add(subject)
                found.append(Complaint(rule.name, fault.messages, fault.ids, fault.note))
    for fault in () if request is None else undeclared(history, request):
        found.append(Complaint("tools-declared", fault.messages, fault.ids, fault.note))
    return tuple(found)


def tolerated(rule: FaultRule, fault: Fault, view: View) -> bool:
    """Say whether a list may have a fault all the same: a steer between call and result, under the neutral profile."""
    if rule is not pairs.INTERPOSERS or not view.profile.tolerant_lint:
        return False
    role = view.history[fault.subject[1]].role
    return role == "user" or role in SYSTEM_ROLES
