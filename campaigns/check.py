"""Check: one trimmer, validated. Known public cases first, then generated ones, then every cause shrunk.

The result is plain data; `report` says it to a person, `documents` to a program.
"""

from collections.abc import Callable
from statistics import median
from time import monotonic
from typing import Any, TypeAlias

from attrs import define, evolve, field, frozen

from ..messages.errors import BadTarget
from .ledger import ENOUGH_RATIOS
from .records import Record, from_json
from .specs import Spec, promisable
from .supervisor import Held, Supervisor

Progress: TypeAlias = Callable[[str, int, int, int], None]
"""Told the phase, and how many examples, trims and causes there are so far."""
SHRINK_SECONDS = 20.0
OBSERVED_SHRINK_SECONDS = 5.0


@frozen
class Observed:
    """A promise that was not made: whether it held all the same, and the smallest case that breaks it."""

    name: str
    held: bool
    record: Record | None = None


@frozen
class CheckResult:
    """What a check found. `records` are findings, failing ones first; observations stand in `observed` alone."""

    held: Held
    seed: int
    examples: int
    trims: int
    seconds: float
    records: tuple[Record, ...]
    kept: tuple[str, ...]
    broken: tuple[str, ...]
    observed: tuple[Observed, ...]
    utilisation: float | None = None
    statuses: dict[str, int] = field(factory=dict[str, int], kw_only=True)
    flaky: int = field(default=0, kw_only=True)
    unstable: bool = field(default=False, kw_only=True)
    interrupted: bool = field(default=False, kw_only=True)

    @property
    def failed(self) -> bool:
        """Whether anything fails (exit code 1)."""
        return any(record.fails for record in self.records)


def _silent(_phase: str, _examples: int, _trims: int, _causes: int) -> None:
    pass


@define
class _Run:
    """A check under way; it can be interrupted at any moment and still be reported."""

    records: dict[str, Record] = field(factory=dict[str, Record])
    examples: int = 0
    trims: int = 0
    statuses: dict[str, int] = field(factory=dict[str, int])
    ratios: list[float] = field(factory=list[float])
    flaky: int = 0

    def take(self, event: dict[str, Any]) -> None:
        """Note a finding, keeping the smallest of each cause."""
        record = from_json(event["record"])
        known = self.records.get(record.cause)
        if known is None or record.size < known.size:
            self.records[record.cause] = evolve(record, url=record.url or (known.url if known else None))

    def finish(self, event: dict[str, Any]) -> None:
        """Add the sums of a lane."""
        self.examples += event["examples"]
        self.trims += event["trims"]
        self.ratios += event["ratios"]
        for status, number in event["statuses"].items():
            self.statuses[status] = self.statuses.get(status, 0) + number


def check(
    spec: Spec,
    *,
    examples: int = 2000,
    seconds: float = 30.0,
    seed: int = 0,
    shrink_seconds: float = SHRINK_SECONDS,
    progress: Progress = _silent,
) -> CheckResult:
    """Check one trimmer; `seconds` 0 is no bound. Raises `BadTarget` when it cannot be run at all."""
    began = monotonic()
    run = _Run()
    interrupted = False
    with Supervisor(spec) as worker:
        held = worker.start()
        try:
            _explore(run, worker, seed=seed, examples=examples, seconds=seconds, progress=progress)
            _refuse_protocol_errors(run, held)
            _shrink_all(run, worker, seconds=shrink_seconds, progress=progress)
        except KeyboardInterrupt:
            interrupted = True
        flaky, unstable = run.flaky + worker.flaky, worker.unstable
    return _result(run, held, spec.fail_on, seed, monotonic() - began, flaky, unstable, interrupted)


def _explore(run: _Run, worker: Supervisor, *, seed: int, examples: int, seconds: float, progress: Progress) -> None:
    began = monotonic()
    for lane in ("known", "hypothesis"):
        left = seconds and max(seconds - (monotonic() - began), 0.05)
        before, trims = run.examples, run.trims
        for event in worker.explore(lane, seed=seed, examples=examples, seconds=left):
            if event["event"] == "finding":
                run.take(event)
            elif event["event"] == "progress":
                progress(lane, before + event["examples"], trims + event["trims"], len(run.records))
            else:
                run.finish(event)
    level = median(run.ratios) if len(run.ratios) >= ENOUGH_RATIOS else None
    for cause in [cause for cause, record in run.records.items() if record.rule == "utilisation"]:
        # The lanes were judged apart; utilisation is a statement about all their cases together.
        assert worker.held is not None
        if level is None or level >= worker.held.promises.get("utilisation", 0.25):
            del run.records[cause]


def _refuse_protocol_errors(run: _Run, held: Held) -> None:
    """A trimmer whose every answer is no list of messages was not called right: that is no finding."""
    if run.statuses and set(run.statuses) == {"protocol-error"}:
        first = next((record.failure for record in run.records.values() if record.rule == "total-no-raise"), "")
        raise BadTarget(
            f"{held.trimmer} {first.removeprefix('protocol-error: ')}", "on every case; see --call and --in-place"
        )


def _shrink_all(run: _Run, worker: Supervisor, *, seconds: float, progress: Progress) -> None:
    order = sorted(run.records.values(), key=lambda record: (not record.fails, not _promised(record, worker.held)))
    for done, record in enumerate(order):
        progress("shrink", done, len(order), len(run.records))
        budget = seconds if record.fails or _promised(record, worker.held) else min(seconds, OBSERVED_SHRINK_SECONDS)
        small = worker.shrink(record, seconds=budget) if budget > 0 else record
        if small is None:
            run.flaky += 1
            del run.records[record.cause]
        else:
            run.records[record.cause] = small


def _promised(record: Record, held: Held | None) -> bool:
    return record.kind != "promise" or (held is not None and record.rule in held.promises)


def _result(
    run: _Run,
    held: Held,
    fail_on: tuple[str, ...],
    seed: int,
    seconds: float,
    flaky: int,
    unstable: bool,
    interrupted: bool,
) -> CheckResult:
    findings = [record for record in run.records.values() if _promised(record, held)]
    noticed: dict[str, Record] = {}
    for record in sorted(run.records.values(), key=lambda record: record.size):
        # What breaks a rule only where it would not fail keeps nobody from promising it.
        if record.input_class in fail_on and not _promised(record, held):
            noticed.setdefault(record.rule, record)
    broken = {record.rule for record in findings if record.fails and record.rule in held.promises}
    level = median(run.ratios) if len(run.ratios) >= ENOUGH_RATIOS else None
    judged = [name for name in promisable() if name in held.rules and (name != "utilisation" or level is not None)]
    return CheckResult(
        held,
        seed,
        run.examples,
        run.trims,
        seconds,
        tuple(sorted(findings, key=lambda record: (not record.fails, record.kind, record.size, record.cause))),
        tuple(name for name in judged if name in held.promises and name not in broken),
        tuple(name for name in judged if name in broken),
        tuple(Observed(name, name not in noticed, noticed.get(name)) for name in judged if name not in held.promises),
        level,
        statuses=run.statuses,
        flaky=flaky,
        unstable=unstable,
        interrupted=interrupted,
    )
