"""Neutral histories as messages of mistral-common, which checks them as the vendor's servers do.

What Mistral has no place for raises `ValueError`: other roles, inline results, calls that a provider executes. Marks,
reasoning and sizes are never sent. Versions before 13 want ids of nine letters and digits, so every id that is not
empty is replaced by one of those, the same wherever it stands.
"""

from typing import Any

from mistral_common.protocol.instruct.messages import AssistantMessage, SystemMessage, ToolMessage, UserMessage
from mistral_common.protocol.instruct.tool_calls import FunctionCall, ToolCall

from trimfuzz.messages.model import History, Message


def request(messages: History) -> list[Any]:
    """Return the messages of a request."""
    ids: dict[str, str] = {"": ""}
    return [_message(message, ids) for message in messages]


def _message(message: Message, ids: dict[str, str]) -> Any:
    if "inline_results" in message.extra or any(call.provider_executed for call in message.calls):
        raise ValueError(f"Mistral has no place for {message!r}")
    if message.role == "system":
        return SystemMessage(content=message.text or "")
    if message.role == "user":
        return UserMessage(content=message.text or "")
    if message.role == "tool":
        return ToolMessage(
            content=message.text or "", tool_call_id=_nine(message.call_id or "", ids), name=message.name
        )
    if message.role == "assistant":
        calls = [
            ToolCall(id=_nine(call.id, ids), function=FunctionCall(name=call.name or "f", arguments=call.arguments))
            for call in message.calls
        ]
        return AssistantMessage(content=message.text, tool_calls=calls or None)
    raise ValueError(f"Mistral has no role {message.role!r}")


def _nine(call_id: str, ids: dict[str, str]) -> str:
    return ids.setdefault(call_id, f"call{len(ids):05d}")
