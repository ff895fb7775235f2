"""Consoles: where text for people goes. Colour only on a terminal, progress only on standard error and only there.

What is a terminal, and what the environment says about it (`NO_COLOR`, `COLUMNS`, `TERM=dumb`), is left to rich.
"""

import os
import sys
from collections.abc import Generator
from contextlib import contextmanager

from rich.console import Console
from rich.status import Status

from .canvas import Canvas

WIDTH_OF_A_FILE = 100
_NARROWEST = 30
_BAR = 20


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


class Progress:
    """What is going on, in one changing line on standard error, if that is a terminal."""

    def __init__(self, status: Status | None, *, ascii_only: bool = False) -> None:
        self._status = status
        self._ascii = ascii_only

    def say(self, words: str, share: float | None = None) -> None:
        """Change the line; `share` of what is to be done is drawn as a bar."""
        if self._status is None:
            return
        if share is not None:
            done = round(_BAR * min(max(share, 0.0), 1.0))
            full, rest = ("#", "-") if self._ascii else ("━", "─")
            words = f"{full * done}{rest * (_BAR - done)} {words}"
        self._status.update(words)

    @contextmanager
    def aside(self) -> Generator[None]:
        """Take the line away while something else is printed."""
        if self._status is None:
            yield
            return
        self._status.stop()
        try:
            yield
        finally:
            self._status.start()


@contextmanager
def progress(words: str) -> Generator[Progress]:
    """Show a line of progress while something runs."""
    if not sys.stderr.isatty():
        yield Progress(None)
        return
    error = Console(stderr=True, highlight=False, markup=False, emoji=False)
    with error.status(words, spinner="line" if error.options.ascii_only else "dots") as status:
        yield Progress(status, ascii_only=error.options.ascii_only)
