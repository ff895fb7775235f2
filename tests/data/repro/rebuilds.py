"""A window that rebuilds its messages from the keys of the API, as most programs do."""

KEYS = ("role", "content", "tool_calls", "tool_call_id", "name")


def trim(messages, limit):
    out = [{k: m[k] for k in KEYS if k in m} for m in messages]
    while len(out) > limit and out:
        out.pop(0)
        while out and out[0]["role"] != "user":
            out.pop(0)
    return out
