"""anthropic: removes the thinking blocks of every assistant message, also where its tool call is being answered."""


def trim(messages, limit):
    return [
        {**m, "content": [b for b in m["content"] if b.get("type") not in ("thinking", "redacted_thinking")]}
        if m["role"] == "assistant" and isinstance(m["content"], list)
        else m
        for m in messages
    ]
