"""Neutral JSON: the form in which fixtures, vectors, examples and reports hold a history.

A history is a list of objects. `keep` is read as `keep_during_truncation` and `compaction_summary` as `summary`; every
key that is not known rides along in `extra`. A key with null is a key left out. Reading is all or nothing: the first
thing wrong is one error with its place.
"""

from collections.abc import Mapping
from typing import Any, cast

from .errors import BadHistory, a_kind
from .model import ROLES, Call, History, Message

_ALIASES = {"keep": "keep_during_truncation", "compaction_summary": "summary"}
_MESSAGE_KEYS: dict[str, type] = {
    "text": str, "calls": list, "call_id": str, "name": str, "reasoning": str, "keep_during_truncation": bool,
    "summary": bool, "tokens": int,
}  # fmt: skip
_EXTRA_KEYS: dict[str, type] = {
    "inline_results": list, "approval_request": str, "approval_response": str, "item_id": str, "parts": list,
    "text_first": bool,
}  # fmt: skip
_CALL_KEYS: dict[str, type] = {"id": str, "name": str, "arguments": str, "provider_executed": bool, "alt_id": str}
_WORDS: dict[type, str] = {str: "a string", bool: "true or false", int: "an integer", list: "a list"}


def load_history(items: object) -> History:
    """Read a list of neutral messages; raises `BadHistory` naming the message and what to do."""
    if not isinstance(items, list | tuple):
        raise BadHistory("a history is a list of messages", f"this is {_kind(items)}")
    return tuple(load_message(item, index) for index, item in enumerate(cast("list[object]", items)))


def load_message(item: object, index: int | None = None) -> Message:
    """Read one neutral message; `index` is only for the error."""
    if not isinstance(item, Mapping):
        raise BadHistory("a message is an object", f"this is {_kind(item)}", index)
    given = {_ALIASES.get(key, key): value for key, value in cast("Mapping[str, Any]", item).items()}
    role = given.pop("role", None)
    if role not in ROLES:
        raise BadHistory(f"unknown role {role!r}", "known: " + ", ".join(ROLES), index)
    known = _checked(given, _MESSAGE_KEYS, "", index)
    _checked(given, _EXTRA_KEYS, "", index)
    return Message(
        role,
        known["text"],
        calls=tuple(_load_call(call, index) for call in known["calls"] or ()),
        call_id=known["call_id"],
        name=known["name"],
        reasoning=known["reasoning"],
        keep_during_truncation=bool(known["keep_during_truncation"]),
        summary=bool(known["summary"]),
        tokens=known["tokens"],
        extra={key: value for key, value in given.items() if key not in known},
    )


def _load_call(item: object, index: int | None) -> Call:
    if not isinstance(item, Mapping):
        raise BadHistory("a call is an object", f"this is {_kind(item)}", index)
    given = cast("Mapping[str, Any]", item)
    unknown = sorted(set(given) - set(_CALL_KEYS))
    if unknown:
        raise BadHistory(f"unknown key {unknown[0]!r} in a call", "known: " + ", ".join(_CALL_KEYS), index)
    known = _checked(given, _CALL_KEYS, "a call's ", index)
    return Call(
        known["id"] or "",
        "f" if known["name"] is None else known["name"],
        arguments="{}" if known["arguments"] is None else known["arguments"],
        provider_executed=bool(known["provider_executed"]),
        alt_id=known["alt_id"],
    )


def _checked(given: Mapping[str, Any], types: Mapping[str, type], whose: str, index: int | None) -> dict[str, Any]:
    """Return the known keys, each of its type or None."""
    known = {key: given.get(key) for key in types}
    for key, value in known.items():
        if value is not None and type(value) is not types[key]:
            raise BadHistory(f"{whose}{key} must be {_WORDS[types[key]]}", f"this is {_kind(value)}", index)
    return known


def dump_history(history: History) -> list[dict[str, Any]]:
    """Write a history as neutral JSON objects; only what is set is written."""
    return [dump_message(message) for message in history]


def dump_message(message: Message) -> dict[str, Any]:
    """Write one message."""
    found: dict[str, Any] = {"role": message.role}
    if message.text is not None:
        found["text"] = message.text
    if message.calls:
        found["calls"] = [_dump_call(call) for call in message.calls]
    for key in ("call_id", "name", "reasoning", "tokens"):
        if getattr(message, key) is not None:
            found[key] = getattr(message, key)
    for key in ("keep_during_truncation", "summary"):
        if getattr(message, key):
            found[key] = True
    return {**found, **message.extra}


def _dump_call(call: Call) -> dict[str, Any]:
    found: dict[str, Any] = {"id": call.id, "name": call.name}
    if call.arguments != "{}":
        found["arguments"] = call.arguments
    if call.provider_executed:
        found["provider_executed"] = True
    if call.alt_id is not None:
        found["alt_id"] = call.alt_id
    return found


def _kind(value: object) -> str:
    """Say in JSON's words what a value is."""
    names: dict[type, str] = {
        dict: "an object", list: "a list", str: "a string", bool: "a boolean", int: "an integer", type(None): "null",
    }  # fmt: skip
    return names.get(type(value), a_kind(value))
