"""anthropic: strips thinking only from assistant messages with tool_use."""


def trim(messages, limit):
    return [
        {**m, "content": [b for b in m["content"] if b.get("type") not in ("thinking", "redacted_thinking")]}
        if m["role"] == "assistant"
        and isinstance(m["content"], list)
        and any(b.get("type") == "tool_use" for b in m["content"])
        else m
        for m in messages
    ]
