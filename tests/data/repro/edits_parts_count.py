"""Cuts the text of a multi-part message: other parts first, one shortened text part behind.

The counter is trimfuzz's own.
"""


def trim(messages, limit, count):
    out = list(messages)
    while out and sum(map(count, out)) > limit:
        c = out[0].get("content")
        if isinstance(c, list) and any(p.get("type") == "text" and p["text"] for p in c):
            text = "".join(p["text"] for p in c if p.get("type") == "text")
            out[0] = {
                **out[0],
                "content": [p for p in c if p.get("type") != "text"]
                + ([{"type": "text", "text": text[:-1]}] if text[:-1] else []),
            }
        else:
            out.pop(0)
    return out
