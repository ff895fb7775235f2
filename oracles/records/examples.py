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
from ..judge.judging import judge
from ..rules.limits import utilisation
from ..rules.registry import RULES
from ..rules.relations import lost_when_late, with_late
from .recorded import Answer, Entry, read_entry


@frozen
class Verdict:
    """What the rules say of one entry, beside what it expects. `judged` is None for a rule that is not covered."""

    entry: Entry
    judged: Answer | None
    reference: Answer | None = None
    findings: tuple[Finding, ...] = field(default=(), kw_only=True)

    @property
    def covered(self) -> bool:
        """Whether there is such a rule."""
        return self.judged is not None

    @property
    def agrees(self) -> bool:
        """Whether the fast rules, and the reference oracle where it was asked, say what the entry expects."""
        return self.judged == self.entry.verdict and self.reference in (None, self.entry.verdict)


@frozen
class Row:
    """The entries of one rule: how many there are, and those whose verdict is another than they expect."""

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


def agreement(entries: Iterable[Entry | Mapping[str, Any]]) -> list[Row]:
    """Judge entries and return a row for each rule among them, covered ones first, in the order of the rules."""
    verdicts: dict[str, list[Verdict]] = {}
    for entry in entries:
        verdict = judge_example(entry)
        verdicts.setdefault(verdict.entry.rule, []).append(verdict)
    known = [name for name in RULES if name in verdicts]
    unknown = sorted(set(verdicts) - set(known))
    return [Row(name, tuple(verdicts[name])) for name in (*known, *unknown)]


def judge_example(given: Entry | Mapping[str, Any]) -> Verdict:
    """Judge one entry by its rule; raises `BadFile` where it cannot be read or lacks what its rule needs."""
    entry = given if isinstance(given, Entry) else read_entry(given)
    if entry.rule not in RULES:
        return Verdict(entry, None)
    if entry.rule == "utilisation":
        return _utilisation(entry)
    case, outcome = entry.case, entry.outcome
    if entry.late is not None and outcome.output is not None:
        if entry.rule == "late-result-safe":
            broken = bool(entry.late) and any(lost_when_late(Evidence(case, outcome), entry.late))
            return Verdict(entry, _answer(broken))
        if entry.rule != "pending-call-kept":
            case, outcome = with_late(Evidence(case, outcome), entry.late)
            outcome = evolve(outcome, sources=None)
    found = judge(case, outcome, rules=(entry.rule,), runs=_runs(entry))
    return Verdict(entry, _answer(bool(found)), _second_opinion(entry.rule, case, outcome), findings=tuple(found))


def _answer(broken: bool) -> Answer:
    return "broken" if broken else "held"


def _utilisation(entry: Entry) -> Verdict:
    if entry.at_least is None:
        raise _lacks(entry, "at_least")
    share = utilisation(entry.case, entry.outcome)
    return Verdict(entry, _answer(share is not None and share < entry.at_least))


def _runs(entry: Entry) -> Runs:
    """Return what the rule of an entry is compared with; one `again` is each of the three second outputs."""
    runs = RULES[entry.rule].runs
    if "larger" in runs:
        return Runs(larger=(_larger(entry.case), _ok(entry, "at_larger_limit", entry.at_larger_limit)))
    if "request" in runs and entry.case.request is None:
        raise _lacks(entry, "request")
    if not runs or "request" in runs:
        return Runs()
    other = _ok(entry, "again", entry.again)
    return Runs(again=other, twice=other, stored=other)


def _larger(case: Case) -> Case:
    limit = case.limit
    return case if limit is None else evolve(case, limit=Limit(limit.kind, limit.value + 1, limit.length))


def _ok(entry: Entry, key: str, output: History | None) -> Outcome:
    if output is None:
        raise _lacks(entry, key)
    return Outcome("ok", output)


def _lacks(entry: Entry, key: str) -> BadFile:
    return BadFile(f"entry {entry.id}: there is no {key}", f"{entry.rule} can not be judged without it")


def _second_opinion(rule: str, case: Case, outcome: Outcome) -> Answer | None:
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
