"""The ledger of a run: the smallest finding of every cause, and what was counted on the way.

A common finding never hides a rare one: each cause keeps its own smallest case. Utilisation is a statement about many
cases, so its ratios are kept here, and its finding is made when the run is over.
"""

from bisect import insort
from collections import Counter
from statistics import median

from attrs import define, field

from ...messages.cases import Case, Finding, Outcome
from ...strategies.known import Known
from ..target.contract import Contract
from .records import size_of

ENOUGH_RATIOS = 30
"""Fewer cases than this say nothing about utilisation."""


@define
class Utilisation:
    """Ratios cost(out) / most(in, limit) of cases on valid input where something had to go."""

    bound: float
    ratios: list[float] = field(factory=list[float])
    smallest: Finding | None = None

    @property
    def median(self) -> float | None:
        """The median ratio, None while there are too few cases."""
        return median(self.ratios) if len(self.ratios) >= ENOUGH_RATIOS else None

    def add(self, ratio: float, case: Case, outcome: Outcome) -> None:
        """Count one case; the smallest below the bound is kept as the one to show."""
        insort(self.ratios, ratio)
        if ratio < self.bound:
            found = Finding("utilisation", "lost", case, outcome, note=f"kept {ratio:.2f} of the most that fits")
            if self.smallest is None or size_of(found) < size_of(self.smallest):
                self.smallest = found


@define
class Ledger:
    """What a run has seen. `smallest` is keyed by cause, `counts` too, and says how many refusals nobody declared;
    `statuses` counts outcomes.

    `urls` are the public reports on whose histories a cause was found: of each cause the first that tells of its rule,
    else the first.
    """

    contract: Contract
    smallest: dict[str, Finding] = field(factory=dict[str, Finding])
    counts: Counter[str] = field(factory=Counter[str])
    statuses: Counter[str] = field(factory=Counter[str])
    urls: dict[str, str] = field(factory=dict[str, str])
    _told: set[str] = field(factory=set[str], init=False)
    examples: int = 0
    trims: int = 0
    utilisation: Utilisation = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.utilisation = Utilisation(self.contract.promises.get("utilisation", 0.25))

    def add(self, finding: Finding, known: Known | None = None) -> bool:
        """Keep a finding if it is the smallest of its cause; says whether the cause is new.

        `known` is the public case that its history comes from.
        """
        cause = finding.cause
        self.counts[cause] += 1
        if known is not None:
            self._credit(finding, known)
        least = self.smallest.get(cause)
        if least is None or size_of(finding) < size_of(least):
            self.smallest[cause] = finding
        return least is None

    def _credit(self, finding: Finding, known: Known) -> None:
        told = finding.rule in known.about
        if known.url is not None and (finding.cause not in self.urls or (told and finding.cause not in self._told)):
            self.urls[finding.cause] = known.url
        if told:
            self._told.add(finding.cause)

    def close(self) -> list[Finding]:
        """Return the smallest finding of every cause, utilisation judged over the whole run."""
        found = [finding for finding in self.smallest.values() if self.contract.kind_of(finding.rule) is not None]
        level = self.utilisation.median
        worst = self.utilisation.smallest
        if level is not None and level < self.utilisation.bound and worst is not None:
            found.append(worst)
        return found
