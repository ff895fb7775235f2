"""Every museum piece breaks its rule on its smallest known case, and is spared on a near miss and on all below."""

import inspect
from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import cache
from types import ModuleType
from typing import Any

import pytest

from trimfuzz.implementations.museum import (
    CORRECT,
    PIECES,
    Piece,
    compactors,
    conditions,
    conduct,
    items,
    memories,
    mutations,
    repairs,
    requests,
    shapes,
    windows,
)
from trimfuzz.implementations.museum.small import small_histories
from trimfuzz.implementations.running import run
from trimfuzz.implementations.time_limit import Watch
from trimfuzz.messages.cases import CUTS, Case, Example, Outcome, Runs
from trimfuzz.messages.formats.counting import cost_in, native_count
from trimfuzz.messages.limits import Limit, cost_of, sweep
from trimfuzz.messages.model import History
from trimfuzz.messages.reading.profiles import profile
from trimfuzz.messages.shorthand import history
from trimfuzz.oracles.judging.judging import judge
from trimfuzz.oracles.rules.limits import utilisation
from trimfuzz.oracles.rules.registry import RULES

EVERYTHING_UP_TO = 2
"""Up to this many messages the marks (pins, developer, empty texts, text beside calls) are tried as well."""

WATCH = Watch(0.2)
BY_NAME = pytest.mark.parametrize("piece", PIECES, ids=lambda piece: piece.name)


@pytest.fixture(autouse=True)
def _watched() -> Iterator[None]:
    """Interrupt trims that hang."""
    with WATCH.watching():
        yield


def example_of(piece: Piece, messages: History) -> Example:
    """Read a history as the piece is judged."""
    cost = cost_of(piece.limit.kind, cost_in(piece.trimmer.format, native_count(piece.trimmer.format)))
    return Example(messages, profile=profile(piece.provider), cost=cost)


def limits_of(piece: Piece, example: Example) -> tuple[Limit, ...]:
    """Give the limits at which a trim of this example can change; all compaction points, stale ones as well."""
    if piece.limit.kind == "compaction":
        size = len(example.history)
        return tuple(Limit("compaction", at, length) for at in range(size + 1) for length in range(at, size + 1))
    return sweep(example.history, piece.limit.kind, costs=example.costs if piece.limit.kind == "tokens" else None)


def trim(piece: Piece, case: Case) -> Outcome:
    """Run the piece once."""
    return run(piece.trimmer, case, count=native_count(piece.trimmer.format), watch=WATCH)


def causes(piece: Piece, example: Example, limits: Iterable[Limit]) -> set[str]:
    """Run a piece at these limits, largest first, and give the causes by which its own rule is broken."""
    found: set[str] = set()
    larger: tuple[Case, Outcome] | None = None
    for limit in sorted(limits, key=lambda limit: -limit.value):
        case = Case(example, limit)
        outcome = trim(piece, case)
        if piece.rule == "utilisation":
            ratio = utilisation(case, outcome)
            if ratio is not None and ratio < piece.trimmer.promises["utilisation"]:
                found.add(f"utilisation/{case.input_class}/lost")
            continue
        runs = further_runs(piece, case, outcome, larger)
        found.update(finding.cause for finding in judge(case, outcome, rules=(piece.rule,), runs=runs))
        if outcome.status == "ok":
            larger = (case, outcome)
    return found


def further_runs(piece: Piece, case: Case, outcome: Outcome, larger: tuple[Case, Outcome] | None) -> Runs:
    """Make the runs that the piece's rule asks for."""
    wanted = RULES[piece.rule].runs
    again = trim(piece, case) if "again" in wanted else None
    twice = None
    if "twice" in wanted and outcome.output is not None:
        twice = trim(piece, Case(example_of(piece, outcome.output), case.limit))
    stored = None if outcome.stored is None else Outcome("ok", outcome.stored)
    return Runs(again, twice, larger, stored)


def with_next(piece: Piece, limit: Limit) -> set[Limit]:
    """Give this limit, and the next larger one where the rule compares the two."""
    assert "larger" not in RULES[piece.rule].runs or limit.kind != "compaction"
    return {limit, Limit(limit.kind, limit.value + 1)} if "larger" in RULES[piece.rule].runs else {limit}


@BY_NAME
def test_minimum_breaks_the_rule(piece: Piece) -> None:
    """The smallest known case has the cause that the piece is known for."""
    example = example_of(piece, piece.minimum)
    assert example.reading.input_class == piece.input_class
    assert piece.cause in causes(piece, example, with_next(piece, piece.limit))


@BY_NAME
def test_near_miss_is_spared(piece: Piece) -> None:
    """A case that lacks the one thing that matters does not have the cause."""
    example = example_of(piece, piece.spared)
    assert piece.cause not in causes(piece, example, with_next(piece, piece.spared_limit))


@cache
def smaller_than(size: int, input_class: str) -> tuple[History, ...]:
    """List every history of so many messages, of one input class; the marks only where there are few messages."""
    marked = size <= EVERYTHING_UP_TO
    return tuple(
        found
        for found in small_histories(size, marked=marked, text=marked)
        if Example(found).reading.input_class == input_class
    )


def _searched(piece: Piece) -> Any:
    """Leave it to the night to go through all histories of five messages."""
    five = piece.minimum_size > 4 and piece.limit.kind != "messages"
    return pytest.param(piece, id=piece.name, marks=pytest.mark.nightly if five else pytest.mark.slow)


@pytest.mark.parametrize("piece", [_searched(piece) for piece in PIECES if not piece.argued])
def test_nothing_smaller_breaks_it(piece: Piece) -> None:
    """No history of fewer messages, nor one of as many that costs less, has the cause at any limit."""
    cost = example_of(piece, piece.minimum).total
    for size in range(piece.minimum_size + 1):
        if size == piece.minimum_size and piece.limit.kind == "messages":
            break
        for messages in smaller_than(size, piece.input_class):
            example = example_of(piece, messages)
            if size < piece.minimum_size or (example.total < cost and "" not in [it.text for it in messages]):
                assert piece.cause not in causes(piece, example, limits_of(piece, example)), messages


def test_there_are_thirty_and_fifteen() -> None:
    """The museum holds at least thirty broken trimmers and fifteen correct ones, under names of their own."""
    names = [piece.name for piece in PIECES] + [trimmer.name for trimmer in CORRECT]
    assert len(PIECES) >= 30
    assert len(CORRECT) >= 15
    assert len(set(names)) == len(names)


def test_every_rule_has_a_piece() -> None:
    """Each rule that one trim can break has a piece that it must catch; no piece names a cut that is not known."""
    by_rule = defaultdict[str, list[str]](list)
    for piece in PIECES:
        by_rule[piece.rule].append(piece.name)
        assert piece.cut in CUTS or piece.cut.startswith("raised:")
    assert by_rule.keys() == RULES.keys()


@BY_NAME
def test_promise_is_declared_where_the_rule_needs_it(piece: Piece) -> None:
    """A piece that breaks a promise makes it, and a piece that breaks what always fails promises nothing."""
    needed = RULES[piece.rule].kind == "promise" or piece.rule == "nonempty-history"
    assert (piece.rule in piece.trimmer.promises) == needed


@pytest.mark.parametrize(
    "module",
    [windows, mutations, conditions, repairs, conduct, shapes, items, compactors, memories, requests],
    ids=lambda module: module.__name__,
)
def test_pieces_are_short_and_say_what_is_wrong(module: ModuleType) -> None:
    """A piece has fewer than thirty lines, and its docstring, which is its story, names the fault."""
    for piece in (piece for piece in PIECES if piece.trimmer.source.startswith(f"{module.__name__}:")):
        function = getattr(module, piece.trimmer.source.partition(":")[2])
        assert len(inspect.getsource(function).splitlines()) < 30, piece
        assert len(piece.trimmer.story) > 20, piece


def test_small_histories_are_all_different() -> None:
    """No history comes twice, none has a stray result, and all kinds of message are among them."""
    found = list(small_histories(3, marked=False))
    assert len(set(found)) == len(found)
    assert not any(answer.slot is None for each in found for answer in Example(each).reading.answers)
    assert history("U=0 A[a,b] T(b)=2") in found
    assert {message.role for each in found for message in each} == {"system", "user", "assistant", "tool"}


def test_small_histories_name_ids_in_order() -> None:
    """Of histories that differ only in the names of ids there is one."""
    found = set(small_histories(2))
    assert history("A[a] A[b]") in found
    assert history("A[b] A[a]") not in found
