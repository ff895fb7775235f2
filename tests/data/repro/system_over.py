"""Keeps every system message and the newest others (files are put in as system messages, as AI-Engineer does).

Never counts the system messages.
"""


def trim(messages, limit):
    if limit < 1:
        raise ValueError("at least one")
    if len(messages) <= limit:
        return list(messages)
    rest = [i for i, m in enumerate(messages) if m["role"] not in ("system", "developer")]
    keep = set(rest[-limit:])
    while keep and messages[min(keep)]["role"] == "tool":
        keep.discard(min(keep))
    return [m for i, m in enumerate(messages) if i in keep or m["role"] in ("system", "developer")]
