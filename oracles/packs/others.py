"""Google Gemini, AWS Bedrock Converse, Mistral, DeepSeek, Kimi, and the Vercel AI SDK (a check in the client)."""

from .texts import NO_PREFILL, NO_PREFILL_SOURCE, O2, Text, calls_left_open

_GEMINI_COUNT = (
    "Please ensure that the number of function response parts is equal to the number of function call parts "
    "of the function call turn."
)
_GEMINI_COUNT_SOURCE = "https://github.com/google-gemini/gemini-cli/issues/3814"
_GEMINI_RESPONSE = Text(
    "Please ensure that function response turn comes immediately after a function call turn.",
    "https://github.com/GoogleCloudPlatform/generative-ai/pull/368",
)

GEMINI = {
    "no-orphan": _GEMINI_RESPONSE,
    **calls_left_open(_GEMINI_COUNT, _GEMINI_COUNT_SOURCE),
    "one-result-per-call": Text(_GEMINI_COUNT, _GEMINI_COUNT_SOURCE),
    "result-adjacent": _GEMINI_RESPONSE,
    "call-turn-after-user-or-result": Text(
        "Please ensure that function call turn comes immediately after a user turn or after a function response turn.",
        "https://github.com/google-gemini/gemini-cli/issues/11814",
    ),
    "reasoning-kept-with-followup": Text(
        "Function call is missing a thought_signature in functionCall parts.",
        "https://docs.apiyi.com/en/faq/gemini-thought-signature-missing",
        "D",
    ),
    "signed-reasoning-unmodified": Text(
        "Invalid thought signature.", "https://docs.apiyi.com/en/faq/gemini-thought-signature-missing", "D"
    ),
}

_BEDROCK_SURPLUS = Text(
    "The number of toolResult blocks at messages.N.content exceeds the number of toolUse blocks of previous turn.",
    "https://github.com/pydantic/pydantic-ai/issues/2327",
)

BEDROCK = {
    "no-orphan": _BEDROCK_SURPLUS,
    "one-result-per-call": _BEDROCK_SURPLUS,
    **calls_left_open(
        "Expected toolResult blocks at messages.N.content for the following Ids: ...",
        "https://github.com/zeroclaw-labs/zeroclaw/pull/7865",
    ),
    "first-is-user": Text(
        "A conversation must start with a user message.", "https://github.com/strands-agents/harness-sdk/pull/2087"
    ),
    "alternate-roles": Text(
        "A conversation must alternate between user and assistant roles.",
        "https://github.com/langchain-ai/langchain-aws/issues/130",
    ),
    "last-is-user-or-tool": Text(NO_PREFILL, NO_PREFILL_SOURCE),
}

_MISTRAL_COMMON = (
    "https://github.com/mistralai/mistral-common/blob/main/src/mistral_common/protocol/instruct/validator.py"
)


def _mistral(text: str) -> Text:
    """Return a text of the vendor's own validator, which was executed (1.13.1)."""
    return Text(text, _MISTRAL_COMMON, "A")


MISTRAL = {
    "no-orphan": _mistral("Unexpected tool call id ... in tool results"),
    "call-answered": _mistral("Not the same number of function calls and responses"),
    "batch-atomic": _mistral("Not the same number of function calls and responses"),
    "one-result-per-call": _mistral("Duplicate tool call id ..."),
    "unique-call-id": _mistral("Duplicate tool call id ..."),
    "result-adjacent": _mistral("Unexpected role 'tool' after role 'user'"),
    "last-is-user-or-tool": _mistral(
        "Expected last role User or Tool (or Assistant with prefix) for serving but got assistant"
    ),
    "nonempty-history": _mistral("Conversation must have at least one message"),
}

MISTRAL_OLD = {
    **MISTRAL,
    "assistant-between-tool-and-user": Text(
        "Unexpected role 'user' after role 'tool'", "https://github.com/zed-industries/zed/pull/31736", "A"
    ),
    "nonempty-message": _mistral("Assistant message must have either content or tool_calls, but not both."),
}

DEEPSEEK = {
    "no-orphan": Text(
        "Messages with role 'tool' must be a response to a preceding message with 'tool_calls'",
        "https://github.com/qwersyk/Newelle/issues/425",
    ),
    **calls_left_open(
        f"{O2} (insufficient tool messages following tool_calls message)",
        "https://github.com/TurixAI/TuriX-CUA/issues/15",
    ),
    "result-adjacent": Text(
        "No tool output found for tool call ...", "https://github.com/deepseek-ai/DeepSeek-V3/issues/1588"
    ),
    "reasoning-kept-with-followup": Text(
        "The reasoning_content in the thinking mode must be passed back to the API",
        "https://api-docs.deepseek.com/guides/thinking_mode",
        "A",
    ),
}

KIMI = {
    "no-orphan": Text("tool_call_id  is not found", "https://github.com/MoonshotAI/kimi-code/issues/1053"),
    **calls_left_open(O2, "https://github.com/MoonshotAI/kimi-code/issues/269"),
    "nonempty-message": Text("text content is empty", "https://github.com/dirge-code/dirge/pull/757"),
    "reasoning-kept-with-followup": Text(
        "thinking is enabled but reasoning_content is missing in assistant tool call message at index N",
        "https://github.com/continuedev/continue/issues/11600",
    ),
}

_AI_SDK = Text(
    "Tool result is missing for tool call X.",
    "https://ai-sdk.dev/docs/troubleshooting/missing-tool-results-error",
    "A",
    status=None,
)

AI_SDK = {"call-answered": _AI_SDK, "batch-atomic": _AI_SDK, "result-adjacent": _AI_SDK}
