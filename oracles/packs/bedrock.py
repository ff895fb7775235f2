"""AWS Bedrock Converse: one check of its own for all models, and what single families of models add.

All of its errors are a `ValidationException`. Claude takes a list that ends on an assistant message until 4.5.
"""

from ..provider import PackDeclaration, VersionChange
from ..provider_answers import NO_PREFILL, NO_PREFILL_SOURCE, NOT_ENFORCED, accepted, calls_left_open, hard
from ..provider_features import ITEMS, OUTSIDE, STEERS, TAIL

_SURPLUS = (
    "The number of toolResult blocks at messages.N.content exceeds the number of toolUse blocks of previous turn."
)
_SURPLUS_SOURCE = "https://github.com/pydantic/pydantic-ai/issues/2327"
_MISSING = "Expected toolResult blocks at messages.N.content for the following Ids: ..."
_MISSING_SOURCE = "https://github.com/zeroclaw-labs/zeroclaw/pull/7865"
_HANDLE = "https://platform.claude.com/docs/en/agents-and-tools/tool-use/handle-tool-calls"
_CLAUDE = ("claude-4.5", "claude-4.6")

_ANSWERS = (
    hard("no-orphan", _SURPLUS, _SURPLUS_SOURCE),
    hard("one-result-per-call", _SURPLUS, _SURPLUS_SOURCE),
    *calls_left_open(_MISSING, _MISSING_SOURCE),
    hard("result-adjacent", _MISSING, _MISSING_SOURCE, "C", note="follows from the text; no report isolates it"),
    hard(
        "first-is-user", "A conversation must start with a user message.",
        "https://github.com/strands-agents/harness-sdk/pull/2087",
    ),
    hard(
        "alternate-roles", "A conversation must alternate between user and assistant roles.",
        "https://github.com/langchain-ai/langchain-aws/issues/130",
    ),
    hard("last-is-user-or-tool", NO_PREFILL, NO_PREFILL_SOURCE, versions=("claude-4.6",)),
    accepted(
        "last-is-user-or-tool", NO_PREFILL_SOURCE, "B", versions=("claude-4.5",), note="the model goes on with it"
    ),
    hard(
        "last-is-user-or-tool",
        "The model that you are using requires the last turn in the conversation to be a user message. "
        "Add a user message to the conversation and try again.",
        "https://github.com/i-am-bee/beeai-framework/issues/753", versions=("llama",),
    ),
    hard("results-before-text", None, _HANDLE, "C", versions=_CLAUDE, note="Claude's own rule; not seen on Bedrock"),
    hard(
        "nonempty-message",
        "The text field in the ContentBlock object at messages.N.content.0 is blank. "
        "Add text to the text field, and try again.",
        "https://github.com/LibreChat-AI/agents/pull/501",
        note="older Claude text: text content blocks must contain non-whitespace text",
    ),
    hard(
        "reasoning-kept-with-followup", None, "https://github.com/anomalyco/opencode/issues/3077", "C",
        versions=_CLAUDE, note=f"{NOT_ENFORCED}; Claude's own rule, with thinking on",
    ),
    hard(
        "tools-declared", "The toolConfig field must be defined when using toolUse and toolResult content blocks.",
        "https://github.com/nearai/ironclaw/issues/1629",
    ),
)  # fmt: skip

_OFF = (
    *STEERS, *ITEMS, *OUTSIDE, "provider_executed", "approvals", "repeated_roles", "split_results",
    "text_before_results", "user_after_result",
)  # fmt: skip

DECLARED = (
    PackDeclaration(
        "bedrock",
        _ANSWERS,
        enforces={"nonempty-message", "tools-declared", "nonempty-history"},
        off=(*_OFF, *TAIL),
        versions={"claude-4.5": VersionChange(off=_OFF)},
    ),
)
