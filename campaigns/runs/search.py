"""A search: one trimmer in a process of its own is explored, and what is found is confirmed and shrunk.

`check` searches among histories and `session_check` among sessions; this is the machine that both are. What a search
has found stands in its state at any moment, so it can be interrupted and still be reported.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from random import SystemRandom
from time import monotonic
from typing import Any, TypeAlias

from attrs import define, evolve, field, frozen

from ..engine.records import Record, from_json, smaller
from ..target.contract import FAILING_CLASSES
from ..target.contract_summary import ContractSummary
from ..target.spec import Spec
from ..workers.exploration import Exploration
from ..workers.supervisor import Supervisor
from .enough import Explored

Progress: TypeAlias = Callable[[str, int, int, int], None]
"""Called with the phase, and how many examples, trims and causes there are so far; while causes are shrunk, with how
many of them are done, how many there are to shrink, and how many causes there are.
"""


def silent(_phase: str, _done: int, _of: int, _causes: int) -> None:
    """Report no progress."""


def drawn_seed(seed: int | None) -> int:
    """Return the seed that was asked for, else a fresh one."""
    return SystemRandom().randrange(1_000_000) if seed is None else seed


@frozen
class Phase:
    """A part of a search: its name for progress, what is explored, and how many examples of it."""

    name: str
    what: Exploration
    examples: int


@define
class Budget:
    """Time that several shrinks share: none gets more than `each`, and every one that comes later has its second."""

    each: float
    left: float = float("inf")

    def share(self, later: int) -> float:
        """Return the seconds for the next shrink, when so many come `later`."""
        return max(min(self.each, max(self.left - later, self.left / (later + 1))), 0.0)


@define
class Search:
    """A search under way, or over: the smallest record of every cause, and what was counted."""

    contract: ContractSummary
    records: dict[str, Record] = field(factory=dict[str, Record])
    examples: int = 0
    trims: int = 0
    unread: int = 0
    """Sessions in which an answer was no history."""
    counts: dict[str, int] = field(factory=dict[str, int])
    statuses: dict[str, int] = field(factory=dict[str, int])
    ratios: list[float] = field(factory=list[float])
    edge: dict[str, Record] = field(factory=dict[str, Record])
    """The smallest failing finding at edge limits, by what findings of one bug share."""
    spared: Record | None = None
    """The smallest case in which an assumed within-limit held only thanks to its mild form."""
    exercised: set[str] = field(factory=set[str])
    """The rules that some case could have shown to be broken."""
    explored: dict[str, Explored] = field(factory=dict[str, Explored])
    """What came of each phase, by its name."""
    flaky: int = 0
    cut_short: int = 0
    """How many causes had less time for shrinking than one may have, and may have a smaller case."""
    unstable: bool = False
    interrupted: bool = False
    seconds: float = 0.0

    @property
    def judged(self) -> bool:
        """Whether there is anything to report: an outcome that was judged, or a finding."""
        return bool(self.records) or max(self.trims, sum(self.statuses.values())) > self.statuses.get("skipped", 0)

    def promised(self, record: Record) -> bool:
        """Say whether a record counts, or is about a promise that nobody made."""
        return record.kind != "promise" or record.rule in self.contract.promises


def search(
    spec: Spec,
    phases: Sequence[Phase],
    *,
    seed: int,
    seconds: float,
    confirm: Callable[[Search, Supervisor], Collection[str]],
    budgets: Mapping[bool, Budget],
    progress: Progress = silent,
) -> Search:
    """Explore phase by phase within `seconds` (0: no bound), then confirm what was found, then shrink it.

    What is imported at the start, and at a slow first call, takes nothing of that time. `confirm` may change what was
    found, and returns the causes that are not to be shrunk. `budgets` is the time for shrinking what counts (true) and
    what nobody promised. Raises `BadTarget` when the trimmer cannot be run.
    """
    began = monotonic()
    with Supervisor(spec) as worker:
        run = Search(worker.start())
        searching = monotonic()
        try:
            for phase in phases:
                left = seconds and max(seconds - (monotonic() - searching - worker.first_call), 0.05)
                _explore(run, worker, phase, seed=seed, seconds=left, progress=progress)
            done = confirm(run, worker)
            _shrink(run, worker, but=done, budgets=budgets, progress=progress)
        except KeyboardInterrupt:
            run.interrupted = True
        run.contract = _with_first_call(run.contract, worker.first_call)
        run.flaky, run.unstable = run.flaky + worker.flaky, worker.unstable
    run.seconds = monotonic() - began
    return run


def _with_first_call(contract: ContractSummary, seconds: float) -> ContractSummary:
    """Add a note about a first call that took long: packages were imported then, and nobody was blamed."""
    if not seconds:
        return contract
    return evolve(contract, notes=[*contract.notes, f"the first call took {seconds:.1f} s"])


def _explore(run: Search, worker: Supervisor, phase: Phase, *, seed: int, seconds: float, progress: Progress) -> None:
    examples, trims = run.examples, run.trims
    for event in worker.explore(phase.what, seed=seed, examples=phase.examples, seconds=seconds):
        if event["event"] == "finding":
            record = from_json(event["record"])
            run.records[record.cause] = smaller(run.records.get(record.cause), record)
            continue
        run.examples, run.trims = examples + event["examples"], trims + event["trims"]
        if event["event"] == "done":
            _add(run, event)
            counting = sum(event["judged"].get(name, 0) for name in FAILING_CLASSES)
            run.explored[phase.name] = Explored(event["examples"], counting, event["complete"], event["total"])
        progress(phase.name, run.examples, run.trims, len(run.records))


def _add(run: Search, event: dict[str, Any]) -> None:
    """Add the sums of a phase."""
    run.unread += event["unread"]
    run.ratios += event["ratios"]
    run.exercised |= set(event["exercised"])
    for record in map(from_json, event["spared"]):
        run.spared = smaller(run.spared, record)
    for record in map(from_json, event["edge"]):
        run.edge[record.key] = smaller(run.edge.get(record.key), record)
    for total, added in ((run.counts, event["counts"]), (run.statuses, event["statuses"])):
        for name, number in added.items():
            total[name] = total.get(name, 0) + number


def _shrink(
    run: Search, worker: Supervisor, *, but: Collection[str], budgets: Mapping[bool, Budget], progress: Progress
) -> None:
    """Shrink every cause but those; what fails comes first, then what counts."""
    counts = {cause: record.fails or run.promised(record) for cause, record in run.records.items()}
    left = (record for record in run.records.values() if record.cause not in but)
    order = sorted(left, key=lambda record: (not record.fails, bool(record.explained_by), not run.promised(record)))
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
