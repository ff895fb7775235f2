"""Formats: how a history is written for a trimmer and read back, one message at a time.

A format that has no place for something in a message raises `CannotCarry` and names it; nothing is dropped silently.
Adapters to packages with message types of their own build a `Format` and register it under a name.
"""

from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from attrs import frozen

from . import openai_chat
from .errors import BadHistory, BadName
from .model import History, Message

Item = TypeVar("Item")
Converted = TypeVar("Converted")


@frozen
class Format:
    """A wire format where one message is one item. `provider` names the pack that judges it by default.

    `write` makes a fresh item (never shared between two calls); `read` raises `BadHistory` for an item it cannot read.
    `carries` names the optional features of a history that it has a place for (`strategies` generates no others).
    """

    name: str
    write: Callable[[Message], Any]
    read: Callable[[Any], Message]
    provider: str = "neutral"
    carries: frozenset[str] = frozenset()

    def write_history(self, history: History) -> list[Any]:
        """Write every message; an error names the message that cannot be carried."""
        return _each(self.write, history)

    def read_history(self, items: Iterable[Any]) -> History:
        """Read every item; an error names the message."""
        return tuple(_each(self.read, items))


def _each(convert: Callable[[Item], Converted], items: Iterable[Item]) -> list[Converted]:
    """Convert item by item; the first that cannot be converted is named by its index."""
    found: list[Converted] = []
    for index, item in enumerate(items):
        try:
            found.append(convert(item))
        except BadHistory as error:
            raise type(error)(error.problem, error.hint, index) from None
    return found


def _itself(message: Any) -> Message:
    if not isinstance(message, Message):
        raise BadHistory("a neutral trimmer returns Message objects", f"this is a {type(message).__name__}")
    return message


EVERYTHING = frozenset(
    {
        "keep", "summary", "developer", "reasoning", "signature", "provider_executed", "inline_results", "approvals",
        "alt_ids", "reasoning_items", "item_ids",
    }
)  # fmt: skip
NEUTRAL_FORMAT = Format("neutral", _itself, _itself, "neutral", EVERYTHING)
OPENAI_CHAT = Format(
    "openai-chat",
    openai_chat.write,
    openai_chat.read,
    "openai-chat",
    frozenset({"keep", "summary", "developer", "reasoning"}),
)

_FORMATS = {found.name: found for found in (NEUTRAL_FORMAT, OPENAI_CHAT)}


def register_format(found: Format) -> Format:
    """Add a format; returns it."""
    _FORMATS[found.name] = found
    return found


def formats() -> dict[str, Format]:
    """Return the known formats by name."""
    return dict(_FORMATS)


def format_named(name: str) -> Format:
    """Return a format; an unknown name raises `BadName` with the known ones."""
    try:
        return _FORMATS[name]
    except KeyError:
        raise BadName(f"unknown format {name!r}", "known: " + ", ".join(_FORMATS)) from None
