"""The worker: the process in which a trimmer that nobody trusts is run.

Jobs come in as JSON lines on standard input, events go out as JSON lines on a pipe of their own. Standard output and
error belong to the trimmer: they end in a log. What the worker is doing is in the flight recorder, so that the process
above can name the case when this one dies. Started by `supervisor`, never by hand.

Jobs: `resolve` (a spec), `explore` (a lane), `judge` (one case), `shrink` (a record). Every job ends with one event
named `done` or `error`; `explore` sends a `finding` for every new cause and a `progress` now and then before it.
"""

import os
import signal
import sys
from time import monotonic
from typing import Any, TextIO

from attrs import define, field

from ...implementations.time_limit import Watch
from ...messages.cases import Case, Example, Finding
from ...messages.errors import TrimfuzzError
from ...messages.limits import Limit
from ...messages.neutral import load_history
from ...messages.session.steps import load_script
from ..defaults import TIMEOUT
from ..engine.engine import Engine, engine_for
from ..engine.lanes import Item, feed, made_again
from ..engine.records import as_json, from_json, record_of, shrunk
from ..engine.shrinking import Find, finder, shrink
from ..engine.tally import Tally
from ..process import isolation
from ..process.pipe import decode, encode
from ..target.contract import Contract
from ..target.contract_summary import summary_of, summary_to_json
from ..target.resolve import resolve
from ..target.spec import spec_from_json
from . import session_jobs
from .confirm import suspect_findings

PROGRESS_EVERY = 0.2
ENOUGH_HANGS = 20
"""Hangs after which a lane ends: the point is made, and each further one costs its full time."""
LOG_MAX = 1 << 20
FATAL_CUTS = ("crashed", "hung")


@define
class Worker:
    """One worker: the contract of its trimmer, and the pipe that events go to."""

    events: TextIO
    recorder: Any
    contract: Contract | None = None
    watch: Watch = field(factory=lambda: Watch(TIMEOUT))
    hangs: bool = False

    def send(self, event: str, **data: Any) -> None:
        """Send one event."""
        self.events.write(encode({"event": event, **data}) + "\n")
        self.events.flush()

    def serve(self, jobs: TextIO) -> None:
        """Do jobs until there are no more; an error that means "could not run" ends its job, not the worker."""
        for line in jobs:
            job = decode(line)
            try:
                with self.watch.watching():
                    getattr(self, "do_" + job.pop("op"))(**job)
            except TrimfuzzError as error:
                self.send("error", kind=type(error).__name__, problem=str(error))

    @property
    def engine(self) -> Engine:
        """The engine of the resolved trimmer, recorded and watched."""
        return self._engine(observe=True)

    def _engine(self, *, observe: bool) -> Engine:
        assert self.contract is not None, "resolve comes first"
        return engine_for(
            self.contract,
            watch=self.watch,
            before=self.recorder.trim,
            confirm=self._hangs_again,
            observe=observe,
        )

    def _hangs_again(self, case: Case) -> bool:
        """Say whether a case that ran out of time does so again, alone and with twice the time.

        One confirmed hang speaks for the others of the run: each of them costs seconds.
        """
        if not self.hangs:
            self.hangs = bool(suspect_findings(self.engine, case, seconds=2 * self.watch.seconds))
        return self.hangs

    def do_resolve(self, spec: dict[str, Any]) -> None:
        """Import the trimmer; the answer summarises its contract."""
        given = spec_from_json(spec)
        self.contract = resolve(given)
        self.watch = Watch(given.timeout)
        engine = self.engine
        rules = (*engine.rules, *engine.relations, "utilisation")
        self.send("done", **summary_to_json(summary_of(self.contract, rules=rules)))

    def do_explore(self, lane: str, seed: int, start: int, examples: int, seconds: float, observe: bool) -> None:
        """Run a lane from example `start` on, for at most `examples` of them and `seconds` (0: no bound).

        `observe` also looks at promises that nobody made.
        """
        engine = self._engine(observe=observe)
        ledger = Tally(engine.contract)
        sent: set[tuple[str, bool]] = set()
        deadline = monotonic() + seconds if seconds > 0 else float("inf")
        reported = monotonic()

        def step(item: Item) -> bool:
            nonlocal reported
            self.recorder.begin(item.number, item.payload)
            if engine.examine(item.history, ledger, seed=seed + item.number, point=item.point, known=item.known):
                for cause, found in ledger.smallest.items():
                    if (cause, cause in ledger.explained) not in sent:
                        sent.add((cause, cause in ledger.explained))
                        self._send_finding(found, ledger)
            self.recorder.rest()
            now = monotonic()
            if now - reported > PROGRESS_EVERY:
                reported = now
                keep_log_short()
                self.send(
                    "progress",
                    examples=ledger.examples,
                    trims=ledger.trims,
                    causes=len(sent),
                    statuses=dict(ledger.statuses),
                )
            return now < deadline and ledger.statuses["hung"] < ENOUGH_HANGS

        feed(lane, engine.contract, seed=seed, start=start, examples=examples, step=step)
        for found in ledger.close():
            self._send_finding(found, ledger)
        self.send(
            "done",
            examples=ledger.examples,
            trims=ledger.trims,
            counts=dict(ledger.counts),
            statuses=dict(ledger.statuses),
            ratios=ledger.utilisation.ratios,
            edge=[as_json(record_of(found, engine.contract)) for found in ledger.edge.values()],
        )

    def _send_finding(self, finding: Finding, ledger: Tally) -> None:
        contract, cause = ledger.contract, finding.cause
        if contract.kind_of(finding.rule) is not None:
            url, parents = ledger.urls.get(cause), ledger.parents(cause)
            self.send("finding", record=as_json(record_of(finding, contract, url=url, explained_by=parents)))

    def do_remake(self, lane: str, payload: str, limit: int | None) -> None:
        """Make the case again that the flight recorder held, and judge it alone."""
        contract = self.engine.contract
        item = made_again(lane, bytes.fromhex(payload), contract)
        if item is None:
            self.send("done", records=[])
            return
        example = contract.example(item.history)
        findings: list[Finding] = []
        for suspect in self._limits_of(limit, example, item):
            findings = suspect_findings(self.engine, Case(example, suspect), seconds=2 * self.watch.seconds)
            if findings:
                break
        url = None if item.known is None else item.known.url
        self.send("done", records=[as_json(record_of(finding, contract, url=url)) for finding in findings])

    def _limits_of(self, value: int | None, example: Example, item: Item) -> list[Limit | None]:
        """The limits that the recorded value can stand for: of a compaction the point that was drawn comes first."""
        kind = self.engine.contract.kind
        if value is None:
            return [None]
        if kind != "compaction":
            return [Limit(kind, value)]
        drawn = [item.point] if item.point is not None and item.point.value == value else []
        return [*drawn, Limit(kind, value, len(example.history))]

    def do_judge(self, history: list[dict[str, Any]], limit: dict[str, Any] | None, alone: bool = False) -> None:
        """Judge one case; `alone` does it in a forked copy, with twice the time, and reports its end."""
        engine = self.engine
        case = engine.contract.case(load_history(history), None if limit is None else Limit(**limit))
        engine.contract.trimmer.format.write_items(case.history)  # what cannot be handed over is an error, not a pass
        doubled = 2 * self.watch.seconds
        findings = suspect_findings(engine, case, seconds=doubled) if alone else engine.judge_case(case)
        self.recorder.rest()
        self.send("done", records=[as_json(record_of(finding, engine.contract)) for finding in findings])

    def _player(self, then: str | None) -> session_jobs.Player:
        assert self.contract is not None, "resolve comes first"
        return session_jobs.playing(self.contract, then, self.watch, self.recorder.trim)

    def do_sessions(self, then: str | None, **options: Any) -> None:
        """Play many sessions; `session_jobs.explore` has the options."""
        player = self._player(then)
        for event in session_jobs.explore(
            player, then=then, begin=lambda number: self.recorder.begin(number, b""), **options
        ):
            if event["event"] == "done":
                self.recorder.rest()
            if event["event"] == "progress":
                keep_log_short()
            self.send(**event)

    def do_remake_session(self, then: str | None, seed: int, number: int, steps: int) -> None:
        """Make the session again that the flight recorder held, and play it alone."""
        player = self._player(then)
        made = session_jobs.numbered(player, seed=seed, number=number, steps=steps, then=then)
        records = session_jobs.play_alone(player, made.script, made.limit, seconds=2 * self.watch.seconds)
        self.send("done", records=[as_json(record) for record in records])

    def do_play(self, script: dict[str, Any], limit: dict[str, Any] | None, alone: bool = False) -> None:
        """Play one script; `alone` does it in a forked copy and reports its end."""
        steps, at = load_script(script), None if limit is None else Limit(**limit)
        player = self._player(steps.then)
        if alone:
            records = session_jobs.play_alone(player, steps, at, seconds=2 * self.watch.seconds)
        else:
            records = session_jobs.play(player, steps, at)
        self.recorder.rest()
        self.send("done", records=[as_json(record) for record in records])

    def do_shrink_session(self, record: dict[str, Any], seconds: float) -> None:
        """Shrink a record of a session; the answer is the plainest one found, or none if it does not fail any more."""
        player = self._player(load_script(record["script"]).then)
        small = session_jobs.shrink(player, record, seconds=seconds)
        self.recorder.rest()
        self.send("done", record=None if small is None else as_json(small))

    def _suspect_finder(self, cause: str) -> Find:
        def find(case: Case) -> Finding | None:
            found = suspect_findings(self.engine, case, seconds=self.watch.seconds)
            return next((one for one in found if one.cause == cause), None)

        return find

    def do_shrink(self, record: dict[str, Any], seconds: float) -> None:
        """Shrink a record; the answer is the smallest one found, or none if it does not fail any more."""
        engine = self.engine
        wanted = from_json(record)
        case = engine.contract.case(load_history(wanted.history), wanted.limit)
        fatal = wanted.cut in FATAL_CUTS
        find = self._suspect_finder(wanted.cause) if fatal else finder(engine, wanted.cause, by_itself=True)
        found = find(case)
        if found is None and not fatal:
            find = finder(engine, wanted.cause)
            found = find(case)
        if found is None:
            self.send("done", record=None, complete=False, tries=1)
            return
        result = shrink(engine, found, seconds=seconds, find=find, by_size=fatal)
        self.recorder.rest()
        best = record_of(result.finding, engine.contract, url=wanted.url, explained_by=wanted.explained_by)
        small = shrunk(best, minimal=result.complete)
        self.send("done", record=as_json(small), complete=result.complete, tries=result.tries)


def keep_log_short() -> None:
    """Empty the log of what the trimmer printed when it is large; only its end is ever shown."""
    if os.fstat(1).st_size > LOG_MAX:
        os.ftruncate(1, 0)
        os.lseek(1, 0, os.SEEK_SET)


def limit_memory(gibibytes: float) -> None:
    """Bound this process's address space, so that a greedy trimmer gets a MemoryError and not the machine."""
    import resource

    size = int(gibibytes * (1 << 30))
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (size, hard))


def main() -> None:
    """Serve the process above: arguments are the descriptors of the event pipe and the recorder, the memory bound."""
    from ..process.flight_recorder import Recorder

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
