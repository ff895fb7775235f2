"""Paragraphs: the few shapes that all text for people is made of, cut and wrapped to the width of the canvas."""

from rich.console import Console
from rich.text import Text

from .canvas import Canvas

_LABEL = 11
_INDENT = 3
WORDS_AT = _INDENT + _LABEL + 2
"""The column at which labelled words begin."""


def heading(words: str, canvas: Canvas) -> Text:
    """A heading over a section."""
    line = Text.assemble((canvas.glyphs.rule * 2, "dim"), " ", (words, "bold"), " ")
    line.append(canvas.glyphs.rule * max(canvas.width - line.cell_len, 0), "dim")
    line.truncate(canvas.width)
    return line


def labelled(label: str, words: str, canvas: Canvas, style: str = "") -> Text:
    """A line with a label before it; long words go on below themselves."""
    return _wrapped(words, canvas, f"{' ' * _INDENT}{label:<{_LABEL}}  ", style)


def command(label: str, words: str) -> Text:
    """A command with a label before it, in one line however long it is, so that it can be copied."""
    return Text.assemble((f"{' ' * _INDENT}{label:<{_LABEL}}  ", "dim"), (words, "bold"))


def indented(words: str, canvas: Canvas, style: str = "") -> Text:
    """A sentence, indented; long ones go on below themselves."""
    return _wrapped(words, canvas, " " * _INDENT, style)


def _wrapped(words: str, canvas: Canvas, before: str, style: str) -> Text:
    # A console is needed for rich's wrapping alone; nothing is printed on it.
    lines = Text(words, style).wrap(Console(width=1000, color_system=None), max(canvas.width - len(before), 10))
    found = Text()
    for position, line in enumerate(lines):
        line.rstrip()
        found.append("\n" + " " * len(before) if position else before, "dim")
        found.append_text(line)
    return found


def cut(line: Text, canvas: Canvas) -> Text:
    """Cut a line to the width of the canvas."""
    if line.cell_len > canvas.width:
        line.truncate(canvas.width - len(canvas.glyphs.ellipsis))
        line.append(canvas.glyphs.ellipsis)
    return line
