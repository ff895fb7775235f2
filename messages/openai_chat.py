"""The `openai-chat` wire format: the message dicts of OpenAI's Chat Completions.

Marks (`keep_during_truncation`, `summary`, `inserted`) are top-level keys, there only when true. A tool message always has
`tool_call_id` and a string `content`; an assistant with calls and no text has `content: null`. Sizes never travel.

Normalised on reading: an absent or null content of a message without calls is the empty string; one text part is a
string; `arguments` absent is `{}`. Several parts, or parts that are not text, ride along as `parts`.
"""

from collections.abc import Mapping
from typing import Any, cast

from .errors import BadHistory, CannotCarry
from .model import NO_EXTRA, Call, Message

_ROLES = frozenset({"system", "developer", "user", "assistant", "tool"})
_KNOWN = frozenset(
    {"role", "content", "tool_calls", "tool_call_id", "name", "reasoning_content", "keep_during_truncation", "summary"}
)
_NO_PLACE = ("inline_results", "approval_request", "approval_response", "item_id", "text_first")
MARKS = ("keep_during_truncation", "summary", "inserted")


def write(message: Message) -> dict[str, Any]:
    """Write a message as a fresh dict; raises `CannotCarry` for what has no place in this format."""
    role = message.role
    if role not in _ROLES:
        raise CannotCarry(f"openai-chat has no place for the role {role!r}")
    text = message.text
    found: dict[str, Any]
    if message.calls:
        found = {"role": role, "content": text, "tool_calls": [_write_call(call) for call in message.calls]}
    else:
        found = {"role": role, "content": text or ""}
    if role == "tool":
        found["tool_call_id"] = message.call_id or ""
    elif message.call_id is not None:
        raise CannotCarry(f"openai-chat has no place for a call id on a message of role {role!r}")
    if message.name is not None:
        found["name"] = message.name
    if message.reasoning is not None:
        found["reasoning_content"] = message.reasoning
    if message.keep_during_truncation:
        found["keep_during_truncation"] = True
    if message.summary:
        found["summary"] = True
    if message.extra:
        _write_extra(message, found)
    return found


def _write_call(call: Call) -> dict[str, Any]:
    if call.provider_executed or call.alt_id is not None:
        what = "provider-executed calls" if call.provider_executed else "a second call id"
        raise CannotCarry(f"openai-chat has no place for {what}")
    return {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.arguments}}


def _write_extra(message: Message, found: dict[str, Any]) -> None:
    for key, value in message.extra.items():
        if key in _NO_PLACE:
            raise CannotCarry(f"openai-chat has no place for {key}")
        if key == "parts":
            found["content"] = _copied(value)
        elif key not in found:
            found[key] = _copied(value)


def _copied(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _copied(inner) for key, inner in cast("Mapping[str, Any]", value).items()}
    if isinstance(value, list | tuple):
        return [_copied(inner) for inner in cast("list[Any]", value)]
    return value


def bare(item: Mapping[str, Any]) -> dict[str, Any]:
    """Return a message dict without the marks, as a provider is sent it."""
    return {key: value for key, value in item.items() if key not in MARKS}


def read(item: object) -> Message:
    """Read one message dict; raises `BadHistory` (without an index) with what to do."""
    if not isinstance(item, Mapping):
        raise BadHistory("a message is a dict", f"this is a {type(item).__name__}")
    given = cast("Mapping[str, Any]", item)
    role = given.get("role")
    if role not in _ROLES:
        raise BadHistory(f"unknown role {role!r}", "known: " + ", ".join(sorted(_ROLES)))
    calls = _read_calls(given.get("tool_calls"))
    text, parts = _read_content(given.get("content"))
    if text is None and not calls:
        text = ""
    call_id = given.get("tool_call_id")
    if role == "tool" and not isinstance(call_id, str):
        raise BadHistory("a tool message needs tool_call_id", "the id of the call that it answers, as a string")
    for key in ("name", "reasoning_content"):
        if not isinstance(given.get(key), str | None):
            raise BadHistory(f"{key} must be a string", f"this is a {type(given[key]).__name__}")
    extra = {key: value for key, value in given.items() if key not in _KNOWN} if len(given) > 2 else {}
    if parts is not None:
        extra["parts"] = parts
    return Message(
        role,
        text,
        calls=calls,
        call_id=call_id if role == "tool" else None,
        name=given.get("name"),
        reasoning=given.get("reasoning_content"),
        keep_during_truncation=bool(given.get("keep_during_truncation")),
        summary=bool(given.get("summary")),
        extra=extra or NO_EXTRA,
    )


def _read_calls(given: object) -> tuple[Call, ...]:
    if given is None:
        return ()
    if not isinstance(given, list):
        raise BadHistory("tool_calls must be a list", f"this is a {type(given).__name__}")
    calls: list[Call] = []
    for call in cast("list[Any]", given):
        function = call.get("function") if isinstance(call, Mapping) else None
        if not isinstance(function, Mapping):
            raise BadHistory("a tool call needs a function object", 'with "name" and "arguments"')
        known = cast("Mapping[str, Any]", function)
        arguments = known.get("arguments", "{}")
        identity = cast("Mapping[str, Any]", call).get("id")
        if not isinstance(arguments, str) or not isinstance(identity, str | None):
            raise BadHistory("a tool call's id and arguments are strings", "arguments as the raw JSON text")
        calls.append(Call(identity or "", str(known.get("name") or "f"), arguments=arguments))
    return tuple(calls)


def _read_content(content: object) -> tuple[str | None, list[Any] | None]:
    """Return the text, and the parts where one string can not stand for them."""
    if content is None or isinstance(content, str):
        return content, None
    if not isinstance(content, list):
        raise BadHistory("content must be a string, null or a list of parts", f"this is a {type(content).__name__}")
    parts = cast("list[Any]", content)
    texts: list[str] = []
    for part in parts:
        if not isinstance(part, Mapping):
            raise BadHistory("a content part is an object", f"this is a {type(part).__name__}")
        known = cast("Mapping[str, Any]", part)
        if known.get("type") == "text" and isinstance(known.get("text"), str):
            texts.append(known["text"])
    plain = len(parts) == 1 and len(texts) == 1 and set(cast("Mapping[str, Any]", parts[0])) == {"type", "text"}
    return "".join(texts), None if plain else [_copied(part) for part in parts]
