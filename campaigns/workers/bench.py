"""The bench: what every job of a worker works with, and the pace of a search."""

import os
from collections.abc import Callable
from time import monotonic

from attrs import define, field

from ...implementations.time_limit import Watch
from ...messages.cases import Outcome
from ..engine.first_calls import FirstCalls
from ..process.flight_recorder import Recorder
from ..target.contract import Contract

PROGRESS_EVERY = 0.2
LOG_MAX = 1 << 20


@define
class Bench:
    """The contract of the trimmer, the watch and the recorder around every trim, and where events go (`send`)."""

    contract: Contract
    watch: Watch
    recorder: Recorder
    send: Callable[..., None]
    first_calls: FirstCalls | None = None
    """What knows a wrong call by the first calls of a run; None for a worker that was started again."""
    slow: float = 0.0
    """What the first call took in a worker before this one, where that was more than a later one may take."""
    hangs: bool = False
    """Whether a trim that ran out of time did so again, alone: one that is confirmed speaks for all of a run."""

    @property
    def doubled(self) -> float:
        """The seconds that a suspected case gets when it runs alone."""
        return 2 * (self.watch.seconds + self.slow)

    def see(self, outcome: Outcome) -> None:
        """Look at the outcome of a call of an exploration; raises `BadTarget` when the call is found to be wrong."""
        if self.first_calls is not None:
            self.first_calls.see(outcome)


@define
class Pace:
    """The clock of a search of `seconds` (0: no bound): when it is over, and when progress is due again."""

    seconds: float
    enough_hangs: int
    watch: Watch
    began: float = field(factory=monotonic, init=False)
    reported: float = field(factory=monotonic, init=False)

    def goes_on(self, hangs: int) -> bool:
        """Say whether to go on after so many hangs."""
        return hangs < self.enough_hangs and (self.seconds <= 0 or self._spent <= self.seconds)

    @property
    def _spent(self) -> float:
        """The time that was spent on anything but a slow first call."""
        return monotonic() - self.began - self.watch.slow

    def due(self) -> bool:
        """Say whether progress is due; then the log is kept short, too."""
        now = monotonic()
        if now - self.reported <= PROGRESS_EVERY:
            return False
        self.reported = now
        keep_log_short()
        return True


def keep_log_short() -> None:
    """Empty the log of what the trimmer printed when it is large; only its end is ever shown."""
    if os.fstat(1).st_size > LOG_MAX:
        os.ftruncate(1, 0)
        os.lseek(1, 0, os.SEEK_SET)
