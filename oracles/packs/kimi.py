"""Kimi (Moonshot): chat completions, with the reasoning of calls passed back."""

from ..provider import PackDeclaration
from ..provider_answers import OPENAI_UNANSWERED, calls_left_open, hard
from ..provider_features import CHAT, STEERS

_ANSWERS = (
    hard("no-orphan", "tool_call_id  is not found", "https://github.com/MoonshotAI/kimi-code/issues/1053"),
    *calls_left_open(OPENAI_UNANSWERED, "https://github.com/MoonshotAI/kimi-code/issues/269"),
    hard("nonempty-message", "text content is empty", "https://github.com/dirge-code/dirge/pull/757"),
    hard(
        "reasoning-kept-with-followup",
        "thinking is enabled but reasoning_content is missing in assistant tool call message at index N",
        "https://github.com/continuedev/continue/issues/11600",
    ),
)

DECLARED = (
    PackDeclaration("kimi", _ANSWERS, enforces={"nonempty-message"}, off=(*STEERS, *CHAT, "developer", "empty")),
)
