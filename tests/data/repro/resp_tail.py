"""openai-responses: the newest N items."""


def trim(items, limit):
    return items[-limit:] if limit > 0 else []
