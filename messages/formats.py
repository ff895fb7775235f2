"""Formats: how a history is written for a trimmer and read back, one message at a time.

A format that has no place for something in a message raises `CannotCarry` and names it; nothing is dropped silently.
Adapters to packages with message types of their own build a `Format` and register it under a name.
"""

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any, TypeVar

from attrs import frozen

from . import openai_chat
from .errors import BadHistory, BadName, CannotCarry
from .model import History, Message
from .words import a_kind

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
        raise BadHistory("a neutral trimmer returns Message objects", f"this is {a_kind(message)}")
    return message


EVERYTHING = frozenset(
    {
        "keep", "summary", "developer", "reasoning", "signature", "provider_executed", "inline_results", "approvals",
        "alt_ids", "reasoning_items", "item_ids",
    }
)  # fmt: skip


def needs(message: Message) -> frozenset[str]:
    """Return the optional features that a message needs a place for (names as in `Format.carries`)."""
    found: set[str] = set()
    if message.keep_during_truncation:
        found.add("keep")
    if message.summary:
        found.add("summary")
    if message.reasoning is not None:
        found.add("reasoning")
    if message.role in _NEEDED_BY_ROLE:
        found.add(_NEEDED_BY_ROLE[message.role])
    for call in message.calls:
        if call.provider_executed:
            found.add("provider_executed")
        if call.alt_id is not None:
            found.add("alt_ids")
    if message.extra:
        found.update(feature for key, feature in _NEEDED_BY_KEY.items() if key in message.extra)
    return frozenset(found)


_NEEDED_BY_ROLE = {"developer": "developer", "reasoning": "reasoning_items"}
_NEEDED_BY_KEY = {
    "signature": "signature", "inline_results": "inline_results", "approval_request": "approvals",
    "approval_response": "approvals", "item_id": "item_ids",
}  # fmt: skip


def neutral_format(carries: Iterable[str], *, provider: str = "neutral") -> Format:
    """Return neutral messages restricted to what a system has a place for; other messages raise `CannotCarry`."""
    carried = frozenset(carries)
    return Format("neutral", partial(_carried, carried), _itself, provider, carried)


def _carried(carried: frozenset[str], message: Message) -> Message:
    missing = needs(message) - carried
    if missing:
        raise CannotCarry(f"this system has no place for {', '.join(sorted(missing))}")
    return message


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
