"""The kill matrix, for people."""

from typing import TYPE_CHECKING

from rich.console import RenderableType
from rich.text import Text

from ..runs.prove import CorrectRow
from .canvas import Canvas
from .tables import table
from .text_blocks import cut, heading, labelled

if TYPE_CHECKING:
    from ..runs.prove import PieceRow, Proof, Row


def proof_table(proof: "Proof", canvas: Canvas) -> list[RenderableType]:
    """Show the kill matrix: pieces, hangs in rows of their own, correct trimmers, and what missed its target."""
    headings = ("piece", "caught by", "seeds", "median", "p90", "shrunk", "minimum", "at it")
    lines: list[RenderableType] = []
    for title, rows in (
        ("Broken trimmers", [row for row in proof.pieces if not row.hangs]),
        ("Broken trimmers that hang", [row for row in proof.pieces if row.hangs]),
    ):
        if rows:
            lines += [heading(title, canvas), table(headings, map(_piece, rows), right=(2, 3, 4, 5, 6, 7)), Text()]
    if proof.correct:
        rows = [_correct(row) for row in proof.correct]
        lines += [heading("Correct trimmers", canvas), table(("trimmer", "cases", "blamed"), rows, right=(1,)), Text()]
    for row in (*proof.pieces, *proof.correct):
        for problem in row.problems:
            lines.append(labelled("missed", canvas.clean(f"{row.name}: {problem}"), canvas, "red"))
    missed = sum(bool(row.problems) for row in (*proof.pieces, *proof.correct))
    verdict = f"{missed} rows missed their target (exit code 1)" if missed else "every target met (exit code 0)"
    style = "bold red" if missed else "bold green"
    if proof.interrupted:
        verdict, style = f"interrupted (exit code 130), {missed} rows had missed their target", "yellow"
    counted = f"{len(proof.pieces)} pieces, {proof.seeds} seeds, {len(proof.correct)} correct trimmers"
    spent = f"  {counted}, {proof.seconds:.0f} s"

    return [*lines, Text.assemble((verdict, style), (spent, "dim"))]


def row_line(row: "Row", canvas: Canvas) -> Text:
    """Say a row as soon as it is complete."""
    found = _correct(row) if isinstance(row, CorrectRow) else _piece(row)
    line = Text("  ").join(cell for cell in found if cell.plain)
    return Text.assemble(("missed  ", "bold red") if row.problems else ("met     ", "green"), cut(line, canvas))


def _piece(row: "PieceRow") -> tuple[Text, ...]:
    style = "bold red" if row.problems else ""
    return (
        Text(row.name, style),
        Text(row.cause, "dim"),
        Text(f"{row.killed}/{len(row.hunts)}"),
        Text(f"{row.median:g}"),
        Text(f"{row.p90:g}"),
        Text("" if row.worst is None else f"{row.worst[0]} ({row.worst[1]})"),
        Text(f"{row.minimum[0]} ({row.minimum[1]})"),
        Text(f"{row.at_minimum:.0%}"),
    )


def _correct(row: "CorrectRow") -> tuple[Text, ...]:
    return (
        Text(row.name),
        Text(f"{row.cases:,}"),
        Text(", ".join(row.problems) or "no", "bold red" if row.problems else "green"),
    )
