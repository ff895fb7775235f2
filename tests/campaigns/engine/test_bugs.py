"""Bugs: causes are folded, and a bug has one number."""

from typing import Any

from trimfuzz.campaigns.engine.bugs import Bug, Folded, fold
from trimfuzz.campaigns.engine.records import Record
from trimfuzz.messages.limits import Limit

FAILING = ("valid", "pending")
KINDS = {"first-is-user": "pack", "within-limit": "promise", "utilisation": "promise", "nonempty-history": "promise"}


def record(cause: str, *explained_by: str, size: int = 3, **more: Any) -> Record:
    """Return a record of a cause; `size` is the number of its messages."""
    rule, input_class, cut = cause.split("/")
    history = [{"role": "user", "text": "a"}] * size
    kind: Any = KINDS.get(rule, "always")
    return Record(
        "mine.py:trim", rule, cause, cut, kind, input_class in FAILING, input_class, history,
        Limit("messages", 1), "ok", [], size=[size, size, 1], explained_by=list(explained_by), **more,
    )  # fmt: skip


def shown(bugs: tuple[Bug, ...]) -> list[tuple[int | None, str, list[str]]]:
    """Return the bugs in a few words: number, cause, and what else is the same bug."""
    return [(bug.number, bug.cause, sorted(one.cause for one in bug.also)) for bug in bugs]


def test_the_same_cut_on_other_input_is_the_same_bug() -> None:
    """Pending, interleaved and malformed; the case to show is the smallest that fails."""
    found = fold(
        [
            record("no-orphan/valid/call-dropped", size=3),
            record("no-orphan/pending/call-dropped", size=4),
            record("no-orphan/interleaved/call-dropped", size=2),
        ],
        FAILING,
    )
    others = ["no-orphan/interleaved/call-dropped", "no-orphan/pending/call-dropped"]
    assert shown(found.bugs) == [(1, "no-orphan/valid/call-dropped", others)]
    assert found.apart == ()
    assert {(one.bug, one.fails) for one in found.causes} == {(1, True)}


def test_pending_may_be_the_smaller_case() -> None:
    """What fails is what counts, not the class."""
    found = fold([record("no-orphan/valid/x", size=5), record("no-orphan/pending/x", size=2)], FAILING)
    assert found.bugs[0].cause == "no-orphan/pending/x"


def test_what_another_finding_explains_has_no_number_of_its_own() -> None:
    """It goes to the bug that explains it, and to the one behind that where there is a chain."""
    found = fold(
        [
            record("no-orphan/valid/call-dropped"),
            record("batch-atomic/valid/call-dropped", "no-orphan/call-dropped", size=2),
            record("first-is-user/valid/call-dropped", "batch-atomic/call-dropped"),
        ],
        FAILING,
    )
    also = ["batch-atomic/valid/call-dropped", "first-is-user/valid/call-dropped"]
    assert shown(found.bugs) == [(1, "no-orphan/valid/call-dropped", also)]


def test_valid_input_decides_what_stands_by_itself() -> None:
    """A batch that is cut while results are still to come is the bug that cuts it where they have come."""
    explained = record("batch-atomic/valid/call-dropped", "no-orphan/call-dropped", size=2)
    pending = record("batch-atomic/pending/call-dropped", size=3)
    orphan = record("no-orphan/valid/call-dropped", size=4)
    also = ["batch-atomic/pending/call-dropped", "batch-atomic/valid/call-dropped"]
    assert shown(fold([orphan, explained, pending], FAILING).bugs) == [(1, "no-orphan/valid/call-dropped", also)]
    apart = fold([orphan, pending], FAILING).bugs
    assert [bug.cause for bug in apart] == ["batch-atomic/pending/call-dropped", "no-orphan/valid/call-dropped"]
    alone = fold([orphan, record("batch-atomic/valid/call-dropped", size=2), pending], FAILING).bugs
    assert [bug.cause for bug in alone] == ["batch-atomic/valid/call-dropped", "no-orphan/valid/call-dropped"]


def test_an_explanation_that_was_not_found_again_explains_nothing() -> None:
    """The cause that is left has its number: nothing is hidden."""
    found = fold([record("batch-atomic/valid/call-dropped", "no-orphan/call-dropped")], FAILING)
    assert shown(found.bugs) == [(1, "batch-atomic/valid/call-dropped", [])]


def test_a_message_that_was_put_between_is_one_bug() -> None:
    """The call that stays open by it is the result that does not follow."""
    found = fold(
        [record("call-answered/valid/inserted-between"), record("result-adjacent/valid/inserted-between")], FAILING
    )
    assert len(found.bugs) == 1


def test_rejected_input_alone_stays_apart() -> None:
    """Without a number; interleaved and malformed are one there, with all that it explains."""
    found = fold(
        [
            record("no-orphan/malformed/call-dropped", size=2),
            record("no-orphan/interleaved/call-dropped"),
            record("batch-atomic/malformed/call-dropped", "no-orphan/malformed/call-dropped"),
            record("within-limit/valid/over-limit"),
        ],
        FAILING,
    )
    assert [bug.cause for bug in found.bugs] == ["within-limit/valid/over-limit"]
    also = ["batch-atomic/malformed/call-dropped", "no-orphan/interleaved/call-dropped"]
    assert shown(found.apart) == [(None, "no-orphan/malformed/call-dropped", also)]
    assert [one.bug for one in found.apart[0].records] == [None] * 3
    assert not any(one.fails for one in found.apart[0].records)


def test_what_a_known_bug_explains_on_rejected_input_is_that_bug() -> None:
    """An orphan on valid input; on malformed input the orphan explains a cut batch."""
    found = fold(
        [
            record("no-orphan/valid/call-dropped"),
            record("no-orphan/malformed/call-dropped"),
            record("batch-atomic/malformed/call-dropped", "no-orphan/malformed/call-dropped"),
        ],
        FAILING,
    )
    assert len(found.bugs) == 1
    assert found.apart == ()


def test_order_of_the_numbers() -> None:
    """Pairing, safety, shape, promises; in each the smaller case first."""
    causes = (
        "within-limit/valid/over-limit", "first-is-user/valid/lost", "no-input-mutation/valid/mutated",
        "no-orphan/valid/call-dropped", "nothing-duplicated/valid/duplicated",
    )  # fmt: skip
    found = fold([record(cause, size=index) for index, cause in enumerate(causes)], FAILING)
    assert [bug.rule for bug in found.bugs] == [
        "no-orphan", "nothing-duplicated", "no-input-mutation", "first-is-user", "within-limit",
    ]  # fmt: skip
    assert [bug.number for bug in found.bugs] == [1, 2, 3, 4, 5]


def test_low_utilisation_is_what_an_empty_answer_has() -> None:
    """Over the whole run: any bug of emptiness or of identity explains it."""
    low, empty = record("utilisation/valid/lost"), record("nonempty-history/valid/emptied")
    assert shown(fold([low, empty], FAILING).bugs) == [
        (1, "nonempty-history/valid/emptied", ["utilisation/valid/lost"])
    ]
    assert [bug.rule for bug in fold([low], FAILING).bugs] == ["utilisation"]


def test_nothing_found() -> None:
    """No records, no bugs."""
    assert fold([], FAILING) == Folded()
