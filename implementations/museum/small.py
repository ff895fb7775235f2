"""Make every small history, to check that no history smaller than a piece's known minimum breaks its rule.

Ids are named in the order in which they first appear, so that no history comes twice under other names. Texts are as
short as possible and all differ. Stray results (of no call, or a second one) are left out: they make the input
malformed, and no piece is judged there.
"""

from collections.abc import Iterator, Sequence
from functools import cache

from ...messages.model import History, Message
from ...messages.shorthand import history

IDS = "abc"
PLAIN = ("U", "A", "S")
MARKED = ("U!", "A!", "S!", "D", "U=", "A=")
BATCHES = ("a", "b", "c", "a,b", "b,a", "a,c", "b,c", "a,a", "a,b,c", "b,c,a")


def small_histories(size: int, *, marked: bool = False, text: bool = False) -> Iterator[History]:
    """Yield every history of `size` messages: system, user, assistant messages, batches of up to three calls, results.

    `marked` adds pinned messages, `developer` and empty texts, `text` call messages that say something. The number of
    histories grows about tenfold with each message.
    """
    singles = PLAIN + MARKED if marked else PLAIN
    pins = ("", "!") if marked else ("",)
    pluses = ("", "+") if text else ("",)
    calls = [(batch.split(","), [f"A[{batch}]{plus}{pin}" for plus in pluses for pin in pins]) for batch in BATCHES]

    def grow(tokens: tuple[str, ...], used: int, free: dict[str, int]) -> Iterator[tuple[str, ...]]:
        if len(tokens) == size:
            yield tokens
            return
        for single in singles:
            yield from grow((*tokens, single), used, free)
        for ids, forms in calls:
            known = _first_appear_in_order(ids, used)
            if known is not None:
                opened = {**free, **{call: ids.count(call) for call in ids}}
                for form in forms:
                    yield from grow((*tokens, form), known, opened)
        for call, open_calls in free.items():
            if open_calls:
                for pin in pins:
                    yield from grow((*tokens, f"T({call}){pin}"), used, {**free, call: open_calls - 1})

    for tokens in grow((), 0, {}):
        yield tuple(_message(token, index) for index, token in enumerate(tokens))


def _first_appear_in_order(ids: Sequence[str], used: int) -> int | None:
    """Return how many ids are in use after these; None if a new one is not the next in the alphabet."""
    for call in ids:
        place = IDS.index(call)
        if place > used:
            return None
        used = max(used, place + 1)
    return used


@cache
def _message(token: str, index: int) -> Message:
    if "=" not in token and (not token.startswith("A[") or "+" in token):
        token = f"{token}={index}"
    return history(token)[0]
