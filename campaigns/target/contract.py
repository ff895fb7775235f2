"""Contracts: what one trimmer is judged by. Built once from a spec, before anything runs; every command judges by it.

A finding exists for every broken rule; whether it *fails* is decided here and nowhere else: the always-failing kind
fails, a pack rule fails where the pack in force enforces it, a promise fails if it was made. Findings on interleaved
and malformed input fail only where that was asked for.
"""

from collections.abc import Callable
from typing import Literal, TypeAlias

from attrs import field, frozen

from ...implementations.trimmer import Promises, Trimmer
from ...messages.cases import Case, Example, Finding
from ...messages.errors import BadName
from ...messages.formats.counters import Counter, total_in
from ...messages.formats.counting import Count, cost_in, native_count
from ...messages.formats.items.inline_results import apart
from ...messages.limits import NO_AMOUNT, Cost, Limit, LimitKind, cost_of
from ...messages.model import History
from ...messages.reading.pairing import INPUT_CLASSES
from ...messages.reading.profile import Profile
from ...oracles.judging.folding import bug_key
from ...oracles.packs import Pack, pack
from ...oracles.rules.registry import RULES
from ...strategies.encoding.encoding import Grammar, grammar
from ...strategies.encoding.features import Features, features_of, without
from ...strategies.encoding.features_seen import POINT_FEATURES, left_out_in, point_features

Kind: TypeAlias = Literal["always", "pack", "promise"]
FAILING_CLASSES = frozenset({"valid", "pending"})
NEEDS_A_MEASURE = frozenset(
    {"within-limit", "identity-under-limit", "refuses-only-when-needed", "utilisation", "monotone", "idempotent"}
)
"""What has no meaning under a compaction point, which says where to cut and not how much may stay, and under a limit
of which nobody knows what it counts (`other`)."""
NEEDS_A_UNIT = NEEDS_A_MEASURE - {"idempotent"}
"""What can only be judged where it is known what the limit counts."""

_ABOUT: dict[str, tuple[str, ...]] = {"keeps-pinned": ("keep",), "keeps-system": ("system", "developer")}
"""Promises about one kind of message: where none is handed out, they were not observed to hold."""


@frozen
class Contract:
    """One trimmer under one kind of limit: its pack, its counter, the promises it is held to.

    `assumed` names the promises that were not declared but taken for granted (reported in the first lines).
    `mild` takes nonempty-history in its mild form. `fail_on` are the input classes on which a finding fails.
    """

    trimmer: Trimmer
    kind: LimitKind = field(kw_only=True)
    pack: Pack = field(kw_only=True)
    count: Count = field(kw_only=True, eq=False)
    count_name: str = field(default="default", kw_only=True)
    promises: Promises = field(kw_only=True)
    assumed: tuple[str, ...] = field(default=(), kw_only=True)
    mild: bool = field(default=False, kw_only=True)
    fail_on: frozenset[str] = field(default=FAILING_CLASSES, kw_only=True)
    inputs: tuple[str, ...] = field(default=("valid", "pending", "interleaved", "malformed"), kw_only=True)
    lowest_limit: int = field(default=-1, kw_only=True)
    """The smallest limit that counts; what happens below it alone is reported apart and fails nobody."""
    marks: bool = field(default=True, kw_only=True)
    """Whether histories may carry keep_during_truncation and summary marks."""
    left_out: frozenset[str] = field(default=frozenset(), kw_only=True)
    """Features that are never sent: neither generated, nor in a public case, nor made by shrinking."""
    features: Features = field(kw_only=True)
    """What histories may have: what the format carries, without what was left out."""
    notes: tuple[str, ...] = field(default=(), kw_only=True)
    """Sentences for the first lines of a report: what was guessed about the trimmer."""
    cost: Cost = field(kw_only=True, eq=False)
    """What a neutral message costs under this kind of limit."""
    measured: bool = field(default=True, kw_only=True)
    """Whether it is known what the limit counts: of tokens only where the trimmer takes a counter, or one is named."""
    base: int = field(default=0, kw_only=True)
    """What a list costs beyond its messages."""
    measure: Callable[[History], int] | None = field(default=None, kw_only=True, eq=False)
    """What messages cost in one list, where they are counted as a whole."""

    @property
    def assumed_rules(self) -> frozenset[str]:
        """The promises that are held to their mild form."""
        return frozenset(self.assumed)

    @property
    def profile(self) -> Profile:
        """The profile of the pack in force."""
        return self.pack.profile

    def example(self, history: History) -> Example:
        """Read a history under this contract, in the shape that the trimmer's format gives it.

        What another format had as results in a user message, are messages here where this one has no place for those.
        """
        return Example(
            self._shaped(history), profile=self.pack.profile, cost=self.cost, base=self.base, measure=self.measure
        )

    def _shaped(self, history: History) -> History:
        form = self.trimmer.format
        return form.shape(history if "inline_results" in form.features else apart(history))

    def placed(self, history: History, point: Limit) -> Limit:
        """Return a compaction point of a history as a point between what the trimmer sees.

        One that lies between results which are one item there lies in front of that item.
        """
        shaped = self._shaped(history)
        if shaped is history:
            return point
        index = len(self._shaped(history[: point.index]))
        inside = 0 < point.index < len(history) and len(self._shaped(history[: point.index + 1])) == index
        length = None if point.length is None else len(self._shaped(history[: point.length]))
        return Limit(point.kind, index - 1 if inside else index, length)

    def case(self, history: History, limit: Limit | None) -> Case:
        """One history and one limit under this contract."""
        return Case(self.example(history), limit)

    def grammar(self) -> Grammar:
        """Return how bytes are read as histories; raises `BadName` where there is none of the classes asked for."""
        inputs = tuple(name for name in INPUT_CLASSES if name in self.inputs)
        try:
            return grammar(self.features, inputs=inputs, compaction=self.kind == "compaction")
        except ValueError:
            problem = f"no {' or '.join(inputs)} history can be made"
            raise BadName(problem, "too much is left out, or the format cannot carry it") from None

    def left_out_in(self, history: History) -> frozenset[str]:
        """Return the features of a history that were left out: with any, it is no case."""
        return left_out_in(history, self.left_out) if self.left_out else frozenset()

    def may_have(self, example: Example, limit: Limit | None) -> bool:
        """Say whether a limit is one of this contract: a compaction point may have what was left out."""
        off = self.left_out.intersection(POINT_FEATURES)
        if not off or limit is None or limit.kind != "compaction":
            return True
        return off.isdisjoint(point_features(example.history, limit))

    def kind_of(self, rule: str) -> Kind | None:
        """Return as what a rule is judged here; None for a pack rule that this pack does not enforce, for what this
        kind of limit does not measure, for what nobody promised where the unit of the limit is not known, and for
        pins and system messages that nobody is handed."""
        if self.kind in NO_AMOUNT and rule in NEEDS_A_MEASURE:
            return None
        about = _ABOUT.get(rule, ())
        if about and rule not in self.promises and not any(getattr(self.features, name) for name in about):
            return None
        if not self.measured and rule in NEEDS_A_UNIT and rule not in self.promises:
            return None
        if rule == "nonempty-history" and rule in self.promises:
            return "promise"
        known = RULES[rule].kind
        if known == "always" or known == "promise":
            return known
        return "pack" if rule in self.pack.enforces else None

    def counts(self, rule: str) -> bool:
        """Say whether a rule can fail the trimmer: it always does, the pack enforces it, or it was promised."""
        kind = self.kind_of(rule)
        return kind == "always" or kind == "pack" or (kind == "promise" and rule in self.promises)

    def on_the_edge(self, limit: Limit | None) -> bool:
        """Say whether a limit is below those that count; a compaction point never is."""
        return limit is not None and limit.kind != "compaction" and limit.value < self.lowest_limit

    def key_of(self, finding: Finding) -> str:
        """Return what findings of one bug share."""
        return bug_key(finding.cause, self.fail_on)

    def fails(self, finding: Finding) -> bool:
        """Say whether a finding fails the trimmer (exit code 1)."""
        return finding.case.input_class in self.fail_on and self.counts(finding.rule)


def contract_for(
    trimmer: Trimmer,
    *,
    kind: LimitKind | None = None,
    provider: str | None = None,
    count: Count | None = None,
    count_name: str = "default",
    promises: Promises | None = None,
    assumed: tuple[str, ...] = (),
    mild: bool | None = None,
    fail_on: frozenset[str] = FAILING_CLASSES,
    inputs: tuple[str, ...] = ("valid", "pending", "interleaved", "malformed"),
    lowest_limit: int = -1,
    marks: bool = True,
    left_out: frozenset[str] = frozenset(),
    notes: tuple[str, ...] = (),
    measured: bool = True,
) -> Contract:
    """Build the contract of a trimmer; what is left out comes from the trimmer and its format."""
    chosen = kind or trimmer.limits[0]
    counter = count or native_count(trimmer.format)
    listed = counter if chosen == "tokens" and isinstance(counter, Counter) and counter.lists else None
    made = trimmer.promises if promises is None else promises
    if chosen in NO_AMOUNT:
        made = {name: value for name, value in made.items() if name not in NEEDS_A_MEASURE}
    return Contract(
        trimmer,
        kind=chosen,
        pack=pack(provider or trimmer.format.provider),
        count=counter,
        count_name=count_name,
        promises=made,
        assumed=tuple(name for name in assumed if name in made),
        mild=trimmer.mild if mild is None else mild,
        fail_on=fail_on,
        inputs=inputs,
        lowest_limit=lowest_limit,
        marks=marks,
        left_out=left_out,
        features=features_of(trimmer.format, marks=marks, features=without(sorted(left_out))),
        notes=notes,
        cost=cost_of(chosen, cost_in(trimmer.format, counter)),
        measured=measured,
        base=0 if listed is None else listed.constant,
        measure=None if listed is None else total_in(trimmer.format, listed),
    )
