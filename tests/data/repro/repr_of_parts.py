"""Sends a Python repr where the content of a tool result was a list of parts: str(content).

Nothing is dropped. (A real package does this.)
"""


def trim(messages, limit):
    return [{**m, "content": str(m["content"])} if m["role"] == "tool" else m for m in messages]
