"""Keeps every message; the text of every tool result but the newest is replaced by a note (what many agents do)."""


def trim(messages, limit):
    results = [i for i, m in enumerate(messages) if m["role"] == "tool"]
    old = set(results[: -max(limit, 1)])
    return [{**m, "content": "[Old tool result content cleared]"} if i in old else m for i, m in enumerate(messages)]
