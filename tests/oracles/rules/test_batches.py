"""A step stands or falls as one, and no call or result is made up."""

import pytest
from attrs import evolve

from trimfuzz.messages.cases import Outcome
from trimfuzz.messages.model import Call, History, Message
from trimfuzz.oracles.judging.judging import judge

from ..shorthand import case_of, cuts, note


@pytest.mark.parametrize(
    ("given", "output", "provider", "cut"),
    [
        ("U A[c1,c2] T(c1) T(c2) U", "+SUM 3 4", "neutral", "call-dropped"),
        ("U A[c1,c2] T(c1) T(c2) U", "0 1 2 4", "neutral", "result-dropped"),
        ("U A[c1] T(c1) U", "0 2 1 3", "neutral", "reordered"),
        ("U A[c1,c2] T(c1) T(c2) U", "0 1[c2] 2 3 4", "openai-chat", "call-dropped"),
        ("U A[c1,c2] T(c1) T(c2) U", "0 1[c2] 3 4", "anthropic", "edited"),
        ("A[c1] A[c2] T(c1) T(c2) U", "1 3 4", "openai-responses", "call-dropped"),
        ("U A[c1,c2]", "0 1 +T(c2)=made", "neutral", "invented"),
    ],
)
def test_a_step_that_came_out_in_part_has_its_cut(given: str, output: str, provider: str, cut: str) -> None:
    """Calls without results, results without calls, part of the calls, and an open step answered in part."""
    assert cuts("batch-atomic", given, output, provider=provider) == [cut]


@pytest.mark.parametrize(
    ("given", "output", "provider"),
    [
        ("U A[c1,c2] T(c1) T(c2) U", "4", "neutral"),
        ("U A[c1,c2] T(c1) T(c2) U", "1 2 3", "anthropic"),
        ("U A[c1,c2] T(c1) T(c2) U", "0 1[c2] 3 4", "openai-chat"),
        ("U A[c1,c2] T(c1) U T(c2) U", "1 2 4 5", "neutral"),
        ("U A[c1,c2] T(c1)", "1 2", "neutral"),
        ("U A[c1] T(c1) T(c1) U", "1 2", "neutral"),
        ("U A[c1,c2]", "0 1 +T(c1)=made +T(c2)=made", "neutral"),
        ("U A[c1] T(c1) U", "0 1 +T(c1)=stub 3", "neutral"),
        ("A[c1] A[c2] T(c1) T(c2) U", "1 3 4", "openai-chat"),
    ],
)
def test_a_whole_step_or_a_consistent_cut_is_held(given: str, output: str, provider: str) -> None:
    """Steers and surplus results are no members; a call may go with its result where messages may be edited."""
    assert cuts("batch-atomic", given, output, provider=provider) == []


@pytest.mark.parametrize(
    ("given", "output"),
    [
        ("U A[c1] T(c1) U", "0 1 2 +A[c9] +T(c9) 3"),
        ("U A[c1,c2] T(c1) T(c2)", "0 1 2 +T(c2)=none 3"),
        ("U A[c1] T(c1) U", "0 1 +T(c1)=stub 2 3"),
        ("U A[c1] T(c1) U", "0 1 +T(c1)=stub +T(c1)=more 3"),
        ("U A[c1] U(c1) U", "0 1 2 +U%(c1) 3"),
        ("U A[c1] U(c1) U", "0 1 +U(c1,c9) 3"),
        ("U A U", "0 1 +T(c1) 2"),
    ],
)
@pytest.mark.parametrize("identity", [True, False])
def test_made_up_calls_and_results_are_found(given: str, output: str, identity: bool) -> None:
    """A call that nobody made, a result beside a real one or another stand-in, and one for no call at all."""
    assert cuts("invented-call", given, output, identity=identity) == ["invented"]


@pytest.mark.parametrize(
    ("given", "output"),
    [
        ("U A[c1] T(c1) U", "0 1 +T(c1)=stub 3"),
        ("U A[c1,c2] T(c1) T(c2)", "0 1 2 +T(c2)=none"),
        ("U A[c1,c2] T(c1) T(c2)", "0 1 +T(c2)=none +T(c1)=none"),
        ("U A[c1,c2] U(c1,c2) U", "0 1 +U(c1) 3"),
        ("U A[c1,c2] U(c1) U(c2) U", "0 1 +U(c1,c2) 4"),
        ("U A[c1,c2] U(c1,c2) U", "0 1 +U(c1) +U(c2) 3"),
        ("U A[c1,c2] T(c1) T(c2) U", "0 1 +U(c1,c2) 4"),
    ],
)
@pytest.mark.parametrize("identity", [True, False])
def test_one_result_in_and_one_out_for_a_call_are_the_same(given: str, output: str, identity: bool) -> None:
    """Cleared in its place, also with its neighbour's moved; in one item or several, whatever their form."""
    assert cuts("invented-call", given, output, identity=identity) == []
    assert cuts("nothing-invented", given, output, identity=identity) == []


def test_a_result_more_inside_a_message_that_stayed_is_new() -> None:
    """It is no rename of one that was there."""
    message = Message("user", "see", extra={"inline_results": ["c1"]})
    history = (Message("user", "q"), Message("assistant", calls=(Call("c1"),)), message)
    for ids, expected in ((["c1", "c9"], ["invented"]), (["c9"], []), (["c1"], [])):
        output = (*history[:2], evolve(message, extra={"inline_results": ids}))
        found = judge(case_of(history), Outcome("ok", output), rules=("invented-call",))
        assert [finding.cut for finding in found] == expected
    assert "messages[2] holds a new result for c9" in found_note(history, message)


def found_note(history: History, message: Message) -> str:
    """Return what is found where a second result stands in the last message."""
    output = (*history[:2], evolve(message, extra={"inline_results": ["c1", "c9"]}))
    return judge(case_of(history), Outcome("ok", output), rules=("invented-call",))[0].note


def test_a_renamed_call_is_an_edit() -> None:
    """An id that its source lacks is found, one that merely went is not, nor is the second id of a call."""
    assert cuts("invented-call", "U A[c1]+ T(c1)", "0 1@z9 2") == ["edited"]
    assert cuts("invented-call", "U A[c1,c2] T(c1) T(c2)", "0 1[c1] 2") == []
    assert cuts("invented-call", "U A[f1|c1]+ T(c1)", "0 1@c1 2") == []


def test_a_stand_in_for_an_open_call_is_a_repair() -> None:
    """It is held, whether the call was abandoned or is pending; a second stand-in for it is not."""
    assert cuts("invented-call", "U A[c1] U", "0 1 +T(c1)=stub 2") == []
    assert cuts("invented-call", "U A[c1]", "0 1 +T(c1)=stub") == []
    assert cuts("invented-call", "U A[c1]", "0 1 +T(c1)=stub +T(c1)=more") == ["invented"]


def test_the_note_says_what_is_new() -> None:
    """New messages are named by their place in the output."""
    assert note("invented-call", "U A U", "0 +A[c9] 2") == "output[1] is new and makes the call c9"
