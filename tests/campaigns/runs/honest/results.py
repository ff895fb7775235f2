"""Honest trimmers that edit old results before they drop anything: cleared, cut in the middle, or emptied.

The newest unit stays as it is. A result keeps its id and its place; what is not text is replaced as a whole, and not
cut. Names end in the format; every one takes a number of items.
"""

from collections.abc import Callable
from typing import Any, TypeAlias

from .units import DoesNotFit, Message, Messages, apart, as_they_stood, conversation, joined, newest, systems, units
from .wires import blocks, fitting, groups_of

Change: TypeAlias = Callable[[Any], Any]
"""From the content of a result to another; text is a string."""


def cleared(_content: Any) -> str:
    """Return the note that stands for a result."""
    return "[cleared]"


def emptied(_content: Any) -> str:
    """Return no text at all."""
    return ""


def cut(content: Any) -> Any:
    """Return the beginning and the end of a long text."""
    return f"{content[:12]} ... {content[-12:]}" if isinstance(content, str) and len(content) > 40 else content


def _anthropic(block: Message, change: Change) -> Message:
    return {**block, "content": change(block.get("content"))} if block.get("type") == "tool_result" else block


def _bedrock(block: Message, change: Change) -> Message:
    if "toolResult" not in block:
        return block
    result = block["toolResult"]
    content = result["content"]
    plain = len(content) == 1 and content[0].keys() == {"text"}
    new = change(content[0]["text"] if plain else content)
    return {
        **block,
        "toolResult": {**result, "content": [{"text": new}] if new and isinstance(new, str) else new or []},
    }


def _gemini(block: Message, change: Change) -> Message:
    if "functionResponse" not in block:
        return block
    result = block["functionResponse"]
    response = result["response"]
    new = change(response["output"] if response.keys() == {"output"} else response)
    return {**block, "functionResponse": {**result, "response": {"output": new} if isinstance(new, str) else new}}


def _ai_sdk(block: Message, change: Change) -> Message:
    if block.get("type") != "tool-result":
        return block
    output = block["output"]
    new = change(output["value"] if output["type"] == "text" else output)
    return {**block, "output": {"type": "text", "value": new} if isinstance(new, str) else new}


def _responses(item: Message, change: Change) -> Message:
    return {**item, "output": change(item["output"])} if item.get("type") == "function_call_output" else item


def _chat(message: Message, change: Change) -> Message:
    return {**message, "content": change(message["content"])} if message["role"] == "tool" else message


def _in_blocks(change_block: Callable[[Message, Change], Message], key: str) -> Callable[[Message, Change], Message]:
    """Return what changes the results in an item of blocks; those that the model's own provider made stay."""

    def change_item(item: Message, change: Change) -> Message:
        if item["role"] in ("assistant", "model") or not blocks(item):
            return item
        new = [change_block(block, change) for block in item[key]]
        return item if new == item[key] else {**item, key: new}

    return change_item


def _editing(change_item: Callable[[Message, Change], Message], change: Change) -> Callable[[Messages, int], Messages]:
    """Return the trimmer of a format of items that edits old results and drops what is still too much."""

    def trim(items: Messages, limit: int) -> Messages:
        if len(items) <= limit:
            return list(items)
        lead, rest = apart(items)
        groups = groups_of(rest)
        old = [change_item(item, change) for item in joined(groups[:-1])]
        return fitting(lead + old + joined(groups[-1:]), limit)

    return trim


def _editing_chat(change: Change) -> Callable[[Messages, int], Messages]:
    """Return the same for OpenAI chat messages, where units need no turn around them."""

    def trim(messages: Messages, limit: int) -> Messages:
        if len(messages) <= limit:
            return list(messages)
        groups = units(messages)
        edited = [_chat(message, change) for message in joined(groups[:-1])] + joined(groups[-1:])
        front = systems(edited)
        kept = newest(units(conversation(edited)), limit - len(front))
        if not kept:
            raise DoesNotFit("not even the newest unit fits")
        return as_they_stood(edited, front + joined(kept))

    return trim


cleared_chat, cut_chat, emptied_chat = map(_editing_chat, (cleared, cut, emptied))
cleared_responses, cut_responses, emptied_responses = (_editing(_responses, one) for one in (cleared, cut, emptied))
cleared_anthropic, cut_anthropic, emptied_anthropic = (
    _editing(_in_blocks(_anthropic, "content"), one) for one in (cleared, cut, emptied)
)
cleared_bedrock, cut_bedrock, emptied_bedrock = (
    _editing(_in_blocks(_bedrock, "content"), one) for one in (cleared, cut, emptied)
)
cleared_gemini, cut_gemini, emptied_gemini = (
    _editing(_in_blocks(_gemini, "parts"), one) for one in (cleared, cut, emptied)
)
cleared_ai_sdk, cut_ai_sdk, emptied_ai_sdk = (
    _editing(_in_blocks(_ai_sdk, "content"), one) for one in (cleared, cut, emptied)
)
