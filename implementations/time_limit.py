"""Limit the time of each trim: a repeating timer asks whether the current trim has run too long.

The timer ticks a few times a second, so a trim costs only two clock readings. It needs the main thread and signals;
elsewhere there is no limit, and the parent process must end a hang.
"""

import signal
import threading
from collections.abc import Generator
from contextlib import contextmanager
from time import monotonic
from typing import Any


class Hung(BaseException):
    """Raised inside a trim that took too long. Not an `Exception`, so that a trimmer's own handlers let it pass."""


class Watch:
    """Bounds each trim to `seconds` of wall time while `watching` is in force."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self._since: float | None = None

    def start(self) -> None:
        """A trim begins."""
        self._since = monotonic()

    def stop(self) -> None:
        """The trim is over."""
        self._since = None

    def _tick(self, _signal: int, _frame: Any) -> None:
        if self._since is not None and monotonic() - self._since > self.seconds:
            raise Hung

    @contextmanager
    def watching(self) -> Generator["Watch"]:
        """Keep the timer running; nothing is watched outside the main thread or without signals."""
        if threading.current_thread() is not threading.main_thread() or not hasattr(signal, "setitimer"):
            yield self
            return
        before = signal.signal(signal.SIGALRM, self._tick)
        tick = min(0.1, self.seconds / 4)
        outer = signal.setitimer(signal.ITIMER_REAL, tick, tick)
        try:
            yield self
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before)
            signal.setitimer(signal.ITIMER_REAL, *outer)  # a watch may stand inside another one
