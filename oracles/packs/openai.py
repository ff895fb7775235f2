"""OpenAI: chat completions, and the Responses API with or without a server anchor."""

from attrs import evolve

from ..provider import PackDeclaration
from ..provider_answers import OPENAI_UNANSWERED, accepted, calls_left_open, hard
from ..provider_features import CHAT, OPENS_ON_ASSISTANT, STEERS

_UNEXPECTED = (
    "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'."
)
_UNANSWERED_SOURCE = "https://portkey.ai/error-library/tool-call-response-error-10066"

_CHAT_ANSWERS = (
    hard("no-orphan", _UNEXPECTED, "https://github.com/BerriAI/litellm/issues/4931"),
    *calls_left_open(OPENAI_UNANSWERED, _UNANSWERED_SOURCE),
    hard(
        "result-adjacent",
        OPENAI_UNANSWERED,
        _UNANSWERED_SOURCE,
        "C",
        note="follows from the two texts above; no report isolates it",
    ),
    hard(
        "nonempty-history",
        "Invalid 'messages': empty array. Expected an array with minimum length 1, but got an empty array instead.",
        "https://github.com/microsoft/agent-framework/issues/2384",
    ),
    accepted("first-is-user", "https://github.com/mckaywrigley/chatbot-ui/issues/1656", "C"),
)

_RESPONSES_ANSWERS = (
    hard(
        "no-orphan",
        "No tool call found for function call output with call_id ...",
        "https://github.com/langchain-ai/langchainjs/pull/9740",
    ),
    *calls_left_open(
        "No tool output found for function call ...", "https://github.com/openai/openai-agents-python/issues/2317"
    ),
    hard(
        "reasoning-kept-with-followup",
        "Item 'rs_...' of type 'reasoning' was provided without its required following item.",
        "https://github.com/vercel/ai/issues/7099",
        note="the other way round: Item 'msg_...' was provided without its required 'reasoning' item: 'rs_...'.",
    ),
    hard(
        "unique-item-id",
        "Duplicate item found with id ... Remove duplicate items from your input and try again.",
        "https://github.com/earendil-works/pi/issues/5151",
    ),
    hard(
        "nonempty-history",
        "One of \"input\" or \"previous_response_id\" or 'prompt' or 'conversation_id' must be provided.",
        "https://github.com/earendil-works/pi/issues/4246",
    ),
)

_ANCHORED = "https://github.com/Soju06/codex-lb/pull/1235"
_ON_THE_SERVER = "results in front of the first assistant message answer calls that the server holds; those are taken"
_ANCHORED_ANSWERS = (
    *(
        evolve(answer, note=_ON_THE_SERVER) if answer.rule == "no-orphan" else answer
        for answer in _RESPONSES_ANSWERS
        if answer.rule != "nonempty-history"
    ),
    accepted("nonempty-history", _ANCHORED, "C", note="the server holds a conversation already"),
)

_ITEM_RULES = frozenset({"provider-executed-pair", "approval-pair", "unique-item-id"})

DECLARED = (
    PackDeclaration(
        "openai-chat",
        _CHAT_ANSWERS,
        enforces={"nonempty-history"},
        inputs=OPENS_ON_ASSISTANT,
        off=(*STEERS, *CHAT, "empty"),
    ),
    PackDeclaration(
        "openai-responses",
        _RESPONSES_ANSWERS,
        enforces=_ITEM_RULES | {"nonempty-history"},
        inputs=OPENS_ON_ASSISTANT,
        off=(*STEERS, "empty"),
    ),
    PackDeclaration(  # the server holds a conversation already, so that the list may be empty
        "openai-responses-anchored",
        _ANCHORED_ANSWERS,
        enforces=_ITEM_RULES,
        inputs=OPENS_ON_ASSISTANT,
        off=STEERS,
    ),
)
