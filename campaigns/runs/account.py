"""Accounts: what a campaign knows of one trimmer while it is under way, and what it found there."""

import threading
from pathlib import Path
from statistics import median
from typing import Literal, TypeAlias

from attrs import define, field, frozen

from ...oracles.judging.folding import bug_key
from ..engine.bugs import Bug, Folded, fold
from ..engine.records import Record
from ..engine.tally import ENOUGH_RATIOS
from ..store.accepted import Accepted, settled
from ..target.contract_summary import ContractSummary
from ..target.spec import Spec
from .enough import Explored
from .schedule import Turn

State: TypeAlias = Literal["new", "known", "accepted", "fixed", "flaky"]


@frozen
class Found:
    """One bug of a campaign: whether it is new, known, accepted, fixed or flaky, and its file."""

    state: State
    bug: Bug
    path: Path | None = None

    @property
    def record(self) -> Record:
        """The record to show."""
        return self.bug.record


@define
class Account:
    """What a campaign knows of one trimmer. `problem` says why it could not be run, or was given up."""

    spec: Spec
    turn: Turn
    contract: ContractSummary | None = None
    examples: int = 0
    trims: int = 0
    started: int = 0
    statuses: dict[str, int] = field(factory=dict[str, int])
    ratios: list[float] = field(factory=list[float])
    exercised: set[str] = field(factory=set[str])
    """The rules that some case could have shown to be broken."""
    records: dict[str, Record] = field(factory=dict[str, Record])
    """Every cause that is there, by its name."""
    edge: dict[str, Record] = field(factory=dict[str, Record])
    """The smallest failing finding at edge limits, by what findings of one bug share."""
    reported: dict[str, Found] = field(factory=dict[str, Found])
    """What was reported, by the cause that was to show then."""
    on_file: dict[str, Path] = field(factory=dict[str, Path])
    """The fixtures that were there before, by signature."""
    known: Explored = field(factory=Explored)
    generated: Explored = field(factory=Explored)
    problem: str = ""
    flaky: int = 0
    accepted: tuple[Accepted, ...] = ()
    """Its accepted findings."""
    not_seen: list[Accepted] = field(factory=list[Accepted])
    """Accepted findings whose smallest case does not fail any more."""
    known_lane_begun: bool = False
    known_lane_over: threading.Event = field(factory=threading.Event)
    """Set when the known cases have been run: what is found there is told with the report that it comes from."""
    replayed: threading.Event = field(factory=threading.Event)
    home: int | None = None
    """The slot in which its worker was first started; a worker is dear to start."""

    @property
    def utilisation(self) -> float | None:
        """Median utilisation, None while there are too few cases."""
        return median(self.ratios) if len(self.ratios) >= ENOUGH_RATIOS else None

    @property
    def judged(self) -> bool:
        """Whether there is anything to speak of: a trim that was judged, or a finding."""
        return self.trims > self.statuses.get("skipped", 0) or bool(self.records)

    @property
    def broken(self) -> tuple[str, ...]:
        """Promises broken where it counts, accepted or not."""
        promises = self.contract.promises if self.contract else {}
        counting = (found.bug for found in self.counting if found.bug.fails or found.state == "accepted")
        broken = {record.rule for bug in counting for record in bug.records}
        return tuple(name for name in promises if name in broken)

    @property
    def kept(self) -> tuple[str, ...]:
        """Promises that were judged and held; nothing can be said of them while nothing came back."""
        promises = self.contract.promises if self.contract and self.statuses.get("ok") else {}
        broken = self.broken
        judged = (name for name in promises if name in self.exercised or (name == "utilisation" and self.utilisation))
        return tuple(name for name in judged if name not in broken)

    @property
    def folded(self) -> Folded:
        """The bugs that are there, and what stays apart."""
        return settled(fold(list(self.records.values()), self.spec.fail_on), self.accepted)[0]

    @property
    def counting(self) -> list[Found]:
        """The bugs that are there, and what stays apart, each with its state."""
        return [self._found(bug) for bug in (*self.folded.bugs, *self.folded.apart)]

    @property
    def found(self) -> list[Found]:
        """All of it: what is there, then what is fixed or flaky."""
        gone = (one for one in self.reported.values() if one.state in ("fixed", "flaky"))
        return [*self.counting, *(one for one in gone if one.record.cause not in self.records)]

    def _found(self, bug: Bug) -> Found:
        earlier = [self.reported[record.cause] for record in bug.records if record.cause in self.reported]
        states = {one.state for one in earlier} | ({"accepted"} if bug.record.accepted is not None else set[State]())
        weightiest: State = "accepted" if "accepted" in states else "known" if "known" in states else "new"
        return Found(weightiest, bug, next((one.path for one in earlier if one.path is not None), None))

    def is_reported(self, bug: Bug) -> bool:
        """Say whether a bug was reported already as being there, by any of its causes."""
        states = {one.state for record in bug.records if (one := self.reported.get(record.cause))}
        return bool(states - {"fixed"})

    @property
    def alone_at_the_edge(self) -> list[Record]:
        """What fails at edge limits alone."""
        keys = {record.key for record in self.records.values()}
        return [record for key, record in sorted(self.edge.items()) if key not in keys]

    @property
    def stale(self) -> list[Accepted]:
        """Accepted findings that are gone: neither their smallest case nor the search shows them."""
        seen = set(map(bug_key, self.records))
        return [one for one in self.not_seen if one.key not in seen]
