"""Rules: the registry. Every name that appears in fixtures, reports and on the command line stands here, once.

A rule reads the evidence of one trim and yields what it finds broken. Judged is not failing: `kind` says when a broken
rule fails a trimmer (always, where the pack in force enforces it, or where it was promised); every rule has a verdict
under every profile.
"""

from collections.abc import Callable, Iterable
from typing import Literal, TypeAlias

from attrs import evolve, field, frozen

from ...messages.errors import BadName
from ..facts.evidence import Evidence, RawFinding
from ..facts.views import FaultRule
from . import (
    answers,
    batches,
    conduct,
    contents,
    keeps,
    limits,
    mild,
    orphans,
    presence,
    relations,
    requests,
    safety,
    shape,
)

RuleKind: TypeAlias = Literal["always", "pack", "promise"]
Group: TypeAlias = Literal["pairing and safety", "shape", "conduct", "limits", "keeps", "relations"]
Check: TypeAlias = Callable[[Evidence], Iterable[RawFinding]]

_KINDS: dict[Group, RuleKind] = {"pairing and safety": "always", "shape": "pack"}


@frozen
class Rule:
    """One rule. `doc` is its definition in a line.

    `runs` names what it needs beside one trim (a field of `Runs`, or the `request`); without that it holds. `refusals`:
    it also speaks of outcomes without an output. `settled`: it cannot be broken by whole units of the input, untouched
    and in order. `matches`: it asks which input message each output message is.
    """

    name: str
    group: Group
    check: Check = field(eq=False, repr=False)
    doc: str = ""
    runs: frozenset[str] = field(default=frozenset(), converter=frozenset, kw_only=True)
    refusals: bool = field(default=False, kw_only=True)
    settled: bool = field(default=False, kw_only=True)
    matches: bool = field(default=True, kw_only=True)

    @property
    def kind(self) -> RuleKind:
        """When a trimmer fails by it: always, where the pack enforces it, or where it was promised."""
        return _KINDS.get(self.group, "promise")


def _first_line(check: Check) -> str:
    return (check.__doc__ or "").strip().partition("\n\n")[0].replace("\n    ", " ")


def _rules(
    group: Group, *rules: tuple[str, Check], refusals: bool = False, settled: bool = False, matches: bool = True
) -> list[Rule]:
    return [
        Rule(name, group, check, _first_line(check), refusals=refusals, settled=settled, matches=matches)
        for name, check in rules
    ]


def _relation(name: str, check: Check, run: str, *, refusals: bool = False) -> Rule:
    return Rule(name, "relations", check, _first_line(check), runs={run}, refusals=refusals, matches=False)


def _needing(what: str, name: str, group: Group, check: Check) -> Rule:
    return Rule(name, group, check, _first_line(check), runs={what})


def _shape(name: str, rule: FaultRule, doc: str, *, settled: bool = False) -> Rule:
    return Rule(name, "shape", shape.shape_check(rule), doc, settled=settled)


_ALL: list[Rule] = [
    *_rules("pairing and safety", ("no-orphan", orphans.no_orphan), settled=True),
    *_rules(
        "pairing and safety",
        ("no-input-mutation", safety.no_input_mutation),
        refusals=True, settled=True, matches=False,
    ),
    *_rules(
        "pairing and safety",
        ("call-answered", answers.call_answered),
        ("result-adjacent", answers.result_adjacent),
        ("batch-atomic", batches.batch_atomic),
        ("one-result-per-call", answers.one_result_per_call),
        ("unique-call-id", answers.unique_call_id),
        ("nonempty-call-id", answers.nonempty_call_id),
        ("nothing-duplicated", conduct.nothing_duplicated),
        ("invented-call", batches.invented_call),
        settled=True,
    ),
    *_rules(
        "pairing and safety",
        ("total-no-raise", safety.total_no_raise),
        ("terminates", safety.terminates),
        refusals=True, settled=True, matches=False,
    ),
    _shape("first-is-user", shape.FIRST_IS_USER, "The conversation does not open on a user message, and did."),
    _shape("alternate-roles", shape.ALTERNATE_ROLES, "Two messages of one role came to stand side by side."),
    _shape("last-is-user-or-tool", shape.LAST_IS_USER_OR_TOOL, "The conversation ends on an assistant, and did not."),
    _shape("call-turn-after-user-or-result", shape.CALL_TURNS, "A call came to stand behind neither user nor result."),
    _shape("assistant-between-tool-and-user", shape.ASSISTANT_BETWEEN, "A user message came right behind a result."),
    _shape("system-once-first", shape.SYSTEM_ONCE_FIRST, "A system message is not first, and was.", settled=True),
    _shape("results-together", shape.RESULTS_TOGETHER, "The results of a step were split over messages.", settled=True),
    _shape("results-before-text", shape.RESULTS_BEFORE_TEXT, "Text came in front of results.", settled=True),
    _shape("result-turn-only-results", shape.ONLY_RESULTS, "Text came into a message of results.", settled=True),
    *_rules(
        "shape",
        ("nonempty-history", presence.nonempty_history),
        ("nonempty-user", presence.nonempty_user),
        matches=False,
    ),
    *_rules(
        "shape",
        ("nonempty-message", contents.nonempty_message),
        ("unique-item-id", contents.unique_item_id),
        ("reasoning-kept-with-followup", contents.reasoning_kept_with_followup),
        ("signed-reasoning-unmodified", contents.signed_reasoning_unmodified),
        ("provider-executed-pair", answers.provider_executed_pair),
        settled=True,
    ),
    *_rules("shape", ("approval-pair", contents.approval_pair)),
    _needing("request", "tools-declared", "shape", requests.tools_declared),
    *_rules(
        "conduct",
        ("order-preserved", conduct.order_preserved),
        ("content-intact", conduct.content_intact),
        ("nothing-invented", conduct.nothing_invented),
        ("truthful-marker", conduct.truthful_marker),
        settled=True,
    ),
    *_rules(
        "conduct",
        ("real-result-not-dropped", conduct.real_result_not_dropped),
        ("no-silent-loss", conduct.no_silent_loss),
    ),
    *_rules("limits", ("within-limit", limits.within_limit), matches=False),
    *_rules(
        "limits",
        ("identity-under-limit", limits.identity_under_limit),
        ("refuses-only-when-needed", limits.refuses_only_when_needed),
        refusals=True, matches=False,
    ),
    Rule(
        "utilisation",
        "limits",
        limits.judged_over_many,
        "The median share that is kept of the most that is legal within the limit is below the promised bound.",
        settled=True, matches=False,
    ),
    *_rules(
        "keeps",
        ("keeps-system", keeps.keeps_system),
        ("keeps-pinned", keeps.keeps_pinned),
        ("keeps-latest-user", keeps.keeps_latest_user),
        ("keeps-newest", keeps.keeps_newest),
        ("keeps-current-turn", keeps.keeps_current_turn),
        ("pending-call-kept", keeps.pending_call_kept),
    ),
    _relation("idempotent", relations.idempotent, "twice"),
    _relation("deterministic", relations.deterministic, "again", refusals=True),
    _relation("monotone", relations.monotone, "larger"),
    *_rules("relations", ("repairs", relations.repairs), ("late-result-safe", relations.late_result_safe)),
    _relation("state-consistent", relations.state_consistent, "stored"),
    _needing("request", "filter-complete", "relations", requests.filter_complete),
]  # fmt: skip

RULES: dict[str, Rule] = {rule.name: rule for rule in _ALL}
"""All rules by name, in the order of the design's table. tools-declared and filter-complete need the request (the list
of tools, the filter), not the history alone: where it is not known they hold."""


MILD: dict[str, Rule] = {
    name: evolve(RULES[name], check=check)
    for name, check in (
        ("order-preserved", mild.order_preserved),
        ("within-limit", mild.within_limit),
        ("identity-under-limit", mild.identity_under_limit),
        ("refuses-only-when-needed", mild.refuses_only_when_needed),
        ("nonempty-history", mild.nonempty_history),
    )
}
"""The rules that have a mild form, in that form: what a bare function is only assumed to promise."""


def rule_named(name: str) -> Rule:
    """Return a rule; an unknown name raises `BadName` with the known ones."""
    try:
        return RULES[name]
    except KeyError:
        raise BadName(f"unknown rule {name!r}", "known: " + ", ".join(RULES)) from None


def promisable() -> tuple[str, ...]:
    """Return the names that can be promised, in table order."""
    return tuple(name for name, rule in RULES.items() if rule.kind == "promise" or name == "nonempty-history")
