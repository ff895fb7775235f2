"""A trim is within its limit, takes nothing away without need, and does not refuse without need."""

import pytest

from trimfuzz.messages.cases import Case, Example, Outcome
from trimfuzz.messages.limits import Limit
from trimfuzz.oracles.judging.judging import judge
from trimfuzz.oracles.rules.limits import cost_of_output, utilisation

from ..shorthand import case_of, cuts, history, note, ok, size_of


def test_more_than_the_limit_is_found_whatever_was_inserted() -> None:
    """A negative limit is zero; system messages, pins and insertions count."""
    assert cuts("within-limit", "U A U", "1 2", limit=1) == ["over-limit"]
    assert cuts("within-limit", "U A", "0 1", limit=0) == ["over-limit"]
    assert cuts("within-limit", "S! U A", "0 2 +SUM", limit=2) == ["over-limit"]
    assert note("within-limit", "U#4 A", "0", limit=3) == "the output costs 4; the limit is 3"


def test_within_the_limit_or_with_none_known_is_held() -> None:
    """An unknown limit and a compaction point are no amount."""
    assert cuts("within-limit", "U A U", "", limit=-1) == []
    assert cuts("within-limit", "S U A U", "0 3", limit=2) == []
    assert cuts("within-limit", "U A U", "0 1 2") == []
    point = Case(Example(history("U A U"), cost=size_of), Limit("compaction", 1, 3))
    assert judge(point, ok(point.history, "0 1 2"), rules=("within-limit",)) == []


def test_an_edited_survivor_is_measured_as_it_came_out() -> None:
    """Its source may have been larger or smaller."""
    case = case_of("U#5 A", limit=9)
    shared = ok(case.history, "0 1")
    changed = Outcome("ok", shared.output, sources=(0, 1), mutated=(0,))

    assert cost_of_output(case, shared) == cost_of_output(case, changed) == 6
    assert cost_of_output(case, Outcome("ok", history("U#2 A"), sources=(0, 1), mutated=(0,))) == 3
    assert cost_of_output(case, Outcome("ok", history("U#2 A"), sources=(None, 1))) == 3


@pytest.mark.parametrize(
    ("output", "cut"),
    [("0 3", "lost"), ("0 1 2 3 +SUM", "invented"), ("0 1 2 3 3", "duplicated"), ("1 2 0 3", "reordered"),
     ("0 1 2 3=A3more", "edited")],
)  # fmt: skip
def test_a_history_that_fits_must_come_back(output: str, cut: str) -> None:
    """Message for message; the cut says what became of it."""
    assert cuts("identity-under-limit", "U A[c1] T(c1) A", output, limit=4, in_place=True) == [cut]


def test_identity_is_only_asked_of_valid_input_that_fits() -> None:
    """Copies are the same messages; a refusal is not."""
    assert cuts("identity-under-limit", "U A[c1] T(c1) A", "0 1 2 3", limit=4, identity=False) == []
    assert cuts("identity-under-limit", "U A[c1] T(c1) A", "0 3", limit=3) == []
    assert cuts("identity-under-limit", "U A[c1] U", "2", limit=9) == []
    refused = judge(case_of("U A", limit=2), Outcome("refused"), rules=("identity-under-limit",))
    assert [finding.cut for finding in refused] == ["refused"]


@pytest.mark.parametrize(
    ("given", "provider", "limit", "expected"),
    [
        ("S U A U", "neutral", 2, ["refused"]),
        ("U A", "neutral", 1, ["refused"]),
        ("U A", "neutral", 0, []),
        ("S U! A[c1]! T(c1) U", "neutral", 3, []),
        ("U A! U", "bedrock", 1, []),
        ("U", "neutral", None, []),
    ],
)
def test_a_refusal_needs_a_reason(given: str, provider: str, limit: int | None, expected: list[str]) -> None:
    """There is none where some legal trim fits; below a limit of 1, and with an unknown one, nothing is asked."""
    case = case_of(given, provider=provider, limit=limit)
    found = judge(case, Outcome("refused"), rules=("refuses-only-when-needed",))

    assert [finding.cut for finding in found] == expected


def test_utilisation_is_a_share_of_the_most_that_is_legal() -> None:
    """Measured in what the limit counts."""
    case = case_of("U A U A U A", limit=3)

    assert utilisation(case, ok(case.history, "5")) == pytest.approx(1 / 3)
    assert utilisation(case, ok(case.history, "3 4 5")) == 1
    assert utilisation(case, ok(case.history, "0 1 2 3 4 5")) == 1


def test_utilisation_says_nothing_where_nothing_was_to_decide() -> None:
    """The history fits, the limit is unknown or 0, the input is not valid, or nothing fits."""
    for given, limit in (("U A", 2), ("U A", None), ("U A", 0), ("A U", 1), ("U#5", 3)):
        case = case_of(given, limit=limit)
        assert utilisation(case, ok(case.history, "")) is None


def test_a_refusal_is_no_matter_of_utilisation() -> None:
    """Whether it was needed or not; refuses-only-when-needed speaks of it."""
    assert utilisation(case_of("U A U", limit=2), Outcome("refused")) is None
    assert utilisation(case_of("U! A! U", limit=1), Outcome("refused")) is None
    assert utilisation(case_of("U A U", limit=2), Outcome("raised")) is None


@pytest.mark.parametrize(
    ("given", "limit", "promises", "broken"),
    [
        ("S U", 1, (), False),
        ("S U", 2, (), True),
        ("S U A U#3", 3, (), True),
        ("S U A U#3", 3, ("keeps-newest",), False),
        ("S U A U#3", 3, ("keeps-latest-user",), False),
        ("S U A U#3", 4, ("keeps-latest-user",), True),
        ("S U A U#1 A#3", 4, ("keeps-latest-user",), True),
        ("S U A U#1 A#3", 4, ("keeps-current-turn",), False),
        ("S U A U#1 A#3", 5, ("keeps-current-turn",), True),
        ("S U A[c1] T(c1)#3", 3, ("keeps-newest",), False),
        ("S U A[c1] T(c1)#3", 3, ("content-intact",), True),
        ("S U A U#3", 3, ("keeps-system", "keeps-pinned"), True),
    ],
)
def test_a_refusal_is_needed_where_what_was_promised_does_not_fit(
    given: str, limit: int, promises: tuple[str, ...], broken: bool
) -> None:
    """A system prompt alone is no request, and a trim without what the trimmer promised to keep is none for it."""
    if limit >= case_of(given, limit=limit).example.total:
        promises = ()
    found = judge(
        case_of(given, limit=limit), Outcome("refused"), rules=("refuses-only-when-needed",), promises=promises
    )
    assert bool(found) == broken


def test_utilisation_has_no_verdict_on_one_case() -> None:
    """It is a median over many."""
    assert cuts("utilisation", "U A U A U A", "5", limit=3) == []


def test_a_limit_below_one_may_be_refused() -> None:
    """It is the caller's mistake, and an empty list is no better answer; a limit of one is asked of everybody."""
    for limit, broken in ((-1, 0), (0, 0), (1, 1)):
        case = case_of("U", limit=limit)
        refused = Outcome("refused")
        for rule in ("refuses-only-when-needed", "identity-under-limit"):
            assert len(judge(case, refused, rules=(rule,))) == broken
        empty = Case(Example(history(""), cost=size_of), Limit("tokens", limit))
        assert len(judge(empty, refused, rules=("identity-under-limit",))) == broken
