"""Judging: what a trim broke, as findings.

The usual trim keeps whole units of its input, untouched and in order. Then every call and result pairs as it did, and
most rules can not be broken: `Evidence.clean` decides that with a handful of operations, and only the rules that such
a trim can still break are asked. All else goes the full way, with the same verdicts.
"""

from collections.abc import Iterable
from functools import lru_cache
from typing import cast

from attrs import frozen

from ...messages.cases import Case, Finding, Outcome, Runs
from ..facts.evidence import NO_RUNS, Evidence, NonemptyForm, RawFinding
from ..rules.registry import MILD, RULES, Rule, rule_named


@frozen
class _Plan:
    """The rules to ask: of any output, of a clean one, and where there is no output."""

    full: tuple[Rule, ...]
    clean: tuple[Rule, ...]
    without_output: tuple[Rule, ...]


@lru_cache(maxsize=256)
def _plan(names: tuple[str, ...], assumed: frozenset[str] = frozenset()) -> _Plan:
    rules = tuple(MILD[name] if name in assumed and name in MILD else rule_named(name) for name in names)
    return _Plan(
        rules, tuple(rule for rule in rules if not rule.settled), tuple(rule for rule in rules if rule.refusals)
    )


_EVERY = tuple(RULES)


def _names(rules: Iterable[str] | None) -> tuple[str, ...]:
    if rules is None:
        return _EVERY
    return cast("tuple[str, ...]", rules) if type(rules) is tuple else tuple(rules)


def judge(
    case: Case,
    outcome: Outcome,
    *,
    rules: Iterable[str] | None = None,
    runs: Runs | None = None,
    nonempty: NonemptyForm = NonemptyForm.LEGAL,
    promises: Iterable[str] = (),
    assumed: frozenset[str] = frozenset(),
    measured: bool = True,
) -> list[Finding]:
    """Return a finding for every rule that an outcome broke, one for each cut by which it was broken.

    `rules` are the names to judge by (all of them when left out; a name that is not known raises `BadName`); `runs`
    are the further runs for the relations. `nonempty` is the form in which nonempty-history is judged: the
    relation, what a bare function is taken to promise, or what the profile's provider would reject. `promises` are what
    the trimmer has to keep beside: only what keeps that too is a legal trim for it. Rules that are `assumed` are judged
    in their mild form where they have one; `measured` says that the unit of the limit is known.
    """
    plan = _plan(_names(rules), assumed)
    evidence = Evidence(
        case, outcome, runs=runs or NO_RUNS, nonempty=nonempty, promises=frozenset(promises), measured=measured
    )
    return _findings(evidence, plan)


def judge_in_full(case: Case, outcome: Outcome, *, rules: Iterable[str] | None = None) -> list[Finding]:
    """Judge without the short way for clean trims. Slower, with the same findings: for tests of `judge`."""
    evidence = Evidence(case, outcome, short_way=False)
    return _findings(evidence, _plan(_names(rules)))


def _findings(evidence: Evidence, plan: _Plan) -> list[Finding]:
    if evidence.outcome.status == "skipped":
        return []
    if evidence.outcome.output is None or evidence.outcome.status != "ok":
        asked = plan.without_output
    else:
        asked = plan.clean if evidence.clean else plan.full
    found: list[Finding] = []
    for rule in asked:
        if raw := rule.check(evidence):
            found.extend(_as_findings(rule, evidence, raw))
    if not found:
        return found
    names = {finding.rule for finding in found}
    by_match = [rule for rule in asked if rule.matches and rule.name in names]
    other = evidence.second_look() if by_match else None
    if other is None:
        return found
    excused = {rule.name for rule in by_match if not any(rule.check(other))}
    return [finding for finding in found if finding.rule not in excused]


def _as_findings(rule: Rule, evidence: Evidence, raw: Iterable[RawFinding]) -> Iterable[Finding]:
    """Return a finding for each cut: of several by one cut the first stands for all."""
    by_cut: dict[str, list[RawFinding]] | None = None
    for one in raw:
        if by_cut is None:
            by_cut = {}
        by_cut.setdefault(one.cut, []).append(one)
    if by_cut is None:
        return ()
    case, outcome = evidence.case, evidence.outcome
    return [
        Finding(
            rule.name,
            cut,
            case,
            outcome,
            messages=broken[0].messages,
            ids=broken[0].ids,
            note=_note(broken[0], len(broken) - 1),
            places=tuple((one.messages, one.ids) for one in broken),
        )
        for cut, broken in by_cut.items()
    ]


def _note(one: RawFinding, others: int) -> str:
    return f"{one.note} (and {others} more)" if others else one.note
