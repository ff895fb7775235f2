"""Formats: how a history is written for a trimmer and read back.

A format that has no place for something in a message raises `CannotCarry` and names it; nothing is dropped silently.
Adapters to packages with message types of their own build a `Format` and register it under a name.
"""

from collections.abc import Callable, Iterable
from functools import partial
from itertools import zip_longest
from typing import Any, TypeVar

from attrs import evolve, field, fields, frozen

from ..errors import BadHistory, BadName, CannotCarry, a_kind
from ..model import History, Message
from . import ai_sdk, anthropic, bedrock, gemini, openai_chat, openai_responses
from .needs import EVERYTHING, needs

Item = TypeVar("Item")
Converted = TypeVar("Converted")


def _unchanged(history: History) -> History:
    return history


@frozen
class Format:
    """A wire format. `provider` names the pack that judges it by default.

    `write` makes a fresh item (never shared between two calls) of one message; `read` raises `BadHistory` for an item
    it cannot read. Where items and messages are not the same thing, `shape` brings a history into the form in which
    each message is one item (results that are blocks of one item, calls that are items of their own), and `plain`
    takes it back; a history in that form stays as it is. A trimmer is handed the items of the shaped history, and is
    judged on that: so limits count items, and an item is what was changed or is the same.

    `carries` names the optional features of a history that it has a place for, `lacks` what nearly every other format
    has a place for and this one has not (`strategies` generates neither what is lacked nor what is not carried).
    `dicts`: its items are JSON dicts, measured as they stand.
    """

    name: str
    write: Callable[[Message], Any]
    read: Callable[[Any], Message]
    provider: str = "neutral"
    carries: frozenset[str] = frozenset()
    lacks: frozenset[str] = field(default=frozenset(), kw_only=True)
    shape: Callable[[History], History] = field(default=_unchanged, kw_only=True)
    plain: Callable[[History], History] = field(default=_unchanged, kw_only=True)
    dicts: bool = field(default=False, kw_only=True)

    def write_history(self, history: History) -> list[Any]:
        """Write a history so that `read_history` gives it back; an error names the message that cannot be carried."""
        shaped = self.shape(history)
        back = self.plain(shaped)
        if back is not history:
            _need_the_same(self.name, history, back)
        return self.write_items(shaped)

    def read_history(self, items: Iterable[Any]) -> History:
        """Read items into a plain history; an error names the item."""
        return self.plain(self.read_items(items))

    def write_items(self, shaped: History) -> list[Any]:
        """Write a history that has been shaped, one item for each message."""
        return _each(self.write, shaped)

    def read_items(self, items: Iterable[Any]) -> History:
        """Read items into a history that has the shape of this format: one message for each item."""
        return tuple(_each(self.read, items))


def _need_the_same(name: str, history: History, back: History) -> None:
    """Raise `CannotCarry` for the first message that would not come back as it was; sizes never travel."""
    for index, (message, other) in enumerate(zip_longest(history, back)):
        if message is None or other is None or evolve(message, tokens=None) != other:
            changed = [] if message is None or other is None else _differences(message, other)
            what = ", ".join(changed) or "message, as it stands there"
            problem = f"{name} would not give back the {what}"
            raise CannotCarry(problem, "what shape() makes of it, it does", index)


def _differences(message: Message, other: Message) -> list[str]:
    names = [spec.name for spec in fields(Message) if spec.name != "tokens"]
    return [name for name in names if getattr(message, name) != getattr(other, name)]


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


__all__ = [
    "AI_SDK", "ANTHROPIC", "BEDROCK", "EVERYTHING", "GEMINI", "NEUTRAL_FORMAT", "OPENAI_CHAT", "OPENAI_RESPONSES",
    "Format", "format_named", "formats", "needs", "neutral_format", "register_format",
]  # fmt: skip


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
    dicts=True,
)
ANTHROPIC, GEMINI, BEDROCK, AI_SDK = (
    Format(**wire.DIALECT.form(wire.GROUPING, wire.LACKS)) for wire in (anthropic, gemini, bedrock, ai_sdk)
)

OPENAI_RESPONSES = Format(
    openai_responses.NAME,
    openai_responses.write,
    openai_responses.read,
    "openai-responses",
    openai_responses.CARRIES,
    lacks=openai_responses.LACKS,
    shape=openai_responses.shape,
    plain=openai_responses.plain,
    dicts=True,
)

_FORMATS = {
    found.name: found for found in (NEUTRAL_FORMAT, OPENAI_CHAT, OPENAI_RESPONSES, ANTHROPIC, GEMINI, BEDROCK, AI_SDK)
}


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
