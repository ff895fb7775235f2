"""Neutral JSON: the form in which fixtures, vectors, examples and reports hold a history.

A history is a list of objects. `keep` is read as `keep_during_truncation` and `compaction_summary` as `summary`; every key
that is not known rides along in `extra`. Reading is all or nothing: the first thing wrong is one error with its place.
"""

from collections.abc import Mapping, Sequence
from typing import Any, cast

from .errors import BadHistory
from .model import ROLES, Call, History, Message

_TEXT_KEYS = ("text", "call_id", "name", "reasoning")
_ALIASES = {"keep": "keep_during_truncation", "compaction_summary": "summary"}
_KNOWN = {"role", "calls", "keep_during_truncation", "summary", "tokens", *_TEXT_KEYS}
_CALL_KEYS = {"id", "name", "arguments", "provider_executed", "alt_id"}


def load_history(items: object) -> History:
    """Read a list of neutral messages; raises `BadHistory` naming the message and what to do."""
    if isinstance(items, str | bytes | Mapping) or not isinstance(items, Sequence):
        raise BadHistory("a history is a list of messages", f"this is {_kind(items)}")
    return tuple(load_message(item, index) for index, item in enumerate(cast("Sequence[object]", items)))


def load_message(item: object, index: int | None = None) -> Message:
    """Read one neutral message; `index` is only for the error."""
    if not isinstance(item, Mapping):
        raise BadHistory("a message is an object", f"this is {_kind(item)}", index)
    given = {_ALIASES.get(key, key): value for key, value in cast("Mapping[str, Any]", item).items()}
    role = given.get("role")
    if role not in ROLES:
        raise BadHistory(f"unknown role {role!r}", "known: " + ", ".join(ROLES), index)
    for key in _TEXT_KEYS:
        if not isinstance(given.get(key), str | None):
            raise BadHistory(f"{key} must be a string", f"this is {_kind(given[key])}", index)
    for key in ("keep_during_truncation", "summary"):
        if not isinstance(given.get(key, False), bool | None):
            raise BadHistory(f"{key} must be true or false", f"this is {_kind(given[key])}", index)
    tokens = given.get("tokens")
    if tokens is not None and (isinstance(tokens, bool) or not isinstance(tokens, int)):
        raise BadHistory("tokens must be an integer", f"this is {_kind(tokens)}", index)
    calls = given.get("calls")
    if calls is not None and not isinstance(calls, list):
        raise BadHistory("calls must be a list", f"this is {_kind(calls)}", index)
    return Message(
        role,
        given.get("text"),
        calls=tuple(_load_call(call, index) for call in cast("list[object]", calls or [])),
        call_id=given.get("call_id"),
        name=given.get("name"),
        reasoning=given.get("reasoning"),
        keep_during_truncation=bool(given.get("keep_during_truncation")),
        summary=bool(given.get("summary")),
        tokens=tokens,
        extra={key: value for key, value in given.items() if key not in _KNOWN},
    )


def _load_call(item: object, index: int | None) -> Call:
    if not isinstance(item, Mapping):
        raise BadHistory("a call is an object", f"this is {_kind(item)}", index)
    given = cast("Mapping[str, Any]", item)
    unknown = sorted(set(given) - _CALL_KEYS)
    if unknown:
        raise BadHistory(f"unknown key {unknown[0]!r} in a call", "known: " + ", ".join(sorted(_CALL_KEYS)), index)
    for key in ("id", "name", "arguments", "alt_id"):
        if not isinstance(given.get(key), str | None):
            raise BadHistory(f"a call's {key} must be a string", f"this is {_kind(given[key])}", index)
    return Call(
        given.get("id") or "",
        given.get("name") or "f",
        arguments="{}" if given.get("arguments") is None else given["arguments"],
        provider_executed=bool(given.get("provider_executed")),
        alt_id=given.get("alt_id"),
    )


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
    names = {dict: "an object", list: "a list", str: "a string", bool: "a boolean", type(None): "null"}
    return names.get(type(value), f"a {type(value).__name__}")
