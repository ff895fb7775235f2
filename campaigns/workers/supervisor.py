"""The supervisor: starts a worker, gives it jobs, watches it, and goes on when it dies.

A worker that crashes, stands still in a trim, or sends what trimfuzz did not write is ended and replaced. The flight
recorder names the case; it is run again alone, in a fresh worker and a forked copy, with twice the time, and only if it
ends the same way is it a finding. Restarts are bounded: past the bound the trimmer is unstable, and what was found
until then stands. Nothing outlives a run: its files have no names, and what a trimmer started is ended with it.
"""

import os
import select
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from secrets import token_hex
from time import monotonic
from typing import IO, Any

from attrs import define, evolve, field, frozen

from ...implementations.time_limit import FIRST_CALLS
from ...messages.errors import BadTarget, TrimfuzzError
from ...messages.limits import Limit, limit_to_json
from ..defaults import IMPORT_SECONDS, RESTARTS, first_call_seconds
from ..engine.records import JsonHistory, Record, as_json, from_json
from ..process.flight_recorder import LastTrim, Recorder
from ..process.isolation import GARBLED, describe_status
from ..process.leftover_processes import MARK, end_group, end_marked
from ..process.pipe import Garbled, decode_event, encode
from ..target.contract_summary import ContractSummary, summary_from_json
from ..target.spec import Spec, spec_to_json
from .exploration import Exploration

GRACE = 1.0
"""Seconds beyond the trimmer's own time after which a worker that does not move is ended."""
LOG_TAIL = 2000
_LISTS = ("ratios", "edge", "exercised", "spared")
"""What an exploration reports in lists, which are put together over restarts."""


@frozen
class Died(Exception):
    """The worker is gone: how it ended, the recorder's last entry, and the end of what it printed."""

    status: str
    hung: bool
    last_trim: LastTrim
    log: str
    garbled: bool = False

    def __str__(self) -> str:
        return self.status + (f"; last printed: {_last_line(self.log)}" if self.log.strip() else "")


def _gone() -> Died:
    """What a worker says that was closed while somebody waited for it."""
    return Died("closed", False, LastTrim(0, 0, b"", None, False), "")


@define
class Process:
    """A running worker process and the pipes to it."""

    process: subprocess.Popen[str]
    events: IO[bytes]
    recorder: Recorder
    log: IO[bytes]
    mark: str
    pending: bytes = b""


@define
class Supervisor:
    """Runs the jobs of one spec. Use it as a context manager; nothing is left running behind it."""

    spec: Spec
    memory: float = field(default=4.0, kw_only=True)
    contract: ContractSummary | None = field(default=None, init=False)
    unstable: bool = field(default=False, init=False)
    flaky: int = field(default=0, init=False)
    first_call: float = field(default=0.0, init=False)
    """The seconds that the first call took, where that was more than a later one may take."""
    ended: str = field(default="", init=False)
    """How the last worker that died in a lane ended."""
    _patient: bool = field(default=True, init=False)
    """Whether the first calls of this worker may import packages: not where they were fast in one before it."""
    _running: Process | None = field(default=None, init=False)
    _closed: bool = field(default=False, init=False)

    def __enter__(self) -> "Supervisor":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def start(self) -> ContractSummary:
        """Start a worker and resolve the spec in it; raises `BadTarget` when the trimmer cannot be run."""
        if self._closed:
            raise _gone()
        again = self.contract is not None
        self._patient = bool(self.first_call) or not again
        self._running = _spawn(self.memory)
        if self._closed:  # from another thread, while the process was being made
            self.close()
            raise _gone()
        try:
            answer = self._last("resolve", spec=spec_to_json(self.spec), again=again, slow=self.first_call)
        except Died as died:
            if died.hung:
                raise BadTarget(f"{self.spec.target}: importing it took more than {IMPORT_SECONDS:g} s") from None
            words = "its process ended while it was imported and first tried"
            raise BadTarget(f"{self.spec.target}: {words}: {died}") from None
        self.contract = summary_from_json(answer)
        return self.contract

    def close(self) -> None:
        """End the worker, for good; whoever waits for it in another thread gets `Died`."""
        self._closed = True
        running, self._running = self._running, None
        if running is not None:
            _end(running)
            running.log.close()

    def explore(
        self, what: Exploration, *, seed: int, examples: int, seconds: float, start: int = 0
    ) -> Iterator[dict[str, Any]]:
        """Run `examples` items from number `start` on; the last event is `done`, with sums over all restarts."""
        deaths, end = 0, start + examples
        deadline = monotonic() + seconds if seconds > 0 else None
        total: dict[str, Any] = {"examples": 0, "trims": 0, "unread": 0, "complete": False, "total": None}
        total |= {"counts": {}, "statuses": {}, "judged": {}, **{name: list[Any]() for name in _LISTS}}
        while True:
            left = 0.0 if deadline is None else max(deadline - monotonic(), 0.05)
            progress: dict[str, Any] = {"examples": 0}
            job: dict[str, Any] = {"of": what.of, "seed": seed, "start": start, "examples": end - start, **what.options}
            try:
                for event in self._job("explore", seconds=left, **job):
                    if event["event"] == "progress":
                        progress = event
                        yield {"trims": 0, **event, "examples": event["examples"] + total["examples"]}
                    elif event["event"] == "done":
                        _add(total, event)
                        yield {"event": "done", **total}
                        return
                    else:
                        yield event
            except Died as died:
                deaths += 1
                self.ended = str(died)
                # A trimmer that writes where it should not may have written into the recorder too.
                known = start <= died.last_trim.example < end
                at = died.last_trim.example if known else start + progress["examples"]
                _add(total, {**progress, "examples": max(progress["examples"], at - start)})
                start = at + 1
                self.start()
                yield from self._attribute(died, what, seed=seed, number=at)
                out_of_time = deadline is not None and monotonic() >= deadline
                self.unstable = deaths > RESTARTS * (1 + (total["examples"] // 1000 if what.lenient else 0))
                if self.unstable or start >= end or out_of_time:
                    total["complete"] = start >= end and not self.unstable
                    yield {"event": "done", **total}
                    return

    def _attribute(self, died: Died, what: Exploration, *, seed: int, number: int) -> Iterator[dict[str, Any]]:
        """Run what a worker died on again, alone; what repeats is a finding, what does not is counted."""
        entry = died.last_trim
        records: list[Record] = []
        if entry.trimming or died.garbled:
            again = {"payload": entry.payload.hex(), "limit": entry.limit, "seed": seed, "number": number}
            try:
                answer = self._last("remake", of=what.of, **again, **what.options)
                records = [from_json(record) for record in answer["records"]]
            except Died:
                self.start()
        self.flaky += not records
        for record in records:
            if what.shows_log and died.log.strip():
                record = evolve(record, failure=f"{record.failure}; last printed: {_last_line(died.log)}")
            yield {"event": "finding", "record": as_json(record)}

    def judge(self, subject: JsonHistory | dict[str, Any], limit: Limit | None, *, alone: bool = False) -> list[Record]:
        """Judge a history at a limit, or play a script, and return its findings.

        A death of the worker is confirmed alone, and is one of them.
        """
        of = "sessions" if isinstance(subject, dict) else "histories"
        try:
            answer = self._last("judge", of=of, subject=subject, limit=limit_to_json(limit), alone=alone)
        except Died:
            self.start()
            if alone:
                raise
            return self.judge(subject, limit, alone=True)
        return [from_json(record) for record in answer["records"]]

    def shrink(self, record: Record, *, seconds: float) -> Record | None:
        """Shrink a record, keeping its cause; None when it does not fail any more (it is flaky)."""
        of = "histories" if record.script is None else "sessions"
        try:
            answer = self._last("shrink", of=of, record=as_json(record), seconds=seconds)
        except Died:
            self.start()
            return record
        found = answer["record"]
        return None if found is None else from_json(found)

    def _last(self, op: str, **data: Any) -> dict[str, Any]:
        *_, last = self._job(op, **data)
        return {key: value for key, value in last.items() if key != "event"}

    def _job(self, op: str, **data: Any) -> Iterator[dict[str, Any]]:
        running = self._running
        if running is None:
            raise _gone()
        jobs = running.process.stdin
        assert jobs is not None
        try:
            jobs.write(encode({"op": op, **data}) + "\n")
            jobs.flush()
        except BrokenPipeError:
            raise self._died(running, hung=False) from None
        patience = IMPORT_SECONDS if op == "resolve" else None
        while True:
            event = self._event(running, patience)
            if event["event"] == "slow":
                self.first_call = event["seconds"]
                continue
            if event["event"] == "error":
                raise _known_error(event)
            yield event
            if event["event"] == "done":
                return

    def _event(self, running: Process, patience: float | None) -> dict[str, Any]:
        """Wait for an event, `patience` seconds at most; a worker whose trim stands still for its time is ended too."""
        seen, since = running.recorder.read(), monotonic()
        deadline = None if patience is None else since + patience
        while b"\n" not in running.pending:
            ready, _, _ = select.select([running.events], [], [], 0.25)
            if ready:
                part = os.read(running.events.fileno(), 1 << 16)
                if not part:
                    raise self._died(running, hung=False)
                running.pending += part
                continue
            if deadline is not None and monotonic() > deadline:
                raise self._died(running, hung=True)
            now = running.recorder.read()
            if now.trims != seen.trims or not now.trimming:
                seen, since = now, monotonic()
            elif monotonic() - since > self._longest(now.trims) + GRACE:
                raise self._died(running, hung=True)
        line, _, running.pending = running.pending.partition(b"\n")
        try:
            return decode_event(line)
        except Garbled:
            raise self._died(running, hung=False, garbled=True) from None

    def _longest(self, trims: int) -> float:
        """Return the seconds that a trim may take, when a worker has begun so many."""
        first = self._patient and trims <= FIRST_CALLS
        return first_call_seconds(self.spec.timeout) if first else self.spec.timeout

    def _died(self, running: Process, *, hung: bool, garbled: bool = False) -> Died:
        entry = running.recorder.read()
        self._running = None
        status = _end(running)
        with running.log as log:
            log.seek(max(log.seek(0, os.SEEK_END) - LOG_TAIL, 0))
            printed = log.read().decode("utf-8", "replace")
        return Died(GARBLED if garbled else status, hung, entry, printed, garbled)


def _spawn(memory: float) -> Process:
    recorder, mark = Recorder.create(), token_hex(8)
    log = tempfile.TemporaryFile()  # noqa: SIM115  # closed with its process
    reader, writer = os.pipe()
    given = (writer, recorder.handle or 0)
    try:
        process = subprocess.Popen(
            [sys.executable, "-P", "-m", "trimfuzz.campaigns.workers.worker", *map(str, given), str(memory)],
            stdin=subprocess.PIPE,
            stdout=log,
            stderr=log,
            pass_fds=given,
            start_new_session=True,
            text=True,
            env={**os.environ, MARK: mark},
        )
    finally:
        os.close(writer)
        recorder.handed_over()
    return Process(process, os.fdopen(reader, "rb", buffering=0), recorder, log, mark)


def _end(running: Process) -> str:
    """End a worker and all that it started; returns how it ended."""
    if running.process.stdin is not None:
        with suppress(BrokenPipeError):
            running.process.stdin.close()
    code = running.process.poll()
    end_group(running.process.pid)
    if code is None:
        code = running.process.wait()
    end_marked(running.mark)
    running.events.close()
    running.recorder.close()
    return describe_status(code)


def _add(total: dict[str, Any], event: dict[str, Any]) -> None:
    for name in ("examples", "trims", "unread"):
        total[name] += event.get(name, 0)
    for name in _LISTS:
        total[name] = total[name] + event.get(name, [])
    total |= {name: event[name] for name in ("complete", "total") if name in event}
    for name in ("counts", "statuses", "judged"):
        for key, value in event.get(name, {}).items():
            total[name][key] = total[name].get(key, 0) + value


def _known_error(event: dict[str, Any]) -> TrimfuzzError:
    return BadTarget(event["problem"])


def _last_line(log: str) -> str:
    return log.strip().splitlines()[-1][:200]
