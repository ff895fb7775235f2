"""`trimfuzz.judge`: what one trim broke, from Python."""

from copy import deepcopy
from typing import Any

import pytest

import trimfuzz
from trimfuzz.messages.limits import Limit
from trimfuzz.messages.shorthand import history

CALL = {"id": "c1", "type": "function", "function": {"name": "weather", "arguments": "{}"}}
BEFORE: list[dict[str, Any]] = [
    {"role": "user", "content": "hello"},
    {"role": "assistant", "tool_calls": [CALL]},
    {"role": "tool", "tool_call_id": "c1", "content": "4 degrees"},
]


def rules(*given: Any, **options: Any) -> list[str]:
    """The rules that a trim broke."""
    return [finding.rule for finding in trimfuzz.judge(*given, **options)]


def test_a_trim_is_judged_as_check_would() -> None:
    """By what always fails, what the provider enforces, and what is assumed of a plain function."""
    assert rules(BEFORE, BEFORE) == []
    assert rules(BEFORE, BEFORE[-1:]) == ["no-orphan", "batch-atomic"]
    assert rules(BEFORE, BEFORE, limit="messages=2") == ["within-limit"]
    assert rules(BEFORE, BEFORE, limit=Limit("messages", 2), promises=[]) == []
    assert "first-is-user" in rules(BEFORE, BEFORE[1:], provider="anthropic", promises=["keeps-latest-user"])
    assert "keeps-latest-user" in rules(BEFORE, BEFORE[1:], promises=["keeps-latest-user"])


def test_messages_are_the_same_by_identity_or_by_content() -> None:
    """A recorded output shares no object with its input."""
    assert rules(BEFORE, deepcopy(BEFORE)) == []
    assert rules(BEFORE, deepcopy(BEFORE[:1])) == []


def test_neutral_messages_and_other_formats() -> None:
    """`Message` objects are known as such; other dicts by their format."""
    given = history("U A[a] T(a)")
    assert rules(given, given[-1:]) == ["no-orphan", "batch-atomic"]
    user = {"role": "user", "content": [{"type": "text", "text": "hello"}]}
    assert rules([user], [user], format="anthropic") == []


@pytest.mark.parametrize(
    ("after", "options", "words"),
    [
        ("text", {}, "after is a list of messages, not a str"),
        ([{"role": "elf"}], {}, "after[0]: "),
        (BEFORE, {"limit": "messages"}, "the limit 'messages' has no value (for example messages=4)"),
        (BEFORE, {"limit": "words=3"}, "unknown limit 'words'"),
        (BEFORE, {"provider": 5}, "unknown provider '5'"),
        (BEFORE, {"format": "yaml"}, "unknown format 'yaml'"),
        (BEFORE, {"promises": ["nope"]}, "unknown promise 'nope'"),
    ],
)
def test_what_cannot_be_meant_is_one_line(after: Any, options: dict[str, Any], words: str) -> None:
    """As a `TrimfuzzError`."""
    with pytest.raises(trimfuzz.TrimfuzzError) as caught:
        trimfuzz.judge(BEFORE, after, **options)
    assert words in str(caught.value)
