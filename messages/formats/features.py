"""Features: the optional things in a message that not every format has a place for, by name."""

from ..model import Message

MESSAGE_FEATURES = frozenset(
    {
        "keep", "summary", "developer", "reasoning", "signature", "provider_executed", "inline_results", "approvals",
        "alt_ids", "reasoning_items", "item_ids",
    }
)  # fmt: skip


def message_features(message: Message) -> frozenset[str]:
    """Return the optional features that a message needs a place for (names as in `Format.features`)."""
    found: set[str] = set()
    if message.keep_during_truncation:
        found.add("keep")
    if message.summary:
        found.add("summary")
    if message.reasoning is not None:
        found.add("reasoning")
    if message.role in _BY_ROLE:
        found.add(_BY_ROLE[message.role])
    for call in message.calls:
        if call.provider_executed:
            found.add("provider_executed")
        if call.alt_id is not None:
            found.add("alt_ids")
    if message.extra:
        found.update(feature for key, feature in _BY_KEY.items() if key in message.extra)
    return frozenset(found)


_BY_ROLE = {"developer": "developer", "reasoning": "reasoning_items"}
_BY_KEY = {
    "signature": "signature", "inline_results": "inline_results", "approval_request": "approvals",
    "approval_response": "approvals", "item_id": "item_ids",
}  # fmt: skip
