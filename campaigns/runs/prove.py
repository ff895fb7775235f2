"""Prove: the museum against the rules. What shows that the suite finds what it says, and blames nobody else.

Each broken piece is hunted with several seeds of the random lane. The kill is the first example in which its own rule
is broken; then its cause is shrunk, and the end is held against the smallest case that is known. Each correct trimmer
gets some 20,000 cases, of which none may break a rule of the kind that always fails. Pieces are divided among
processes, and a row comes as soon as it is complete.
"""

import os
from collections.abc import Callable, Generator, Iterable
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from contextlib import closing, contextmanager
from math import ceil
from multiprocessing import active_children, get_context
from signal import SIG_BLOCK, SIG_SETMASK, SIGINT, pthread_sigmask
from statistics import median
from time import monotonic
from typing import Any, TypeAlias

from attrs import asdict, field, frozen

from ...implementations.museum import CORRECT, PIECES
from ...implementations.museum.piece import Piece
from ...implementations.time_limit import Watch
from ...implementations.trimmer import Trimmer
from ...messages.cases import Finding
from ...messages.errors import BadName
from ...messages.limits import LimitKind
from ...oracles.rules.registry import RULES
from ..defaults import SCHEMA, SHRINK_SECONDS, TIMEOUT, TIMEOUT_WITH_HANGS
from ..engine.engine import Engine, engine_for, narrowed
from ..engine.lanes import Item, feed
from ..engine.shrinking import finder, shrink
from ..engine.tally import Tally
from ..target.contract import contract_for

MEDIAN_AT_MOST = 100
P90_AT_MOST = 250
MINIMUM_IN = 0.95
"""The targets: examples to the kill, and the share of seeds in which shrinking ends at the known minimum."""
CASES_OF_THE_CORRECT = 20_000
GIVE_UP = 1000
"""Examples after which a piece has got away."""
SEEDS_AT_ONCE = 5

Size: TypeAlias = tuple[int, int]
"""How large a history is: messages, then cost."""


@frozen
class Hunt:
    """One piece under one seed: examples to the kill (None: it got away), and where shrinking ended."""

    examples: int | None
    size: Size | None
    at_minimum: bool


@frozen
class Part:
    """Some hunts of one piece: seeds from `first` on. `known` says that the known minimum does fail."""

    name: str
    first: int
    minimum: Size
    known: bool
    hunts: tuple[Hunt, ...]


@frozen
class PieceRow:
    """One broken piece over all seeds. `smallest` is the worst end of a shrink, `problem` what missed its target.

    `median` and `p90` count examples; a piece that got away counts as `GIVE_UP` and more. `at_minimum` is a share of
    seeds.
    """

    name: str
    cause: str
    hangs: bool
    median: float
    p90: float
    minimum: Size
    worst: Size | None
    at_minimum: float
    hunts: tuple[Hunt, ...] = field(repr=False)
    problems: tuple[str, ...] = ()

    @property
    def rule(self) -> str:
        """The rule that must catch it."""
        return self.cause.partition("/")[0]

    @property
    def killed(self) -> int:
        """In how many seeds it was caught."""
        return sum(hunt.examples is not None for hunt in self.hunts)


@frozen
class CorrectRow:
    """One correct trimmer: how many cases it was given, and the causes that it must not have."""

    name: str
    cases: int
    problems: tuple[str, ...] = ()


Row: TypeAlias = PieceRow | CorrectRow
Tell: TypeAlias = Callable[[Row], None]


@frozen
class Proof:
    """All rows, in the order of the museum."""

    pieces: tuple[PieceRow, ...]
    correct: tuple[CorrectRow, ...]
    seeds: int
    seconds: float
    interrupted: bool = False
    """It was ended early: these are the rows that were complete."""

    @property
    def failed(self) -> bool:
        """Whether a target was missed (exit code 1)."""
        return any(row.problems for row in (*self.pieces, *self.correct))


def prove(
    names: Iterable[str] = (),
    *,
    seeds: int = 20,
    cases: int = CASES_OF_THE_CORRECT,
    jobs: int | None = None,
    tell: Tell = lambda _row: None,
) -> Proof:
    """Hunt every piece (or those named) with `seeds` seeds, and give every correct trimmer `cases` cases.

    `tell` gets each row when it is complete. Raises `BadName` for a name that is neither a piece nor a correct trimmer.
    """
    began = monotonic()
    wanted = _chosen([piece.name for piece in PIECES] + [trimmer.name for trimmer in CORRECT], names)
    pieces = [piece.name for piece in PIECES if piece.name in wanted]
    correct = [trimmer.name for trimmer in CORRECT if trimmer.name in wanted]
    rows: dict[str, Row] = {}
    interrupted = False
    try:
        with closing(_worked(pieces, correct, seeds, cases, jobs or os.cpu_count() or 1)) as worked:
            for row in worked:
                rows[row.name] = row
                tell(row)
    except KeyboardInterrupt:
        interrupted = True
    return Proof(
        tuple(row for row in map(rows.get, pieces) if isinstance(row, PieceRow)),
        tuple(row for row in map(rows.get, correct) if isinstance(row, CorrectRow)),
        seeds,
        monotonic() - began,
        interrupted,
    )


def _chosen(known: list[str], names: Iterable[str]) -> set[str]:
    given = [name.removeprefix("museum:") for name in names]
    for name in given:
        if name not in known:
            raise BadName(f"no museum piece {name!r}", "known: " + ", ".join(known))
    return set(given or known)


def _worked(pieces: list[str], correct: list[str], seeds: int, cases: int, jobs: int) -> Generator[Row]:
    """Divide the work among processes, a few seeds at a time, so that none is left alone with what takes long."""
    parts: dict[str, list[Part]] = {name: [] for name in pieces}
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        waiting: set[Future[Part] | Future[CorrectRow]] = set()
        try:
            with _interrupts_held():
                for name in sorted(pieces, key=_not_a_hang):
                    for start in range(0, seeds, SEEDS_AT_ONCE):
                        waiting.add(pool.submit(hunt_piece, name, start, min(start + SEEDS_AT_ONCE, seeds)))
                waiting.update(pool.submit(try_correct, name, cases) for name in correct)
            for done in as_completed(waiting):
                found = done.result()
                if isinstance(found, CorrectRow):
                    yield found
                    continue
                parts[found.name].append(found)
                if sum(len(part.hunts) for part in parts[found.name]) == seeds:
                    yield row_of(_piece(found.name), parts[found.name])
        except BaseException:
            for process in active_children():  # what they are at could take a minute, and nobody waits for it
                process.kill()
            raise


@contextmanager
def _interrupts_held() -> Generator[None]:
    """Hold Ctrl-C back while processes are started: they inherit that, and leave it to this one to end them."""
    before = pthread_sigmask(SIG_BLOCK, {SIGINT})
    try:
        yield
    finally:
        pthread_sigmask(SIG_SETMASK, before)


def _not_a_hang(name: str) -> bool:
    return _piece(name).cut != "hung"


def _piece(name: str) -> Piece:
    return next(piece for piece in PIECES if piece.name == name)


def hunt_piece(name: str, first: int, end: int) -> Part:
    """Hunt one piece with the seeds from `first` up to `end`."""
    piece = _piece(name)
    contract = contract_for(piece.trimmer, kind=piece.limit.kind, provider=piece.provider)
    watch = Watch(TIMEOUT_WITH_HANGS if piece.cut == "hung" else TIMEOUT)
    engine = narrowed(engine_for(contract, watch=watch), [piece.rule])
    least = contract.example(piece.minimum)
    minimum = (len(least.history), least.total)
    with watch.watching():
        found = engine.judge_case(contract.case(piece.minimum, piece.limit))
        hunts = tuple(_hunt(piece, engine, minimum, seed) for seed in range(first, end))
    return Part(name, first, minimum, any(finding.cause == piece.cause for finding in found), hunts)


def _hunt(piece: Piece, engine: Engine, minimum: Size, seed: int) -> Hunt:
    """Draw examples until the rule is broken, and on until the piece's own cause is there to be shrunk."""
    tally = Tally(engine.contract)
    killed: int | None = None
    found: dict[str, Finding] = {}

    def step(item: Item) -> bool:
        nonlocal killed, found
        engine.examine(item.history, tally, seed=seed + item.number, point=item.point)
        found = {finding.cause: finding for finding in tally.close()}
        if killed is None and any(finding.rule == piece.rule for finding in found.values()):
            killed = tally.examples
        return piece.cause not in found

    feed("random", engine.contract, seed=seed, start=0, examples=GIVE_UP, step=step)
    if piece.cause not in found:
        return Hunt(killed, None, False)
    return _shrunk(engine, found[piece.cause], killed, minimum, by_size=piece.cut == "hung")


def _shrunk(engine: Engine, found: Finding, killed: int | None, minimum: Size, *, by_size: bool) -> Hunt:
    ended = shrink(engine, found, seconds=SHRINK_SECONDS, find=finder(engine, found.cause), by_size=by_size)
    example = ended.finding.case.example
    size = (len(example.history), example.total)
    return Hunt(killed, size, size <= minimum)


def row_of(piece: Piece, parts: Iterable[Part]) -> PieceRow:
    """Sum the hunts of a piece up and hold them against the targets."""
    ordered = sorted(parts, key=lambda part: part.first)
    hunts = tuple(hunt for part in ordered for hunt in part.hunts)
    minimum, known = ordered[0].minimum, all(part.known for part in ordered)
    counts = sorted(GIVE_UP if hunt.examples is None else hunt.examples for hunt in hunts)
    middle, late = median(counts), counts[ceil(0.9 * len(counts)) - 1]
    share = sum(hunt.at_minimum for hunt in hunts) / len(hunts)
    sizes = [hunt.size for hunt in hunts if hunt.size is not None]
    away = sum(hunt.examples is None for hunt in hunts)
    smaller = min((size for size in sizes if size < minimum), default=None)
    problems = [
        *([] if known else ["its known minimum does not fail"]),
        *([f"got away in {away} of {len(hunts)} seeds"] if away else []),
        *([f"median {middle:g} examples, not {MEDIAN_AT_MOST}"] if middle > MEDIAN_AT_MOST else []),
        *([f"90th percentile {late} examples, not {P90_AT_MOST}"] if late > P90_AT_MOST else []),
        *([f"at the minimum in {share:.0%} of seeds, not {MINIMUM_IN:.0%}"] if share < MINIMUM_IN else []),
        *([f"shrunk to {smaller}, below the known minimum"] if smaller is not None else []),
    ]
    return PieceRow(
        piece.name,
        piece.cause,
        piece.cut == "hung",
        middle,
        late,
        minimum,
        max(sizes, default=None),
        share,
        hunts,
        tuple(problems),
    )


def try_correct(name: str, cases: int) -> CorrectRow:
    """Give a correct trimmer its cases, divided among the kinds of limit that it takes."""
    trimmer = next(trimmer for trimmer in CORRECT if trimmer.name == name)
    watch = Watch(TIMEOUT)
    problems: set[str] = set()
    done = 0
    with watch.watching():
        for kind in trimmer.limits:
            tally = _given(trimmer, kind, ceil(cases / len(trimmer.limits)), watch)
            done += tally.trims
            problems.update(found.cause for found in tally.close() if found.case.input_class in tally.contract.fail_on)
    return CorrectRow(name, done, tuple(sorted(problems)))


def _given(trimmer: Trimmer, kind: LimitKind, cases: int, watch: Watch) -> Tally:
    contract = contract_for(trimmer, kind=kind)
    always = [rule for rule, known in RULES.items() if known.kind == "always"]
    engine = narrowed(engine_for(contract, watch=watch), always)
    tally = Tally(contract)

    def step(item: Item) -> bool:
        engine.examine(item.history, tally, seed=item.number, point=item.point)
        return tally.trims < cases

    feed("random", contract, seed=0, start=0, examples=cases, step=step)
    return tally


def proof_as_json(proof: Proof) -> dict[str, Any]:
    """Write a proof as JSON data: every row with what missed its target."""
    return {
        "schema": SCHEMA,
        "seeds": proof.seeds,
        "seconds": round(proof.seconds, 3),
        "failed": proof.failed,
        "interrupted": proof.interrupted,
        "pieces": [
            {
                **asdict(row, filter=lambda attribute, _: attribute.name != "hunts"),
                "rule": row.rule,
                "killed": row.killed,
            }
            for row in proof.pieces
        ],
        "correct": [asdict(row) for row in proof.correct],
    }
