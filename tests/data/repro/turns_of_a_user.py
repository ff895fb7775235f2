"""Last N turns; a turn opens on a message of role user. The trimmer knows no marks of trimfuzz."""


def trim(messages, limit):
    head = [m for m in messages[:1] if m["role"] == "system"]
    starts = [i for i, m in enumerate(messages) if m["role"] == "user"]
    if limit < 1:
        return head
    if len(starts) <= limit:
        return list(messages)
    return head + messages[starts[-limit] :]
