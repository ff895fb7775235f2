"""Neighbours: what may not stand side by side is parted by a message of the other role.

Done once, when a history is finished: whatever op put two messages next to each other, the switches that forbid it
hold. Inside a batch that is a steer more, which only happens in histories that have one already.
"""

from ...messages.model import SYSTEM_ROLES, Message
from .draft import TEXTS, Draft

_OTHER = {"user": "assistant", "assistant": "user"}


def part_neighbours(draft: Draft) -> None:
    """Put a user message between two assistant messages that may not be neighbours, and the other way round."""
    features, before = draft.features, ""
    parted: list[Message] = []
    number = len(draft.out)
    cut, length = draft.cut, draft.cut_length
    for index, message in enumerate(draft.out):
        role = _shape_role(message)
        calls = any(not call.provider_executed for call in message.calls)
        if (
            role in _OTHER
            and role == before
            and not (features.repeated_roles and (features.calls_after_text or not calls))
        ):
            other = _OTHER[role]
            parted.append(Message(other, TEXTS[other][number]))
            number += 1
            if draft.cut is not None and cut is not None and index < cut:
                draft.cut += 1
            if draft.cut_length is not None and length is not None and index < length:
                draft.cut_length += 1
        parted.append(message)
        before = role or before
    draft.out[:] = parted


def _shape_role(message: Message) -> str:
    """Return the role of a message; "" for system messages, which are looked through."""
    if message.role in SYSTEM_ROLES:
        return ""
    return "tool" if message.role == "user" and message.extra.get("inline_results") else message.role
