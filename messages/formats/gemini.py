"""The `gemini` wire format: the contents of Google's Gemini API, in its JSON spelling (`functionCall`).

Calls are answered in the turn right behind theirs, by as many responses; ids may be absent, and then the order decides:
an empty id and an absent one are the same, and the empty id pairs by position. A response names its function. A thought
is a part marked `thought`; a signature stands on the first call, else on the text. The system instruction, which a
request has outside of the list, leads the list as items of role `system`; `detect` puts it there.

Normalised: what `dialect` lists; adjacent results stand in one item; a result has its tool's name (`f` for one without
a call); arguments are compact JSON; snake_case keys are camelCase; no role is `user`, and so is `function`.
"""

from collections.abc import Iterator, Mapping
from typing import Any, cast

from ..errors import CannotCarry
from ..model import Call
from .format import Signs
from .items.dialect import Block, BlockPart, Dialect, riding
from .items.grouping import Grouping
from .items.values import copied, dumped, parsed

NAME = "gemini"
_SPELLINGS = {
    "function_call": "functionCall", "function_response": "functionResponse", "thought_signature": "thoughtSignature",
}  # fmt: skip


def _text(text: str) -> Block:
    return {"text": text}


def _thought(text: str, _signature: str | None) -> Block:
    return {"text": text, "thought": True}


def _identified(call_id: str) -> Block:
    return {"id": call_id} if call_id else {}


def _call(call: Call) -> Block:
    return {"functionCall": {**_identified(call.id), "name": call.name, "args": parsed(call.arguments, NAME)}}


def _result(entry: Mapping[str, Any], _by_server: bool) -> Block:
    if "name" not in entry:
        raise CannotCarry(
            "gemini has no place for a result without the tool's name", "shape() gives it that of its call"
        )
    text = entry.get("text")
    answer: Any = {} if text is None else {"output": text}
    if "response" in entry:
        answer = copied(entry["response"])
        if _text_of(answer) != text:
            raise CannotCarry("a result has one content", "here its text and its response differ")
    known = {**_identified(entry["call_id"]), "name": entry["name"], "response": answer}
    return {"functionResponse": {**known, **riding(entry, "response")}}


def _text_of(answer: Any) -> str | None:
    """Return what a response says: its output where that is text, else all of it as JSON."""
    if answer == {}:
        return None
    output = cast("Block", answer).get("output") if isinstance(answer, dict) else None
    return output if isinstance(output, str) else dumped(answer)


def _sign(blocks: list[Block], signature: str) -> None:
    """Sign the first call; without calls the last block."""
    for block in blocks:
        if "functionCall" in block:
            block["thoughtSignature"] = signature
            return
    if not blocks:
        raise CannotCarry("gemini has no place for a signature without anything that it signs")
    blocks[-1]["thoughtSignature"] = signature


def _parts_of(block: Mapping[str, Any], assistant: bool) -> Iterator[BlockPart]:
    keys = set(block) - {"thoughtSignature"}
    if isinstance(block.get("thoughtSignature"), str) and assistant:
        yield BlockPart("signature", block["thoughtSignature"])
    if keys == {"text"} and isinstance(block["text"], str):
        yield BlockPart("text", block["text"])
    elif keys == {"text", "thought"} and assistant and isinstance(block["text"], str):
        yield BlockPart("thought", block["text"])
    elif keys == {"functionCall"} and assistant and isinstance(block["functionCall"], Mapping):
        call = cast("Mapping[str, Any]", block["functionCall"])
        arguments = dumped(call.get("args") or {})
        yield BlockPart("call", Call(str(call.get("id") or ""), str(call.get("name") or "f"), arguments=arguments))
    elif keys == {"functionResponse"} and not assistant and isinstance(block["functionResponse"], Mapping):
        yield BlockPart("result", _entry(cast("Mapping[str, Any]", block["functionResponse"])))


def _entry(result: Mapping[str, Any]) -> Block:
    found: Block = {"call_id": str(result.get("id") or ""), "name": str(result.get("name") or "f")}
    answer = result.get("response")
    text = _text_of(answer or {})
    if text is not None:
        found["text"] = text
    if answer not in ({}, {"output": text}):
        found["response"] = copied(answer)
    return {**found, **copied({key: value for key, value in result.items() if key not in ("id", "name", "response")})}


def _tidy_block(block: Block) -> Block:
    found = {_SPELLINGS.get(key, key): value for key, value in block.items()}
    call = found.get("functionCall")
    if isinstance(call, Mapping):
        given = {key: value for key, value in cast("Mapping[str, Any]", call).items() if value or key != "id"}
        found["functionCall"] = {**given, "args": given.get("args") or {}}
    answer = found.get("functionResponse")
    if isinstance(answer, Mapping):
        found["functionResponse"] = {k: v for k, v in cast("Mapping[str, Any]", answer).items() if v or k != "id"}
    return found


def _tidy_item(item: Block) -> Block:
    return {**item, "role": "user"} if item.get("role") in (None, "function") else item


FEATURES = frozenset({"keep", "summary", "reasoning", "signature", "inline_results"})
MISSING = frozenset({"inline_results", "unnamed_results", "system_midway"})
GROUPING = Grouping(names="always")
DIALECT = Dialect(
    NAME,
    {"system": "system", "user": "user", "assistant": "model", "results": "user"},
    _text,
    _call,
    _result,
    _parts_of,
    _thought,
    sign=_sign,
    key="parts",
    strings=False,
    features=FEATURES,
    tidy_block=_tidy_block,
    tidy_item=_tidy_item,
)


def _sign_of(item: Mapping[str, Any]) -> str | None:
    parts = isinstance(item.get("parts"), list) and item.get("content") is None and "text" not in item
    return ".parts" if parts else None


def _system_item(prompt: Any) -> Block:
    parts = cast("Block", prompt).get("parts") if isinstance(prompt, Mapping) else [_text(prompt)]
    return {"role": "system", "parts": parts}


FORMAT = DIALECT.format(
    GROUPING,
    missing_features=MISSING,
    signs=Signs(
        request_keys={"contents", "systemInstruction", "generationConfig"},
        list_key="contents",
        system_keys=("systemInstruction", "system_instruction"),
        tool_lists=("functionDeclarations", "function_declarations"),
        item=_sign_of,
        system_item=_system_item,
    ),
)
