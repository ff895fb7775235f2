"""The tally of a run: the smallest finding of every cause, and what was counted on the way.

A common finding never hides a rare one: each cause keeps its own smallest case. A finding that another finding of its
case explains is no bug of its own: a cause keeps such a case only until one turns up that stands by itself.
Utilisation is a statement about many cases, so its ratios are kept here, and its finding is made when the run is over.
"""

from bisect import insort
from collections import Counter
from collections.abc import Sequence
from statistics import median

from attrs import define, field

from ...messages.cases import Case, Finding, Outcome
from ...oracles.judging.folding import explanations
from ...strategies.known import Known
from ..target.contract import Contract
from .records import size_of

ENOUGH_RATIOS = 20
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
class Tally:
    """What a run has seen. `smallest` is keyed by cause, `counts` too, and says how many refusals nobody declared;
    `statuses` counts outcomes, `judged` the histories of each input class of which a trim was judged.

    `explained` gives for each cause that never stood by itself the bugs that explained it, and how often; `edge` the
    smallest failing findings at edge limits. `urls` are the public reports on whose histories a cause was found: of
    each cause the first that is about its rule.
    """

    contract: Contract
    smallest: dict[str, Finding] = field(factory=dict[str, Finding])
    explained: dict[str, Counter[str]] = field(factory=dict[str, Counter[str]])
    edge: dict[str, Finding] = field(factory=dict[str, Finding])
    spared: Finding | None = None
    """The smallest case in which an assumed within-limit held only thanks to its mild form."""
    counts: Counter[str] = field(factory=Counter[str])
    statuses: Counter[str] = field(factory=Counter[str])
    judged: Counter[str] = field(factory=Counter[str])
    exercised: set[str] = field(factory=set[str])
    """The rules that some case could have shown to be broken."""
    urls: dict[str, str] = field(factory=dict[str, str])
    examples: int = 0
    trims: int = 0
    utilisation: Utilisation = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.utilisation = Utilisation(self.contract.promises.get("utilisation", 0.25))

    def add(self, findings: Sequence[Finding], known: Known | None = None) -> bool:
        """Keep the findings of one case that are the smallest of their cause; says whether one is new.

        A cause is new again when it first stands by itself. `known` is the public case that the history comes from.
        """
        if self.contract.on_the_edge(findings[0].case.limit):
            for finding, causes in explained_findings(findings, self.contract):
                if not causes and self.contract.fails(finding):
                    self._add_edge(finding)
            return False
        new = False
        for finding, causes in explained_findings(findings, self.contract):
            if known is not None:
                self._credit(finding, known)
            new |= self._keep(finding, causes)
        return new

    def _keep(self, finding: Finding, causes: frozenset[str]) -> bool:
        cause = finding.cause
        self.counts[cause] += 1
        least, parents = self.smallest.get(cause), self.explained.get(cause)
        if causes:
            if parents is None and least is not None:
                return False  # it stands by itself elsewhere
            self.explained.setdefault(cause, Counter()).update(causes)
        elif parents is not None:
            del self.explained[cause]
            self.smallest[cause] = finding
            return True
        if least is None or size_of(finding) < size_of(least):
            self.smallest[cause] = finding
        return least is None

    def spare(self, finding: Finding) -> None:
        """Keep the smallest case that only the full form of a promise would report."""
        if self.spared is None or size_of(finding) < size_of(self.spared):
            self.spared = finding

    def _add_edge(self, finding: Finding) -> None:
        key = self.contract.key_of(finding)
        least = self.edge.get(key)
        if least is None or size_of(finding) < size_of(least):
            self.edge[key] = finding

    def _credit(self, finding: Finding, known: Known) -> None:
        url = known.url_about(finding.rule)
        if url is not None:
            self.urls.setdefault(finding.cause, url)

    def parents(self, cause: str) -> tuple[str, ...]:
        """Return the bugs that explain a cause, the most frequent first; none where it stands by itself."""
        found = self.explained.get(cause)
        return () if found is None else tuple(sorted(found, key=lambda bug: (-found[bug], bug)))

    def close(self) -> list[Finding]:
        """Return the smallest finding of every cause, utilisation judged over the whole run."""
        found = [finding for finding in self.smallest.values() if self.contract.kind_of(finding.rule) is not None]
        level = self.utilisation.median
        worst = self.utilisation.smallest
        if level is not None and level < self.utilisation.bound and worst is not None:
            found.append(worst)
        return found


def explained_findings(findings: Sequence[Finding], contract: Contract) -> list[tuple[Finding, frozenset[str]]]:
    """Return each finding of one case with the bugs that explain it; only what counts explains anything."""
    counting = [finding for finding in findings if contract.counts(finding.rule)]
    if len(counting) < 2:
        return [(finding, frozenset()) for finding in findings]
    causes = {
        id(finding): frozenset(contract.key_of(counting[index]) for index in explaining)
        for finding, explaining in zip(counting, explanations(counting), strict=True)
    }
    return [(finding, causes.get(id(finding), frozenset())) for finding in findings]
