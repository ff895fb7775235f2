"""Claims: what public reports say was broken, held against what the rules find in their cases.

A claim that is introduced, or an outcome, is found if its rule is broken by input and output; one of a lint, if the
list that was sent has a fault of its rule. What takes more steps than one trim is no matter of a single case: it is
`None` here, and shown by sessions.
"""

from collections.abc import Iterable

from attrs import frozen

from ...messages.cases import Finding
from ...messages.reports import Claim, Report
from ..facts.list_faults import Fault
from ..judging.judging import judge
from ..packs import pack
from ..rules.lint import lint
from ..rules.registry import RULES


@frozen
class JudgedClaim:
    """One claim: whether its rule is broken (None: a single case cannot show it), and the words for it."""

    claim: Claim
    found: bool | None
    note: str = ""


@frozen
class JudgedReport:
    """One report: its claims, and the findings beyond them that would fail a trimmer under its pack."""

    report: Report
    claims: tuple[JudgedClaim, ...]
    beyond: tuple[Finding, ...]

    @property
    def missed(self) -> tuple[JudgedClaim, ...]:
        """The claims that the rules do not find."""
        return tuple(judged for judged in self.claims if judged.found is False)


def judge_report(report: Report) -> JudgedReport:
    """Judge the case of a report by every rule, and its request by lint."""
    case, outcome = report.case, report.outcome
    findings = judge(case, outcome)
    faults = () if outcome.output is None else lint(outcome.output, case.profile)
    claimed = {claim.rule for claim in report.claims}
    return JudgedReport(
        report,
        tuple(_judged(claim, findings, faults) for claim in report.claims),
        tuple(found for found in findings if found.rule not in claimed and _fails(found)),
    )


def _judged(claim: Claim, findings: Iterable[Finding], faults: Iterable[Fault]) -> JudgedClaim:
    if claim.shown_by == "scenario":
        return JudgedClaim(claim, None)
    shown = faults if claim.shown_by == "lint" else findings
    notes = [one.note for one in shown if one.rule == claim.rule]
    return JudgedClaim(claim, bool(notes), notes[0] if notes else "")


def _fails(finding: Finding) -> bool:
    """Say whether it fails any trimmer under the report's pack; what it had promised is not known.

    On input that most providers would have rejected already nothing fails by itself.
    """
    if finding.case.input_class not in ("valid", "pending"):
        return False
    return RULES[finding.rule].kind == "always" or finding.rule in pack(finding.case.profile.name).enforces
