"""Consoles: where text for people goes. Colour only on a terminal, progress only on standard error and only there.

What is a terminal, and what the environment says about it (`NO_COLOR`, `COLUMNS`, `TERM=dumb`), is left to rich.
"""

import os
import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import TypeAlias

from rich.console import Console

from .drawing import Canvas

WIDTH_OF_A_FILE = 100
_NARROWEST = 30

Say: TypeAlias = Callable[[str], None]


class _Console(Console):
    """A console that leaves it to the command line to end a run whose reader has gone away."""

    def on_broken_pipe(self) -> None:
        raise BrokenPipeError


def console() -> Console:
    """Return the console for standard output; a file or a pipe is 100 columns wide unless COLUMNS says otherwise."""
    found = _Console(highlight=False, markup=False, emoji=False)
    if not found.is_terminal and not os.environ.get("COLUMNS"):
        return _Console(highlight=False, markup=False, emoji=False, width=WIDTH_OF_A_FILE)
    return found


def canvas_of(found: Console) -> Canvas:
    """Return the canvas that a console is."""
    return Canvas(max(found.width, _NARROWEST), ascii=found.options.ascii_only)


@contextmanager
def progress(words: str) -> Generator[Say]:
    """Show what is going on while something runs, on standard error, if that is a terminal; yields how to change it."""
    if not sys.stderr.isatty():
        yield lambda _words: None
        return
    error = Console(stderr=True, highlight=False, markup=False, emoji=False)
    with error.status(words, spinner="line" if error.options.ascii_only else "dots") as status:
        yield status.update
