"""The `anthropic` wire format: the messages of Anthropic's Messages API.

The results of a step are `tool_result` blocks of one user message, in front of its text. The system prompt, which a
request may have outside of the list, leads the list as messages of role `system`, so that a trimmer sees what it must
keep and what it costs; `detect` puts it there. Thinking has its signature; what the server runs itself is
`server_tool_use`, its result a block of the same message, or of a later one.

Normalised: what `dialect` lists; a result's content of one plain text is a string; adjacent results stand in one
message; a result has no tool's name; arguments are compact JSON.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, cast

from ..errors import CannotCarry
from ..model import Call
from .format import Signs
from .items.dialect import Block, BlockPart, Dialect, riding
from .items.grouping import Grouping
from .items.values import copied, dumped, parsed

NAME = "anthropic"
WEB_SEARCH = "web_search_tool_result"
"""The type of a server tool's result that names no other."""


def _text(text: str) -> Block:
    return {"type": "text", "text": text}


def _thought(text: str, signature: str | None) -> Block:
    if signature is None:
        raise CannotCarry("anthropic has no place for unsigned reasoning")
    return {"type": "thinking", "thinking": text, "signature": signature}


def _call(call: Call) -> Block:
    kind = "server_tool_use" if call.provider_executed else "tool_use"
    return {"type": kind, "id": call.id, "name": call.name, "input": parsed(call.arguments, NAME)}


def _result(entry: Mapping[str, Any], by_server: bool) -> Block:
    if "name" in entry:
        raise CannotCarry("anthropic has no place for a tool's name on a result")
    found: Block = {"type": "tool_result", "tool_use_id": entry["call_id"]}
    content: Any = copied(entry["parts"]) if "parts" in entry else entry.get("text")
    if by_server:
        if "text" in entry:
            raise CannotCarry("anthropic has no place for text as the result of a server tool", "it has blocks")
        found["type"] = entry.get("type", WEB_SEARCH)
        content = content or []
    elif "type" in entry:
        raise CannotCarry("anthropic has a type of its own on a result")
    elif "parts" in entry and "".join(_texts(content)) != entry.get("text", ""):
        raise CannotCarry("a result has one content", "here its text and its parts differ")
    if content is not None:
        found["content"] = content
    return {**found, **riding(entry, "parts", "type")}


def _texts(content: Any) -> Iterator[str]:
    for block in cast("list[Any]", content) if isinstance(content, list) else ():
        if isinstance(block, dict) and cast("Block", block).get("type") == "text":
            yield str(cast("Block", block).get("text") or "")


def _parts_of(block: Mapping[str, Any], assistant: bool) -> Iterator[BlockPart]:
    kind = block.get("type")
    if kind == "text" and isinstance(block.get("text"), str):
        yield BlockPart("text", block["text"])
    elif kind == "thinking" and assistant and isinstance(block.get("thinking"), str):
        yield BlockPart("thought", block["thinking"])
        if isinstance(block.get("signature"), str):
            yield BlockPart("signature", block["signature"])
    elif (
        kind in ("tool_use", "server_tool_use", "mcp_tool_use")
        and assistant
        and isinstance(block.get("input"), Mapping)
    ):
        call_id, name = str(block.get("id") or ""), str(block.get("name") or "f")
        yield BlockPart(
            "call", Call(call_id, name, arguments=dumped(block["input"]), provider_executed=kind != "tool_use")
        )
    elif isinstance(kind, str) and kind.endswith("tool_result") and assistant == (kind != "tool_result"):
        yield BlockPart("result", _entry(block, kind))


def _entry(block: Mapping[str, Any], kind: str) -> Block:
    found: Block = {"call_id": str(block.get("tool_use_id") or "")}
    content = block.get("content")
    if kind not in ("tool_result", WEB_SEARCH):
        found["type"] = kind
    if isinstance(content, str) and kind == "tool_result":
        found["text"] = content
    elif content is not None and not (content == [] and kind != "tool_result"):
        texts = list(_texts(content)) if kind == "tool_result" else []
        if texts:
            found["text"] = "".join(texts)
        found["parts"] = copied(content)
    riding_along = {key: value for key, value in block.items() if key not in ("type", "tool_use_id", "content")}
    return {**found, **copied(riding_along)}


def _tidy_block(block: Block) -> Block:
    content = block.get("content")
    if block.get("type") == "tool_result" and isinstance(content, list) and len(cast("list[Any]", content)) == 1:
        only = cast("list[Any]", content)[0]
        if isinstance(only, dict) and cast("Block", only).keys() == {"type", "text"} and only["type"] == "text":
            return {**block, "content": only["text"]}
    return block


FEATURES = frozenset({"keep", "summary", "reasoning", "signature", "provider_executed", "inline_results"})
MISSING = frozenset({"bare_signature", "tool_names", "unsigned_reasoning", "provider_tool_results"})
GROUPING = Grouping(names="never")
DIALECT = Dialect(
    NAME,
    {"system": "system", "user": "user", "assistant": "assistant", "results": "user"},
    _text,
    _call,
    _result,
    _parts_of,
    _thought,
    features=FEATURES,
    tidy_block=_tidy_block,
)


def _typed_blocks(system: Sequence[Mapping[str, Any]]) -> bool:
    return any("type" in block for block in system)


def _is_server_result(block: Mapping[str, Any]) -> bool:
    kind = block.get("type")
    return isinstance(kind, str) and kind.endswith("_tool_result")


FORMAT = DIALECT.format(
    GROUPING,
    missing_features=MISSING,
    signs=Signs(
        request_keys={"anthropic_version", "stop_sequences"},
        system_blocks=_typed_blocks,
        tool_keys={"input_schema"},
        block_types={
            "tool_use", "tool_result", "thinking", "redacted_thinking", "server_tool_use", "mcp_tool_use", "document",
        },
        block=_is_server_result,
    ),
)  # fmt: skip
