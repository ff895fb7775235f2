"""Checking sessions: one trimmer in its own process, many sessions, and every cause shrunk to a readable script."""

from collections.abc import Callable
from time import monotonic
from typing import TypeAlias

from attrs import frozen

from ...messages.errors import BadTarget
from ..engine.records import Record, from_json
from ..sessions.script_lane import STEPS
from ..target.contract_summary import ContractSummary
from ..target.spec import Spec
from ..workers.supervisor import Supervisor

Progress: TypeAlias = Callable[[str, int, int], None]
"""Told the phase, and how many sessions (causes, when shrinking) are done and how many causes there are."""
SHRINK_SECONDS = 10.0
SESSIONS = 2000


@frozen
class SessionsResult:
    """What was found. `records` carry their scripts; failing ones come first."""

    contract: ContractSummary
    seed: int
    sessions: int
    seconds: float
    records: tuple[Record, ...]
    flaky: int = 0
    unstable: bool = False
    interrupted: bool = False

    @property
    def failed(self) -> bool:
        """Whether anything fails (exit code 1)."""
        return any(record.fails for record in self.records)


def _silent(_phase: str, _done: int, _causes: int) -> None:
    pass


def check_sessions(
    spec: Spec,
    *,
    then: str | None = None,
    examples: int = SESSIONS,
    steps: int = STEPS,
    seconds: float = 30.0,
    seed: int = 0,
    shrink_seconds: float = SHRINK_SECONDS,
    progress: Progress = _silent,
) -> SessionsResult:
    """Play up to `examples` sessions of at most `steps` steps within `seconds` (0: no bound), and shrink every cause.

    `then` names a trimmer that trims what is sent once more. Raises `BadTarget` when one of them cannot be run.
    """
    began = monotonic()
    found: dict[str, Record] = {}
    played, unread, flaky, interrupted = 0, 0, 0, False
    with Supervisor(spec) as worker:
        contract = worker.start()
        try:
            for event in worker.sessions(seed=seed, examples=examples, steps=steps, seconds=seconds, then=then):
                if event["event"] == "finding":
                    record = from_json(event["record"])
                    known = found.get(record.cause)
                    if known is None or record.size < known.size:
                        found[record.cause] = record
                else:
                    played, unread = event["sessions"], event.get("unread", 0)
                    progress("play", played, len(found))
            if unread and unread == played:
                first = next(record.failure for record in found.values() if record.status == "protocol-error")
                raise BadTarget(f"{contract.trimmer} {first.removeprefix('protocol-error: ')}", "in every session")
            for number, (cause, record) in enumerate(sorted(found.items(), key=lambda pair: not pair[1].fails)):
                progress("shrink", number, len(found))
                small = worker.shrink_session(record, seconds=shrink_seconds)
                if small is None:
                    flaky += 1
                    del found[cause]
                else:
                    found[cause] = small
        except KeyboardInterrupt:
            interrupted = True
        flaky, unstable = flaky + worker.flaky, worker.unstable
    order = sorted(found.values(), key=lambda record: (not record.fails, record.size))
    return SessionsResult(contract, seed, played, monotonic() - began, tuple(order), flaky, unstable, interrupted)
