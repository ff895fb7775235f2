"""How many claims of public reports the rules find, for people and for programs."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from rich.console import RenderableType
from rich.text import Text

from ...messages.reports import FAMILIES
from .canvas import Canvas
from .tables import table
from .text_blocks import indented

if TYPE_CHECKING:
    from ...messages.reports import Report
    from ...oracles.records.claims import JudgedClaim, JudgedReport


def claims_table(judged: Sequence["JudgedReport"], canvas: Canvas) -> list[RenderableType]:
    """Show claims by family; what was missed, what was found beyond them, and what only sessions show."""
    lines: list[RenderableType] = [_by_family(judged, canvas)]
    missed = [(one.report, claim) for one in judged for claim in one.missed]
    for report, claim in missed:
        said = f"{report.id} {claim.claim.rule}: claimed, shown by {claim.claim.shown_by}, and not found"
        lines += [Text(), Text(canvas.clean(said), "bold red"), *_case_of(report, canvas)]
    beyond = [(one.report, found) for one in judged for found in one.beyond]
    if beyond:
        lines += [Text(), Text("found beyond the claims, by rules that fail", "dim")]
        lines += [
            Text(canvas.short(canvas.clean(f"{report.id} {found.rule}: {found.note}"), canvas.width))
            for report, found in beyond
        ]
    scenarios = [(one.report, claim) for one in judged for claim in one.claims if claim.found is None]
    if scenarios:
        lines += [Text(), Text("shown by sessions, not by one trim", "dim")]
        lines += [
            Text(canvas.short(canvas.clean(f"{report.id} {claim.claim.rule}: {report.done}"), canvas.width))
            for report, claim in scenarios
        ]
    total = sum(claim.found is not None for one in judged for claim in one.claims)
    verdict = (
        f"{len(missed)} of {total} claims are not found (exit code 1)"
        if missed
        else f"all {total} claims of {len(judged)} reports are found (exit code 0)"
    )
    return [*lines, Text(), Text(verdict, "bold red" if missed else "bold green")]


def _by_family(judged: Sequence["JudgedReport"], canvas: Canvas) -> RenderableType:
    rows: list[tuple[Text | str, ...]] = []
    for name, group in _families(judged):
        found, missed, later = _counted(group)
        about = FAMILIES.get(name, "")
        rows.append(
            (
                Text(canvas.clean(f"{name} {about}".rstrip()), "bold red" if missed else ""),
                str(len(group)),
                str(found + missed),
                str(found),
                Text(str(missed) if missed else "", "bold red"),
                str(later) if later else "",
            )
        )
    return table(("family", "reports", "claims", "found", "missed", "by sessions"), rows, right=(1, 2, 3, 4, 5))


def _families(judged: Sequence["JudgedReport"]) -> list[tuple[str, list["JudgedReport"]]]:
    """Group reports by family, known families in their order, others behind them by name."""
    known = list(FAMILIES)
    groups: dict[str, list[JudgedReport]] = {}
    for one in judged:
        groups.setdefault(one.report.family, []).append(one)
    return sorted(groups.items(), key=lambda item: (known.index(item[0]) if item[0] in known else len(known), item[0]))


def _counted(group: Sequence["JudgedReport"]) -> tuple[int, int, int]:
    """Count the claims that are found, missed, and shown by sessions."""
    found = [claim.found for one in group for claim in one.claims]
    return found.count(True), found.count(False), found.count(None)


def _case_of(report: "Report", canvas: Canvas) -> list[RenderableType]:
    """Say what was done, and where it can be read."""
    return [indented(canvas.clean(words), canvas, "dim") for words in (report.done, report.url)]


def claims_document(judged: Sequence["JudgedReport"]) -> dict[str, Any]:
    """Say the claims as JSON data: counts by family, and every report with its claims and what is beyond them."""
    return {
        "families": [_family(name, group) for name, group in _families(judged)],
        "reports": [
            {
                "id": one.report.id,
                "url": one.report.url,
                "family": one.report.family,
                "claims": [_claim(claim) for claim in one.claims],
                "beyond": [{"rule": found.rule, "cause": found.cause, "message": found.note} for found in one.beyond],
            }
            for one in judged
        ],
    }


def _family(name: str, group: Sequence["JudgedReport"]) -> dict[str, Any]:
    found, missed, later = _counted(group)
    return {
        "family": name,
        "about": FAMILIES.get(name),
        "reports": len(group),
        "claims": found + missed,
        "found": found,
        "missed": missed,
        "by_sessions": later,
    }


def _claim(judged: "JudgedClaim") -> dict[str, Any]:
    return {"rule": judged.claim.rule, "shown_by": judged.claim.shown_by, "found": judged.found, "message": judged.note}
