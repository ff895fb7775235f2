"""Shorthand: each sign of it, and an error for what is none."""

import pytest

from trimfuzz.messages.errors import BadHistory
from trimfuzz.messages.model import Call, Message
from trimfuzz.messages.shorthand import history


@pytest.mark.parametrize(
    ("token", "expected"),
    [
        ("S", Message("system", "S0")),
        ("D", Message("developer", "D0")),
        ("U", Message("user", "U0")),
        ("R", Message("reasoning", "R0")),
        ("A[c1,c2]", Message("assistant", calls=(Call("c1"), Call("c2")))),
        ("A[]", Message("assistant", calls=(Call(""),))),
        ("A[,]", Message("assistant", calls=(Call(""), Call("")))),
        ("A[c1]+", Message("assistant", "A0", calls=(Call("c1"),))),
        ("A[p*]", Message("assistant", calls=(Call("p", provider_executed=True),))),
        ("A[a|b]", Message("assistant", calls=(Call("a", alt_id="b"),))),
        ("A[p*](p)", Message("assistant", calls=(Call("p", provider_executed=True),), extra={"inline_results": ["p"]})),
        ("A(p)", Message("assistant", "A0", extra={"inline_results": ["p"]})),
        ("T(c1)", Message("tool", "T0", call_id="c1")),
        ("T()", Message("tool", "T0", call_id="")),
        ("T", Message("tool", "T0")),
        ("T:a", Message("tool", "T0", extra={"approval_response": "a"})),
        ("U(a,b)", Message("user", extra={"inline_results": ["a", "b"]})),
        ("U%(a)", Message("user", "U0", extra={"text_first": True, "inline_results": ["a"]})),
        ("U!", Message("user", "U0", keep_during_truncation=True)),
        ("U=hi", Message("user", "hi")),
        ("U=", Message("user", "")),
        ("T(c1)!=long#9", Message("tool", "long", call_id="c1", keep_during_truncation=True, tokens=9)),
        ("A[c1]+~r1^m?q", Message("assistant", "A0", calls=(Call("c1"),), reasoning="r1",
                                  extra={"item_id": "m", "approval_request": "q"})),
        ("SUM", Message("user", "SUM0", summary=True)),
        ("MARK", Message("user", "MARK0", extra={"inserted": True})),
    ],
)  # fmt: skip
def test_every_sign_of_the_shorthand(token: str, expected: Message) -> None:
    """One message each."""
    assert history(token) == (expected,)


def test_texts_differ_unless_they_are_given() -> None:
    """By the place in the history."""
    assert [message.text for message in history("U A U=x A[c] T(c) U=x")] == ["U0", "A1", "x", None, "T4", "x"]


@pytest.mark.parametrize("token", ["X", "u", "A[c1", "U@", "U!z", "SUM1"])
def test_what_is_no_message_is_named(token: str) -> None:
    """With its place."""
    with pytest.raises(BadHistory, match=r"^messages\[1\]: .* is no message in shorthand"):
        history(f"U {token}")
