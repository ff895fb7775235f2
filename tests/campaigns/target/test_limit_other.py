"""`--limit other`: a number of which nobody knows what it counts; it is handed over, and nothing is measured."""

from collections.abc import Callable
from typing import Any

import pytest

from trimfuzz.campaigns.engine.engine import engine_for
from trimfuzz.campaigns.engine.records import record_of
from trimfuzz.campaigns.engine.tally import Tally
from trimfuzz.campaigns.reports.finding import limit_words
from trimfuzz.campaigns.runs.replay import spec_of
from trimfuzz.campaigns.store.fixture_format import Fixture, FoundBy, dump_fixture, load_fixture
from trimfuzz.campaigns.target.contract import NEEDS_A_MEASURE, Contract
from trimfuzz.campaigns.target.resolve import resolve
from trimfuzz.campaigns.target.spec import Spec
from trimfuzz.messages.errors import BadName, BadTarget
from trimfuzz.messages.limits import Limit
from trimfuzz.messages.shorthand import history

Trim = Callable[[list[Any], int], list[Any]]


def rounds(messages: list[Any], keep_rounds: int) -> list[Any]:
    """Keep the last rounds, whatever they are."""
    asked = [index for index, one in enumerate(messages) if one["role"] == "user"]
    return messages[asked[-keep_rounds] :] if len(asked) >= keep_rounds else messages


def contract(trim: Trim = rounds, **options: Any) -> Contract:
    """Return the contract of a function under a limit of this kind."""
    return resolve(Spec.of(trim, name="rounds", limit="other", **options))


def test_only_order_and_determinism_are_assumed() -> None:
    """Nothing that needs a measure is judged, promised or observed."""
    made = contract()

    assert set(made.promises) == set(made.assumed) == {"order-preserved", "deterministic"}
    assert all(made.kind_of(rule) is None for rule in NEEDS_A_MEASURE)
    assert "limit other: 1 to the number of messages; what it counts is not known, so nothing is measured" in made.notes
    assert contract(promise="nonempty-history").promises["nonempty-history"] == 1.0


def test_a_measure_cannot_be_promised() -> None:
    """One sentence says why."""
    with pytest.raises(BadName, match=r"^within-limit cannot be promised under a limit of the kind other \(nobody"):
        contract(promise="within-limit")
    with pytest.raises(BadName, match=r"^utilisation cannot be promised under a compaction \(a point says where"):
        resolve(Spec.of(rounds, limit="compaction", promise="utilisation"))


def test_values_are_whole_numbers_from_one() -> None:
    """The trimmer is handed an int: each from 1 to the number of messages, and 1 for the empty history."""
    handed: list[tuple[int, int]] = []

    def trim(messages: list[Any], share: int) -> list[Any]:
        assert type(share) is int
        handed.append((len(messages), share))
        return messages

    engine = engine_for(contract(trim))
    handed.clear()  # it was tried, to see whether it works in place
    tally = Tally(engine.contract)
    for written in ("", "U A U"):
        engine.examine(history(written), tally)

    assert set(handed) == {(0, 1), (3, 1), (3, 2), (3, 3)}
    assert not tally.close()
    assert not tally.utilisation.smallest


def test_what_is_broken_is_found_at_its_value() -> None:
    """A cut inside a batch is a bug, whatever the number means; a fixture holds the kind."""
    found = engine_for(contract(lambda messages, share: messages[-share:]))
    case = found.contract.case(history("U A[c] T(c)"), Limit("other", 1))
    orphan = next(one for one in found.judge_case(case) if one.rule == "no-orphan")
    record = record_of(orphan, found.contract)

    assert limit_words(record) == "1 (other)"
    kept = Fixture(
        "", "", orphan.rule, orphan.cause, "valid", "openai-chat", "openai-chat", case.history, case.limit,
        found_by=FoundBy("mine:trim"),
    )  # fmt: skip
    again = load_fixture(dump_fixture(kept))
    assert again.limit == Limit("other", 1)
    assert spec_of(again).limit == "other"


def test_a_fixed_one_is_the_only_one_tried() -> None:
    """`other=3` is handed over as it stands; a registered trimmer says itself which kinds it takes."""
    made = resolve(Spec.of(rounds, limit="other=3"))
    assert engine_for(made).limits(made.example(history("U A U"))) == (Limit("other", 3),)
    with pytest.raises(BadTarget, match="oasis-pre takes no other limit"):
        resolve(Spec.of("oasis-pre", limit="other"))
