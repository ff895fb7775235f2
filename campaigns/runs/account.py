"""Accounts: what a campaign knows of one trimmer while it is under way, and what it found there."""

import threading
from pathlib import Path
from statistics import median
from typing import Literal, TypeAlias

from attrs import define, field, frozen

from ...oracles.judging.folding import bug_key
from ..engine.records import Record
from ..engine.tally import ENOUGH_RATIOS
from ..store.accepted import Accepted
from ..target.contract_summary import ContractSummary
from ..target.spec import Spec
from .schedule import Turn

State: TypeAlias = Literal["new", "known", "accepted", "fixed", "flaky"]


@frozen
class Found:
    """One finding of a campaign: its record, whether it is new, known, accepted, fixed or flaky, and its file."""

    state: State
    record: Record
    path: Path | None = None


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
    found: dict[str, Found] = field(factory=dict[str, Found])
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
        return self.trims > self.statuses.get("skipped", 0) or bool(self.found)

    @property
    def broken(self) -> tuple[str, ...]:
        """Promises broken where it counts, accepted or not."""
        promises = self.contract.promises if self.contract else {}
        broken = {found.record.rule for found in self.counting if found.record.fails or found.state == "accepted"}
        return tuple(name for name in promises if name in broken)

    @property
    def kept(self) -> tuple[str, ...]:
        """Promises that were judged and held; nothing can be said of them while nothing came back."""
        promises = self.contract.promises if self.contract and self.statuses.get("ok") else {}
        broken = self.broken
        judged = (name for name in promises if name != "utilisation" or self.utilisation is not None)
        return tuple(name for name in judged if name not in broken)

    @property
    def counting(self) -> list[Found]:
        """Findings that are there: neither fixed nor flaky."""
        return [found for found in self.found.values() if found.state in ("new", "known", "accepted")]

    @property
    def stale(self) -> list[Accepted]:
        """Accepted findings that are gone: neither their smallest case nor the search shows them."""
        seen = {bug_key(found.record.cause) for found in self.counting}
        return [one for one in self.not_seen if one.key not in seen]
