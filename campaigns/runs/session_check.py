"""Checking sessions: one trimmer in its own process, many sessions, and every cause shrunk to a readable script."""

from collections.abc import Collection

from attrs import frozen

from ...messages.errors import BadTarget
from ..defaults import SECONDS, SESSIONS, SHRINK_SCRIPT_SECONDS, STEPS
from ..engine.bugs import Bug, Folded, fold
from ..engine.records import Record
from ..target.contract_summary import ContractSummary
from ..target.spec import Spec
from ..workers.exploration import sessions
from ..workers.supervisor import Supervisor
from .enough import ENOUGH_SESSIONS, Explored, lacking
from .search import Budget, Phase, Progress, Search, search, silent

LEAST_SHRINK_SECONDS = 1e-9
"""A script is played again at its limit even where no time is left to shrink it."""


@frozen
class SessionsResult:
    """What was found; every record carries its script."""

    contract: ContractSummary
    seed: int
    sessions: int
    seconds: float
    found: Folded
    flaky: int = 0
    unstable: bool = False
    interrupted: bool = False
    lacking: str = ""
    """Why "nothing found" is no verdict; empty where enough was played."""

    @property
    def failed(self) -> bool:
        """Whether anything fails (exit code 1)."""
        return bool(self.found.failing)

    @property
    def exit_code(self) -> int:
        """130 interrupted, 1 something fails, 2 too little could be played, 0 nothing was found that fails."""
        return 130 if self.interrupted else 1 if self.failed else 2 if self.unstable or self.lacking else 0

    @property
    def stored(self) -> tuple[Bug, ...]:
        """What is put on file: the bugs, and what stays apart."""
        return (*self.found.bugs, *self.found.apart)

    @property
    def records(self) -> tuple[Record, ...]:
        """Every cause, those of a bug together; each has the number of its bug, or none."""
        return self.found.causes


def check_sessions(
    spec: Spec,
    *,
    then: str | None = None,
    examples: int = SESSIONS,
    steps: int = STEPS,
    seconds: float = SECONDS,
    seed: int = 0,
    shrink_seconds: float = SHRINK_SCRIPT_SECONDS,
    progress: Progress = silent,
) -> SessionsResult:
    """Play up to `examples` sessions of at most `steps` steps within `seconds` (0: no bound), and shrink every cause.

    `then` names a trimmer that trims what is sent once more. Raises `BadTarget` when one of them cannot be run.
    """
    budget = Budget(max(shrink_seconds, LEAST_SHRINK_SECONDS))
    run = search(
        spec,
        [Phase("play", sessions(steps=steps, then=then), examples)],
        seed=seed,
        seconds=seconds,
        confirm=_need_histories,
        budgets={True: budget, False: budget},
        progress=progress,
    )
    played = run.explored.get("play", Explored())
    return SessionsResult(
        run.contract,
        seed,
        run.examples,
        run.seconds,
        fold(run.records.values(), spec.fail_on),
        run.flaky,
        run.unstable,
        run.interrupted,
        lacking(None, played, enough=ENOUGH_SESSIONS, what="sessions", bound=seconds),
    )


def _need_histories(run: Search, _worker: Supervisor) -> Collection[str]:
    """A trimmer that answers no history in any session was not called right: that is no finding."""
    if run.unread and run.unread == run.examples:
        first = next(record.failure for record in run.records.values() if record.status == "protocol-error")
        raise BadTarget(f"{run.contract.trimmer} {first.removeprefix('protocol-error: ')}", "in every session")
    return ()
