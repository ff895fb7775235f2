"""Output: one JSON document, or lines for people; whatever the terminal's encoding is, printing never fails."""

import json
import sys
from collections.abc import Generator, Iterable
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import RenderableType


def print_document(document: dict[str, Any]) -> None:
    """Print one JSON document and nothing else; ASCII, since histories hold what no encoding has a place for."""
    with _read_by_somebody():
        sys.stdout.write(json.dumps(document) + "\n")
        sys.stdout.flush()


def print_lines(lines: "Iterable[RenderableType]") -> None:
    """Print lines for people on standard output."""
    from rich.text import Text

    from ..reports.console import console

    out = console()
    with _read_by_somebody():
        for line in lines:
            out.print(line, soft_wrap=isinstance(line, Text))  # texts were cut to the width where that makes sense
        sys.stdout.flush()


@contextmanager
def _read_by_somebody() -> Generator[None]:
    """Raise a broken pipe without its number: one with it would be taken by click, which makes it exit code 1."""
    try:
        yield
    except BrokenPipeError:
        raise BrokenPipeError("nobody reads the output") from None


def shown_progress(phase: str, examples: int, trims: int, causes: int) -> str:
    """Say how far a check is, in a few words."""
    if phase == "shrink":
        return f"shrinking: {examples} of {trims} causes"
    if phase == "play":
        return f"{examples:,} sessions, {causes} causes"
    words = "known cases" if phase == "known" else "generating"
    return f"{words}: {examples:,} histories, {trims:,} trims, {causes} causes"


def share_done(phase: str, examples: int, trims: int, *, asked: int, spent: float, seconds: float) -> float:
    """Return how much of a check's present phase is done, by count or by time, whichever is nearer to its end."""
    if phase == "shrink":
        return examples / max(trims, 1)
    return max(examples / asked, spent / seconds if seconds > 0 else 0.0)
