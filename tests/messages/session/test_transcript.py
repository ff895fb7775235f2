"""The transcript: what can happen when, and which class the conversation has then."""

import pytest

from trimfuzz.messages.reading.pairing import read
from trimfuzz.messages.session.steps import script, step
from trimfuzz.messages.session.transcript import Transcript, happened


def after(text: str) -> Transcript:
    """Return what is after a script, every step of which can happen."""
    steps = script(text.replace("; ", "\n")).steps
    assert happened(steps) == steps
    transcript = Transcript()
    for one in steps:
        following = transcript.after(one)
        assert following is not None
        transcript = following
    return transcript


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ('user "a"; call x', "send"),
        ('user "a"; call x', 'user "b"'),
        ('user "a"; call x', 'assistant "b"'),
        ('user "a"; call x', "call y"),
        ('user "a"; call x; interrupt', "send"),
        ('user "a"; call x; interrupt', "call y"),
        ('user "a"; call x; interrupt; user "b"', "call x"),
        ('user "a"; call x; result x "b"', 'result x "c"'),
        ('user "a"', 'steer "b"'),
        ('user "a"', "interrupt"),
        ('user "a"', "apply"),
        ('user "a"; plan 1; apply', "apply"),
        ('user "a"; assistant "b"', "call x"),
        ('user "a"', 'system "s"'),
    ],
)
def test_what_cannot_happen_now(text: str, line: str) -> None:
    assert after(text).after(step(line)) is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('system "s"; user "a"; call x y; result y "b"; result x "c"; send', "valid"),
        ('user "a"; call x; result x "b"; call x; result x "c"; send', "valid"),
        ('user "a"; call x; plan 1', "pending"),
        ('user "a"; call x y; steer "b"; result x "c"; result y "d"; send', "interleaved"),
        ('user "a"; call x; interrupt; user "b"; send', "interleaved"),
        ('user "a"; call x; interrupt; user "b"; send; result x "c"; send', "interleaved"),
        ('user "a"; call x; interrupt; result x "b"; user "c"; send', "valid"),
    ],
)
def test_class_of_the_conversation(text: str, expected: str) -> None:
    assert read(after(text).history).input_class == expected


def test_steps_that_cannot_happen_are_left_out() -> None:
    """What hung on a dropped call goes with it."""
    steps = script('user "a"\nresult x "b"\nsteer "c"\nsend\napply').steps
    assert [str(one) for one in happened(steps)] == ['user "a"', "send"]
