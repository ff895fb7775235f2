"""The table of examples: every recorded case gets its verdict from the same rules that judge a campaign.

For no-orphan and no-input-mutation the reference oracle is asked as well, which shares no code with the fast rules.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from attrs import evolve, field, frozen

from ...messages.cases import Case, Finding, Outcome, Runs
from ...messages.errors import BadFile
from ...messages.limits import Limit
from ...messages.model import History
from .. import reference
from ..facts.evidence import Evidence
from ..judging.judging import judge
from ..rules.limits import utilisation
from ..rules.registry import RULES
from ..rules.relations import lost_when_late, with_late
from .recorded import RecordedCase, RecordedVerdict, read_recorded_case


@frozen
class Verdict:
    """What the rules say of one recorded case. `judged` is None for a rule that is not covered."""

    recorded: RecordedCase
    judged: RecordedVerdict | None
    reference: RecordedVerdict | None = None
    findings: tuple[Finding, ...] = field(default=(), kw_only=True)

    @property
    def covered(self) -> bool:
        """Whether there is such a rule."""
        return self.judged is not None

    @property
    def agrees(self) -> bool:
        """Whether the fast rules, and the reference oracle where it was asked, say what the recorded case expects."""
        return self.judged == self.recorded.verdict and self.reference in (None, self.recorded.verdict)


@frozen
class RuleAgreement:
    """The recorded cases of one rule: how many there are, and those whose verdict is another than they expect."""

    rule: str
    verdicts: tuple[Verdict, ...]

    @property
    def covered(self) -> bool:
        """Whether the rule is known here."""
        return self.rule in RULES

    @property
    def agreed(self) -> int:
        """How many verdicts are as expected."""
        return sum(verdict.agrees for verdict in self.verdicts)

    @property
    def by_reference(self) -> int:
        """How many were judged by the reference oracle as well."""
        return sum(verdict.reference is not None for verdict in self.verdicts)

    @property
    def disagreements(self) -> tuple[Verdict, ...]:
        """The verdicts that are not as expected; none where the rule is not covered."""
        return tuple(verdict for verdict in self.verdicts if verdict.covered and not verdict.agrees)


def agreement(cases: Iterable[RecordedCase | Mapping[str, Any]]) -> list[RuleAgreement]:
    """Judge recorded cases and return a row for each rule among them, covered ones first, in the order of the rules."""
    verdicts: dict[str, list[Verdict]] = {}
    for case in cases:
        verdict = judge_example(case)
        verdicts.setdefault(verdict.recorded.rule, []).append(verdict)
    known = [name for name in RULES if name in verdicts]
    unknown = sorted(set(verdicts) - set(known))
    return [RuleAgreement(name, tuple(verdicts[name])) for name in (*known, *unknown)]


def judge_example(given: RecordedCase | Mapping[str, Any]) -> Verdict:
    """Judge one recorded case by its rule; raises `BadFile` where it cannot be read or lacks what its rule needs."""
    recorded = given if isinstance(given, RecordedCase) else read_recorded_case(given)
    if recorded.rule not in RULES:
        return Verdict(recorded, None)
    if recorded.rule == "utilisation":
        return _utilisation(recorded)
    case, outcome = recorded.case, recorded.outcome
    if recorded.late is not None and outcome.output is not None:
        if recorded.rule == "late-result-safe":
            broken = bool(recorded.late) and any(lost_when_late(Evidence(case, outcome), recorded.late))
            return Verdict(recorded, _answer(broken))
        if recorded.rule != "pending-call-kept":
            case, outcome = with_late(Evidence(case, outcome), recorded.late)
            outcome = evolve(outcome, sources=None)
    found = judge(case, outcome, rules=(recorded.rule,), runs=_runs(recorded))
    return Verdict(recorded, _answer(bool(found)), _second_opinion(recorded.rule, case, outcome), findings=tuple(found))


def _answer(broken: bool) -> RecordedVerdict:
    return "broken" if broken else "held"


def _utilisation(recorded: RecordedCase) -> Verdict:
    if recorded.at_least is None:
        raise _lacks(recorded, "at_least")
    share = utilisation(recorded.case, recorded.outcome)
    return Verdict(recorded, _answer(share is not None and share < recorded.at_least))


def _runs(recorded: RecordedCase) -> Runs:
    """Return what the rule of a recorded case is compared with; one `again` is each of the three second outputs."""
    runs = RULES[recorded.rule].runs
    if "larger" in runs:
        return Runs(larger=(_larger(recorded.case), _ok(recorded, "at_larger_limit", recorded.at_larger_limit)))
    if "request" in runs and recorded.case.request is None:
        raise _lacks(recorded, "request")
    if not runs or "request" in runs:
        return Runs()
    other = _ok(recorded, "again", recorded.again)
    return Runs(again=other, twice=other, stored=other)


def _larger(case: Case) -> Case:
    limit = case.limit
    return case if limit is None else evolve(case, limit=Limit(limit.kind, limit.value + 1, limit.length))


def _ok(recorded: RecordedCase, key: str, output: History | None) -> Outcome:
    if output is None:
        raise _lacks(recorded, key)
    return Outcome("ok", output)


def _lacks(recorded: RecordedCase, key: str) -> BadFile:
    return BadFile(f"entry {recorded.id}: there is no {key}", f"{recorded.rule} can not be judged without it")


def _second_opinion(rule: str, case: Case, outcome: Outcome) -> RecordedVerdict | None:
    """Ask the reference oracle, for the two rules that it knows."""
    if rule == "no-input-mutation":
        after = case.history if outcome.after is None else outcome.after
        return _answer(reference.mutated(case.history, after))
    if rule != "no-orphan" or outcome.output is None:
        return None
    profile = case.profile
    wrong = reference.orphans(
        case.history,
        outcome.output,
        merge_items=profile.merge_items,
        one_response=profile.one_response,
        anchored=profile.anchored,
    )
    return _answer(bool(wrong))
