def count(m):
    return 10


def trim(messages, limit):
    out = list(messages)
    while out and 10 * len(out) > limit:
        out.pop(0)
    return out
