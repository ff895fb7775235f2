"""Prove: what the proof of the museum measures, and that it can fail."""

import json
from typing import Any

import pytest

from trimfuzz.campaigns.engine.engine import engine_for, narrowed
from trimfuzz.campaigns.engine.lanes import Item, feed
from trimfuzz.campaigns.engine.tally import Tally
from trimfuzz.campaigns.runs import prove as proving
from trimfuzz.campaigns.runs.prove import (
    GIVE_UP,
    Hunt,
    Part,
    PieceRow,
    Proof,
    Row,
    hunt_piece,
    proof_as_json,
    prove,
    row_of,
    try_correct,
)
from trimfuzz.campaigns.target.contract import contract_for
from trimfuzz.implementations.museum import CORRECT, PIECES
from trimfuzz.messages.errors import BadName

PIECE = next(piece for piece in PIECES if piece.name == "tail-slice")


def row(*hunts: Hunt, known: bool = True) -> PieceRow:
    """Sum hunts up for a piece whose known minimum is three messages."""
    return row_of(PIECE, [Part(PIECE.name, 0, (3, 3), known, hunts)])


def hunt(examples: int | None = 1, size: tuple[int, int] | None = (3, 3)) -> Hunt:
    """One hunt, at the minimum if its size is."""
    return Hunt(examples, size, size == (3, 3))


@pytest.mark.slow
def test_pieces_are_killed_and_correct_ones_are_not_blamed() -> None:
    """A few real rows, from processes of their own, in the order of the museum, each told when it is there."""
    told: list[Row] = []
    proof = prove(
        ["museum:repair-by-id-set", "tail-slice", "suffix-by-units"], seeds=7, cases=300, jobs=2, tell=told.append
    )

    assert [one.name for one in proof.pieces] == ["tail-slice", "repair-by-id-set"]
    assert [(one.killed, one.at_minimum, one.problems) for one in proof.pieces] == [(7, 1.0, ())] * 2
    assert proof.pieces[1].rule == "no-orphan"
    assert [(one.name, one.problems) for one in proof.correct] == [("suffix-by-units", ())]
    assert proof.correct[0].cases >= 300
    assert not proof.failed
    assert sorted(one.name for one in told) == ["repair-by-id-set", "suffix-by-units", "tail-slice"]


@pytest.mark.slow
def test_hunts_of_one_seed_are_the_same() -> None:
    """A hunt hangs on its seed alone, not on which seeds are hunted beside it."""
    together, alone = hunt_piece("repair-by-id-set", 0, 3), hunt_piece("repair-by-id-set", 2, 3)

    assert together.hunts[2:] == alone.hunts
    assert len({one.examples for one in hunt_piece("repair-by-id-set", 0, 6).hunts}) > 1


@pytest.mark.slow
def test_hang_is_hunted_and_shrunk(monkeypatch: pytest.MonkeyPatch) -> None:
    """A piece that does not come back is killed by the rule for it, in a row that says so."""
    monkeypatch.setattr(proving, "TIMEOUT_WITH_HANGS", 0.1)  # some fifty trims take all of it
    found = row_of(next(one for one in PIECES if one.name == "endless-loop"), [hunt_piece("endless-loop", 0, 1)])

    assert (found.hangs, found.rule, found.problems) == (True, "terminates", ())


def test_counts_are_median_and_ninetieth_percentile() -> None:
    """Of twenty hunts the ninetieth percentile is the eighteenth, and a piece that got away counts in full."""
    found = row(*[hunt(number) for number in range(1, 18)], hunt(90), hunt(240), hunt(None, None))

    assert (found.median, found.p90, found.killed) == (10.5, 90, 19)
    assert row(hunt(None, None)).p90 == GIVE_UP


@pytest.mark.parametrize(
    ("found", "words"),
    [
        (row(hunt(), hunt(None, None)), "got away in 1 of 2 seeds"),
        (row(hunt(101), hunt(101)), "median 101 examples"),
        (row(hunt(1), hunt(1), hunt(251)), "90th percentile 251 examples"),
        (row(*[hunt()] * 18, hunt(1, (3, 4)), hunt(1, (4, 4))), "at the minimum in 90% of seeds"),
        (row(hunt(1, (2, 9))), "shrunk to (2, 9), below the known minimum"),
        (row(hunt(), known=False), "its known minimum does not fail"),
    ],
)
def test_missed_targets_are_problems(found: PieceRow, words: str) -> None:
    """Each target that is missed is said, and fails the proof."""
    assert any(words in problem for problem in found.problems)
    assert Proof((found,), (), 2, 1.0).failed


def test_targets_that_are_just_met_are_none() -> None:
    """100 and 250 examples, and 19 of 20 seeds at the minimum, are enough."""
    found = row(*[hunt(100)] * 17, hunt(250), hunt(999), hunt(1, (5, 5)))

    assert found.problems == ()
    assert found.worst == (5, 5)


def test_trimmer_that_is_not_correct_is_blamed(monkeypatch: pytest.MonkeyPatch) -> None:
    """What breaks a rule that always fails, on input that counts, is named by its causes."""
    monkeypatch.setattr(proving, "CORRECT", (PIECE.trimmer,))
    found = try_correct("tail-slice", 200)

    assert "no-orphan/valid/call-dropped" in found.problems
    assert not any("/malformed/" in cause or "/interleaved/" in cause for cause in found.problems)
    assert Proof((), (found,), 1, 1.0).failed


def test_correct_trimmers_get_their_cases_over_all_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    """A trimmer that takes several kinds of limit is tried with each."""
    kinds: list[Any] = []

    def noted(trimmer: Any, **options: Any) -> Any:
        kinds.append(options["kind"])
        return contract_for(trimmer, **options)

    several = next((one for one in CORRECT if len(one.limits) > 1), None)
    monkeypatch.setattr(proving, "contract_for", noted)
    chosen = several or CORRECT[0]
    try_correct(chosen.name, 50)

    assert tuple(kinds) == chosen.limits


@pytest.mark.slow
@pytest.mark.parametrize("piece", [piece for piece in PIECES[::9] if piece.cut != "hung"], ids=lambda piece: piece.name)
def test_narrowed_engine_finds_what_the_whole_one_finds(piece: Any) -> None:
    """The verdicts on a rule are the same whether or not other rules are asked."""
    engine = engine_for(contract_for(piece.trimmer, kind=piece.limit.kind, provider=piece.provider))
    tallys = [Tally(engine.contract), Tally(engine.contract)]

    def step(item: Item) -> bool:
        engine.examine(item.history, tallys[0], seed=item.number, point=item.point)
        narrowed(engine, [piece.rule]).examine(item.history, tallys[1], seed=item.number, point=item.point)
        return True

    feed("random", engine.contract, seed=3, start=0, examples=12, step=step)
    whole, narrow = tallys
    assert {cause: found for cause, found in whole.smallest.items() if found.rule == piece.rule} == narrow.smallest
    assert narrow.trims == whole.trims


def test_names_that_are_no_museum_pieces_are_said() -> None:
    """A wrong name is an error that lists the right ones."""
    with pytest.raises(BadName, match=r"no museum piece 'tail-slize' \(.*tail-slice"):
        prove(["tail-slize"])


def test_proof_as_json() -> None:
    """Rows are plain JSON data, without the single hunts."""
    data = proof_as_json(Proof((row(hunt(), hunt(None, None)),), (), 2, 1.25))
    (piece,) = json.loads(json.dumps(data))["pieces"]

    assert data["failed"] is True
    assert (piece["name"], piece["rule"], piece["killed"], piece["minimum"]) == ("tail-slice", "no-orphan", 1, [3, 3])
    assert "hunts" not in piece
