"""The best legal trim found the dear way: by trying every subset of a short history."""

from collections.abc import Callable
from itertools import combinations

from trimfuzz.messages.cases import Case, Example
from trimfuzz.messages.limits import Limit
from trimfuzz.messages.model import History, Message
from trimfuzz.messages.reading.profiles import profile
from trimfuzz.oracles.best.legal import legal

Kept = tuple[int, ...]


def tokens(message: Message) -> int:
    """Cost of a message in these tests: the size it is given, else 1."""
    return 1 if message.tokens is None else message.tokens


def example_of(history: History, provider: str = "neutral") -> Example:
    """Return an example that is measured by the sizes in its messages."""
    return Example(history, profile=profile(provider), cost=tokens)


def at(example: Example, limit: int | None) -> Case:
    """Return the case of a token limit; None for an unknown one."""
    return Case(example, None if limit is None else Limit("tokens", limit))


def all_legal(example: Example, is_legal: Callable[[Example, Kept], bool] = legal) -> list[Kept]:
    """Return every legal trim."""
    size = len(example.history)
    return [kept for count in range(size + 1) for kept in combinations(range(size), count) if is_legal(example, kept)]


def cost_kept(example: Example, kept: Kept) -> int:
    """Return the cost of the messages kept."""
    return sum(example.costs[index] for index in kept)


def wish_met(example: Example, kept: Kept) -> int:
    """Return how far a trim meets the wish for something to answer: 2 a user message that is asked for, 1, 0."""
    spoken = [index for index in kept if index in example.reading.conversation]
    asked = [
        index
        for index in spoken
        if example.history[index].role == "user"
        if example.history[index].text or not example.reading.answers_of.get(index)
    ]
    return 2 if example.profile.need_user and asked else 1 if spoken else 0


def searched(example: Example, trims: list[Kept], limit: int) -> tuple[Kept | None, int]:
    """Return what `ref` and `most` have to be, from the list of all legal trims."""
    room = max(limit, 0)
    if example.total <= room:
        return tuple(range(len(example.history))), example.total
    within = [kept for kept in trims if cost_kept(example, kept) <= room]
    best = max(within, key=lambda kept: (wish_met(example, kept), kept[::-1]), default=None)
    if best is not None and example.reading.conversation and not wish_met(example, best):
        best = None
    return best, max((cost_kept(example, kept) for kept in within), default=0)
