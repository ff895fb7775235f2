"""The shared run: one generation of cases for all the tests of one trimmer.

A conformance suite is thirty tests, one for each rule, but every generated case is judged by all rules anyway. So the
first test that runs in a process generates, through Hypothesis and the user's own settings, and the others read what
was found. Nothing is raised while cases are drawn: a common finding would hide a rare one. What fails is shrunk by
the test that reports it.

Hypothesis' database remembers failing bytes; this remembers failing histories in the same database, which survive a
change of the test, of the trimmer's name in it and of the encoding.
"""

import json
from collections.abc import Iterator
from hashlib import sha256
from random import Random
from typing import cast

import hypothesis
from attrs import define, evolve, field
from hypothesis import strategies as st
from hypothesis.database import ExampleDatabase
from hypothesis.strategies import SearchStrategy

from ...implementations.time_limit import Watch
from ...messages.cases import Finding
from ...messages.errors import BadHistory
from ...messages.limits import Limit
from ...messages.model import History
from ...messages.neutral import dump_history, load_history
from ...messages.reading.pairing import INPUT_CLASSES, InputClass
from ...oracles.judging.folding import EXPLAINED_BY
from ...strategies.hypothesis_strategies import histories, histories_with_points
from ...strategies.known import Known
from ..defaults import ENOUGH_HANGS_UNDER_PYTEST, SHRINK_SECONDS, TIMEOUT, first_call_seconds
from ..engine.bugs import Folded, fold
from ..engine.engine import Engine, engine_for, narrowed
from ..engine.first_calls import FirstCalls
from ..engine.lanes import Item, feed
from ..engine.records import Record, record_of, shrunk
from ..engine.shrinking import finder, shrink
from ..engine.tally import Tally
from ..target.contract import Contract

EVERY_CHECK = (  # by name: a list of all of them can hold deprecated ones, and warns
    hypothesis.HealthCheck.data_too_large,
    hypothesis.HealthCheck.differing_executors,
    hypothesis.HealthCheck.filter_too_much,
    hypothesis.HealthCheck.function_scoped_fixture,
    hypothesis.HealthCheck.large_base_example,
    hypothesis.HealthCheck.nested_given,
    hypothesis.HealthCheck.too_slow,
)


@define
class SharedRun:
    """The cases of one trimmer in this process. `name` keeps its remembered histories apart from those of others."""

    contract: Contract
    name: str
    settings: hypothesis.settings | None = None
    timeout: float = field(default=TIMEOUT, kw_only=True)
    """Seconds that one trim may take."""
    seed: int | None = field(default=None, init=False)
    _tally: Tally | None = field(default=None, init=False)
    _found: dict[str, Finding] = field(factory=dict[str, Finding], init=False)
    _folded: Folded = field(factory=Folded, init=False)
    _shrunk: dict[str, Record] = field(factory=dict[str, Record], init=False)

    @property
    def examples(self) -> int:
        """How many histories were examined so far."""
        return self._tally.examples if self._tally is not None else 0

    @property
    def trims(self) -> int:
        """How many trims were judged so far."""
        return self._tally.trims if self._tally is not None else 0

    def rules(self) -> tuple[str, ...]:
        """The rules that can fail this trimmer, in table order: a test for each."""
        engine = engine_for(self.contract)
        kinds = {name: self.contract.kind_of(name) for name in (*engine.rules, *engine.relations, "utilisation")}
        return tuple(
            name
            for name, kind in kinds.items()
            if kind in ("always", "pack") or (kind == "promise" and name in self.contract.promises)
        )

    def broken(self, rule: str, *, seed: int | str | None) -> list[Record]:
        """Return the smallest case of every bug that breaks a rule; `seed` is for the generation, where it is due."""
        first = self._tally is None
        watch = Watch(self.timeout, patience=first_call_seconds(self.timeout) if first else 0.0)
        engine = engine_for(self.contract, watch=watch)
        with watch.watching():
            if self._tally is None:
                self._tally = self._generated(evolve(engine, after=FirstCalls(self.contract, watch).see), seed)
                self._fold(self._tally)
            failing = [bug.record for bug in self._folded.failing if bug.rule == rule]
            return sorted((self._small(engine, record) for record in failing), key=_plainest_first)

    def explained_by(self, rule: str) -> str | None:
        """Return the rule whose bug is the reason that this one is broken too, if it is broken only by that."""
        bugs = [bug for bug in self._folded.failing if rule in {record.rule for record in bug.records}]
        return None if not bugs or rule in {bug.rule for bug in bugs} else bugs[0].rule

    def is_exercised(self, rule: str) -> bool:
        """Say whether some case could have shown a rule to be broken."""
        return self._tally is None or rule == "utilisation" or rule in self._tally.exercised

    def _fold(self, tally: Tally) -> None:
        self._found = {found.cause: found for found in tally.close() if self.contract.counts(found.rule)}
        records = [
            record_of(found, self.contract, url=tally.urls.get(cause), explained_by=tally.parents(cause))
            for cause, found in self._found.items()
        ]
        self._folded = fold(records, self.contract.fail_on)

    def _small(self, engine: Engine, record: Record) -> Record:
        if record.cause not in self._shrunk:
            found = self._found[record.cause]
            narrow = narrowed(engine, {found.rule, *EXPLAINED_BY.get(found.rule, ())})
            find = finder(narrow, found.cause, by_itself=not record.explained_by)
            ended = shrink(narrow, found, seconds=SHRINK_SECONDS, find=find, by_size=found.cut == "hung")
            small = record_of(ended.finding, self.contract, url=record.url, explained_by=record.explained_by)
            self._shrunk[record.cause] = shrunk(small, minimal=ended.complete)
            self._remember(ended.finding.case.history)
        return self._shrunk[record.cause]

    def _generated(self, engine: Engine, seed: int | str | None) -> Tally:
        given = self.settings or hypothesis.settings()
        tally = Tally(self.contract)
        order = Random(0)

        def examine(history: History, point: Limit | None = None, known: Known | None = None) -> None:
            if tally.statuses["hung"] < ENOUGH_HANGS_UNDER_PYTEST:
                engine.examine(history, tally, seed=order.randrange(1 << 30), point=point, known=known)

        def known_one(item: Item) -> bool:
            examine(item.history, item.point, item.known)
            return True

        for history in self._remembered(given.database, engine):
            examine(history)
        feed("known", self.contract, seed=0, start=0, examples=1_000_000, step=known_one)

        @hypothesis.settings(
            given,
            database=None,
            deadline=None,  # an example is a history at all its limits; a slow trim is the watch's affair
            suppress_health_check=EVERY_CHECK,
        )
        @hypothesis.given(_drawn_for(self.contract))
        def explore(drawn: tuple[History, Limit | None]) -> None:
            examine(*drawn)

        if hypothesis.Phase.generate in given.phases:
            (explore if seed is None else hypothesis.seed(seed)(explore))()
        return tally

    @property
    def _key(self) -> bytes:
        return b"trimfuzz:" + sha256(self.name.encode()).digest()

    def _remember(self, history: History) -> None:
        database = (self.settings or hypothesis.settings()).database
        if database is not None:
            database.save(self._key, json.dumps(dump_history(history)).encode())

    def _left_out(self, history: History) -> bool:
        """Say whether a history has what this trimmer is never handed."""
        marked = any(message.keep_during_truncation or message.summary for message in history)
        return (marked and not self.contract.marks) or bool(self.contract.left_out_in(history))

    def _remembered(self, database: ExampleDatabase | None, engine: Engine) -> Iterator[History]:
        """Yield the histories that failed before; one that fails no more is forgotten."""
        for value in sorted(database.fetch(self._key), key=len) if database is not None else ():
            try:
                history = load_history(json.loads(value))
            except (ValueError, BadHistory):
                history = None
            probe = Tally(self.contract)
            if history is not None and self._left_out(history):
                continue  # remembered under other options
            if history is not None:
                engine.examine(history, probe)
            if history is not None and any(map(self.contract.fails, probe.close())):
                yield history
            elif database is not None:
                database.delete(self._key, value)


def _plainest_first(record: Record) -> tuple[int, list[int]]:
    return INPUT_CLASSES.index(record.input_class), record.size


def _drawn_for(contract: Contract) -> SearchStrategy[tuple[History, Limit | None]]:
    """What the contract allows: histories, with a compaction point where that is the limit."""
    features = contract.features
    inputs = cast("tuple[InputClass, ...]", contract.inputs)
    if contract.kind == "compaction":
        return histories_with_points(inputs=inputs, features=features)
    return st.tuples(histories(inputs=inputs, features=features), st.none())
