"""Detection: what format a transcript has, read off the transcript itself.

It is a request body, a list of messages or items, or the lines of a JSONL file. Each format has signs that no other
has: a block type, a key, a parameter of the request. One format with signs is the answer; signs of two are an error
that shows one of each; a list that says nothing but roles and strings is `openai-chat`, which every reader can read.
System prompts that a request has outside of its list become the list's first items, as a trimmer sees them.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, cast

from attrs import frozen

from ..errors import BadHistory, a_kind
from ..model import History, Message
from ..neutral import dump_message, load_message
from ..requests import Request
from . import ai_sdk, anthropic, bedrock, gemini
from .items.dialect import Dialect
from .registry import Format, format_named

DIALECTS: dict[str, Dialect] = {wire.NAME: wire.DIALECT for wire in (ai_sdk, anthropic, bedrock, gemini)}
_NEUTRAL_JSON = Format("neutral", dump_message, load_message, dicts=True)
"""Neutral messages as a file holds them."""


@frozen
class Transcript:
    """A transcript, read.

    `items` are what a trimmer of this format is handed, `sent` the history in the format's own shape, one message for
    each item, as rules about turns want it, and `sent_where` the path of each in the file (`messages[3]`, `system`).
    `history` is the plain history, with every result as a message of its own, and `where` its paths
    (`messages[3].content[1]`). `tools` are the names of the declared tools, None where the file is no request.
    `anchored`: something stands on the server (`previous_response_id`, `conversation`, an item that refers to one).
    """

    format: str
    items: tuple[Any, ...]
    sent: History
    sent_where: tuple[str, ...]
    history: History
    where: tuple[str, ...]
    tools: tuple[str, ...] | None = None
    anchored: bool = False
    model: str | None = None

    @property
    def request(self) -> Request:
        """What is known of the request beside its history: the tools that it declares."""
        return Request(self.tools)


def read_transcript(data: object, *, format: str | None = None) -> Transcript:
    """Read parsed JSON: a request body, a list of messages or items, or of JSONL lines; `format` names it where known.

    Raises `BadHistory` with one sentence, and the path of what is wrong.
    """
    body, key, given = _list_in(data)
    paths = [f"{key}[{index}]" for index in range(len(given))]
    items, paths = _unwrapped(given, paths)
    name = format or _format_of(body, items, paths)
    lead, lead_paths = _system_items(body, name)
    items, paths = [*lead, *items], [*lead_paths, *paths]
    form = _NEUTRAL_JSON if name == "neutral" else format_named(name)
    try:
        sent = form.read_items(items)
    except BadHistory as error:
        where = f"{paths[error.index]}: " if error.index is not None else ""
        raise BadHistory(f"{where}{error.problem}", error.hint) from None
    history, where = _plain(form, items, sent, paths)
    model = body.get("model") or body.get("modelId")
    return Transcript(
        name,
        tuple(items),
        sent,
        tuple(paths),
        history,
        where,
        _tools(body) if body else None,
        bool(body.get("previous_response_id") or body.get("conversation")) or any(map(refers, items)),
        model if isinstance(model, str) else None,
    )


def refers(item: Any) -> bool:
    """Say whether an item of Responses stands for one that the server holds."""
    return isinstance(item, Mapping) and cast("Mapping[str, Any]", item).get("type") == "item_reference"


def _list_in(data: object) -> tuple[Mapping[str, Any], str, list[Any]]:
    """Return the request (empty for a bare list), the key of its list, and the list."""
    if isinstance(data, list | tuple):
        lines = list(cast("Sequence[Any]", data))
        if len(lines) == 1 and _key_of(lines[0]) is not None:
            return _list_in(lines[0])
        return {}, "messages", lines
    if not isinstance(data, Mapping):
        raise BadHistory("a transcript is a request, or a list of messages", f"this is {a_kind(data)}")
    body = cast("Mapping[str, Any]", data)
    for wrapper in ("request", "body"):
        if _key_of(body.get(wrapper)) is not None:
            body = cast("Mapping[str, Any]", body[wrapper])
    key = _key_of(body)
    if key is None:
        raise BadHistory("no messages, input or contents in it", f"its keys: {', '.join(map(str, body)) or 'none'}")
    found = body[key]
    return body, key, [{"role": "user", "content": found}] if isinstance(found, str) else list(found)


def _key_of(body: object) -> str | None:
    """Return the key of the list in a request; None for what is no request. `input` may be one string."""
    known: Mapping[str, Any] = cast("Mapping[str, Any]", body) if isinstance(body, Mapping) else {}
    for key in ("messages", "contents", "input"):
        if isinstance(known.get(key), list) or (key == "input" and isinstance(known.get(key), str)):
            return key
    return None


def _unwrapped(given: list[Any], paths: list[str]) -> tuple[list[Any], list[str]]:
    """Take messages out of JSONL lines that log them with something around; lines without a message are left out."""
    wrapped = [isinstance(line, Mapping) and isinstance(cast("Any", line).get("message"), Mapping) for line in given]
    if not any(wrapped):
        return given, paths
    kept = [index for index, has in enumerate(wrapped) if has]
    return [given[index]["message"] for index in kept], [f"{paths[index]}.message" for index in kept]


def _format_of(body: Mapping[str, Any], items: list[Any], paths: list[str]) -> str:
    found: dict[str, str] = {}
    for name, path in _signs_of_request(body):
        found.setdefault(name, path)
    for item, path in zip(items, paths, strict=True):
        if isinstance(item, Mapping):
            for name, place in _signs(cast("Mapping[str, Any]", item)):
                found.setdefault(name, f"{path}{place}")
    if len(found) > 1:
        seen = " and ".join(f"of {name} ({path})" for name, path in found.items())
        raise BadHistory(f"this has signs {seen}", "say which it is")
    return next(iter(found), "openai-chat")


def _signs_of_request(body: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for key in body:
        if key in _REQUEST_SIGNS:
            yield _REQUEST_SIGNS[key], key
    system = body.get("system")
    if isinstance(system, list) and all(isinstance(block, Mapping) for block in cast("list[Any]", system)):
        typed = any("type" in block for block in cast("list[Any]", system))
        yield ("anthropic" if typed else "bedrock"), "system"
    tools = body.get("tools")
    for tool in cast("list[Any]", tools) if isinstance(tools, list) else ():
        if isinstance(tool, Mapping) and "input_schema" in tool:
            yield "anthropic", "tools"


_REQUEST_SIGNS = {
    "contents": "gemini", "systemInstruction": "gemini", "generationConfig": "gemini",
    "input": "openai-responses", "previous_response_id": "openai-responses", "instructions": "openai-responses",
    "toolConfig": "bedrock", "inferenceConfig": "bedrock", "modelId": "bedrock",
    "anthropic_version": "anthropic", "stop_sequences": "anthropic",
    "max_completion_tokens": "openai-chat",
}  # fmt: skip
_ITEM_TYPES = frozenset({"message", "reasoning", "item_reference", "mcp_list_tools", "compaction"})
_BLOCK_TYPES = {
    "tool_use": "anthropic", "tool_result": "anthropic", "thinking": "anthropic", "redacted_thinking": "anthropic",
    "server_tool_use": "anthropic", "mcp_tool_use": "anthropic", "document": "anthropic",
    "tool-call": "ai-sdk", "tool-result": "ai-sdk", "reasoning": "ai-sdk", "tool-approval-request": "ai-sdk",
    "tool-approval-response": "ai-sdk",
    "image_url": "openai-chat", "input_audio": "openai-chat", "refusal": "openai-chat",
    "input_text": "openai-responses", "output_text": "openai-responses", "input_image": "openai-responses",
}  # fmt: skip
_BLOCK_KEYS = frozenset({"text", "toolUse", "toolResult", "reasoningContent", "cachePoint", "image", "document"})


def _signs(item: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield formats that alone have something in this item, with the path of it inside the item."""
    kind = item.get("type")
    if isinstance(kind, str) and (kind in _ITEM_TYPES or kind.endswith(("_call", "_output")) or kind[:4] == "mcp_"):
        yield "openai-responses", ".type"
        return
    for key in ("tool_calls", "tool_call_id", "reasoning_content", "function_call"):
        if key in item:
            yield "openai-chat", f".{key}"
    content = item.get("content")
    if isinstance(item.get("parts"), list) and content is None and "text" not in item:
        yield "gemini", ".parts"
    elif content is None and ("text" in item or "calls" in item or "call_id" in item):
        yield "neutral", ".text" if "text" in item else ".calls" if "calls" in item else ".call_id"
    for index, block in enumerate(cast("list[Any]", content) if isinstance(content, list) else ()):
        if not isinstance(block, Mapping):
            continue
        known = cast("Mapping[str, Any]", block)
        typed = known.get("type")
        if typed is None and len(known) == 1 and known.keys() <= _BLOCK_KEYS:
            yield "bedrock", f".content[{index}]"
        elif isinstance(typed, str):
            name = "anthropic" if typed.endswith("_tool_result") else _BLOCK_TYPES.get(typed)
            if name is not None:
                yield name, f".content[{index}]"


def _system_items(body: Mapping[str, Any], name: str) -> tuple[list[Any], list[str]]:
    for key in ("system", "systemInstruction", "system_instruction", "instructions"):
        given = body.get(key)
        if not given:
            continue
        if name == "gemini":
            parts = cast("Mapping[str, Any]", given).get("parts") if isinstance(given, Mapping) else [{"text": given}]
            return [{"role": "system", "parts": parts}], [key]
        content = [{"text": given}] if name == "bedrock" and isinstance(given, str) else given
        return [{"role": "system", "content": content}], [key]
    return [], []


def _tools(body: Mapping[str, Any]) -> tuple[str, ...]:
    config = body.get("toolConfig")
    given = cast("Mapping[str, Any]", config).get("tools") if isinstance(config, Mapping) else body.get("tools")
    if isinstance(given, Mapping):
        return tuple(map(str, cast("Mapping[str, Any]", given)))
    return tuple(name for tool in cast("list[Any]", given or ()) for name in _tool_names(tool))


def _tool_names(tool: Any) -> Iterator[str]:
    if not isinstance(tool, Mapping):
        return
    known = cast("Mapping[str, Any]", tool)
    declared = known.get("functionDeclarations") or known.get("function_declarations")
    for one in cast("list[Any]", declared) if isinstance(declared, list) else ():
        yield from _tool_names(one)
    inner = known.get("function") or known.get("toolSpec") or known
    name = cast("Mapping[str, Any]", inner).get("name") if isinstance(inner, Mapping) else None
    if isinstance(name, str):
        yield name


def _plain(form: Format, items: list[Any], sent: History, paths: list[str]) -> tuple[History, tuple[str, ...]]:
    """Return the plain history and the path of each of its messages."""
    history: list[Message] = []
    where: list[str] = []
    for item, message, path in zip(items, sent, paths, strict=True):
        joined = form.plain((history[-1], message)) if history else ()
        if len(joined) == 1:
            history[-1] = joined[0]
            continue
        pieces = form.plain((message,))
        history.extend(pieces)
        where.extend([path] if len(pieces) == 1 else _inside(DIALECTS[form.name], item, path, len(pieces)))
    return tuple(history), tuple(where)


def _inside(dialect: Dialect, item: Mapping[str, Any], path: str, count: int) -> Iterator[str]:
    """Yield the paths of the blocks that became messages: results, then a text behind them."""
    blocks = dialect.blocks_of(item, ("result", "text"))
    for index in blocks[:count]:
        yield f"{path}.{dialect.key}[{index}]"
