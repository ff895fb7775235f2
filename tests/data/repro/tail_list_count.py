"""The commonest counter of all: num_tokens_from_messages(messages).

The trimmer is messages[-n:], so no-orphan must be found.
"""


def num_tokens_from_messages(messages):
    return 3 + sum(4 + len(str(m["content"])) for m in messages)


def trim(messages, limit):
    return messages[-max(limit // 40, 1) :]
