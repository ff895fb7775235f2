"""The `neutral` format: the suite's own messages, as objects in a program and as neutral JSON in a file."""

from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any

from ..errors import BadHistory, CannotCarry, a_kind
from ..model import Message
from ..neutral import dump_message, load_message
from .features import MESSAGE_FEATURES, message_features
from .format import Format, Signs

NAME = "neutral"


def _itself(message: Any) -> Message:
    if not isinstance(message, Message):
        raise BadHistory("a neutral trimmer returns Message objects", f"this is {a_kind(message)}")
    return message


def _sign(item: Mapping[str, Any]) -> str | None:
    """Return the path of what only a neutral message has; one with parts and no text may be of another format."""
    if item.get("content") is not None or ("text" not in item and isinstance(item.get("parts"), list)):
        return None
    return next((f".{key}" for key in ("text", "calls", "call_id") if key in item), None)


FORMAT = Format(
    NAME,
    _itself,
    _itself,
    NAME,
    MESSAGE_FEATURES,
    in_files=Format(NAME, dump_message, load_message, NAME, MESSAGE_FEATURES, dicts=True),
    signs=Signs(item=_sign),
)


def neutral_format(features: Iterable[str], *, provider: str = NAME) -> Format:
    """Return neutral messages restricted to what a system has a place for; other messages raise `CannotCarry`."""
    known = frozenset(features)
    return Format(NAME, partial(_restricted, known), _itself, provider, known)


def _restricted(features: frozenset[str], message: Message) -> Message:
    missing = message_features(message) - features
    if missing:
        raise CannotCarry(f"this system has no place for {', '.join(sorted(missing))}")
    return message
