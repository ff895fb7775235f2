def _clear(messages, new):
    results = [i for i, m in enumerate(messages) if m["role"] == "tool"]
    return [{**m, "content": new(m["content"])} if i in results[:-1] else m for i, m in enumerate(messages)]


def prefix(messages, limit):
    return _clear(messages, lambda c: c[:1] if isinstance(c, str) else "x")


def suffixed(messages, limit):
    return _clear(messages, lambda c: (c if isinstance(c, str) else "") + " [truncated]")


def wrapped(messages, limit):
    return _clear(messages, lambda c: "[cleared] " + (c if isinstance(c, str) else ""))


def emptied(messages, limit):
    return _clear(messages, lambda c: "")


def clear_anthropic(messages, limit):
    out = []
    for m in messages[:-1]:
        if isinstance(m["content"], list):
            m = {
                **m,
                "content": [
                    {**b, "content": "[cleared]"} if b.get("type") == "tool_result" else b for b in m["content"]
                ],
            }
        out.append(m)
    return out + messages[-1:]
