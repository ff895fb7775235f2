"""Quick messages are the messages that the model makes."""

import pytest
from attrs import fields
from attrs.exceptions import FrozenInstanceError

from trimfuzz.messages.model import Call, Message
from trimfuzz.strategies.encoding.fast_message import message


def test_the_same_as_the_slow_one() -> None:
    """Every field is set, to the same values, and the result is as frozen."""
    calls = (Call("c0"),)
    pairs = [
        (message("user", "u0."), Message("user", "u0.")),
        (message("assistant", None, calls), Message("assistant", calls=calls)),
        (message("tool", "r1.", (), "c0", "f"), Message("tool", "r1.", call_id="c0", name="f")),
    ]
    for quick, slow in pairs:
        assert quick == slow
        assert repr(quick) == repr(slow)
        assert all(getattr(quick, spec.name) == getattr(slow, spec.name) for spec in fields(Message))
    with pytest.raises(FrozenInstanceError):
        pairs[0][0].text = "other"  # pyright: ignore[reportAttributeAccessIssue]
