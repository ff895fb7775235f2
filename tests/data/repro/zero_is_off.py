"""0 means: no limit (a common convention, documented by its author)."""


def trim(messages, limit):
    if limit <= 0:
        return list(messages)
    out = list(messages)
    while len(out) > limit and out:
        out.pop(0)
        while out and out[0]["role"] != "user":
            out.pop(0)
    return out
