"""Anthropic Messages, before and after Claude 4.6.

Until 4.5 a list may end on an assistant message, which the model then goes on with; 4.6 rejects that.
"""

from ..provider import PackDeclaration, VersionChange
from ..provider_answers import NO_PREFILL, NO_PREFILL_SOURCE, accepted, calls_left_open, hard
from ..provider_features import ITEMS, OUTSIDE, STEERS, TAIL

_HANDLE = "https://platform.claude.com/docs/en/agents-and-tools/tool-use/handle-tool-calls"
_PARALLEL = "https://platform.claude.com/docs/en/agents-and-tools/tool-use/parallel-tool-use"
_REFERENCE = "https://platform.claude.com/docs/en/api/messages"
_UNANSWERED = (
    "`tool_use` ids were found without `tool_result` blocks immediately after: ... "
    "Each `tool_use` block must have a corresponding `tool_result` block in the next message."
)

_ANSWERS = (
    hard(
        "no-orphan",
        "unexpected `tool_use_id` found in `tool_result` blocks: ... "
        "Each `tool_result` block must have a corresponding `tool_use` block in the previous message.",
        "https://github.com/spring-projects/spring-ai/issues/5940",
    ),
    *calls_left_open(_UNANSWERED, _HANDLE, "A"),
    hard("result-adjacent", _UNANSWERED, _HANDLE, "A"),
    hard("results-before-text", _UNANSWERED, _HANDLE, "A"),
    hard(
        "results-together", _UNANSWERED, _PARALLEL, "C",
        note="rejected by compatible endpoints; Anthropic itself joins user messages that stand side by side",
    ),
    hard(
        "one-result-per-call",
        "each tool_use must have a single result. Found multiple `tool_result` blocks with id: ...",
        "https://github.com/vercel/eve/pull/1246",
    ),
    hard("unique-call-id", "`tool_use` ids must be unique", "https://github.com/anthropics/claude-code/issues/20901"),
    hard(
        "first-is-user", 'messages: first message must use the "user" role',
        "https://github.com/lobehub/lobehub/issues/1601",
        note="a report of 2026 says that a list with a call in front was taken through a gateway",
    ),
    accepted("alternate-roles", _REFERENCE, "A", note="messages of one role are joined into one turn"),
    hard("last-is-user-or-tool", NO_PREFILL, NO_PREFILL_SOURCE, versions=("4.6",)),
    accepted("last-is-user-or-tool", NO_PREFILL_SOURCE, "B", versions=("4.5",), note="the model goes on with it"),
    hard(
        "nonempty-message", "text content blocks must be non-empty", "https://github.com/BerriAI/litellm/pull/22979"
    ),
    hard(
        "reasoning-kept-with-followup",
        "Expected `thinking` or `redacted_thinking`, but found `tool_use`. When `thinking` is enabled, "
        "a final `assistant` message must start with a thinking block",
        "https://github.com/anomalyco/opencode/issues/3077",
    ),
    hard(
        "signed-reasoning-unmodified",
        "`thinking` or `redacted_thinking` blocks in the latest assistant message cannot be modified.",
        "https://github.com/anthropics/claude-code/issues/12973",
    ),
    hard(
        "provider-executed-pair",
        "`web_fetch` tool use with id ... was found without a corresponding `web_fetch_tool_result` block",
        "https://github.com/anthropics/anthropic-sdk-python/pull/1151",
    ),
    hard("nonempty-history", None, "https://github.com/coder/coder/pull/22819", "C", note="the text was not seen"),
    hard(
        "tools-declared", "Requests which include tool_use or tool_result blocks must define tools",
        "https://portkey.ai/error-library/tool-definition-error-10488", "D",
    ),
)  # fmt: skip

_OFF = (*STEERS, *ITEMS, *OUTSIDE, "approvals", "split_results", "text_before_results")

DECLARED = (
    PackDeclaration(
        "anthropic",
        _ANSWERS,
        enforces={
            "provider-executed-pair", "nonempty-message", "tools-declared", "signed-reasoning-unmodified",
            "nonempty-history",
        },
        off=(*_OFF, *TAIL),
        versions={"4.5": VersionChange(off=_OFF)},
    ),
)  # fmt: skip
