"""DeepSeek: chat completions, with the reasoning passed back."""

from ..provider import PackDeclaration
from ..provider_answers import OPENAI_UNANSWERED, calls_left_open, hard
from ..provider_features import CHAT, STEERS

_ANSWERS = (
    hard(
        "no-orphan",
        "Messages with role 'tool' must be a response to a preceding message with 'tool_calls'",
        "https://github.com/qwersyk/Newelle/issues/425",
    ),
    *calls_left_open(
        f"{OPENAI_UNANSWERED} (insufficient tool messages following tool_calls message)",
        "https://github.com/TurixAI/TuriX-CUA/issues/15",
    ),
    hard(
        "result-adjacent",
        "No tool output found for tool call ...",
        "https://github.com/deepseek-ai/DeepSeek-V3/issues/1588",
        note="seen on its Responses endpoint",
    ),
    hard(
        "reasoning-kept-with-followup",
        "The reasoning_content in the thinking mode must be passed back to the API",
        "https://api-docs.deepseek.com/guides/thinking_mode",
        "A",
    ),
)

DECLARED = (PackDeclaration("deepseek", _ANSWERS, off=(*STEERS, *CHAT, "developer", "empty")),)
