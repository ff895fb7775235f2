"""Formats: found by name, and an error that names the message."""

from pathlib import Path

import pytest

from trimfuzz.messages.errors import BadHistory, BadName, CannotCarry
from trimfuzz.messages.formats.features import MESSAGE_FEATURES, message_features
from trimfuzz.messages.formats.format import Format
from trimfuzz.messages.formats.neutral import FORMAT as NEUTRAL_FORMAT
from trimfuzz.messages.formats.neutral import neutral_format
from trimfuzz.messages.formats.openai_chat import FORMAT as OPENAI_CHAT
from trimfuzz.messages.formats.registry import format_named, formats
from trimfuzz.messages.model import Call, Message
from trimfuzz.messages.reading.profiles import PROFILES

USER = Message("user", "u")


def test_a_format_is_found_by_its_name() -> None:
    """Each under its own name, judged by a pack that exists."""
    assert format_named("openai-chat") is OPENAI_CHAT
    assert format_named("neutral") is NEUTRAL_FORMAT
    assert all(name == form.name and form.provider in PROFILES for name, form in formats().items())


def test_an_unknown_format_is_an_error_that_lists_the_known_ones() -> None:
    """With the name that was asked for."""
    with pytest.raises(BadName, match=r"unknown format 'openai' \(known: neutral, openai-chat"):
        format_named("openai")


def test_the_message_that_cannot_be_carried_is_named() -> None:
    """By its index in the history."""
    with pytest.raises(CannotCarry, match=r"^messages\[2\]: openai-chat has no place for the role 'reasoning'"):
        OPENAI_CHAT.write_history((USER, USER, Message("reasoning", "r")))


def test_the_item_that_cannot_be_read_is_named() -> None:
    """By its index in the list, with the hint."""
    with pytest.raises(BadHistory, match=r"^messages\[1\]: a message is a dict \(this is an int\)"):
        OPENAI_CHAT.read_history([{"role": "user", "content": "u"}, 7])


def test_a_history_is_written_and_read_message_by_message() -> None:
    """In order."""
    history = (USER, Message("assistant", None, calls=(Call("c1"),)), Message("tool", "t", call_id="c1"))
    assert OPENAI_CHAT.read_history(OPENAI_CHAT.write_history(history)) == history


def test_the_neutral_format_hands_out_the_messages_themselves() -> None:
    """And takes nothing else back."""
    assert NEUTRAL_FORMAT.write(USER) is USER
    assert NEUTRAL_FORMAT.read(USER) is USER
    with pytest.raises(BadHistory, match=r"a neutral trimmer returns Message objects \(this is a dict\)"):
        NEUTRAL_FORMAT.read({"role": "user"})


@pytest.mark.parametrize(
    ("shorthand", "needed"),
    [
        ("U S A[c] T(c)", ""),
        ("D", "developer"),
        ("U!", "keep"),
        ("SUM", "summary"),
        ("A~r", "reasoning"),
        ("R", "reasoning_items"),
        ("A[p*]", "provider_executed"),
        ("A[a|b]", "alt_ids"),
        ("U(c)", "inline_results"),
        ("A?a", "approvals"),
        ("T:a", "approvals"),
        ("A^m", "item_ids"),
        ("D! A[p*]~r", "developer keep provider_executed reasoning"),
    ],
)
def test_a_restricted_format_takes_what_it_has_a_place_for(h, shorthand: str, needed: str) -> None:
    """And raises for a message that needs one thing more, naming it."""
    history, features = h(shorthand), set(needed.split())
    assert {feature for message in history for feature in message_features(message)} == features
    assert neutral_format(features).write_history(history) == list(history)
    for feature in features:
        with pytest.raises(CannotCarry, match=f"this system has no place for {feature}"):
            neutral_format(features - {feature}).write_history(history)


def test_a_signature_needs_a_place() -> None:
    """It rides in `extra`."""
    assert message_features(Message("assistant", "a", reasoning="r", extra={"signature": "s"})) == {
        "reasoning",
        "signature",
    }


@pytest.mark.parametrize("form", [NEUTRAL_FORMAT, OPENAI_CHAT])
def test_a_format_says_what_it_carries_in_known_words(form: Format) -> None:
    """No feature is spelt in two ways."""
    assert form.features <= MESSAGE_FEATURES


SHIPPED = ["neutral", "openai-chat", "openai-responses", "anthropic", "gemini", "bedrock", "ai-sdk"]


def modules_with_a_format() -> list[str]:
    """Return the names of the formats that are modules of the folder."""
    folder = Path(__file__).parents[3] / "messages" / "formats"
    return sorted(path.stem.replace("_", "-") for path in folder.glob("*.py") if "\nFORMAT = " in path.read_text())


def test_every_module_with_a_format_is_found() -> None:
    """In the order in which they are listed; what is new follows, and needs no line here."""
    assert list(formats())[: len(SHIPPED)] == SHIPPED
    assert set(SHIPPED) <= set(modules_with_a_format()) <= formats().keys()


@pytest.mark.parametrize("name", modules_with_a_format())
def test_detection_names_no_format_and_the_tests_name_each(name: str) -> None:
    """It knows them by their signs alone; what a format writes is said by hand, beside the round trips."""
    detection = Path(__file__).parents[3] / "messages" / "formats" / "detect.py"
    assert f'"{name}"' not in detection.read_text()
    own = Path(__file__)
    text = "".join(path.read_text() for path in own.parent.glob("test_*.py") if path != own)
    named = f'"{name}"' in text or f"formats.{name.replace('-', '_')} import" in text
    assert named, f"no test in tests/messages/formats names {name}"


def test_one_format_is_the_plainest() -> None:
    """A list without signs is taken for it."""
    assert [name for name, form in formats().items() if form.signs.plainest] == ["openai-chat"]
