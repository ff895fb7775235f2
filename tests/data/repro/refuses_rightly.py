"""Keeps the newest whole exchanges that fit; refuses when not even the newest one fits. Nothing else would be legal."""


class DoesNotFit(Exception):
    pass


def trim(messages, limit, count):
    if sum(map(count, messages)) <= limit:
        return list(messages)
    head = [m for m in messages[:1] if m["role"] in ("system", "developer")]
    starts = [i for i, m in enumerate(messages) if m["role"] == "user" and i >= len(head)]
    for i in starts:
        out = head + messages[i:]
        if sum(map(count, out)) <= limit:
            return out
    raise DoesNotFit
