"""Every call keeps its one result, right behind it, under an id of its own."""

import pytest

from ..shorthand import cuts, note


@pytest.mark.parametrize(
    ("given", "output", "cut"),
    [
        ("U A[c1] T(c1) A U", "0 1 3 4", "result-dropped"),
        ("U A[c1,c2] T(c1) T(c2) A", "0 1 2 4", "result-dropped"),
        ("U A[f1|c1] T(c1) U", "0 1 3", "result-dropped"),
        ("U A[,] T() T() U", "0 1 2 4", "result-dropped"),
        ("U A[c1,c2] T(c1)", "0 1 2 +SUM", "inserted-between"),
        ("U A[c1,c2] T(c1)", "1 2 0", "reordered"),
        ("U A[c1] T(c1) U", "0 2 1 3", "reordered"),
        ("U A[c1,c2] T(c1)", "0 1 2 0", "duplicated"),
        ("U A U", "0 1 2 +A[c9]", "invented"),
        ("U A[c1]+ T(c1) U", "0 1@z9 2 3", "edited"),
    ],
)
def test_each_way_to_leave_a_call_open_has_its_cut(given: str, output: str, cut: str) -> None:
    """What happened to the result, or was put where it should come."""
    assert cuts("call-answered", given, output) == [cut]


@pytest.mark.parametrize(
    ("given", "output"),
    [
        ("U A[c1] U", "0 1 2"),
        ("U A[c1,c2] T(c1)", "1 2"),
        ("U A[c1] T(c1) U", "0 1 +T(c1)=stub 3"),
        ("U A[c1] T(c1) T(c1)", "0 1 2"),
        ("U A[c1] U", "1"),
    ],
)
def test_what_was_open_or_has_an_answer_is_held(given: str, output: str) -> None:
    """Open calls that were given, stand-ins, and dropped duplicates."""
    assert cuts("call-answered", given, output) == []


def test_a_result_that_stood_there_is_not_said_to_have_been_put_there() -> None:
    """The newest two of four items: what stands behind the open call was a result of its step."""
    found = note("call-answered", "U A[c1] A[c2] T(c1)", "2 3", provider="openai-responses")
    assert found == (
        "messages[2] waits for the result of c2; messages[3] stood behind it as a result of its step, "
        "and lost the call it answers"
    )
    assert cuts("call-answered", "U A[c1] A[c2] T(c1)", "2 3", provider="openai-responses") == ["call-dropped"]
    put = note("call-answered", "U A[c1] A[c2] T(c1)", "2 3 +SUM", provider="openai-responses")
    assert put.endswith("output[2] (new) was put behind it, so nothing can answer it any more")


def test_a_message_behind_a_pending_batch_is_named() -> None:
    """The sentence says what waits and what was put there."""
    assert note("call-answered", "U A[c1,c2] T(c1)", "0 1 2 +SUM") == (
        "messages[1] waits for the result of c2; output[3] (new) was put behind it, so nothing can answer it any more"
    )


@pytest.mark.parametrize(
    ("given", "output", "cut"),
    [
        ("U A[p1*] A(p1) U", "0 1 3", "result-dropped"),
        ("U A[p1*]", "0 1 +U", "inserted-between"),
        ("U A[p1*] A(p1) U", "0 2 1 3", "reordered"),
    ],
)
def test_a_server_call_is_kept_with_its_result(given: str, output: str, cut: str) -> None:
    """The same faults as for client calls, under a name of their own, and call-answered is silent."""
    assert cut in cuts("provider-executed-pair", given, output)
    assert cuts("call-answered", given, output) == []


def test_a_server_call_that_was_open_is_given() -> None:
    """So is one that carries its result in the same message."""
    assert cuts("provider-executed-pair", "U A[p1*] U", "0 1 2") == []
    assert cuts("provider-executed-pair", "U A[p1*](p1) U", "1 2") == []


@pytest.mark.parametrize(
    ("given", "output", "cut"),
    [
        ("U A[c1,c2] T(c1) T(c2)", "0 1 2 +T(c2)=none 3", "invented"),
        ("U A[c1] T(c1) U", "1 2 2 3", "duplicated"),
        ("U A[x,x] T(x) T(x)", "0 1@x,y 2 3", "call-dropped"),
        ("T(c1) U A[c1] T(c1)", "1 2 3 0", "reordered"),
    ],
)
def test_a_second_result_has_its_cut(given: str, output: str, cut: str) -> None:
    """A stand-in beside the real one, a second copy, and an orphan moved behind an answered call."""
    assert cuts("one-result-per-call", given, output, in_place=True) == [cut]


def test_a_second_result_that_was_given_is_held() -> None:
    """Also when ids are used again, or one batch has an id twice."""
    assert cuts("one-result-per-call", "U A[c1] T(c1) T(c1)", "0 1 2 3") == []
    assert cuts("one-result-per-call", "U A[x,x] T(x) T(x)", "0 1 2 3") == []
    assert cuts("one-result-per-call", "U A[x] T(x) U A[x] T(x)", "0 1 2 3 4 5") == []


def test_an_orphan_is_not_reported_a_second_time_as_surplus() -> None:
    """A result that is too many for an earlier call, since its own was dropped, is an orphan and no more."""
    given, output = "U A[x]+ T(x) U A[x]+ T(x)", "0 1 2 5"

    assert cuts("no-orphan", given, output) == ["call-dropped"]
    assert cuts("one-result-per-call", given, output) == []


@pytest.mark.parametrize(
    ("given", "output", "cut"),
    [
        ("U A[c1] T(c1) U", "1 +SUM 2 3", "inserted-between"),
        ("U A[c1] T(c1) A U", "0 1 3 2 4", "reordered"),
        ("U A[c1,c2] T(c1) T(c2) U", "0 1 2 0 3 4", "duplicated"),
        ("U A[c1] U T(c1) U", "1 +MARK 3 4", "inserted-between"),
        ("U A[x]+ T(x) U A[x]+ T(x)", "0 1 3 5", "reordered"),
    ],
)
def test_what_came_between_a_call_and_its_result_has_its_cut(given: str, output: str, cut: str) -> None:
    """Put in, moved, copied, or brought together by a dropped call."""
    assert cut in cuts("result-adjacent", given, output)


@pytest.mark.parametrize(
    ("given", "output"),
    [
        ("U A[c1] U T(c1) U", "1 2 3 4"),
        ("U A[c1] U T(c1) U", "0 1 3 4"),
        ("U A[c1,c2] T(c2) T(c1) U", "1 2 3 4"),
        ("U A[c1] T(c1) U", "1 2 +SUM 3"),
        ("U A[c1] A[c2] T(c1) T(c2) U", "2 3 4"),
    ],
)
def test_what_stood_between_before_or_stands_behind_is_held(given: str, output: str) -> None:
    """That very steer was given, results may come in any order, and behind the batch is no place between."""
    assert cuts("result-adjacent", given, output) == []


def test_an_orphaned_result_is_nobodys_interposer() -> None:
    """That its call is gone is the fault, and not where it stands; a text beside it does stand there."""
    given = "U A[c1] A[c2] T(c1) T(c2) U"
    for provider in ("neutral", "openai-responses"):
        assert cuts("result-adjacent", given, "2 3 4", provider=provider) == []
        assert cuts("no-orphan", given, "2 3 4", provider=provider) == ["call-dropped"]
    assert cuts("result-adjacent", "U A[c1] T(c1)", "0 1 +T(c9) 2") == []
    assert cuts("result-adjacent", "U A[c1] T(c1)", "0 1 +U(c9)=text 2") == ["inserted-between"]


@pytest.mark.parametrize(
    ("given", "output", "cut"),
    [
        ("U A[c1] T(c1) U", "0 1 1 2 3", "duplicated"),
        ("U A[a,b] T(a) T(b)", "0 1@a,a 2", "edited"),
        ("U A[a]", "0 1 +A[a]+", "invented"),
    ],
)
def test_an_id_that_comes_to_be_used_twice_has_its_cut(given: str, output: str, cut: str) -> None:
    """A copied, a renamed and a made-up call."""
    assert cuts("unique-call-id", given, output) == [cut]


def test_two_calls_that_had_their_id_before_are_given() -> None:
    """Even where only the cut made the second one meet an open first one."""
    assert cuts("unique-call-id", "U A[c1,c1] T(c1) T(c1)", "0 1 2 3") == []
    assert cuts("unique-call-id", "U A[x] T(x) A[x] T(x)", "0 1 3 4") == []


def test_an_id_that_came_out_empty_is_found_once_a_message() -> None:
    """A message that had an empty id before is given."""
    assert cuts("nonempty-call-id", "U A[c1,c2]", "0 1@,", in_place=True) == ["edited"]
    assert cuts("nonempty-call-id", "U A", "0 1 +A[]") == ["invented"]
    assert cuts("nonempty-call-id", "U A[] T()", "0 1 2") == []
