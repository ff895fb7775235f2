def count(m):
    raise RuntimeError("no vocabulary")


def trim(messages, limit):
    return messages[-1:]
