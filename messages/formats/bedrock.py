"""The `bedrock` wire format: the messages of Amazon Bedrock's Converse.

Blocks are unions of one key: `{"text": ...}`, `{"toolUse": ...}`, `{"toolResult": ...}`. Users and assistants must
alternate, so a user message behind results stands in their item, as its last block. The system prompt, which a request
may have outside of the list, leads the list as messages of role `system`; `detect` puts it there.

Normalised: what `dialect` lists; adjacent results, and the user message behind them, stand in one message, unless one
of them is marked; a result has no tool's name; arguments are compact JSON.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, cast

from ..errors import CannotCarry
from ..model import Call
from .format import Signs
from .items.dialect import Block, BlockPart, Dialect, riding
from .items.grouping import Grouping
from .items.values import copied, dumped, parsed

NAME = "bedrock"


def _text(text: str) -> Block:
    return {"text": text}


def _thought(text: str, signature: str | None) -> Block:
    signed = {} if signature is None else {"signature": signature}
    return {"reasoningContent": {"reasoningText": {"text": text, **signed}}}


def _call(call: Call) -> Block:
    return {"toolUse": {"toolUseId": call.id, "name": call.name, "input": parsed(call.arguments, NAME)}}


def _result(entry: Mapping[str, Any], _by_server: bool) -> Block:
    if "name" in entry:
        raise CannotCarry("bedrock has no place for a tool's name on a result")
    text = entry.get("text")
    content: Any = [] if text is None else [{"text": text}]
    if "parts" in entry:
        content = copied(entry["parts"])
        if _joined(content) != text:
            raise CannotCarry("a result has one content", "here its text and its parts differ")
    return {"toolResult": {"toolUseId": entry["call_id"], "content": content, **riding(entry, "parts")}}


def _joined(content: Any) -> str | None:
    blocks = [cast("Block", block) for block in cast("list[Any]", content) if isinstance(block, dict)]
    texts = [block["text"] for block in blocks if isinstance(block.get("text"), str)]
    return "".join(texts) if texts else None


def _parts_of(block: Mapping[str, Any], assistant: bool) -> Iterator[BlockPart]:
    if len(block) != 1:
        return
    [(kind, value)] = block.items()
    if kind == "text" and isinstance(value, str):
        yield BlockPart("text", value)
    elif not isinstance(value, Mapping):
        return
    elif kind == "reasoningContent" and assistant:
        thought = cast("Mapping[str, Any]", value).get("reasoningText")
        if isinstance(thought, Mapping):
            known = cast("Mapping[str, Any]", thought)
            yield BlockPart("thought", str(known.get("text") or ""))
            if isinstance(known.get("signature"), str):
                yield BlockPart("signature", known["signature"])
    elif kind == "toolUse" and assistant:
        use = cast("Mapping[str, Any]", value)
        arguments = dumped(use.get("input") or {})
        yield BlockPart("call", Call(str(use.get("toolUseId") or ""), str(use.get("name") or "f"), arguments=arguments))
    elif kind == "toolResult" and not assistant:
        yield BlockPart("result", _entry(cast("Mapping[str, Any]", value)))


def _entry(result: Mapping[str, Any]) -> Block:
    found: Block = {"call_id": str(result.get("toolUseId") or "")}
    content = result.get("content")
    if isinstance(content, list):
        text = _joined(content)
        if text is not None:
            found["text"] = text
        if content != ([] if text is None else [{"text": text}]):
            found["parts"] = copied(content)
    return {**found, **copied({key: value for key, value in result.items() if key not in ("toolUseId", "content")})}


FEATURES = frozenset({"keep", "summary", "reasoning", "signature", "inline_results"})
MISSING = frozenset({"bare_signature", "inline_results", "tool_names"})
GROUPING = Grouping(names="never", joins_text=True)
DIALECT = Dialect(
    NAME,
    {"system": "system", "user": "user", "assistant": "assistant", "results": "user"},
    _text,
    _call,
    _result,
    _parts_of,
    _thought,
    strings=False,
    features=FEATURES,
)


_BLOCK_KEYS = frozenset({"text", "toolUse", "toolResult", "reasoningContent", "cachePoint", "image", "document"})


def _untyped_blocks(system: Sequence[Mapping[str, Any]]) -> bool:
    return not any("type" in block for block in system)


def _is_union(block: Mapping[str, Any]) -> bool:
    return block.get("type") is None and len(block) == 1 and block.keys() <= _BLOCK_KEYS


def _system_item(prompt: Any) -> Block:
    return {"role": "system", "content": [_text(prompt)] if isinstance(prompt, str) else prompt}


FORMAT = DIALECT.format(
    GROUPING,
    missing_features=MISSING,
    signs=Signs(
        request_keys={"toolConfig", "inferenceConfig", "modelId"},
        model_key="modelId",
        tools_under="toolConfig",
        system_blocks=_untyped_blocks,
        tool_specs=("toolSpec",),
        block=_is_union,
        system_item=_system_item,
    ),
)
