"""Features: what the histories that a provider accepts can contain, as keywords for `strategies.histories`.

Names and values only: an oracle does not know the strategies. `inputs` are the input classes, and a name set to False
is something that the provider would reject or that its API has no place for; everything else is on.

Pending histories are left out everywhere. A batch that is open at the tail is a fault of every list that is sent as it
is: the provider answers that a call has no result. A trimmer does meet such a history, while the calls run; whoever
wants it adds it, `histories(**{**pack.features, "inputs": ("valid", "pending")})`, and lint then complains of the open
calls alone. Interleaved histories are in where a conversation may open on an assistant message, or where a steer
between call and result is tolerated. Mistral's validator takes an assistant message in front, but no call there: it
does not know the calls of the first message, so that their results are unexpected.
"""

from typing import Any, TypeAlias

FeatureValues: TypeAlias = dict[str, Any]

_VALID = ("valid",)
_OPENS_ON_ASSISTANT = ("valid", "interleaved")

_APART = ("steer_assistant", "nested_calls", "abandoned", "approval_apart")
_STEERS = ("steer_user", "steer_system", "late_results", *_APART)
"""What parts a call from its results."""
_ITEMS = ("reasoning_items", "alt_ids", "item_ids")
"""What only the Responses API has."""
_CHAT = (*_ITEMS, "provider_executed", "inline_results", "approvals")
"""What chat completions have no place for."""
_OUTSIDE = ("developer", "system_midway", "system_alone", "empty")
"""What has no place where the system prompt is a field of its own, and the list must hold a conversation."""
_TAIL = ("ends_on_assistant", "ends_on_call")
_MISTRAL = (*_STEERS, *_CHAT, "developer", "system_midway", "several_systems", "empty", *_TAIL)
_BEDROCK = (
    *_STEERS, *_ITEMS, *_OUTSIDE, "provider_executed", "approvals", "repeated_roles", "split_results",
    "text_before_results", "user_after_result",
)  # fmt: skip
_ANTHROPIC = (*_STEERS, *_ITEMS, *_OUTSIDE, "approvals", "split_results", "text_before_results")

_KNOWN: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "neutral": (("valid", "interleaved"), _APART),
    "openai-chat": (_OPENS_ON_ASSISTANT, (*_STEERS, *_CHAT, "empty")),
    "ai-sdk": (_OPENS_ON_ASSISTANT, (*_STEERS, *_ITEMS, "developer")),
    "openai-responses": (_OPENS_ON_ASSISTANT, (*_STEERS, "empty")),
    "openai-responses-anchored": (_OPENS_ON_ASSISTANT, _STEERS),
    "anthropic": (_VALID, (*_ANTHROPIC, *_TAIL)),
    "anthropic@4.5": (_VALID, _ANTHROPIC),
    "gemini": (_VALID, (*_STEERS, *_CHAT, *_OUTSIDE, *_TAIL, "calls_after_text")),
    "bedrock": (_VALID, (*_BEDROCK, *_TAIL)),
    "bedrock@claude-4.5": (_VALID, _BEDROCK),
    "mistral": (_VALID, _MISTRAL),
    "mistral@v3": (_VALID, (*_MISTRAL, "call_text")),
    "mistral-old": (_VALID, (*_MISTRAL, "call_text", "user_after_result")),
    "deepseek": (_VALID, (*_STEERS, *_CHAT, "developer", "empty")),
    "kimi": (_VALID, (*_STEERS, *_CHAT, "developer", "empty")),
    "strict": (
        _VALID,
        (
            *_STEERS, *_CHAT, *_OUTSIDE, *_TAIL, "several_systems", "repeated_roles", "calls_after_text", "call_text",
            "user_after_result",
        ),
    ),
}  # fmt: skip


def features_of(name: str) -> FeatureValues:
    """Return the keywords of a pack; a version without any of its own has those of its provider."""
    inputs, off = _KNOWN.get(name) or _KNOWN[name.partition("@")[0]]
    return {"inputs": inputs, **dict.fromkeys(off, False)}
