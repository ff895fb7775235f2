"""A result keeps its call, and answers no other."""

import pytest

from ..shorthand import cuts, findings, note

TWO_ROUNDS = "U A[x]+ T(x) U A[x]+ T(x)"


@pytest.mark.parametrize(
    ("given", "output", "cut"),
    [
        ("U A[c1] T(c1) U", "0 2 3", "call-dropped"),
        ("U A[c1,c2,c3] T(c1) T(c2) T(c3)", "3 4", "call-dropped"),
        ("U A[c1,c2] T(c1) T(c2)", "0 1[c2] 2 3", "call-dropped"),
        ("U A[c1] T(c1) T(c1)", "0 3", "call-dropped"),
        ("U A[c1] T(c1) U", "0 2 1 3", "reordered"),
        (TWO_ROUNDS, "0 1 5", "reordered"),
        (TWO_ROUNDS, "0 1 2 5", "call-dropped"),
        ("U A[c1] T(c1) U", "0 1 2@c9 3", "edited"),
        ("U A[c1]+ T(c1) U", "0 1@z9 2 3", "edited"),
        ("U A U", "0 +T(c1) 2", "invented"),
        ("U A[c1] T(c1) U", "0 2 2 3", "duplicated"),
    ],
)
def test_each_way_to_lose_a_call_has_its_cut(given: str, output: str, cut: str) -> None:
    """A dropped or cut out call, a moved result, another id, a made-up result and a second copy are told apart."""
    assert cut in cuts("no-orphan", given, output, in_place=True)


@pytest.mark.parametrize(
    ("given", "output"),
    [
        ("U A[c1] T(c1) U", "3"),
        ("U A[c1] T(c1) U", "1 2"),
        ("T(c9) U A U", "0 3"),
        ("U T(c1) A[c1] U", "0 2 1 3"),
        (TWO_ROUNDS, "0 1 2"),
        (TWO_ROUNDS, "3 4 5"),
        ("U A[c1] U T(c1)", "1 3"),
        ("U A[x,x] T(x) T(x)", "1 2 3"),
        ("U A[c1] T(c1) T(c1)", "1 3"),
    ],
)
def test_what_kept_its_call_or_never_had_one_is_held(given: str, output: str) -> None:
    """Whole exchanges, given orphans, repairs, and results that are interchangeable."""
    assert cuts("no-orphan", given, output) == []
    assert cuts("no-orphan", given, output, identity=False) == []


def test_a_result_that_finds_another_call_of_its_id_is_told_from_an_orphan() -> None:
    """The wire takes it, so the note names both calls."""
    assert note("no-orphan", TWO_ROUNDS, "0 1 5") == (
        "messages[5] answers x of messages[4], but is now read as the answer to messages[1]"
    )


def test_a_finding_names_the_messages_and_the_call() -> None:
    """Indexes are those of the input, whatever else was dropped."""
    (found,) = findings("no-orphan", "S U A[c1] T(c1) U", "3 4")

    assert (found.messages, found.ids) == ((2, 3), ("c1",))
    assert found.note == "messages[3] answers c1; its call at messages[2] was dropped"
    assert found.cause == "no-orphan/valid/call-dropped"


def test_several_results_lost_by_one_cut_are_one_finding() -> None:
    """The first is described and the others counted."""
    assert note("no-orphan", "U A[c1,c2,c3] T(c1) T(c2) T(c3)", "2 3 4").endswith("was dropped (and 2 more)")


@pytest.mark.parametrize("identity", [True, False])
def test_equal_calls_can_not_be_told_apart(identity: bool) -> None:
    """Keeping the one call or the other is the same list, so nobody is blamed, whichever object it was."""
    assert cuts("no-orphan", "U A[x] T(x) U A[x] T(x)", "0 1 5", identity=identity) == []


def test_a_server_anchor_excuses_leading_results_that_were_given() -> None:
    """It does not excuse a call that the trimmer itself dropped, nor an orphan behind an assistant."""
    anchored = "openai-responses-anchored"

    assert cuts("no-orphan", "T(c1) U", "0 1", provider=anchored) == []
    assert cuts("no-orphan", "U A[c1] T(c1) U", "2 3", provider=anchored) == ["call-dropped"]
    assert cuts("no-orphan", "U A U", "0 1 +T(c1) 2", provider=anchored) == ["invented"]


def test_call_items_side_by_side_are_one_batch_under_responses() -> None:
    """Dropping one of them loses the call of its result; a cut that makes two neighbours does not merge them."""
    responses = "openai-responses"

    assert cuts("no-orphan", "A[c1] A[c2] T(c1) T(c2) U", "1 2 3 4", provider=responses) == ["call-dropped"]
    assert cuts("no-orphan", "U A[c1] T(c1) A[c2] T(c2) U", "0 3 4 5", provider=responses) == []


def test_a_result_inside_a_reply_is_another_rules_matter() -> None:
    """A server result without its server call is no orphan; provider-executed-pair says so instead."""
    given, output = "U A[p1*] A(p1) U", "0 2 3"

    assert cuts("no-orphan", given, output) == []
    assert cuts("provider-executed-pair", given, output) == ["call-dropped"]
