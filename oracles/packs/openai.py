"""OpenAI: chat completions, and the Responses API with or without a server anchor."""

from .texts import O1, O2, O2_SOURCE, Text, calls_left_open

CHAT = {
    "no-orphan": Text(O1, "https://github.com/BerriAI/litellm/issues/4931"),
    **calls_left_open(O2, O2_SOURCE),
    # No public report isolates a message between call and result; it follows from the two texts above (C).
    "result-adjacent": Text(O2, O2_SOURCE, "C"),
}

_ORPHAN = Text(
    "No tool call found for function call output with call_id ...",
    "https://github.com/langchain-ai/langchainjs/pull/9740",
)

RESPONSES = {
    "no-orphan": _ORPHAN,
    **calls_left_open(
        "No tool output found for function call ...", "https://github.com/openai/openai-agents-python/issues/2317"
    ),
    "reasoning-kept-with-followup": Text(
        "Item 'rs_...' of type 'reasoning' was provided without its required following item.",
        "https://github.com/vercel/ai/issues/7099",
    ),
    "unique-item-id": Text(
        "Duplicate item found with id ... Remove duplicate items from your input and try again.",
        "https://github.com/earendil-works/pi/issues/5151",
    ),
    "nonempty-history": Text(
        "One of \"input\" or \"previous_response_id\" or 'prompt' or 'conversation_id' must be provided.",
        "https://github.com/earendil-works/pi/issues/4246",
    ),
}
