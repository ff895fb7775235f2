"""bedrock: pops from the front down to the limit, then until a plain user message leads.

Converse has no system role in its list.
"""


def trim(messages, limit):
    out = list(messages)
    while len(out) > max(limit, 0):
        out.pop(0)
    while out and (out[0]["role"] != "user" or any("toolResult" in b for b in out[0]["content"])):
        out.pop(0)
    return out
