"""OpenAI: chat completions, and the Responses API with or without a server anchor."""

from attrs import evolve

from .entry import O1, O2, O2_SOURCE, accepted, calls_left_open, hard

CHAT = (
    hard("no-orphan", O1, "https://github.com/BerriAI/litellm/issues/4931"),
    *calls_left_open(O2, O2_SOURCE),
    hard("result-adjacent", O2, O2_SOURCE, "C", note="follows from the two texts above; no report isolates it"),
    hard(
        "nonempty-history",
        "Invalid 'messages': empty array. Expected an array with minimum length 1, but got an empty array instead.",
        "https://github.com/microsoft/agent-framework/issues/2384",
    ),
    accepted("first-is-user", "https://github.com/mckaywrigley/chatbot-ui/issues/1656", "C"),
)

RESPONSES = (
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
RESPONSES_ANCHORED = (
    *(
        evolve(entry, note=_ON_THE_SERVER) if entry.rule == "no-orphan" else entry
        for entry in RESPONSES
        if entry.rule != "nonempty-history"
    ),
    accepted("nonempty-history", _ANCHORED, "C", note="the server holds a conversation already"),
)
