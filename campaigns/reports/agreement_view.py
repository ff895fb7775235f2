"""How far the rules agree with recorded verdicts, for people and for programs."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from rich.console import RenderableType
from rich.text import Text

from ..defaults import SCHEMA
from .canvas import Canvas
from .tables import table
from .text_blocks import indented, labelled

if TYPE_CHECKING:
    from ...oracles.records.examples import RuleAgreement


def agreement_table(rows: Sequence["RuleAgreement"], canvas: Canvas) -> list[RenderableType]:
    """Show the agreement of the rules with recorded verdicts, each disagreement, and rules that are not covered."""
    covered = [row for row in rows if row.covered]
    shown = [
        (
            Text(row.rule, "bold red" if row.disagreements else ""),
            f"{row.agreed}/{len(row.verdicts)}",
            f"{row.by_reference}" if row.by_reference else "",
        )
        for row in covered
    ]
    lines: list[RenderableType] = [table(("rule", "agree", "by the reference oracle too"), shown, right=(1, 2))]
    for row in covered:
        for verdict in row.disagreements:
            entry = verdict.recorded
            said = f"{entry.id} {row.rule}: expected {entry.verdict}, judged {verdict.judged}"
            if verdict.reference is not None:
                said += f", by the reference oracle {verdict.reference}"
            lines += [Text(), Text(canvas.clean(said), "bold red")]
            lines += [indented(canvas.clean(words), canvas, "dim") for words in (entry.why,) if words]
            lines += [indented(canvas.clean(found.note), canvas) for found in verdict.findings if found.note]
    left_out = [row.rule for row in rows if not row.covered]
    if left_out:
        lines += [Text(), labelled("not covered", canvas.clean(", ".join(left_out)), canvas, "yellow")]
    wrong = sum(len(row.disagreements) for row in covered)
    total = sum(len(row.verdicts) for row in covered)
    verdict = (
        f"{wrong} of {total} verdicts disagree (exit code 1)" if wrong else f"all {total} verdicts agree (exit code 0)"
    )
    return [*lines, Text(), Text(verdict, "bold red" if wrong else "bold green")]


def agreement_document(rows: Sequence["RuleAgreement"]) -> dict[str, Any]:
    """Say the agreement as JSON data."""
    return {
        "schema": SCHEMA,
        "rules": [
            {
                "rule": row.rule,
                "covered": row.covered,
                "entries": len(row.verdicts),
                "agreed": row.agreed if row.covered else None,
                "by_reference": row.by_reference,
                "disagreements": [
                    {
                        "id": verdict.recorded.id,
                        "expected": verdict.recorded.verdict,
                        "judged": verdict.judged,
                        "reference": verdict.reference,
                        "why": verdict.recorded.why,
                    }
                    for verdict in row.disagreements
                ],
            }
            for row in rows
        ],
    }
