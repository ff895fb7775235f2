"""The `openai-chat` wire format: the message dicts of OpenAI's Chat Completions.

Marks (`keep_during_truncation`, `summary`, `inserted`) are top-level keys, there only when true. A tool message always
has `tool_call_id` and a string `content`; an assistant with calls and no text has `content: null`. Sizes never travel.
Keys that are not known ride along in `extra`; what would be lost on the way is an error that names it.

Normalised, in either direction: no content without calls is the empty string; one plain text part is a string; a
call's `name` and `arguments`, left out, are `f` and `{}`; a mark that is false, an empty list of calls and a known key
with null are left out. Other parts ride along as `parts`, with their text in `text`.
"""

from collections.abc import Mapping
from typing import Any, cast

from ..errors import BadHistory, CannotCarry, a_kind
from ..model import Call, Message

_ROLES = ("system", "developer", "user", "assistant", "tool")
_KNOWN = frozenset(
    {"role", "content", "tool_calls", "tool_call_id", "name", "reasoning_content", "keep_during_truncation", "summary"}
)
_NO_PLACE = frozenset({"inline_results", "approval_request", "approval_response", "item_id", "text_first"})
MARKS = frozenset({"keep_during_truncation", "summary", "inserted"})


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
        if key in _KNOWN:
            raise CannotCarry(f"openai-chat has a {key} of its own", "it cannot ride along under that name")
        if key == "parts":
            if _read_content(value)[0] != (message.text or ""):
                raise CannotCarry("openai-chat has one content", "here text and the text of the parts differ")
            found["content"] = _copied(value)
        else:
            found[key] = _copied(value)


def _copied(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _copied(inner) for key, inner in cast("Mapping[str, Any]", value).items()}
    if isinstance(value, list | tuple):
        return [_copied(inner) for inner in cast("list[Any]", value)]
    return value


def read(item: object) -> Message:
    """Read one message dict; raises `BadHistory` (without an index) with what to do."""
    given = _mapping(item, "a message is a dict")
    role = given.get("role")
    if role not in _ROLES:
        raise BadHistory(f"unknown role {role!r}", "known: " + ", ".join(_ROLES))
    calls = _read_calls(given.get("tool_calls"))
    text, parts = _read_content(given.get("content"))
    if text is None and not calls:
        text = ""
    call_id = given.get("tool_call_id")
    if role == "tool" and not isinstance(call_id, str):
        raise BadHistory("a tool message needs tool_call_id", "the id of the call that it answers, as a string")
    if role != "tool" and call_id is not None:
        raise BadHistory(f"a message of role {role!r} has no tool_call_id", "only a tool message answers a call")
    for key in ("name", "reasoning_content"):
        if not isinstance(given.get(key), str | None):
            raise BadHistory(f"{key} must be a string", f"this is {a_kind(given[key])}")
    extra = {key: _copied(value) for key, value in given.items() if key not in _KNOWN}
    if parts is not None:
        extra["parts"] = parts
    return Message(
        role,
        text,
        calls=calls,
        call_id=call_id,
        name=given.get("name"),
        reasoning=given.get("reasoning_content"),
        keep_during_truncation=bool(given.get("keep_during_truncation")),
        summary=bool(given.get("summary")),
        extra=extra,
    )


def _mapping(item: object, problem: str) -> Mapping[str, Any]:
    if not isinstance(item, Mapping):
        raise BadHistory(problem, f"this is {a_kind(item)}")
    return cast("Mapping[str, Any]", item)


def _read_calls(given: object) -> tuple[Call, ...]:
    if given is None:
        return ()
    if not isinstance(given, list | tuple):
        raise BadHistory("tool_calls must be a list", f"this is {a_kind(given)}")
    return tuple(_read_call(call) for call in cast("list[object]", given))


def _read_call(item: object) -> Call:
    call = _mapping(item, "a tool call is a dict")
    function = _mapping(call.get("function"), 'a tool call needs a function with "name" and "arguments"')
    for key in (*(set(call) - {"id", "type", "function"}), *(set(function) - {"name", "arguments"})):
        raise BadHistory(f"unknown key {key!r} in a tool call", "it would be lost")
    identity, name, arguments = call.get("id"), function.get("name"), function.get("arguments")
    for value in (identity, name, arguments):
        if not isinstance(value, str | None):
            raise BadHistory("a tool call's id, name and arguments are strings", "arguments as the raw JSON text")
    return Call(identity or "", "f" if name is None else name, arguments="{}" if arguments is None else arguments)


def _read_content(content: object) -> tuple[str | None, list[Any] | None]:
    """Return the text, and the parts where one string can not stand for them."""
    if content is None or isinstance(content, str):
        return content, None
    if not isinstance(content, list | tuple):
        raise BadHistory("content must be a string, null or a list of parts", f"this is {a_kind(content)}")
    parts = [_mapping(part, "a content part is a dict") for part in cast("list[object]", content)]
    texts = [part["text"] for part in parts if part.get("type") == "text" and isinstance(part.get("text"), str)]
    plain = len(parts) == 1 and len(texts) == 1 and set(parts[0]) == {"type", "text"}
    return "".join(texts), None if plain else _copied(parts)
