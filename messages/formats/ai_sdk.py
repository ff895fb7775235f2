"""The `ai-sdk` wire format: the model messages of Vercel's AI SDK, as JSON.

Results are `tool-result` parts of a message of role `tool`, all of a step in one; what the provider runs itself is a
`tool-call` with `providerExecuted`, its result a part of an assistant message. An approval is asked for by a
`tool-approval-request` beside the call, and given by a `tool-approval-response` in front of the results.

Normalised: what `dialect` lists; adjacent results stand in one message, which an approval opens; a result has its
tool's name (`f` for one without a call); arguments are compact JSON.
"""

from collections.abc import Iterator, Mapping
from typing import Any, cast

from ..errors import CannotCarry
from ..model import Call, Message
from .format import Signs
from .items.dialect import Block, BlockPart, Dialect, riding
from .items.grouping import Grouping
from .items.values import copied, dumped, parsed

NAME = "ai-sdk"
SERVER_TOOL = "web_search"
"""The tool of a result in an assistant message that names no other."""
_SIGNED_BY = "anthropic"
"""The provider whose options hold a signature."""


def _text(text: str) -> Block:
    return {"type": "text", "text": text}


def _thought(text: str, signature: str | None) -> Block:
    signed = {} if signature is None else {"providerOptions": {_SIGNED_BY: {"signature": signature}}}
    return {"type": "reasoning", "text": text, **signed}


def _call(call: Call) -> Block:
    found: Block = {"type": "tool-call", "toolCallId": call.id, "toolName": call.name}
    found["input"] = parsed(call.arguments, NAME)
    return {**found, "providerExecuted": True} if call.provider_executed else found


def _result(entry: Mapping[str, Any], by_server: bool) -> Block:
    if "name" not in entry and not by_server:
        raise CannotCarry(
            "ai-sdk has no place for a result without the tool's name", "shape() gives it that of its call"
        )
    text = entry.get("text")
    output: Any = {"type": "json", "value": None} if text is None else {"type": "text", "value": text}
    if "output" in entry:
        output = copied(entry["output"])
        if _text_of(output) != text:
            raise CannotCarry("a result has one content", "here its text and its output differ")
    found: Block = {"type": "tool-result", "toolCallId": entry["call_id"], "toolName": entry.get("name", SERVER_TOOL)}
    return {**found, "output": output, **riding(entry, "output")}


def _text_of(output: Any) -> str | None:
    value = cast("Block", output).get("value") if isinstance(output, dict) else output
    return value if value is None or isinstance(value, str) else dumped(value)


def _request(approval: str, message: Message) -> Block:
    if not message.calls:
        raise CannotCarry("ai-sdk has no place for an approval request without a call")
    return {"type": "tool-approval-request", "approvalId": approval, "toolCallId": message.calls[0].id}


def _response(message: Message) -> Block:
    extra = message.extra
    found: Block = {"type": "tool-approval-response", "approvalId": str(extra["approval_response"])}
    found["approved"] = extra.get("approved", True)
    return found if message.text is None else {**found, "reason": message.text}


def _parts_of(block: Mapping[str, Any], assistant: bool) -> Iterator[BlockPart]:
    kind = block.get("type")
    if kind == "text" and isinstance(block.get("text"), str):
        yield BlockPart("text", block["text"])
    elif kind == "reasoning" and assistant and isinstance(block.get("text"), str):
        yield BlockPart("thought", block["text"])
        options = cast("Any", block.get("providerOptions") or {})
        if options.keys() == {_SIGNED_BY} and options[_SIGNED_BY].keys() == {"signature"}:
            yield BlockPart("signature", options[_SIGNED_BY]["signature"])
    elif kind == "tool-call" and assistant and isinstance(block.get("input"), Mapping):
        call_id, name = str(block.get("toolCallId") or ""), str(block.get("toolName") or "f")
        by_provider = block.get("providerExecuted") is True
        yield BlockPart("call", Call(call_id, name, arguments=dumped(block["input"]), provider_executed=by_provider))
    elif kind == "tool-result":
        yield BlockPart("result", _entry(block, assistant))
    elif kind == "tool-approval-request" and assistant:
        yield BlockPart("request", str(block.get("approvalId")))
    elif kind == "tool-approval-response" and not assistant:
        given: Block = {"approval_response": str(block.get("approvalId"))}
        if block.get("approved") is not True:
            given["approved"] = block.get("approved")
        if isinstance(block.get("reason"), str):
            given["reason"] = block["reason"]
        yield BlockPart("response", given)


def _entry(block: Mapping[str, Any], by_server: bool) -> Block:
    found: Block = {"call_id": str(block.get("toolCallId") or "")}
    if not (by_server and block.get("toolName") == SERVER_TOOL):
        found["name"] = str(block.get("toolName") or "f")
    output = block.get("output")
    text = _text_of(output)
    if text is not None:
        found["text"] = text
    if output != ({"type": "json", "value": None} if text is None else {"type": "text", "value": text}):
        found["output"] = copied(output)
    gone = ("type", "toolCallId", "toolName", "output")
    return {**found, **copied({key: value for key, value in block.items() if key not in gone})}


FEATURES = frozenset(
    {"keep", "summary", "reasoning", "signature", "provider_executed", "inline_results", "approvals"}
)  # fmt: skip
MISSING = frozenset({"bare_signature", "unnamed_results", "user_results"})
GROUPING = Grouping(names="always")
DIALECT = Dialect(
    NAME,
    {"system": "system", "user": "user", "assistant": "assistant", "results": "tool"},
    _text,
    _call,
    _result,
    _parts_of,
    _thought,
    _request,
    _response,
    features=FEATURES,
)

FORMAT = DIALECT.format(
    GROUPING,
    missing_features=MISSING,
    signs=Signs(
        block_types={
            "tool-call", "tool-result", "reasoning", "tool-approval-request", "tool-approval-response",
        },
    ),
)  # fmt: skip
