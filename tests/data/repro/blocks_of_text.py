"""anthropic: writes a string content as one text block (what MessageHistory.add_message does). Drops nothing."""


def trim(messages, limit):
    return [
        {**m, "content": [{"type": "text", "text": m["content"]}]}
        if isinstance(m["content"], str) and m["role"] != "system"
        else m
        for m in messages
    ]
