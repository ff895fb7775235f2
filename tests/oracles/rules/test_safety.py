"""A trimmer comes back, without an error, and leaves alone what it was handed."""

import pytest

from trimfuzz.messages.cases import Failure, Outcome
from trimfuzz.oracles.judging.judging import judge

from ..shorthand import case_of, history, ok

CASE = case_of("U A[c1] T(c1)=long", limit=2)


def broken(outcome: Outcome) -> dict[str, str]:
    """Return the cuts of everything that an outcome broke, by rule."""
    return {finding.rule: finding.cut for finding in judge(CASE, outcome)}


@pytest.mark.parametrize(
    ("outcome", "rule", "cut"),
    [
        (Outcome("raised", failure=Failure("KeyError", "'content'")), "total-no-raise", "raised:KeyError"),
        (Outcome("crashed", failure=Failure("crashed", "signal 11")), "total-no-raise", "crashed"),
        (Outcome("protocol-error", failure=Failure("protocol-error", "returned None")), "total-no-raise",
         "raised:protocol-error"),
        (Outcome("hung", failure=Failure("hung", "no answer in 1 s")), "terminates", "hung"),
    ],
)  # fmt: skip
def test_not_coming_back_is_one_finding(outcome: Outcome, rule: str, cut: str) -> None:
    """Nothing is said about an output that is not there."""
    assert broken(outcome) == {rule: cut}


def test_a_declared_refusal_and_a_skipped_case_are_no_crash() -> None:
    """A skipped case breaks nothing at all."""
    assert "total-no-raise" not in broken(Outcome("refused"))
    assert broken(Outcome("skipped")) == {}


def test_the_error_is_quoted() -> None:
    """Its type and its message."""
    (found,) = judge(CASE, Outcome("raised", failure=Failure("KeyError", "'content'")))

    assert found.note == "raised KeyError: 'content'"


def test_a_message_changed_in_place_is_found() -> None:
    """With the field that was changed, where it can be seen; also when the trimmer raised or refused afterwards."""
    after = history("U A[c1] T(c1)=lo")
    for status in ("ok", "raised", "refused"):
        output = CASE.history if status == "ok" else None
        outcome = Outcome(status, output, mutated=(2,), after=after)
        (found,) = judge(CASE, outcome, rules=("no-input-mutation",))
        assert (found.cut, found.messages) == ("mutated", (2,))
        assert found.note == "messages[2] was changed in place: its text"


def test_a_changed_list_is_found() -> None:
    """Even when every message in it is what it was."""
    (found,) = judge(
        CASE, Outcome("ok", CASE.history[1:], sources=(1, 2), list_changed=True), rules=("no-input-mutation",)
    )

    assert found.cut == "mutated"
    assert "the caller's list was changed" in found.note


def test_a_list_that_was_left_alone_is_held() -> None:
    """Dropping messages from a new list changes nothing."""
    assert "no-input-mutation" not in broken(ok(CASE.history, "1 2"))
