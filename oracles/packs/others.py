"""DeepSeek, Kimi, and the Vercel AI SDK (a check in the client)."""

from .entry import O2, accepted, calls_left_open, hard

DEEPSEEK = (
    hard(
        "no-orphan",
        "Messages with role 'tool' must be a response to a preceding message with 'tool_calls'",
        "https://github.com/qwersyk/Newelle/issues/425",
    ),
    *calls_left_open(
        f"{O2} (insufficient tool messages following tool_calls message)",
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

KIMI = (
    hard("no-orphan", "tool_call_id  is not found", "https://github.com/MoonshotAI/kimi-code/issues/1053"),
    *calls_left_open(O2, "https://github.com/MoonshotAI/kimi-code/issues/269"),
    hard("nonempty-message", "text content is empty", "https://github.com/dirge-code/dirge/pull/757"),
    hard(
        "reasoning-kept-with-followup",
        "thinking is enabled but reasoning_content is missing in assistant tool call message at index N",
        "https://github.com/continuedev/continue/issues/11600",
    ),
)

_MISSING = "Tool result is missing for tool call X."
_MISSING_SOURCE = "https://ai-sdk.dev/docs/troubleshooting/missing-tool-results-error"
_CHECK = "https://github.com/vercel/ai/blob/main/packages/ai/src/prompt/convert-to-language-model-prompt.ts"
_PASSED_ON = "fails all the same: the SDK passes it on, and the provider behind it rejects it"

AI_SDK = (
    *calls_left_open(_MISSING, _MISSING_SOURCE, "A", status=None),
    hard("result-adjacent", _MISSING, _MISSING_SOURCE, "A", status=None),
    *(
        accepted(rule, _CHECK, "A", note=_PASSED_ON)
        for rule in ("no-orphan", "one-result-per-call", "unique-call-id", "provider-executed-pair")
    ),
)
