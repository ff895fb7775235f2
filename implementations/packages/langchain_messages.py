"""The format `langchain-core`: histories as langchain-core's own message objects, one message each.

A `developer` message is a SystemMessage with `__openai_role__`, reasoning is `reasoning_content`, both as
langchain-core and its partner packages have it; our marks and unknown keys ride in `additional_kwargs` under their
own names. Arguments are parsed, as everywhere in LangChain: those that are no JSON object make an
`invalid_tool_call`, and a raw string that parsing would not give back (blanks, escapes) rides along as
`raw_arguments`, believed only while it still says the same.

Normalised: a call message without text has the content "", so an empty text beside calls is read as none.
langchain-core is imported with the first message that is written or read.
"""

import json
from collections.abc import Mapping
from functools import cache, lru_cache
from types import SimpleNamespace
from typing import Any, cast

from ...messages.errors import BadHistory, CannotCarry, a_kind
from ...messages.formats.registry import Format, register_format
from ...messages.model import NO_EXTRA, Call, Message
from .shared import load

_NO_PLACE = ("inline_results", "approval_request", "approval_response", "item_id", "text_first")
_OPENAI_ROLE = "__openai_role__"
_KNOWN_KEYS = frozenset(
    {_OPENAI_ROLE, "reasoning_content", "keep_during_truncation", "summary", "raw_arguments", "lc_source"}
)
_ROLES = {"system": "system", "human": "user", "ai": "assistant", "tool": "tool"}


@cache
def _classes() -> SimpleNamespace:
    messages = load("langchain_core.messages")
    return SimpleNamespace(
        base=messages.BaseMessage,
        ai=messages.AIMessage,
        tool=messages.ToolMessage,
        plain={
            "system": messages.SystemMessage,
            "developer": messages.SystemMessage,
            "user": messages.HumanMessage,
            "assistant": messages.AIMessage,
        },
    )


def write(message: Message) -> Any:
    """Write a message as a fresh langchain-core object; raises `CannotCarry` for what has no place there."""
    classes, role = _classes(), message.role
    given: dict[str, Any] = {}
    if message.name is not None:
        given["name"] = message.name
    if message.calls:
        if role != "assistant":
            raise CannotCarry(f"langchain-core has no place for calls on a message of role {role!r}")
        _write_calls(message.calls, given)
    marked = message.keep_during_truncation or message.summary or message.reasoning is not None
    if marked or message.extra or role == "developer":
        _write_kwargs(message, given)
    content = _fresh(message.extra["parts"]) if "parts" in message.extra else message.text or ""
    if role == "tool":
        return classes.tool(content, tool_call_id=message.call_id or "", **given)
    if message.call_id is not None:
        raise CannotCarry(f"langchain-core has no place for a call id on a message of role {role!r}")
    try:
        return classes.plain[role](content, **given)
    except KeyError:
        raise CannotCarry(f"langchain-core has no place for the role {role!r}") from None


def _write_calls(calls: tuple[Call, ...], given: dict[str, Any]) -> None:
    parsed: list[dict[str, Any]] = []
    invalid: list[dict[str, Any]] = []
    raw: dict[str, str] = {}
    for position, call in enumerate(calls):
        if call.provider_executed or call.alt_id is not None:
            what = "provider-executed calls" if call.provider_executed else "a second call id"
            raise CannotCarry(f"langchain-core has no place for {what}")
        kind = _kind(call.arguments)
        if kind == "invalid":
            invalid.append(
                {"name": call.name, "args": call.arguments, "id": call.id, "error": None, "type": "invalid_tool_call"}
            )
            raw[str(position)] = ""
            continue
        args: dict[str, Any] = {} if kind == "empty" else json.loads(call.arguments)
        parsed.append({"name": call.name, "args": args, "id": call.id, "type": "tool_call"})
        if kind == "odd":
            raw[str(position)] = call.arguments
    given["tool_calls"] = parsed
    if invalid:
        given["invalid_tool_calls"] = invalid
    if raw:
        given["additional_kwargs"] = {"raw_arguments": raw}


@lru_cache(maxsize=4096)
def _kind(arguments: str) -> str:
    """Say how a raw string survives parsing: `empty`, `plain` (given back as it was), `odd` (not), or `invalid`."""
    if arguments == "{}":
        return "empty"
    try:
        args = json.loads(arguments)
    except (ValueError, RecursionError):
        return "invalid"
    if not isinstance(args, dict):
        return "invalid"
    return "plain" if _dumped(args) == arguments else "odd"


_dumped = json.JSONEncoder(separators=(",", ":"), ensure_ascii=False).encode


def _write_kwargs(message: Message, given: dict[str, Any]) -> None:
    found: dict[str, Any] = given.setdefault("additional_kwargs", {})
    if message.role == "developer":
        found[_OPENAI_ROLE] = "developer"
    if message.reasoning is not None:
        found["reasoning_content"] = message.reasoning
    if message.keep_during_truncation:
        found["keep_during_truncation"] = True
    if message.summary:
        found["summary"] = True
    for key, value in message.extra.items():
        if key in _NO_PLACE:
            raise CannotCarry(f"langchain-core has no place for {key}")
        if key != "parts" and key not in _KNOWN_KEYS:
            found[key] = _fresh(value)


def _fresh(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _fresh(inner) for key, inner in cast("Mapping[str, Any]", value).items()}
    if isinstance(value, list | tuple):
        return [_fresh(inner) for inner in cast("list[Any]", value)]
    return value


def read(item: Any) -> Message:
    """Read one langchain-core message; raises `BadHistory` with what to do. A summary by LangChain counts as
    declared.
    """
    classes = _classes()
    if not isinstance(item, classes.base):
        raise BadHistory("a langchain-core trimmer returns messages", f"this is {a_kind(item)}")
    role = _ROLES.get(item.type)
    if role is None:
        raise BadHistory(f"unknown kind of message {item.type!r}", "known: " + ", ".join(_ROLES))
    text, parts = _read_content(item.content)
    calls = _read_calls(item) if role == "assistant" else ()
    reasoning, keep, summary, extra = None, False, False, NO_EXTRA
    kwargs = item.additional_kwargs
    if kwargs:
        reasoning = kwargs.get("reasoning_content")
        keep = bool(kwargs.get("keep_during_truncation"))
        summary = bool(kwargs.get("summary")) or kwargs.get("lc_source") == "summarization"
        extra = {key: value for key, value in kwargs.items() if key not in _KNOWN_KEYS}
        if role == "system" and kwargs.get(_OPENAI_ROLE) == "developer":
            role = "developer"
    if parts is not None:
        extra = {**extra, "parts": parts}
    return Message(
        role,
        text or None if calls else text,
        calls=calls,
        call_id=item.tool_call_id if role == "tool" else None,
        name=item.name,
        reasoning=reasoning,
        keep_during_truncation=keep,
        summary=summary,
        extra=extra or NO_EXTRA,
    )


def _read_calls(item: Any) -> tuple[Call, ...]:
    raw: dict[str, str] = item.additional_kwargs.get("raw_arguments", {}) if item.additional_kwargs else {}
    parsed = [Call(call["id"] or "", call["name"], arguments=_dumped(call["args"])) for call in item.tool_calls]
    if not raw and not item.invalid_tool_calls:
        return tuple(parsed)
    invalid = [
        Call(call["id"] or "", call["name"] or "f", arguments=call["args"] or "{}") for call in item.invalid_tool_calls
    ]
    found: list[Call] = []
    while parsed or invalid:
        written = raw.get(str(len(found)))
        if invalid and (written == "" or not parsed):
            found.append(invalid.pop(0))
            continue
        call = parsed.pop(0)
        if written and _says(written, call.arguments):
            call = Call(call.id, call.name, arguments=written)
        found.append(call)
    return tuple(found)


def _says(written: str, arguments: str) -> bool:
    try:
        return _dumped(json.loads(written)) == arguments
    except ValueError:
        return False


def _read_content(content: Any) -> tuple[str, list[Any] | None]:
    if isinstance(content, str):
        return content, None
    texts = [
        part if isinstance(part, str) else part.get("text", "")
        for part in content
        if isinstance(part, str) or part.get("type") == "text"
    ]
    plain = (
        len(content) == 1 and len(texts) == 1 and (isinstance(content[0], str) or set(content[0]) == {"type", "text"})
    )
    return "".join(texts), None if plain else _fresh(content)


LANGCHAIN_CORE = register_format(
    Format(
        "langchain-core",
        write,
        read,
        provider="openai-chat",
        carries=frozenset({"keep", "summary", "developer", "reasoning"}),
    )
)
