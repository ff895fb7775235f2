def trim(messages, limit):
    """Clears the results of all but the newest `limit` messages; calls and order stay."""
    out = [dict(m) for m in messages]
    for m in out[: max(len(out) - max(limit, 0), 0)]:
        if m["role"] == "tool":
            m["content"] = "[cleared]"
    return out
