"""Check: one trimmer, validated. Known public cases first, then generated ones, then every cause shrunk.

The result is plain data; `check_view` renders it for people, `documents` for programs.
"""

from collections.abc import Collection, Iterable, Sequence
from statistics import median

from attrs import evolve, field, frozen

from ...implementations.running import BELOW_ONE
from ...messages.errors import BadTarget
from ...oracles.judging.folding import bug_key
from ...oracles.rules.registry import promisable
from ..defaults import (
    EXAMPLES,
    OBSERVED_SHARE,
    OBSERVED_SHRINK_SECONDS,
    OBSERVED_TOTAL,
    SECONDS,
    SHRINK_SECONDS,
    SHRINK_TOTAL,
    SHRINK_TOTAL_SHARE,
)
from ..engine.bugs import Bug, Folded, fold
from ..engine.records import Record
from ..engine.tally import ENOUGH_RATIOS
from ..store.accepted import Accepted, settled
from ..store.fixtures import portable
from ..target.contract_summary import ContractSummary
from ..target.declaration import DEFAULT_BOUND
from ..target.spec import Spec
from ..workers.exploration import histories
from ..workers.supervisor import Supervisor
from .enough import ENOUGH_HISTORIES, Explored, lacking
from .search import Budget, Phase, Progress, Search, search, silent

ALL_KNOWN = 1_000_000
"""The known cases are few, and run whole; what was asked for is the number of generated ones."""


@frozen
class Observed:
    """A promise that was not made: whether it held all the same, and the smallest case that breaks it."""

    name: str
    held: bool
    record: Record | None = None


@frozen
class Checked:
    """What a check found: the bugs, and what stays apart; observations stand in `observed` alone."""

    contract: ContractSummary
    seed: int
    examples: int
    trims: int
    seconds: float
    found: Folded
    kept: tuple[str, ...]
    broken: tuple[str, ...]
    observed: tuple[Observed, ...]
    utilisation: float | None = None
    statuses: dict[str, int] = field(factory=dict[str, int], kw_only=True)
    flaky: int = field(default=0, kw_only=True)
    unstable: bool = field(default=False, kw_only=True)
    interrupted: bool = field(default=False, kw_only=True)
    edge: tuple[Record, ...] = field(default=(), kw_only=True)
    """What fails at edge limits alone: it is reported, and fails nobody."""
    spared: Record | None = field(default=None, kw_only=True)
    """The smallest case in which an assumed within-limit held only thanks to its mild form."""
    lacking: str = field(default="", kw_only=True)
    """Why "nothing found" is no verdict: what too little was judged of; empty where it was enough."""
    idle: tuple[str, ...] = field(default=(), kw_only=True)
    """Rules that were not exercised: no case could have shown them to be broken."""
    cut_short: int = field(default=0, kw_only=True)
    """How many causes had less time for shrinking than one may have, and may have a smaller history."""
    refused_small: int = field(default=0, kw_only=True)
    """How many ValueErrors below a limit of 1 counted as refusals without having been declared."""
    stale: tuple[Accepted, ...] = field(default=(), kw_only=True)
    """Accepted findings that are gone: their entries have to go too."""

    @property
    def exit_code(self) -> int:
        """130 interrupted, 1 something fails, 2 too little could be judged, 0 nothing was found that fails."""
        return 130 if self.interrupted else 1 if self.failed else 2 if self.unstable or self.lacking else 0

    @property
    def failed(self) -> bool:
        """Whether anything fails (exit code 1)."""
        return bool(self.stale or self.found.failing)

    @property
    def stored(self) -> tuple[Bug, ...]:
        """What is put on file: the bugs, what stays apart, what fails at edge limits alone."""
        return (*self.found.bugs, *self.found.apart, *(Bug(None, record) for record in self.edge))

    @property
    def records(self) -> tuple[Record, ...]:
        """Every cause, those of a bug together; each has the number of its bug, or none."""
        return self.found.causes


def check(
    spec: Spec,
    *,
    examples: int = EXAMPLES,
    seconds: float = SECONDS,
    seed: int = 0,
    shrink_seconds: float = SHRINK_SECONDS,
    accepted: Sequence[Accepted] = (),
    progress: Progress = silent,
) -> Checked:
    """Check one trimmer on all known cases and `examples` generated ones; `seconds` 0 is no bound.

    `accepted` are findings that do not fail. Raises `BadTarget` when it cannot be run at all.
    """
    entries: list[Accepted] = []

    def confirm(run: Search, worker: Supervisor) -> Collection[str]:
        _judge_utilisation(run)
        _refuse_protocol_errors(run)
        _need_judged(run, worker)
        entries.extend(one for one in accepted if one.trimmer == portable(run.contract.trimmer))
        _look_for(entries, run, worker)
        accepted_keys = {one.key for one in entries}
        return {cause for cause in run.records if bug_key(cause) in accepted_keys}

    run = search(
        spec,
        [Phase("known", histories("known"), ALL_KNOWN), Phase("hypothesis", histories("hypothesis"), examples)],
        seed=seed,
        seconds=seconds,
        confirm=confirm,
        budgets=_budgets(shrink_seconds, searched=seconds),
        progress=progress,
    )
    folded = fold((record for record in run.records.values() if run.promised(record)), spec.fail_on)
    found, stale = settled(folded, entries)
    return _result(run, spec, found, seed, () if run.interrupted else stale, seconds=seconds)


def _budgets(seconds: float, *, searched: float) -> dict[bool, Budget]:
    """The time for shrinking; without a bound on the search there is none on all."""

    def budget(each: float, total: float, share: float) -> Budget:
        return Budget(each, max(each, total, share * searched) if searched > 0 else float("inf"))

    return {
        True: budget(seconds, SHRINK_TOTAL, SHRINK_TOTAL_SHARE),
        False: budget(min(seconds, OBSERVED_SHRINK_SECONDS), OBSERVED_TOTAL, OBSERVED_SHARE),
    }


def _judge_utilisation(run: Search) -> None:
    """The lanes were judged apart; utilisation is a statement about all their cases together."""
    level = _level(run)
    if level is None or level >= run.contract.promises.get("utilisation", DEFAULT_BOUND):
        for cause in [cause for cause, record in run.records.items() if record.rule == "utilisation"]:
            del run.records[cause]


def _level(run: Search) -> float | None:
    return median(run.ratios) if len(run.ratios) >= ENOUGH_RATIOS else None


def _refuse_protocol_errors(run: Search) -> None:
    """A trimmer whose every answer is no list of messages was not called right: that is no finding."""
    if run.statuses and set(run.statuses) == {"protocol-error"}:
        first = next((record.failure for record in run.records.values() if record.rule == "total-no-raise"), "")
        said = f"{run.contract.trimmer} {first.removeprefix('protocol-error: ')}"
        raise BadTarget(said, "on every case; see --call and --in-place")


def _need_judged(run: Search, worker: Supervisor) -> None:
    """A run in which nothing was judged says nothing about the trimmer, least of all that it passes."""
    if run.judged:
        return
    if run.statuses.get("skipped"):
        raise BadTarget(f"{worker.spec.target}: nothing could be judged", "its format has no place for any history")
    said = f"its process ended: {worker.ended}" if worker.ended else "no history was tried: more --seconds or --inputs?"
    raise BadTarget(f"{worker.spec.target}: nothing could be judged", said)


def _look_for(entries: Iterable[Accepted], run: Search, worker: Supervisor) -> None:
    """Run the smallest case of each accepted finding that did not come up by itself."""
    for one in entries:
        if one.key not in map(bug_key, run.records):
            found = worker.judge(one.history, one.limit)
            run.records.update((record.cause, record) for record in found if bug_key(record.cause) == one.key)


def _result(run: Search, spec: Spec, found: Folded, seed: int, stale: Iterable[Accepted], *, seconds: float) -> Checked:
    contract = run.contract
    noticed: dict[str, Record] = {}
    for record in sorted(run.records.values(), key=lambda record: record.size):
        # What breaks a rule only where it would not fail keeps nobody from promising it.
        if record.input_class in spec.fail_on and not run.promised(record):
            noticed.setdefault(record.rule, record)
    counting = [record for record in found.causes if record.fails or record.accepted is not None]
    made = contract.promises
    broken = {record.rule for record in counting if record.rule in made}
    level = _level(run)
    idle = _idle(run, contract)
    judged = [
        name
        for name in promisable()
        if name in contract.rules and name not in idle and (name != "utilisation" or level is not None)
    ]
    if level is not None:
        found = Folded(
            *(tuple(_with_median(bug, level, contract) for bug in part) for part in (found.bugs, found.apart))
        )
    keys = {record.key for record in found.causes}
    return Checked(
        contract,
        seed,
        run.examples,
        run.trims,
        run.seconds,
        found,
        tuple(name for name in judged if name in made and name not in broken),
        tuple(name for name in judged if name in broken),
        tuple(
            Observed(name, name not in noticed, noticed.get(name)) for name in judged if name not in contract.promises
        ),
        level,
        statuses=run.statuses,
        flaky=run.flaky,
        unstable=run.unstable,
        interrupted=run.interrupted,
        idle=idle,
        cut_short=run.cut_short,
        refused_small=run.counts.get(BELOW_ONE, 0),
        stale=tuple(stale),
        edge=tuple(record for key, record in sorted(run.edge.items()) if key not in keys),
        spared=run.spared if "within-limit" not in broken else None,
        lacking=lacking(
            run.explored.get("known", Explored()),
            run.explored.get("hypothesis", Explored()),
            enough=ENOUGH_HISTORIES,
            what="generated histories of valid or pending input",
            bound=seconds,
        ),
    )


def _idle(run: Search, contract: ContractSummary) -> tuple[str, ...]:
    """The rules that no case could have shown to be broken."""
    put_to_the_test = run.exercised | {record.rule for record in run.records.values()} | {"utilisation"}
    return tuple(name for name in contract.rules if name not in put_to_the_test)


def _with_median(bug: Bug, level: float, contract: ContractSummary) -> Bug:
    """Say what utilisation is about: a median over many cases, of which the record is the smallest below the bound."""
    bound = contract.promises.get("utilisation", DEFAULT_BOUND)
    said = f"over all cases the median is {level:.2f}, and at least {bound:g} is promised; here: "
    first, *also = (
        evolve(record, note=said + record.note) if record.rule == "utilisation" else record for record in bug.records
    )
    return Bug(bug.number, first, tuple(also))
