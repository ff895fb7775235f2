"""Anthropic Messages."""

from .texts import NO_PREFILL, NO_PREFILL_SOURCE, Text, calls_left_open

_HANDLE = "https://platform.claude.com/docs/en/agents-and-tools/tool-use/handle-tool-calls"
_UNANSWERED = (
    "`tool_use` ids were found without `tool_result` blocks immediately after: ... "
    "Each `tool_use` block must have a corresponding `tool_result` block in the next message."
)

ANTHROPIC = {
    "no-orphan": Text(
        "unexpected `tool_use_id` found in `tool_result` blocks: ... "
        "Each `tool_result` block must have a corresponding `tool_use` block in the previous message.",
        "https://github.com/spring-projects/spring-ai/issues/5940",
    ),
    **calls_left_open(_UNANSWERED, _HANDLE, "A"),
    "result-adjacent": Text(_UNANSWERED, _HANDLE, "A"),
    "results-before-text": Text(_UNANSWERED, _HANDLE, "A"),
    "results-together": Text(
        _UNANSWERED, "https://platform.claude.com/docs/en/agents-and-tools/tool-use/parallel-tool-use", "C"
    ),
    "one-result-per-call": Text(
        "each tool_use must have a single result. Found multiple `tool_result` blocks with id: ...",
        "https://github.com/vercel/eve/pull/1246",
    ),
    "unique-call-id": Text(
        "`tool_use` ids must be unique", "https://github.com/anthropics/claude-code/issues/20901"
    ),
    "first-is-user": Text(
        'messages: first message must use the "user" role', "https://github.com/lobehub/lobehub/issues/1601"
    ),
    "last-is-user-or-tool": Text(NO_PREFILL, NO_PREFILL_SOURCE),
    "nonempty-message": Text(
        "text content blocks must be non-empty", "https://github.com/BerriAI/litellm/pull/22979"
    ),
    "reasoning-kept-with-followup": Text(
        "Expected `thinking` or `redacted_thinking`, but found `tool_use`. When `thinking` is enabled, "
        "a final `assistant` message must start with a thinking block",
        "https://github.com/anomalyco/opencode/issues/3077",
    ),
    "signed-reasoning-unmodified": Text(
        "`thinking` or `redacted_thinking` blocks in the latest assistant message cannot be modified.",
        "https://github.com/anthropics/claude-code/issues/12973",
    ),
    "provider-executed-pair": Text(
        "`web_fetch` tool use with id ... was found without a corresponding `web_fetch_tool_result` block",
        "https://github.com/anthropics/anthropic-sdk-python/pull/1151",
    ),
}  # fmt: skip
