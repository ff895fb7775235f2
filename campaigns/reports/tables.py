"""Tables without lines, which any terminal can show; and the listings."""

from collections.abc import Iterable, Sequence
from typing import Any, cast

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from ...strategies.encoding.feature_examples import SHORTHAND
from .canvas import Canvas
from .finding import CONFIDENCE
from .text_blocks import indented, labelled

STATE_STYLES = {
    "new": "bold red",
    "known": "yellow",
    "accepted": "dim",
    "fixed": "green",
    "flaky": "magenta",
    "failed": "bold red",
    "changed": "yellow",
    "error": "magenta",
}
"""How the state of a finding or a fixture is coloured."""


def table(headings: Sequence[str], rows: Iterable[Sequence[str | Text]], *, right: Sequence[int] = ()) -> Table:
    """A table without lines, which any terminal can show; `right` are the columns of numbers."""
    found = Table(box=None, pad_edge=False, header_style="dim", padding=(0, 2, 0, 0))
    for index, words in enumerate(headings):
        found.add_column(words, justify="right" if index in right else "left", overflow="fold", no_wrap=index == 0)
    for row in rows:
        found.add_row(*row)
    return found


NARROWEST = 16
"""A column that is cut shorter than this says nothing, and is left out."""
_ONLY_FOR_PROGRAMS = ("available", "promises", "carries", "lacks", "source", "enforces", "history", "limit")


def list_table(rows: Sequence[dict[str, Any]], canvas: Canvas, *, cut: str = "") -> list[RenderableType]:
    """Show a listing: the first column is what is typed on the command line; `cut` is a column that is cut short."""
    if not rows:
        return [Text("nothing is registered", "dim")]
    keys = list(dict.fromkeys(key for row in rows for key in row if key not in _ONLY_FOR_PROGRAMS))
    shown = [[_cell(row, key, canvas) for key in keys] for row in rows]
    if cut in keys:
        column = keys.index(cut)
        others = (max(cells[index].cell_len for cells in shown) + 2 for index in range(len(keys)) if index != column)
        room = canvas.width - sum(others)
        if room < NARROWEST:
            keys.pop(column)
        for cells in shown:
            words = cells.pop(column)
            if room >= NARROWEST:
                cells.insert(column, Text(canvas.short(words.plain, room), words.style))
    return [table(keys, shown)]


def stories(rows: Sequence[dict[str, Any]], canvas: Canvas) -> list[RenderableType]:
    """Show a listing as a paragraph for each row, with everything that is known of it."""
    lines: list[RenderableType] = []
    for row in rows:
        lines += [Text(), Text.assemble(" ", (canvas.clean(str(row["name"])), "bold"))]
        for key, value in row.items():
            if key in ("name", "available", "history", "limit"):
                continue
            words = _cell(row, key, canvas).plain
            if words:
                lines.append(labelled(key, words if value else "none", canvas))
    return lines[1:]


def _cell(row: dict[str, Any], key: str, canvas: Canvas) -> Text:
    value: Any = row.get(key, "")
    if isinstance(value, list):
        words = ", ".join(cast("list[str]", value))
    else:
        words = ("yes" if value else "") if isinstance(value, bool) else str(value)
    if key == "about" and not row.get("available", True):
        return Text(canvas.clean(f"not available: {words}"), "yellow")
    return Text(canvas.clean(words), "bold" if key == "name" else "")


def provider_rules(rows: Sequence[dict[str, Any]], canvas: Canvas) -> list[RenderableType]:
    """Show the rules as one provider sees them: does it fail, what is answered, how sure is that, where was it read."""
    lines: list[RenderableType] = []
    for row in rows:
        line = Text.assemble((row["name"], "bold"), "  ")
        line.append(*(("fails", "bold red") if row["fails"] else ("does not fail", "dim")))
        severity = row["severity"]
        if severity is None:
            lines.append(line.append(f"  {row['note']}", "dim"))
            continue
        status = "" if row["status"] is None else f" HTTP {row['status']}"
        lines.append(line.append(f"  {severity}{status}", "red" if severity == "hard" else "yellow"))
        if row["text"]:
            lines.append(indented(canvas.clean(row["text"]), canvas, "bold"))
        if row["note"]:
            lines.append(indented(canvas.clean(f"note: {row['note']}"), canvas))
        if row["versions"]:
            lines.append(indented(canvas.clean(f"holds for {', '.join(row['versions'])}"), canvas))
        lines.append(indented(f"{row['confidence']}: {CONFIDENCE[row['confidence']]}, {row['date']}", canvas, "dim"))
        lines.append(indented(canvas.clean(row["source"]), canvas, "dim"))
    return lines


def feature_words(canvas: Canvas) -> list[RenderableType]:
    """Explain the examples of features, and what a feature is named for."""
    said = "--without NAME,... leaves some out of check, campaign and sessions"
    return [Text(), indented(canvas.clean(SHORTHAND), canvas, "dim"), indented(said, canvas, "dim")]
