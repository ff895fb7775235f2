"""Messages and calls: immutable, readable, and able to travel."""

import copy
import pickle
from typing import cast

import pytest
from attrs.exceptions import FrozenInstanceError
from hypothesis.vendor.pretty import pretty

from trimfuzz.messages.model import Call, Message, head_length, is_declared_insertion

EVERYTHING = Message(
    "assistant",
    "text",
    calls=(Call("c1", "g", arguments='{"a": 1}', provider_executed=True, alt_id="x"), Call("c2")),
    call_id="c0",
    name="n",
    reasoning="r",
    keep_during_truncation=True,
    summary=True,
    tokens=3,
    extra={"item_id": "i", "parts": [{"type": "image"}]},
)


@pytest.mark.parametrize(
    ("message", "printed"),
    [
        (Message("user"), "Message('user')"),
        (Message("user", ""), "Message('user', '')"),
        (Message("assistant", calls=(Call("c1"),)), "Message('assistant', calls=(Call('c1'),))"),
        (Message("tool", "r", call_id=""), "Message('tool', 'r', call_id='')"),
        (Message("assistant", calls=(Call("", "g"),)), "Message('assistant', calls=(Call('', 'g'),))"),
        (Message("user", "u", extra={"inserted": True}), "Message('user', 'u', extra={'inserted': True})"),
    ],
)
def test_a_message_prints_what_was_said_and_nothing_else(message: Message, printed: str) -> None:
    """Defaults are left out, an empty text or id is not."""
    assert repr(message) == printed


def test_a_printed_message_can_be_pasted_back() -> None:
    """The repr is Python that makes an equal message."""
    assert eval(repr(EVERYTHING), {"Message": Message, "Call": Call}) == EVERYTHING


def test_hypothesis_prints_a_history_that_can_be_pasted_back() -> None:
    """Its own printer would spell out every field."""
    assert pretty((Message("user", "u"), Call("c1"))) == "(Message('user', 'u'), Call('c1'))"


@pytest.mark.parametrize(
    "travel",
    [copy.copy, copy.deepcopy, *[lambda m, p=p: pickle.loads(pickle.dumps(m, p)) for p in range(2, 6)]],
)
def test_a_message_survives_copying_and_pickling(travel) -> None:
    """Also with extra keys, which a read-only view holds; the copy's extra is read-only too."""
    copied = travel(EVERYTHING)
    assert copied == EVERYTHING
    assert hash(copied) == hash(EVERYTHING)
    with pytest.raises(TypeError):
        copied.extra["item_id"] = "j"


def test_messages_cannot_be_changed() -> None:
    """Neither a field nor an extra key can be set."""
    message = Message("user", "u", extra={"a": 1})
    with pytest.raises(FrozenInstanceError):
        setattr(message, "text", "v")  # noqa: B010
    with pytest.raises(TypeError):
        cast("dict[str, int]", message.extra)["a"] = 2


def test_extra_is_cut_off_from_the_dict_it_was_made_of() -> None:
    """Changing that dict later changes no message."""
    given = {"a": 1}
    message = Message("user", "u", extra=given)
    given["a"] = 2
    assert message.extra == {"a": 1}


def test_extra_counts_for_equality() -> None:
    """Two messages that differ in an extra key alone are not equal."""
    assert Message("user", "u", extra={"a": 1}) != Message("user", "u", extra={"a": 2})
    assert Message("user", "u", extra={"a": 1}) == Message("user", "u", extra={"a": 1})


@pytest.mark.parametrize(
    ("shorthand", "length"), [("", 0), ("U S", 0), ("S U S", 1), ("D S U", 2), ("S D", 2), ("R S", 0), ("A S", 0)]
)
def test_the_head_is_the_leading_run_of_system_and_developer_messages(h, shorthand: str, length: int) -> None:
    """A system message behind anything else is not part of it."""
    assert head_length(h(shorthand)) == length


def test_summaries_and_markers_declare_themselves_inserted() -> None:
    """An `inserted` key counts if it is true or a kind; one that is false does not."""
    assert is_declared_insertion(Message("user", "s", summary=True))
    assert is_declared_insertion(Message("user", "m", extra={"inserted": True}))
    assert is_declared_insertion(Message("user", "m", extra={"inserted": "marker"}))
    assert not is_declared_insertion(Message("user", "m", extra={"inserted": False}))
    assert not is_declared_insertion(Message("user", "m"))
