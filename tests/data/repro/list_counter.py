"""A counter that takes only a list (the usual num_tokens_from_messages).

The trimmer drops the call and keeps its result.
"""


def num_tokens(messages):
    return 3 + sum(4 + len(m["content"] or "") for m in messages)


def trim(messages, limit):
    out = list(messages)
    while out and num_tokens(out) > limit:
        out.pop(0)
    return out
