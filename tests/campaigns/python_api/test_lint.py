"""`trimfuzz.lint`: what a provider would reject, from Python."""

from typing import Any

import pytest

import trimfuzz
from trimfuzz.messages.model import Message

ORPHAN: list[dict[str, Any]] = [
    {"role": "user", "content": "hello"},
    {"role": "tool", "tool_call_id": "c1", "content": "4 degrees"},
]


def test_dicts_requests_and_neutral_messages_are_read() -> None:
    """In the same words as the command."""
    neutral = [Message("user", "hello"), Message("tool", "4 degrees", call_id="c1")]
    for given in (ORPHAN, {"model": "m", "messages": ORPHAN}, neutral):
        (fault,) = trimfuzz.lint(given)
        assert (fault.rule, fault.places, fault.fails) == ("no-orphan", ("messages[1]",), True)
    assert trimfuzz.lint(ORPHAN[:1], provider="anthropic") == []


@pytest.mark.parametrize(
    ("given", "options", "words"),
    [
        ("hello", {}, "a transcript is a request, or a list of messages"),
        (ORPHAN, {"provider": "closedai"}, "unknown provider 'closedai'"),
        (ORPHAN, {"format": "yaml"}, "unknown format 'yaml'"),
        ([{"role": "elf"}], {"format": "openai-chat"}, "messages[0]: "),
    ],
)
def test_what_cannot_be_read_is_one_line(given: Any, options: dict[str, str], words: str) -> None:
    """As a `TrimfuzzError`."""
    with pytest.raises(trimfuzz.TrimfuzzError) as caught:
        trimfuzz.lint(given, **options)
    assert words in str(caught.value)
