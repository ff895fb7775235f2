"""How the honest trimmers read and cut lists of the other formats, where a unit includes what the provider asks.

Calls, results and approvals are found by the keys of their blocks, which no two formats share. A list opens on a user
message that answers nothing.
"""

from collections.abc import Callable, Iterator
from typing import Any

from .units import DoesNotFit, Message, Messages, apart, joined, units


def blocks(item: Message) -> list[dict[str, Any]]:
    """Return the blocks of an item; a string has none, and an item of OpenAI Responses is its own."""
    if item.get("type"):
        return [item]
    found = item.get("parts", item.get("content"))
    return [block for block in found if isinstance(block, dict)] if isinstance(found, list) else []


def made(item: Message) -> Iterator[object]:
    """Yield the ids of the calls that an item makes, and of the approvals that it asks for."""
    for block in blocks(item):
        kind = block.get("type")
        if kind in ("tool_use", "server_tool_use"):
            yield block["id"]
        elif kind == "function_call":
            yield block["call_id"]
        elif kind == "tool-call":
            yield block["toolCallId"]
        elif kind == "tool-approval-request":
            yield ("approval", block["approvalId"])
        elif "toolUse" in block:
            yield block["toolUse"]["toolUseId"]
        elif "functionCall" in block:
            yield block["functionCall"].get("id", "")


def answered(item: Message) -> Iterator[object]:
    """Yield the ids of the calls that an item answers, and of the approvals that it gives."""
    for block in blocks(item):
        kind = block.get("type")
        if "tool_use_id" in block:
            yield block["tool_use_id"]
        elif kind == "function_call_output":
            yield block["call_id"]
        elif kind == "tool-result":
            yield block["toolCallId"]
        elif kind == "tool-approval-response":
            yield ("approval", block["approvalId"])
        elif "toolResult" in block:
            yield block["toolResult"]["toolUseId"]
        elif "functionResponse" in block:
            yield block["functionResponse"].get("id", "")


def groups_of(items: Messages) -> list[Messages]:
    """Split items into units: a call with everything up to its last result, any other item alone."""
    return units(items, made, answered)


def may_open(item: Message) -> bool:
    """Say whether a list may open on an item: a user message that answers nothing."""
    return item.get("role") == "user" and not any(True for _ in answered(item))


def is_thought(block: dict[str, Any]) -> bool:
    """Say whether a block is reasoning."""
    return block.get("type") in ("thinking", "reasoning") or bool(block.get("thought")) or "reasoningContent" in block


def thinks(items: Messages) -> bool:
    """Say whether there is reasoning in some items."""
    return any(is_thought(block) for item in items for block in blocks(item))


def asks(item: Message) -> bool:
    """Say whether an item says something for the user, beside results or without any."""
    return item.get("role") == "user" and (not blocks(item) or any("text" in block for block in blocks(item)))


def suffixes(groups: list[Messages]) -> Iterator[Messages]:
    """Yield what may be sent, the longest first: whole turns from the end, then the first user message with a part of
    the conversation behind it.

    A part begins with what the model said, and keeps the reasoning of the running turn that it follows.
    """
    opening = [at for at, group in enumerate(groups) if may_open(group[0])]
    for at in opening:
        yield joined(groups[at:])
    items = joined(groups)
    running = max((index for index, item in enumerate(items) if asks(item)), default=0)
    for at in range(opening[0] + 1 if opening else len(groups), len(groups)):
        start = len(items) - len(joined(groups[at:]))
        first = items[start]
        if first.get("role") in ("assistant", "model") and (thinks([first]) or not thinks(items[running:start])):
            yield [*groups[opening[0]], *items[start:]]


def fitting(items: Messages, limit: int, dressed: Callable[[Messages], Messages] = list) -> Messages:
    """Return the leading system messages and the longest suffix that fits; refuses when there is none.

    `dressed` is what is done to the items before they are counted and sent.
    """
    lead, rest = apart(items)
    for kept in suffixes(groups_of(rest)):
        found = lead + dressed(kept)
        if len(found) <= limit:
            return found
    raise DoesNotFit("not even the last turn fits")
