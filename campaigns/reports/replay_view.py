"""What became of fixtures, for people."""

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.console import RenderableType
from rich.text import Text

from ..engine.bugs import Bug
from ..runs.replay import STATES
from ..target.contract import FAILING_CLASSES
from .canvas import Canvas
from .finding import finding
from .reproduce import replay_command
from .tables import STATE_STYLES
from .text_blocks import cut

if TYPE_CHECKING:
    from ..engine.records import Record
    from ..runs.replay import Replayed


def replayed_lines(row: "Replayed", canvas: Canvas, *, verbose: bool) -> list[RenderableType]:
    """Say what became of one fixture; `verbose` shows what failed or changed."""
    name = canvas.clean(str(row.fixture.path or row.fixture.id))
    line = Text.assemble((f"{row.state:<8}", STATE_STYLES[row.state]), name)
    if row.state == "changed" and row.record is not None:
        line.append(f"  {row.fixture.cause} is now {row.record.cause}", "dim")
    elif row.problem:
        line.append(f"  {canvas.clean(row.problem)}", "dim")
    else:
        line.append(f"  {canvas.clean(row.fixture.cause)}", "dim")
    if row.record is not None and not row.fails:
        line.append(f"  {_why_not(row.record)}", "yellow")
    if not verbose or row.record is None:
        return [line]
    other = row.spec if row.trimmer != row.fixture.found_by.trimmer else None
    again = "" if row.fixture.path is None else replay_command(row.fixture.path, spec=other)
    return [line, Text(), *finding(Bug(None, row.record), canvas, reproduce=again), Text()]


def _why_not(record: "Record") -> str:
    on = record.input_class
    return "does not count: not promised" if on in FAILING_CLASSES else f"does not count: on {on} input"


def replayed_summary(rows: Sequence["Replayed"], canvas: Canvas, *, interrupted: bool = False) -> list[RenderableType]:
    """Count the states."""
    counts = Counter(row.state for row in rows)
    line = Text()
    for state in STATES:
        if counts[state]:
            line.append(f"{counts[state]} {state}", STATE_STYLES[state]).append("  ")
    if interrupted:
        line.append("interrupted (exit code 130)  ", "yellow")
    shown = {row.trimmer for row in rows if row.trimmer}
    line.append(f"on {canvas.clean(', '.join(sorted(shown)))}", "dim")
    return [Text(), cut(line, canvas)]
