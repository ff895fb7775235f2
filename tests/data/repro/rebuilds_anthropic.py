"""anthropic: every message is rebuilt from role and content, as MessageHistory.add_message does. Nothing is dropped."""


def trim(messages, limit):
    return [{"role": m["role"], "content": m["content"]} for m in messages]
