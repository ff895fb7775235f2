"""What stays is what it was, where it was, once; what goes is not hidden."""

import pytest
from attrs import evolve

from trimfuzz.messages.cases import Outcome
from trimfuzz.messages.model import Call, Message
from trimfuzz.oracles.judging.judging import judge

from ..shorthand import case_of, cuts, findings, in_place_outcome, note


def test_a_second_copy_is_found_with_and_without_shared_objects() -> None:
    """Equal messages of the input are two messages, and no copies of each other."""
    for identity in (True, False):
        assert cuts("nothing-duplicated", "S U", "0 0 1", identity=identity) == ["duplicated"]
        assert cuts("nothing-duplicated", "U=hi A U=hi", "0 1 2", identity=identity) == []


def test_the_same_object_twice_is_no_copy_where_the_input_has_two_equal_ones() -> None:
    """Nobody can see the difference."""
    assert cuts("nothing-duplicated", "U=hi A U=hi", "0 1 0") == []


def test_only_an_undeclared_new_message_is_invented() -> None:
    """A summary and a marker declare themselves."""
    assert cuts("nothing-invented", "U A U", "+U 2") == ["invented"]
    assert cuts("nothing-invented", "U A U", "+SUM 2") == []
    assert cuts("nothing-invented", "U A U", "+MARK 2") == []


def test_an_edit_is_found_where_the_message_is_still_recognised() -> None:
    """A shortened text, also without shared objects; what came back equal is intact."""
    assert cuts("content-intact", "U A=resultresult U", "0 1=resultre 2", identity=False) == ["edited"]
    assert cuts("content-intact", "U A[c1,c2] T(c1) T(c2)", "0 1[c1] 2") == ["edited"]
    assert cuts("content-intact", "U A U", "0 2", identity=False) == []


@pytest.mark.parametrize(
    ("given", "output"),
    [
        ("U A U A", "2 3 0 1"),
        ("U A[c1,c2] T(c1) T(c2)", "0 1 3 2"),
        ("U A[c1] T(c1) U A[c2] T(c2)", "0 1 2 4 5 3"),
        ("U A[c1,c2] T(c1) T(c2)", "3 0 1 2"),
        ("U A[c1,c2,c3] T(c3) T(c1) T(c2)", "0 1 4 3 2"),
        ("U A[c1] U T(c1)", "0 2 1 3"),
    ],
)
def test_a_message_behind_a_later_one_is_out_of_order(given: str, output: str) -> None:
    """Turns, results out of call order, a steer, and a result in front of everything."""
    assert cuts("order-preserved", given, output) == ["reordered"]


@pytest.mark.parametrize(
    ("given", "output"),
    [
        ("U A[c1,c2] T(c2) T(c1)", "0 1 3 2"),
        ("U A[c1,c2,c3] T(c3) T(c2) T(c1)", "0 1 4 3 2"),
        ("U A[c1,c2,c3] T(c3) T(c1) T(c2)", "0 1 3 4 2"),
        ("U A[c1] U T(c1)", "0 1 3 2"),
        ("U T(c1) A[c1] U", "0 2 1 3"),
        ("U A[c1] U T(c1) A", "0 1 3 4"),
    ],
)
def test_a_repair_may_move_results(given: str, output: str) -> None:
    """Into call order, and back to their call."""
    assert cuts("order-preserved", given, output) == []


def test_a_displaced_result_that_is_moved_elsewhere_is_out_of_order() -> None:
    """Pulled up is a repair only where it then stands with its call."""
    assert cuts("order-preserved", "U A[c1] U A U T(c1)", "0 1 2 5 3 4") == ["reordered"]


@pytest.mark.parametrize(
    ("given", "output", "limit", "cut"),
    [
        ("U A[c1] T(c1) U", "0 1 +T(c1)=stub 3", None, "edited"),
        ("U A[] T() U", "0 3", 4, "result-dropped"),
        ("U A[f1|c1] T(c1) U", "0 1 3", 4, "result-dropped"),
        ("U A[c1] T(c1) U", "0 1 3", 2, "result-dropped"),
    ],
)
def test_a_real_result_may_not_go_before_its_call(given: str, output: str, limit: int | None, cut: str) -> None:
    """Replaced, dropped alone, or dropped with its call although everything fits."""
    assert cuts("real-result-not-dropped", given, output, limit=limit) == [cut]


def test_a_real_result_may_go_with_its_call_or_be_shortened() -> None:
    """That is what a trim is for."""
    assert cuts("real-result-not-dropped", "U A[c1] T(c1) U", "3", limit=1) == []
    assert cuts("real-result-not-dropped", "U A[c1] T(c1)=resultresult U", "0 1 2=result 3", limit=4) == []
    assert cuts("real-result-not-dropped", "U A[c1] U", "0 1 2", limit=3) == []


def test_a_leading_result_is_real_behind_a_server_anchor() -> None:
    """Elsewhere it is an orphan that may go."""
    assert cuts("real-result-not-dropped", "T(c1) U", "1", limit=9, provider="openai-responses-anchored")
    assert cuts("real-result-not-dropped", "T(c1) U", "1", limit=9) == []


def test_blanks_around_an_id_do_not_hide_a_real_result() -> None:
    """Pairing compares ids exactly; this promise does not."""
    given = (
        Message("user", "q"),
        Message("assistant", None, calls=(Call("c1 "),)),
        Message("tool", "r", call_id=" c1"),
        Message("user", "next"),
    )
    for output in ("0 1 3", "0 1@c1 3"):
        found = judge(case_of(given), in_place_outcome(given, output), rules=("real-result-not-dropped",))
        assert [finding.cut for finding in found] == ["result-dropped"]


def test_a_result_inside_a_user_message_is_real_too() -> None:
    """It goes with its message, or when it is cut out of it; one inside a reply is the provider's own."""
    assert cuts("real-result-not-dropped", "U A[c1] U(c1) U", "0 1 3") == ["result-dropped"]
    assert cuts("real-result-not-dropped", "U A[c1] U(c1) U", "0 1 2 3") == []
    assert cuts("real-result-not-dropped", "U A[p1*] A(p1) U", "0 1 3") == []


def test_a_text_put_in_the_place_of_a_real_result_is_found() -> None:
    """The same object with another text, where a result that was shortened is still the result."""
    given = "U A[c1] T(c1)=resultresult U"

    assert cuts("real-result-not-dropped", given, "0 1 2=cleared 3", in_place=True) == ["edited"]
    assert cuts("real-result-not-dropped", given, "0 1 2=result 3", in_place=True) == []


@pytest.mark.parametrize(
    ("texts", "cut"),
    [
        ({"a": "one and all", "b": "two and all"}, []),
        ({"a": "one", "b": "two and all"}, []),
        ({"b": "two and all", "a": "one and all"}, []),
        ({"a": "[cleared]", "b": "two and all"}, ["edited"]),
        ({"a": "", "b": "two and all"}, ["edited"]),
        ({"a": "one and all"}, ["result-dropped"]),
    ],
)
def test_results_are_compared_one_by_one_where_one_item_bears_several(texts: dict[str, str], cut: list[str]) -> None:
    """What became of the other result of the item says nothing."""

    def bearer(**said: str) -> Message:
        return Message("user", extra={"inline_results": [{"call_id": key, "text": said[key]} for key in said]})

    step = Message("assistant", calls=(Call("a"), Call("b")))
    history = (Message("user", "q"), step, bearer(a="one and all", b="two and all"), Message("user", "next"))
    output = (*history[:2], bearer(**texts), history[3])
    found = judge(case_of(history), Outcome("ok", output), rules=("real-result-not-dropped", "invented-call"))
    assert [finding.cut for finding in found] == cut


def test_a_replaced_result_is_an_edit_that_is_declared_by_a_mark() -> None:
    """No message is new then, whatever the mark; beside the real result the same message is."""
    given = "U A[c1] T(c1)=resultresult U"
    for output, intact in (("0 1 2=[cleared] 3", ["edited"]), ("0 1 2= 3", ["edited"])):
        assert cuts("content-intact", given, output) == intact
        assert cuts("nothing-invented", given, output) == []
        assert cuts("no-silent-loss", given, output) == []
    marked = Message("tool", "[cleared]", call_id="c1", extra={"inserted": "marker"})
    history = case_of(given).history
    for message in (marked, evolve(marked, extra={}, summary=True)):
        outcome = Outcome("ok", (*history[:2], message, history[3]))
        rules = ("content-intact", "nothing-invented", "invented-call", "truthful-marker", "real-result-not-dropped")
        assert [found.rule for found in judge(case_of(given), outcome, rules=rules)] == ["real-result-not-dropped"]
    assert cuts("nothing-invented", given, "0 1 2 +T(c1)=[cleared] 3") == ["invented"]


def test_a_loss_must_be_declared_only_for_no_silent_loss() -> None:
    """A summary says so; without a loss there is nothing to say."""
    assert cuts("no-silent-loss", "U A U", "2") == ["lost"]
    assert cuts("no-silent-loss", "U A U", "+SUM 2") == []
    assert cuts("no-silent-loss", "U A U", "+U 2") == ["lost"]
    assert cuts("no-silent-loss", "U A U", "0 1 2") == []


def test_a_marker_counts_what_is_gone() -> None:
    """Its first number; a marker without a number says nothing wrong, and a summary is no marker."""
    given = "U A[c1] T(c1) A U A"

    assert cuts("truthful-marker", given, "0 +MARK=skipped_2 4 5") == ["invented"]
    assert cuts("truthful-marker", given, "0 +MARK=skipped_3_of_6 4 5") == []
    assert cuts("truthful-marker", given, "0 +MARK 4 5") == []
    assert note("truthful-marker", given, "0 +MARK=skipped_2 4 5") == "output[1] says 2; 3 messages are gone"


def test_findings_name_input_messages() -> None:
    """For order-preserved both: the one that came too late and the one it should stand in front of."""
    (found,) = findings("order-preserved", "S U A U", "0 2 1 3")

    assert found.messages == (1, 2)
