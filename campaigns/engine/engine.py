"""The engine: one history, all its limits, every rule.

`examine` is what every lane calls for a generated history: it sweeps the limits, runs the trimmer, judges each case
and writes what it found into the tally. `judge_case` is the same for one single case, with every further run that a
relation asks for; shrinking and replay are built on it.
"""

from collections.abc import Callable, Iterable
from typing import TypeAlias

from attrs import evolve, field, frozen

from ...implementations.running import BELOW_ONE, run
from ...implementations.time_limit import Watch
from ...messages.cases import Case, Example, Finding, Outcome, Runs
from ...messages.limits import NO_AMOUNT, Limit, sweep
from ...messages.model import History
from ...oracles.best.best import most
from ...oracles.facts.evidence import NonemptyForm
from ...oracles.judging.exercise import could_break, could_break_relations
from ...oracles.judging.judging import judge
from ...oracles.rules.mild import asks_for_a_cut, spared
from ...oracles.rules.registry import RULES
from ...strategies.known import Known
from ..target.contract import Contract
from .tally import Tally

Before: TypeAlias = Callable[[Limit | None], None]
MADE_RUNS = frozenset({"again", "twice", "larger"})
"""The further runs that are made here; a relation that needs another one has no say."""
RELATION_LIMITS = 2
"""At how many limits of a history the further runs of the relations are made."""


def _nothing(_limit: Limit | None) -> None:
    pass


def _believed(_case: Case) -> bool:
    return True


def unseen(_outcome: Outcome) -> None:
    """Look at no outcome."""


@frozen
class Engine:
    """A trimmer under its contract, ready to be run. `before` is called at every trim, so that a crash has a case."""

    contract: Contract
    watch: Watch | None = field(default=None, kw_only=True)
    before: Before = field(default=_nothing, kw_only=True)
    confirm: Callable[[Case], bool] = field(default=_believed, kw_only=True)
    """Asked when a trim ran out of time: does it again, alone? If not, the case is skipped."""
    after: Callable[[Outcome], None] = field(default=unseen, kw_only=True)
    """Sees every outcome; an error that it raises ends the run."""
    rules: tuple[str, ...] = field(kw_only=True)
    relations: tuple[str, ...] = field(kw_only=True)
    needed: frozenset[str] = field(kw_only=True)
    """The further runs that these relations need."""
    measures: bool = field(default=True, kw_only=True)
    """Whether utilisation is measured."""

    @property
    def nonempty(self) -> NonemptyForm:
        """The form of nonempty-history: as promised, else as the provider would judge, for a bare function mildly too.

        So to withdraw the promise never asks for more.
        """
        if "nonempty-history" in self.contract.promises:
            return NonemptyForm.MILD if self.contract.mild else NonemptyForm.LEGAL
        mild = self.contract.mild and self.contract.trimmer.bare
        return NonemptyForm.REJECTED_MILD if mild else NonemptyForm.REJECTED

    def judged(self, case: Case, outcome: Outcome, rules: tuple[str, ...], runs: Runs | None = None) -> list[Finding]:
        """Judge one outcome by some rules, in the forms that the contract asks for."""
        contract = self.contract
        return judge(
            case,
            outcome,
            rules=rules,
            runs=runs,
            nonempty=self.nonempty,
            promises=contract.promises,
            assumed=contract.assumed_rules,
            measured=contract.measured,
        )

    def trim(self, case: Case) -> Outcome:
        """Run the trimmer once."""
        self.before(case.limit)
        outcome = run(self.contract.trimmer, case, count=self.contract.count, watch=self.watch)
        if outcome.status == "hung" and not self.confirm(case):
            return Outcome("skipped", failure=outcome.failure)
        self.after(outcome)
        return outcome

    def limits(self, example: Example, *, seed: int = 0) -> tuple[Limit | None, ...]:
        """Return the limits at which a trim of this example can change."""
        contract, trimmer = self.contract, self.contract.trimmer
        if not trimmer.takes_limit:
            return (None if trimmer.fixed is None else Limit(contract.kind, trimmer.fixed),)
        costs = example.costs if contract.kind == "tokens" else None
        swept = sweep(example.history, contract.kind, costs=costs, base=example.base, seed=seed)
        return tuple(limit for limit in swept if contract.may_have(example, limit))

    def counting_limits(self, example: Example, now: Limit | None) -> tuple[Limit | None, ...]:
        """Return the limits that count; all of them for who stands below those already."""
        swept, contract = self.limits(example), self.contract
        return swept if contract.on_the_edge(now) else tuple(it for it in swept if not contract.on_the_edge(it))

    def examine(
        self,
        history: History,
        tally: Tally,
        *,
        seed: int = 0,
        point: Limit | None = None,
        known: Known | None = None,
    ) -> bool:
        """Run and judge a history at all its limits (and a drawn compaction point); says whether a cause is new.

        `known` is the public case that the history comes from.
        """
        example = self.contract.example(history)
        swept = self.limits(example, seed=seed) + (() if point is None else (self.contract.placed(history, point),))
        related = {(seed * 7 + step * 11) % len(swept) for step in range(RELATION_LIMITS)} if swept else set[int]()
        new = False
        larger: tuple[Case, Outcome] | None = None
        judged: dict[tuple[bool, bool], tuple[Case, Outcome]] = {}
        tally.examples += 1
        for index in range(len(swept) - 1, -1, -1):
            case = Case(example, swept[index])
            outcome = self.trim(case)
            tally.trims += 1
            tally.statuses[outcome.status] += 1
            if outcome.status != "skipped":
                judged.setdefault((outcome.status == "ok", case.fits), (case, outcome))
            if outcome.status == "refused" and outcome.failure is not None and outcome.failure.detail == BELOW_ONE:
                tally.counts[BELOW_ONE] += 1
            findings = self.judged(case, outcome, self.rules)
            if outcome.status == "ok":
                runs = self._runs(case, outcome, larger, repeat=index in related)
                if runs is not None:
                    findings += self.judged(case, outcome, self.relations, runs)
                    tally.exercised |= could_break_relations(case, outcome, runs)
                larger = (case, outcome)
            if self._measures_utilisation(case, outcome):
                self._measure(case, outcome, tally)
            if "within-limit" in self.contract.assumed and outcome.status == "ok" and not case.fits:
                self._note_spared(case, outcome, findings, tally)
            if findings:
                new |= tally.add(findings, known)
            if outcome.status == "hung":
                break  # the other limits of this history would most likely cost as many seconds each
        tally.judged[example.reading.input_class] += bool(judged)
        for shown in judged.values():
            tally.exercised |= could_break(*shown)
        return new

    def judge_case(self, case: Case, *, limits: Iterable[Limit | None] | None = None) -> list[Finding]:
        """Run and judge one case with every relation; `limits` are those that monotone may compare with."""
        outcome = self.trim(case)
        findings = self.judged(case, outcome, self.rules)
        if outcome.status == "ok":
            runs = self._runs(case, outcome, self._next_larger(case, limits), repeat=True)
            if runs is not None:
                findings += self.judged(case, outcome, self.relations, runs)
        if self._measures_utilisation(case, outcome):
            single = Tally(self.contract)
            self._measure(case, outcome, single)
            if single.utilisation.smallest is not None:
                findings.append(single.utilisation.smallest)
        return findings

    def _next_larger(self, case: Case, limits: Iterable[Limit | None] | None) -> tuple[Case, Outcome] | None:
        if case.limit is None or "larger" not in self.needed:
            return None
        here = case.limit.value
        swept = self.limits(case.example) if limits is None else limits
        above = min((limit.value for limit in swept if limit is not None and limit.value > here), default=None)
        if above is None:
            return None
        larger = Case(case.example, Limit(case.limit.kind, above, case.limit.length))
        return larger, self.trim(larger)

    def _runs(self, case: Case, outcome: Outcome, larger: tuple[Case, Outcome] | None, *, repeat: bool) -> Runs | None:
        """Make the further runs that the relations in force need; None if there is nothing to judge."""
        needed = self.needed
        compared = larger if "larger" in needed else None
        stored = None if outcome.stored is None else Outcome("ok", outcome.stored)
        if not repeat or outcome.output is None or not needed & {"again", "twice"}:
            told = compared is not None or bool(needed & self.contract.trimmer.tells)
            return Runs(larger=compared, stored=stored) if told else None
        again = self.trim(case) if "again" in needed else None
        twice = self.trim(Case(self.contract.example(outcome.output), case.limit)) if "twice" in needed else None
        return Runs(again, twice, compared, stored)

    def _note_spared(self, case: Case, outcome: Outcome, findings: Iterable[Finding], tally: Tally) -> None:
        """Note where within-limit held only thanks to its mild form."""
        if self.contract.on_the_edge(case.limit) or any(found.rule == "within-limit" for found in findings):
            return
        if said := spared(case, outcome):
            tally.spare(Finding("within-limit", "over-limit", case, outcome, note=said))

    def _measures_utilisation(self, case: Case, outcome: Outcome) -> bool:
        limit = case.limit
        if not self.measures or limit is None or limit.kind in NO_AMOUNT or outcome.status != "ok":
            return False
        room = limit.value - case.example.base
        if self.contract.on_the_edge(limit) or room < 1 or room >= case.example.total:
            return False
        if "utilisation" in self.contract.assumed_rules:
            return asks_for_a_cut(case)
        return case.input_class == "valid"

    def _measure(self, case: Case, outcome: Outcome, tally: Tally) -> None:
        best = most(case)
        if best <= 0:
            return
        assert outcome.output is not None
        kept = case.example.together(outcome.output)
        tally.utilisation.add(min(kept / best, 1.0), case, outcome)


def engine_for(
    contract: Contract,
    *,
    watch: Watch | None = None,
    before: Before = _nothing,
    confirm: Callable[[Case], bool] = _believed,
    after: Callable[[Outcome], None] = unseen,
    observe: bool = True,
) -> Engine:
    """Build the engine of a trimmer: the rules that have a say under its contract, relations apart.

    Without `observe` nothing is asked that could not fail the trimmer: promises that nobody made are left out.
    """
    wanted = [name for name in RULES if name != "utilisation" and contract.kind_of(name) is not None]
    if not observe:
        wanted = [name for name in wanted if contract.kind_of(name) != "promise" or name in contract.promises]
    made = MADE_RUNS | contract.trimmer.tells
    relations = [name for name in wanted if RULES[name].runs and RULES[name].runs <= made]
    return Engine(
        contract,
        watch=watch,
        before=before,
        confirm=confirm,
        after=after,
        rules=tuple(name for name in wanted if not RULES[name].runs),
        relations=tuple(relations),
        needed=_needed(relations),
        measures=contract.kind_of("utilisation") is not None,
    )


def _needed(relations: Iterable[str]) -> frozenset[str]:
    return frozenset(run for name in relations for run in RULES[name].runs)


def narrowed(engine: Engine, rules: Iterable[str]) -> Engine:
    """Return an engine that asks only some rules, and makes only the runs that they need."""
    wanted = frozenset(rules)
    relations = tuple(name for name in engine.relations if name in wanted)
    return evolve(
        engine,
        rules=tuple(name for name in engine.rules if name in wanted),
        relations=relations,
        needed=_needed(relations),
        measures=engine.measures and "utilisation" in wanted,
    )
