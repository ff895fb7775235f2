"""Check: one trimmer, validated. Known public cases first, then generated ones, then every cause shrunk.

The result is plain data; `report` says it to a person, `documents` to a program.
"""

from collections.abc import Callable, Collection, Iterable, Sequence
from statistics import median
from time import monotonic
from typing import Any, TypeAlias

from attrs import define, evolve, field, frozen

from ...implementations.running import BELOW_ONE
from ...messages.errors import BadTarget
from ...oracles.rules.registry import RULES, promisable
from ..engine.records import Record, from_json, smaller
from ..engine.tally import ENOUGH_RATIOS
from ..store.accepted import Accepted, settled
from ..store.fixtures import portable
from ..target.contract_summary import ContractSummary
from ..target.declaration import DEFAULT_BOUND
from ..target.spec import Spec
from ..workers.supervisor import Supervisor

Progress: TypeAlias = Callable[[str, int, int, int], None]
"""Told the phase, and how many examples, trims and causes there are so far."""
ALL_KNOWN = 1_000_000
"""The known cases are few, and run whole; what was asked for is the number of generated ones."""
SHRINK_SECONDS = 20.0
"""The most for one cause."""
OBSERVED_SHRINK_SECONDS = 5.0
SHRINK_TOTAL, SHRINK_TOTAL_SHARE = 60.0, 2.0
"""The most for all causes that count: so many seconds, or so many times the time for the search if that is more."""
OBSERVED_TOTAL, OBSERVED_SHARE = 10.0, 0.5
"""The same for what nobody promised."""


@frozen
class Observed:
    """A promise that was not made: whether it held all the same, and the smallest case that breaks it."""

    name: str
    held: bool
    record: Record | None = None


@frozen
class CheckResult:
    """What a check found. `records` are findings, failing ones first; observations stand in `observed` alone."""

    contract: ContractSummary
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
    idle: tuple[str, ...] = field(default=(), kw_only=True)
    """Rules that were never put to the test, since nothing came back that they speak of."""
    cut_short: int = field(default=0, kw_only=True)
    """How many causes had less time for shrinking than one may have, and may have a smaller history."""
    refused_small: int = field(default=0, kw_only=True)
    """How many ValueErrors below a limit of 1 counted as refusals without having been declared."""
    stale: tuple[Accepted, ...] = field(default=(), kw_only=True)
    """Accepted findings that are gone: their entries have to go too."""

    @property
    def exit_code(self) -> int:
        """130 interrupted, 1 something fails, 2 it could not be judged to the end, 0 nothing was found that fails."""
        return 130 if self.interrupted else 1 if self.failed else 2 if self.unstable else 0

    @property
    def failed(self) -> bool:
        """Whether anything fails (exit code 1)."""
        return bool(self.stale) or any(record.fails for record in self.records)


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
    cut_short: int = 0
    refused_small: int = 0

    @property
    def judged(self) -> bool:
        """Whether there is anything to speak of: an outcome that was judged, or a finding."""
        return bool(self.records) or max(self.trims, sum(self.statuses.values())) > self.statuses.get("skipped", 0)

    def take(self, event: dict[str, Any]) -> None:
        """Note a finding, keeping the smallest of each cause."""
        record = from_json(event["record"])
        self.records[record.cause] = smaller(self.records.get(record.cause), record)

    def finish(self, event: dict[str, Any]) -> None:
        """Add the sums of a lane."""
        self.examples += event["examples"]
        self.trims += event["trims"]
        self.ratios += event["ratios"]
        self.refused_small += event["counts"].get(BELOW_ONE, 0)
        for status, number in event["statuses"].items():
            self.statuses[status] = self.statuses.get(status, 0) + number


def check(
    spec: Spec,
    *,
    examples: int = 2000,
    seconds: float = 30.0,
    seed: int = 0,
    shrink_seconds: float = SHRINK_SECONDS,
    accepted: Sequence[Accepted] = (),
    progress: Progress = _silent,
) -> CheckResult:
    """Check one trimmer on all known cases and `examples` generated ones; `seconds` 0 is no bound.

    `accepted` are findings that do not fail.

    Raises `BadTarget` when it cannot be run at all.
    """
    began = monotonic()
    run = _Run()
    interrupted = False
    entries: list[Accepted] = []
    with Supervisor(spec) as worker:
        contract = worker.start()
        try:
            _explore(run, worker, seed=seed, examples=examples, seconds=seconds, progress=progress)
            _refuse_protocol_errors(run, contract)
            _need_judged(run, worker)
            entries = [one for one in accepted if one.trimmer == portable(contract.trimmer)]
            _look_for(entries, run, worker)
            known = {one.cause for one in entries}
            _shrink_all(run, worker, but=known, seconds=shrink_seconds, searched=seconds, progress=progress)
        except KeyboardInterrupt:
            interrupted = True
        flaky, unstable = run.flaky + worker.flaky, worker.unstable
    records, stale = settled(run.records.values(), entries)
    run.records = {record.cause: record for record in records}
    result = _result(run, contract, spec.fail_on, seed, monotonic() - began, flaky, unstable, interrupted)
    return evolve(result, stale=() if interrupted else tuple(stale))


def _look_for(entries: Iterable[Accepted], run: _Run, worker: Supervisor) -> None:
    """Run the smallest case of each accepted finding that did not come up by itself."""
    for one in entries:
        if one.cause not in run.records:
            found = worker.judge(one.history, one.limit)
            run.records.update((record.cause, record) for record in found if record.cause == one.cause)


def _explore(run: _Run, worker: Supervisor, *, seed: int, examples: int, seconds: float, progress: Progress) -> None:
    began = monotonic()
    for lane in ("known", "hypothesis"):
        left = seconds and max(seconds - (monotonic() - began), 0.05)
        before, trims = run.examples, run.trims
        wanted = ALL_KNOWN if lane == "known" else examples
        for event in worker.explore(lane, seed=seed, examples=wanted, seconds=left):
            if event["event"] == "finding":
                run.take(event)
            elif event["event"] == "progress":
                progress(lane, before + event["examples"], trims + event["trims"], len(run.records))
            else:
                run.finish(event)
    level = median(run.ratios) if len(run.ratios) >= ENOUGH_RATIOS else None
    for cause in [cause for cause, record in run.records.items() if record.rule == "utilisation"]:
        # The lanes were judged apart; utilisation is a statement about all their cases together.
        assert worker.contract is not None
        if level is None or level >= worker.contract.promises.get("utilisation", DEFAULT_BOUND):
            del run.records[cause]


def _refuse_protocol_errors(run: _Run, contract: ContractSummary) -> None:
    """A trimmer whose every answer is no list of messages was not called right: that is no finding."""
    if run.statuses and set(run.statuses) == {"protocol-error"}:
        first = next((record.failure for record in run.records.values() if record.rule == "total-no-raise"), "")
        raise BadTarget(
            f"{contract.trimmer} {first.removeprefix('protocol-error: ')}", "on every case; see --call and --in-place"
        )


def _need_judged(run: _Run, worker: Supervisor) -> None:
    """A run in which nothing was judged says nothing about the trimmer, least of all that it passes."""
    if run.judged:
        return
    if run.statuses.get("skipped"):
        raise BadTarget(f"{worker.spec.target}: nothing could be judged", "its format has no place for any history")
    said = f"its process ended: {worker.ended}" if worker.ended else "no history was tried: more --seconds or --inputs?"
    raise BadTarget(f"{worker.spec.target}: nothing could be judged", said)


@define
class Budget:
    """Time that several shrinks share: none gets more than `each`, and every one that comes later has its second."""

    each: float
    left: float

    def share(self, later: int) -> float:
        """Return the seconds for the next shrink, when so many come `later`."""
        return max(min(self.each, max(self.left - later, self.left / (later + 1))), 0.0)


def _shrink_all(
    run: _Run, worker: Supervisor, *, but: Collection[str], seconds: float, searched: float, progress: Progress
) -> None:
    """Shrink every cause but those; what counts comes first. Without a bound on the search there is none on all."""

    def budget_of(each: float, total: float, share: float) -> Budget:
        return Budget(each, max(each, total, share * searched) if searched > 0 else float("inf"))

    budgets = {
        True: budget_of(seconds, SHRINK_TOTAL, SHRINK_TOTAL_SHARE),
        False: budget_of(min(seconds, OBSERVED_SHRINK_SECONDS), OBSERVED_TOTAL, OBSERVED_SHARE),
    }
    counts = {cause: record.fails or _promised(record, worker.contract) for cause, record in run.records.items()}
    left = (record for record in run.records.values() if record.cause not in but)
    order = sorted(left, key=lambda record: (not record.fails, not _promised(record, worker.contract)))
    for done, record in enumerate(order):
        progress("shrink", done, len(order), len(run.records))
        budget = budgets[counts[record.cause]]
        share = budget.share(sum(counts[later.cause] is counts[record.cause] for later in order[done + 1 :]))
        began = monotonic()
        small = worker.shrink(record, seconds=share) if share > 0 else record
        budget.left -= monotonic() - began
        if small is None:
            run.flaky += 1
            del run.records[record.cause]
        else:
            run.records[record.cause] = small
            run.cut_short += not small.minimal and share < budget.each


def _promised(record: Record, contract: ContractSummary | None) -> bool:
    return record.kind != "promise" or (contract is not None and record.rule in contract.promises)


def _result(
    run: _Run,
    contract: ContractSummary,
    fail_on: tuple[str, ...],
    seed: int,
    seconds: float,
    flaky: int,
    unstable: bool,
    interrupted: bool,
) -> CheckResult:
    findings = [record for record in run.records.values() if _promised(record, contract)]
    noticed: dict[str, Record] = {}
    for record in sorted(run.records.values(), key=lambda record: record.size):
        # What breaks a rule only where it would not fail keeps nobody from promising it.
        if record.input_class in fail_on and not _promised(record, contract):
            noticed.setdefault(record.rule, record)
    counting = [record for record in findings if record.fails or record.accepted is not None]
    made = contract.promises
    broken = {record.rule for record in counting if record.rule in made}
    level = median(run.ratios) if len(run.ratios) >= ENOUGH_RATIOS else None
    idle = _idle(run, contract)
    judged = [
        name
        for name in promisable()
        if name in contract.rules and name not in idle and (name != "utilisation" or level is not None)
    ]
    if level is not None:
        findings = [_with_median(record, level, contract) for record in findings]
    return CheckResult(
        contract,
        seed,
        run.examples,
        run.trims,
        seconds,
        tuple(sorted(findings, key=lambda record: (not record.fails, record.kind, record.size, record.cause))),
        tuple(name for name in judged if name in made and name not in broken),
        tuple(name for name in judged if name in broken),
        tuple(
            Observed(name, name not in noticed, noticed.get(name)) for name in judged if name not in contract.promises
        ),
        level,
        statuses=run.statuses,
        flaky=flaky,
        unstable=unstable,
        interrupted=interrupted,
        idle=idle,
        cut_short=run.cut_short,
        refused_small=run.refused_small,
    )


def _idle(run: _Run, contract: ContractSummary) -> tuple[str, ...]:
    """The rules that were not put to the test: where nothing came back, only some speak of a refusal or an error."""
    if run.statuses.get("ok"):
        return ()
    found = {record.rule for record in run.records.values()}
    spoken = {name for name in contract.rules if run.statuses and RULES[name].refusals and not RULES[name].runs}
    return tuple(name for name in contract.rules if name not in found | spoken | {"utilisation"})


def _with_median(record: Record, level: float, contract: ContractSummary) -> Record:
    """Say what utilisation is about: a median over many cases, of which the record is the smallest below the bound."""
    if record.rule != "utilisation":
        return record
    bound = contract.promises.get("utilisation", DEFAULT_BOUND)
    said = f"over all cases the median is {level:.2f}, and at least {bound:g} is promised; here: "
    return evolve(record, note=said + record.note)
