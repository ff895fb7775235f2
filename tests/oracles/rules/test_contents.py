"""What single messages must hold, and what must stand with what."""

import pytest
from attrs import evolve

from trimfuzz.messages.cases import Outcome
from trimfuzz.messages.model import Call, Message
from trimfuzz.oracles.judging.judging import judge
from trimfuzz.oracles.rules.contents import unsigned_calls

from ..shorthand import case_of, cuts, note


def test_a_message_that_came_out_empty_is_found() -> None:
    """Stripped of its text, or of its calls and results; an empty message that was given is not."""
    assert cuts("nonempty-message", "U A U", "0= 1 2", identity=False) == ["emptied"]
    assert cuts("nonempty-message", "U A U", "0 1 2 +U=") == ["invented"]
    assert cuts("nonempty-message", "U A^m1 U", "0 1= 2", in_place=True) == ["emptied"]
    assert cuts("nonempty-message", "U= A U", "0 1 2") == []
    assert cuts("nonempty-message", "U A[c1] T(c1)= U", "0 1 2 3") == []


def test_a_call_shell_is_empty_unless_something_is_left() -> None:
    """Reasoning is something."""
    assert cuts("nonempty-message", "U A[c1] T(c1)", "0 1[]") == ["emptied"]
    assert cuts("nonempty-message", "U A[c1]~r1 T(c1)", "0 1[]") == []


def test_an_item_id_in_use_is_found() -> None:
    """On the second message that has it, unless it had it before."""
    responses = "openai-responses"

    assert cuts("unique-item-id", "U A^m1 U A^m2", "0 1 2 +A^m1", provider=responses) == ["invented"]
    assert cuts("unique-item-id", "U A^m1 U A^m2", "0 1 1 2", provider=responses) == ["duplicated"]
    assert cuts("unique-item-id", "U A^m1 A^m1", "0 1 2", provider=responses) == []


@pytest.mark.parametrize(
    ("output", "expected"),
    [("0 2 3", ["lost"]), ("0 1 3", ["lost"]), ("0 2 1 3", ["reordered"]), ("0 3", []), ("1 2", [])],
)
def test_an_approval_stays_with_what_was_asked(output: str, expected: list[str]) -> None:
    """Neither goes without the other, nor in front of it."""
    assert cuts("approval-pair", "U A[c1]?a1 T:a1 U", output) == expected


def test_the_note_says_which_half_of_an_approval_is_missing() -> None:
    """What was asked, or the answer to it."""
    assert note("approval-pair", "U A[c1]?a1 T:a1 U", "0 2 3").endswith("without the request of the approval a1")
    assert note("approval-pair", "U A[c1]?a1 T:a1 U", "0 1 3").endswith("without the answer of the approval a1")


def test_an_open_approval_is_given() -> None:
    """A question that nobody answered, and an answer to nothing."""
    assert cuts("approval-pair", "U A?a1", "1") == []
    assert cuts("approval-pair", "T:a1 U", "0 1") == []


@pytest.mark.parametrize(
    ("given", "output", "provider", "cut"),
    [
        ("U R A[c1] T(c1) U", "0 1 4", "openai-responses", "lost"),
        ("U R A U", "0 2 3", "openai-responses", "lost"),
        ("U R A U", "0 1 +U 2 3", "openai-responses", "inserted-between"),
        ("U R A U", "0 2 3 1", "openai-responses", "reordered"),
        ("U A[c1]~r1 T(c1) A[c2] T(c2)", "0 3 4", "anthropic", "lost"),
        ("U A[c1]~r1 T(c1)", "0 1- 2", "deepseek", "edited"),
        ("U A[c1]~r1 T(c1) U", "0 1- 2 3", "kimi", "edited"),
        ("U A~r1 U", "0 1- 2", "strict", "edited"),
    ],
)
def test_reasoning_parted_from_what_it_led_to_is_found(given: str, output: str, provider: str, cut: str) -> None:
    """An item without its message, a message without its item, a turn without its start, a stripped message."""
    assert cut in cuts("reasoning-kept-with-followup", given, output, provider=provider)


@pytest.mark.parametrize(
    ("given", "output", "provider"),
    [
        ("U R A U", "0 3", "openai-responses"),
        ("U A[c1]~r1 T(c1) U A[c2] T(c2)", "3 4 5", "anthropic"),
        ("U A[c1]~r1 T(c1) A[c2] T(c2)", "0 3 4", "deepseek"),
        ("U A[c1]~r1 T(c1)", "0 1- 2", "openai-chat"),
        ("U A~r1 U", "0 1- 2", "deepseek"),
        ("U A~r1 U", "0 1- 2", "kimi"),
        ("U A~r1 U", "0 1- 2", "gemini"),
        ("U A~r1 U", "0 1- 2", "gemini@3"),
        ("U A[c1]~r1 T(c1)", "0 1- 2", "gemini"),
        ("U A[c1]~r1 T(c1)", "0 1- 2", "gemini@3"),
        ("U R U", "0 1 2", "openai-responses"),
    ],
)
def test_reasoning_that_went_whole_or_is_not_asked_back_is_held(given: str, output: str, provider: str) -> None:
    """Both gone, a turn that is over, a provider that does not ask, and an item that led to nothing before."""
    assert cuts("reasoning-kept-with-followup", given, output, provider=provider) == []


def test_signed_reasoning_may_not_be_edited() -> None:
    """Only where the profile signs, and only the message that holds it."""
    given = "U A[c1]+~r1 T(c1)"

    assert cuts("signed-reasoning-unmodified", given, "0 1=A1short 2", provider="anthropic") == ["edited"]
    assert cuts("signed-reasoning-unmodified", given, "0 1=A1short 2", provider="deepseek") == []
    assert cuts("signed-reasoning-unmodified", "U A[c1]+ T(c1)", "0 1=A1short 2", provider="anthropic") == []


REASONING = ("reasoning-kept-with-followup", "signed-reasoning-unmodified")
SIGNED = Message("assistant", calls=(Call("c1"),), extra={"signature": "g1"})
THOUGHT = evolve(SIGNED, reasoning="hm")


def of_reasoning(history: str, signed: Message, now: Message, provider: str) -> list[str]:
    """Return the rules of reasoning that are broken where the one call message of a history, signed, came out so."""
    given = case_of(history).history
    before, after = (tuple(one if message.calls else message for message in given) for one in (signed, now))
    case = case_of(before, provider=provider)
    return [found.rule for found in judge(case, Outcome("ok", after), rules=REASONING)]


@pytest.mark.parametrize("signed", [SIGNED, THOUGHT])
def test_a_call_of_the_running_turn_keeps_its_signature(signed: Message) -> None:
    """Under gemini@3, on the call, with or without a thought beside it; nothing else of the message is asked for."""
    running, over = "U A[c1] T(c1)", "U A[c1] T(c1) A U"
    bare, other = evolve(signed, extra={}), evolve(signed, extra={"signature": "g2"})
    assert of_reasoning(running, signed, bare, "gemini@3") == [*REASONING]
    assert of_reasoning(running, signed, other, "gemini@3") == [REASONING[1]]
    assert of_reasoning(running, signed, signed, "gemini@3") == []
    assert of_reasoning(running, signed, evolve(signed, text="I look", reasoning=None), "gemini@3") == []
    assert of_reasoning(over, signed, bare, "gemini@3") == []
    assert of_reasoning(running, signed, bare, "gemini") == []
    assert of_reasoning(running, bare, signed, "gemini@3") == []


def test_a_list_is_asked_for_the_signatures_of_its_running_turn() -> None:
    """Each call message behind the last user message that a person wrote; a server's call aside."""
    given = case_of("U A[c1] T(c1) U A[c2] T(c2) A[p1*] A[c3] T(c3)").history
    assert [fault.messages for fault in unsigned_calls(given)] == [(4,), (7,)]
    signed = tuple(evolve(message, extra={"signature": "g"}) if message.calls else message for message in given)
    assert [*unsigned_calls(signed)] == []


@pytest.mark.parametrize("rule", ["reasoning-kept-with-followup", "signed-reasoning-unmodified"])
def test_reasoning_of_a_turn_that_is_over_may_go(rule: str) -> None:
    """Anthropic asks for it again only behind the last user message; deepseek always does."""
    over, running = "U A[c1]~r1 T(c1) A U", "U A[c1]~r1 T(c1)"

    assert cuts(rule, over, "0 1- 2 3 4", provider="anthropic") == []
    assert cuts(rule, running, "0 1- 2", provider="anthropic") == ["edited"]
    assert cuts("reasoning-kept-with-followup", over, "0 1- 2 3 4", provider="deepseek") == ["edited"]
    assert cuts("reasoning-kept-with-followup", over, "0 1- 2 3 4", provider="strict") == ["edited"]


def test_text_beside_signed_reasoning_may_not_be_edited_even_when_the_turn_is_over() -> None:
    """What may go is the reasoning."""
    assert cuts("signed-reasoning-unmodified", "U A[c1]+~r1 T(c1) U", "0 1=A1short 2 3", provider="anthropic") == [
        "edited"
    ]
