"""kimi-code 0.19.1: how many messages to compact. It counts results behind a call, and looks at no id.

Upstream: MoonshotAI/kimi-code, `packages/agent-core/src/agent/compaction` (TypeScript). A count of 0 means that
nothing can be compacted. Written from a description of the behaviour, not from the source.
"""

from collections.abc import Sequence
from math import ceil

from ...messages.model import Message

RECENT_MESSAGES = 4
RECENT_SIZE = 0.2
LEAST_REDUCTION = 0.05


def can_split_after(messages: Sequence[Message], index: int) -> bool:
    """Say whether the history may be cut behind this message."""
    message = messages[index]
    if message.role == "user" or (message.role == "assistant" and message.calls):
        return False
    if index + 1 < len(messages) and messages[index + 1].role == "tool":
        return False
    first = index
    while first >= 0 and messages[first].role == "tool":
        first -= 1
    return first < 0 or messages[first].role != "assistant" or len(messages[first].calls) <= index - first


def manual_count(messages: Sequence[Message], tokens: Sequence[int], max_size: int) -> int:
    """Return how many messages a compaction by hand covers: all it can."""
    points = (index for index in range(len(messages) - 1, 0, -1) if can_split_after(messages, index))
    last = next(points, None)
    return 0 if last is None else _fitted(messages, tokens, max_size, last + 1)


def auto_count(messages: Sequence[Message], tokens: Sequence[int], max_size: int) -> int:
    """Return how many messages an automatic compaction covers: all but the four newest, or a fifth of the window."""
    best, size, total = 0, 0, len(messages)
    for recent in range(1, total):
        size += tokens[-recent]
        if can_split_after(messages, total - recent - 1):
            best = total - recent
        if best and (recent >= RECENT_MESSAGES or size >= RECENT_SIZE * max_size):
            break
    return _fitted(messages, tokens, max_size, best)


def _fitted(messages: Sequence[Message], tokens: Sequence[int], max_size: int, count: int) -> int:
    """Go down to the first prefix that can be cut and fits; else the smallest that can be cut, else as it was."""
    if max_size <= 0 or sum(tokens[:count]) <= max_size:
        return count
    smallest = count
    for shorter in range(count - 1, 0, -1):
        if can_split_after(messages, shorter - 1):
            smallest = shorter
            if sum(tokens[:shorter]) <= max_size:
                return shorter
    return smallest


def reduced_count(messages: Sequence[Message], tokens: Sequence[int], max_size: int) -> int:
    """Return a shorter prefix after a compaction request was itself too long: it sheds a twentieth of the window."""
    wanted, shed, best = max(1, ceil(LEAST_REDUCTION * max_size)), 0, len(messages)
    for count in range(len(messages) - 1, 0, -1):
        shed += tokens[count]
        if can_split_after(messages, count - 1):
            best = count
            if shed >= wanted:
                break
    return best
