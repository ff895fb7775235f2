"""What further runs, or a result that comes later, must agree with."""

import pytest
from attrs import evolve

from trimfuzz.messages.cases import Case, Failure, Outcome, Runs
from trimfuzz.messages.limits import Limit
from trimfuzz.oracles.judging.judging import judge

from ..shorthand import case_of, cuts, note, ok

CASE = case_of("U A U=questionquestion", limit=2)
SECOND = {"idempotent": "twice", "deterministic": "again", "state-consistent": "stored"}


def cuts_beside(rule: str, first: Outcome, second: Outcome) -> list[str]:
    """Judge an outcome beside a second one."""
    found = judge(CASE, first, rules=(rule,), runs=evolve(Runs(), **{SECOND[rule]: second}))
    return [finding.cut for finding in found]


@pytest.mark.parametrize("rule", SECOND)
@pytest.mark.parametrize(
    ("second", "cut"),
    [("1", "lost"), ("1 2 0", "invented"), ("2 1", "reordered"), ("1 2 2", "duplicated"), ("1 2=question", "edited")],
)
def test_a_second_output_that_differs_is_found(rule: str, second: str, cut: str) -> None:
    """Each of the three compares with a run of its own; the cut says how they differ."""
    assert cuts_beside(rule, ok(CASE.history, "1 2"), ok(CASE.history, second)) == [cut]


@pytest.mark.parametrize("rule", SECOND)
def test_a_second_output_that_is_equal_or_was_not_made_is_held(rule: str) -> None:
    """Equal, and not the same objects; without the run there is no verdict."""
    first = ok(CASE.history, "1 2")

    assert cuts_beside(rule, first, ok(CASE.history, "1=A1 2")) == []
    assert judge(CASE, first, rules=(rule,)) == []


@pytest.mark.parametrize(
    ("second", "cut"),
    [
        (Outcome("refused"), "refused"),
        (Outcome("raised", failure=Failure("IndexError", "pop")), "raised:IndexError"),
        (Outcome("hung"), "hung"),
    ],
)
def test_a_second_run_that_ends_otherwise_is_found(second: Outcome, cut: str) -> None:
    """A refusal, an error, a hang where there was an output."""
    assert cuts_beside("idempotent", ok(CASE.history, "1 2"), second) == [cut]


def test_a_refusal_is_deterministic_when_it_is_repeated() -> None:
    """And is not when the second run comes back."""
    assert cuts_beside("deterministic", Outcome("refused"), Outcome("refused")) == []
    assert cuts_beside("deterministic", Outcome("refused"), ok(CASE.history, "2")) == ["refused"]


def larger(given: str, small: int, output: str, large: int, outcome: Outcome | str) -> list[str]:
    """Judge monotone for two limits of one history."""
    case = case_of(given, limit=small)
    above = Case(case.example, Limit("tokens", large))
    other = ok(case.history, outcome) if isinstance(outcome, str) else outcome
    found = judge(case, ok(case.history, output), rules=("monotone",), runs=Runs(larger=(above, other)))
    return [finding.cut for finding in found]


def test_a_larger_limit_keeps_at_least_as_much() -> None:
    """In what the limit counts: fewer messages may be more tokens."""
    assert larger("U A U A", 2, "2 3", 3, "3") == ["lost"]
    assert larger("U#2 A#5 U#5 A#5", 8, "0 2", 10, "2 3") == []
    assert larger("U A U A", 2, "2 3", 3, Outcome("refused")) == ["refused"]
    assert larger("U A U A", 0, "", 1, Outcome("refused")) == []


def test_the_result_of_a_call_in_flight_must_find_it() -> None:
    """Its call was dropped or summarised; what was kept, or was not in flight, is safe."""
    assert cuts("late-result-safe", "U A[c1,c2] T(c1)", "+SUM") == ["call-dropped"]
    assert cuts("late-result-safe", "U A[c1,c2] T(c1)", "1 2") == []
    assert cuts("late-result-safe", "U A[c1] T(c1)", "+SUM") == []
    assert cuts("late-result-safe", "U A[c1] U", "2") == []


def test_only_the_late_result_itself_is_late_result_safes_matter() -> None:
    """A result that lost its call before is no-orphan's."""
    given, output = "U A[c1] T(c1) U A[c2]", "2 3 4"

    assert cuts("no-orphan", given, output) == ["call-dropped"]
    assert cuts("late-result-safe", given, output) == []


def test_the_note_says_where_the_call_was() -> None:
    """By its place in the input."""
    assert note("late-result-safe", "U A[c1]", "0") == (
        "the result of c1, coming after the trim, finds no call: messages[1] was dropped"
    )


@pytest.mark.parametrize(
    ("given", "output", "expected"),
    [
        ("U A[c1] U", "0 1 2", ["result-dropped"]),
        ("T(c9) U A", "0 1 2", ["call-dropped"]),
        ("U A[c1] U T(c1)", "0 1 2 3", ["inserted-between"]),
        ("U A[c1] T(c1) T(c1)", "0 1 2 3", ["duplicated"]),
        ("U A?a1", "1", ["lost"]),
    ],
)
def test_a_repair_leaves_no_fault_of_pairing(given: str, output: str, expected: list[str]) -> None:
    """Given or not: what a provider would reject must be gone."""
    assert cuts("repairs", given, output, provider="openai-chat") == expected


def test_a_list_without_such_faults_is_repaired() -> None:
    """With a stand-in, without the orphan, and under neutral also with a steer between call and result."""
    assert cuts("repairs", "U A[c1] U", "0 1 +T(c1)=stub 2", provider="openai-chat") == []
    assert cuts("repairs", "T(c9) U A", "1 2", provider="openai-chat") == []
    assert cuts("repairs", "U A[c1] U T(c1)", "0 1 2 3") == []
