"""The worker: the process in which a trimmer that nobody trusts is run.

Jobs come in as JSON lines on standard input, events go out as JSON lines on a pipe of their own. Standard output and
error belong to the trimmer: they end in a log. What the worker is doing is in the flight recorder, so that the process
above can name the case when this one dies. Started by `supervisor`, never by hand.

Jobs: `resolve` (a spec) comes first, then `explore`, `remake`, `judge` and `shrink`, each `of` histories or sessions.
Every job ends with one event named `done` or `error`; `explore` sends a `finding` for every new cause and a `progress`
now and then before it. A first call that took long is reported at once, as `slow`.
"""

import os
import signal
import sys
from types import ModuleType
from typing import Any, TextIO

from attrs import define

from ...implementations.time_limit import Watch
from ...messages.errors import TrimfuzzError
from ..defaults import TIMEOUT, first_call_seconds
from ..engine.engine import engine_for
from ..engine.first_calls import FirstCalls
from ..process import isolation
from ..process.flight_recorder import Recorder
from ..process.pipe import decode, encode
from ..target.contract_summary import summary_of, summary_to_json
from ..target.resolve import resolve
from ..target.spec import spec_from_json
from . import history_jobs, session_jobs
from .bench import Bench

_JOBS: dict[str, ModuleType] = {"histories": history_jobs, "sessions": session_jobs}


@define
class Worker:
    """One worker: the pipe that events go to, and once a spec was resolved its bench."""

    events: TextIO
    recorder: Recorder
    bench: Bench | None = None

    def send(self, event: str, **data: Any) -> None:
        """Send one event."""
        self.events.write(encode({"event": event, **data}) + "\n")
        self.events.flush()

    def serve(self, jobs: TextIO) -> None:
        """Do jobs until there are no more; an error that means "could not run" ends its job, not the worker."""
        for line in jobs:
            watch = Watch(TIMEOUT) if self.bench is None else self.bench.watch
            try:
                with watch.watching():
                    self._do(**decode(line))
            except TrimfuzzError as error:
                self.send("error", kind=type(error).__name__, problem=str(error))

    def _do(self, *, op: str, **data: Any) -> None:
        if op == "resolve":
            self._resolve(**data)
            return
        assert self.bench is not None, "resolve comes first"
        getattr(_JOBS[data.pop("of")], op)(self.bench, **data)

    def _resolve(self, *, spec: dict[str, Any], again: bool, slow: float) -> None:
        """Import the trimmer; the answer summarises its contract.

        `again`: a worker before this one has ended, and `slow` is what the first call took there, if that was long.
        """
        given = spec_from_json(spec)
        contract = resolve(given)
        patience = 0.0 if again and not slow else first_call_seconds(given.timeout)
        watch = Watch(given.timeout, patience=patience, slow=lambda seconds: self.send("slow", seconds=seconds))
        first_calls = None if again else FirstCalls(contract, watch)
        self.bench = Bench(contract, watch, self.recorder, self.send, first_calls, slow)
        engine = engine_for(contract)
        rules = (*engine.rules, *engine.relations, *(("utilisation",) if engine.measures else ()))
        self.send("done", **summary_to_json(summary_of(contract, rules=rules)))


def limit_memory(gibibytes: float) -> None:
    """Bound this process's address space, so that a greedy trimmer gets a MemoryError and not the machine."""
    import resource

    size = int(gibibytes * (1 << 30))
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (size, hard))


def main() -> None:
    """Serve the process above: arguments are the descriptors of the event pipe and the recorder, the memory bound."""
    descriptor, handle, memory = int(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3])
    isolation.die_with_parent()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    jobs = os.fdopen(os.dup(0), encoding="utf-8")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    if memory > 0:
        limit_memory(memory)
    with os.fdopen(descriptor, "w", encoding="utf-8") as events:
        isolation.hidden.update((descriptor, jobs.fileno()))
        worker = Worker(events, Recorder.attach(handle))
        worker.serve(jobs)


if __name__ == "__main__":
    main()
