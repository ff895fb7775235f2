"""Limit the time of each trim: a repeating timer asks whether the current trim has run too long.

The first call of a run may take longer, and so may one of the next few while it imports something: packages that are
loaded late say nothing about the trimmer. Once a call has taken that time, no other has it.

The timer ticks a few times a second, so a trim costs only two clock readings. It needs the main thread and signals;
elsewhere there is no limit, and the parent process must end a hang.
"""

import signal
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from time import monotonic
from types import FrameType


class Hung(BaseException):
    """Raised inside a trim that took too long. Not an `Exception`, so that a trimmer's own handlers let it pass."""


FIRST_CALLS = 20
"""The calls at the beginning of a run in which packages may still be imported, and by which a wrong call is known."""


class Watch:
    """Bounds each trim to `seconds` of wall time while `watching` is in force, an early one to `patience` if more.

    `slow` is called with the seconds of the early call that took longer than a later one may.
    """

    def __init__(
        self, seconds: float, *, patience: float = 0.0, slow: Callable[[float], None] = lambda _seconds: None
    ) -> None:
        self.seconds = seconds
        self.slow = 0.0
        """The seconds of that call, 0 where there was none."""
        self._patience, self._report = patience, slow
        self._early = FIRST_CALLS if patience > seconds else 0
        self._since: float | None = None

    def start(self) -> None:
        """A trim begins."""
        self._since = monotonic()

    def stop(self) -> None:
        """The trim is over."""
        since, self._since = self._since, None
        if self._early and since is not None:
            self._early -= 1
            if (spent := monotonic() - since) > self.seconds:
                self.slow, self._early = spent, 0
                self._report(spent)

    def _tick(self, _signal: int, frame: FrameType | None) -> None:
        if self._since is None or (spent := monotonic() - self._since) <= self.seconds:
            return
        if self._early and spent <= self._patience and (self._early == FIRST_CALLS or _imports(frame)):
            return
        self._early = 0
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


def _imports(frame: FrameType | None) -> bool:
    """Say whether a module is being imported on this stack."""
    while frame is not None:
        if frame.f_code.co_filename.startswith("<frozen importlib"):
            return True
        frame = frame.f_back
    return False
