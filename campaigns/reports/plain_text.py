"""Reports as plain text, where there is no terminal: in a test's failure, or as a string."""

from collections.abc import Iterable
from io import StringIO
from typing import cast

from rich.console import Console, RenderableType

WIDTH = 100
"""Columns of a report as text."""


def plain_text(lines: Iterable[RenderableType], *, width: int = WIDTH) -> str:
    """Render lines of a report without colours, and without blanks at the ends of lines."""
    plain = Console(file=StringIO(), width=width, color_system=None)
    plain.print(*lines, sep="\n", highlight=False, markup=False, emoji=False)
    rendered = cast("StringIO", plain.file).getvalue()
    return "\n".join(line.rstrip() for line in rendered.splitlines())
