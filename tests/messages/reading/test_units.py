"""Units: what stands or falls together, and what one unit needs of another."""

import pytest

from trimfuzz.messages.reading.pairing import read
from trimfuzz.messages.reading.profiles import NEUTRAL, PROFILES
from trimfuzz.messages.reading.units import Units, follower, last_user, units


def units_of(history, provider: str = "neutral") -> Units:
    """Return the units under a profile."""
    profile = PROFILES[provider]
    return units(read(history, merge_items=profile.merge_items, one_response=profile.one_response), profile)


@pytest.mark.parametrize(
    ("shorthand", "expected"),
    [
        ("", ()),
        ("S U A", ((0,), (1,), (2,))),
        ("U A[a,b] T(a) T(b) U", ((0,), (1, 2, 3), (4,))),
        ("U A[a] U T(a)", ((0,), (1, 3), (2,))),
        ("U A[a] T(a) T(a)", ((0,), (1, 2), (3,))),
        ("T(a) U", ((0,), (1,))),
        ("U A[a,b] U(a,b)", ((0,), (1, 2))),
        ("U A[p*] A(p)", ((0,), (1, 2))),
        ("U A[a] A[b] T(b) T(a)", ((0,), (1, 4), (2, 3))),
        ("U R A U", ((0,), (1, 2), (3,))),
        ("U R R A", ((0,), (1, 2, 3))),
        ("U R A[a] T(a)", ((0,), (1, 2, 3))),
        ("U R U", ((0,), (1,), (2,))),
        ("U R", ((0,), (1,))),
        ("U A[c]?a T:a U", ((0,), (1, 2), (3,))),
        ("U A[c]?a U T:a", ((0,), (1, 3), (2,))),
        ("T:a A[c]?a", ((0,), (1,))),
        ("A?a T:a A?a T:a", ((0, 1), (2, 3))),
        ("A?a U A?a T:a", ((0, 2, 3), (1,))),
        ("A?a T:a T:a", ((0, 1, 2),)),
    ],
)
def test_messages_that_must_stand_or_fall_together(h, shorthand: str, expected) -> None:
    """Calls with their paired results, reasoning with its follower, a request with its response; else one alone."""
    found = units_of(h(shorthand))
    assert found.members == expected
    assert [found.members[unit] for unit in found.unit_of] == [
        next(members for members in expected if index in members) for index in range(len(found.unit_of))
    ]


def test_merged_items_are_one_unit(h) -> None:
    """Under a profile that merges call items."""
    assert units_of(h("U A[a] A[b] T(a) T(b)"), "openai-responses").members == ((0,), (1, 2, 3, 4))


def test_one_message_can_tie_two_batches_into_a_unit(h) -> None:
    """A user message that holds the results of both."""
    assert units_of(h("A[a] A[b] U(a,b)")).members == ((0, 1, 2),)


def test_a_surplus_result_needs_its_batch(h) -> None:
    """One way: the batch may stay without it."""
    found = units_of(h("U A[a] T(a) T(a) U"))
    assert found.members == ((0,), (1, 2), (3,), (4,))
    assert found.needs == {2: frozenset({1})}


def test_an_orphan_needs_nothing(h) -> None:
    """There is no batch that it could need."""
    assert units_of(h("T(z) U A[a] T(a)")).needs == {}


@pytest.mark.parametrize(
    ("shorthand", "expected"),
    [
        ("U A[c1]~r T(c1) A[c2] T(c2)", {2: frozenset({1})}),
        ("U A[a]~r T(a) A[b]~q T(b) A", {3: frozenset({2})}),
        ("U A[a]~r T(a) U A[b] T(b)", {}),
        ("U A[a] T(a) A~r", {}),
        ("A~r A", {1: frozenset({0})}),
        ("U A~r S", {}),
        ("U A[a]~r U T(a)", {}),
        ("A[a] U A~r T(a)", {}),
    ],
)
def test_a_step_needs_the_reasoning_of_its_turn(h, shorthand: str, expected) -> None:
    """Only where the profile says so, only behind the last user message, and the nearest earlier reasoning."""
    assert units_of(h(shorthand), "anthropic").needs == expected
    assert units_of(h(shorthand), "openai-chat").needs == {}


def test_a_step_needs_nothing_of_its_own_unit(h) -> None:
    """Two items of one batch are one unit already."""
    found = units_of(h("U A[a]~r A[b] T(a) T(b)"), "anthropic")
    assert found.members == ((0,), (1, 2, 3, 4))
    assert found.needs == {}


@pytest.mark.parametrize(
    ("shorthand", "index", "expected"),
    [("R A", 0, 1), ("R R", 0, 1), ("R U", 0, None), ("R T(a)", 0, None), ("R", 0, None)],
)
def test_what_a_reasoning_item_leads_to(h, shorthand: str, index: int, expected) -> None:
    """The assistant or reasoning item right behind it."""
    assert follower(read(h(shorthand)), index) == expected


@pytest.mark.parametrize(
    ("shorthand", "expected"),
    [
        ("", -1),
        ("A", -1),
        ("U", 0),
        ("U A U", 2),
        ("U A U A", 2),
        ("U A[a] U(a)", 0),
        ("U A[a] U(a)=go", 2),
        ("U SUM A", 1),
    ],
)
def test_the_last_user_message_is_no_bearer_of_results(h, shorthand: str, expected: int) -> None:
    """A user message that only carries results back continues the turn; a text beside them opens one."""
    assert last_user(read(h(shorthand))) == expected


def test_units_partition_the_history(h) -> None:
    """Ascending, ordered by first member, each message in exactly one."""
    found = units(read(h("S U A[a] U A[b] T(b) T(a) U")), NEUTRAL)
    assert found.members == ((0,), (1,), (2, 6), (3,), (4, 5), (7,))
    assert found.unit_of == (0, 1, 2, 3, 4, 4, 2, 5)
