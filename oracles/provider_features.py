"""Features of providers: groups of what the histories that one accepts can not contain, which several share.

The names are keywords for `strategies.histories`. Names only: an oracle does not know the strategies.

Pending histories are left out everywhere. A batch that is open at the tail is a fault of every list that is sent as it
is: the provider answers that a call has no result. A trimmer does meet such a history, while the calls run; whoever
wants it adds it, `histories(**{**pack.features, "inputs": ("valid", "pending")})`, and lint then complains of the open
calls alone. Interleaved histories are in where a conversation may open on an assistant message, or where a steer
between call and result is tolerated.
"""

OPENS_ON_ASSISTANT = ("valid", "interleaved")
"""The input classes where a conversation may open on an assistant message."""

APART = ("steer_assistant", "nested_calls", "abandoned", "approval_apart")
STEERS = ("steer_user", "steer_system", "late_results", *APART)
"""What parts a call from its results."""
ITEMS = ("reasoning_items", "alt_ids", "item_ids")
"""What only the Responses API has."""
CHAT = (*ITEMS, "provider_executed", "inline_results", "approvals")
"""What chat completions have no place for."""
OUTSIDE = ("developer", "system_midway", "system_alone", "empty")
"""What has no place where the system prompt is a field of its own, and the list must hold a conversation."""
TAIL = ("ends_on_assistant", "ends_on_call")
