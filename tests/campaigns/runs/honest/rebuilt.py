"""Honest trimmers that send other objects than they were given: rebuilt, without old reasoning, merged."""

from typing import Any

from .units import (
    DoesNotFit,
    Message,
    Messages,
    as_they_stood,
    called,
    conversation,
    joined,
    newest,
    systems,
    turns,
    units,
)  # fmt: skip
from .wires import answered, blocks, fitting, is_thought, made, may_open

__all__ = ["DoesNotFit"]

KEYS = ("role", "content", "tool_calls", "tool_call_id")


def window(messages: Messages, limit: int) -> Messages:
    """Return all system messages and the newest units that fit, the newest one in any case."""
    front, groups = systems(messages), units(conversation(messages))
    kept = newest(groups, limit - len(front)) or groups[-1:]
    return as_they_stood(messages, front + joined(kept))


def rebuilds(messages: Messages, limit: int) -> Messages:
    """Every message anew, from the keys that the program knows; others are dropped."""
    return window([{key: message[key] for key in KEYS if key in message} for message in messages], limit)


def rebuilds_with_nulls(messages: Messages, limit: int) -> Messages:
    """As `rebuilds`, from a class of its own: what a message has not is null."""
    return window([{key: message.get(key) for key in KEYS} for message in messages], limit)


def without_old_reasoning(messages: Messages, limit: int) -> Messages:
    """OpenAI chat messages: reasoning goes from turns that are over and made no calls; then units are dropped."""
    if len(messages) <= limit:
        return list(messages)
    sent: Messages = []
    groups = turns(messages)
    for turn in groups:
        over = turn is not groups[-1] and not any(list(called(message)) for message in turn)
        sent += [_without_reasoning(message) for message in turn] if over else turn
    return window(sent, limit)


def _without_reasoning(message: Message) -> Message:
    if message["role"] != "assistant" or not message.get("content"):
        return message
    return {key: value for key, value in message.items() if key != "reasoning_content"}


def _split(items: Messages) -> list[Messages]:
    """Split items at the user messages on which a list may open."""
    found: list[Messages] = [[]]
    for item in items:
        if may_open(item):
            found.append([])
        found[-1].append(item)
    return found


def without_old_thinking(items: Messages, limit: int) -> Messages:
    """Anthropic messages and Gemini contents: the same with blocks of reasoning, by whole turns."""
    if len(items) <= limit:
        return list(items)
    sent: Messages = []
    groups = _split(items)
    for turn in groups:
        over = turn is not groups[-1] and not any(any(True for _ in (*made(item), *answered(item))) for item in turn)
        sent += [_without_thinking(item) for item in turn] if over else turn
    return fitting(sent, limit)


def _without_thinking(item: Message) -> Message:
    key = "parts" if "parts" in item else "content"
    if item["role"] not in ("assistant", "model") or not any(map(is_thought, blocks(item))):
        return item
    kept = [
        {name: value for name, value in block.items() if name != "thoughtSignature"}
        for block in item[key]
        if not is_thought(block)
    ]
    return {**item, key: kept} if kept else item


def merged(items: Messages) -> Messages:
    """Return items with user messages side by side as one, results first."""
    found: Messages = []
    for item in items:
        if found and item["role"] == "user" == found[-1]["role"]:
            both = [*_listed(found[-1]), *_listed(item)]
            both.sort(key=lambda block: not (block.get("type") == "tool_result" or "toolResult" in block))
            found[-1] = {"role": "user", "content": both}
        else:
            found.append(item)
    return found


def _listed(item: Message) -> list[dict[str, Any]]:
    content = item["content"]
    return [{"type": "text", "text": content}] if isinstance(content, str) else content


def merges_users(items: Messages, limit: int) -> Messages:
    """Anthropic and Bedrock: whole turns, and after the cut consecutive user messages merged into one."""
    return list(items) if len(items) <= limit else fitting(items, limit, merged)
