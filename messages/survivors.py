"""Survivors: which input message each output message is.

Shared objects settle it at once. Without them two messages are compared: equal, alike (the same role and id with the same
beginning, or calls cut down), or a mere shell. The alignment keeps the order, has the greatest total likeness, and prefers
the newest messages where there is a choice; what is left over is then matched in any order (moved), then to messages that
are already taken (duplicated); the rest is new. Equal messages cannot be told apart, so nobody is blamed for which of
them was kept: where the input holds equal messages, shared objects are not asked.
"""

from collections.abc import Hashable, Sequence
from functools import cached_property

from attrs import frozen

from .model import History, Message

IGNORED_KEYS = frozenset({"src", "simplified", "inserted", "origin", "injection"})


@frozen(slots=False)
class Alignment:
    """For each output message its input index (None: new), and which of them are second copies of a kept message."""

    sources: tuple[int | None, ...]
    duplicates: frozenset[int]

    @cached_property
    def place(self) -> dict[int, int]:
        """Where each surviving input message stands in the output; duplicates do not count."""
        return {
            source: index
            for index, source in enumerate(self.sources)
            if source is not None and index not in self.duplicates
        }

    @cached_property
    def new(self) -> tuple[int, ...]:
        """The output messages that come from nowhere."""
        return tuple(index for index, source in enumerate(self.sources) if source is None)

    @cached_property
    def ordered(self) -> bool:
        """Whether survivors stand in input order."""
        places = list(self.place)
        return all(one < other for one, other in zip(places, places[1:], strict=False))


def sameness(message: Message) -> Hashable:
    """Return a key that is equal for messages that are equal to a reader; sizes and bookkeeping are left out."""
    extra = message.extra
    return (
        message.role,
        message.text or "",
        message.calls,
        message.call_id or "",
        message.name,
        message.reasoning,
        message.keep_during_truncation,
        message.summary,
        repr(sorted((key, value) for key, value in extra.items() if key not in IGNORED_KEYS)) if extra else "",
    )


def same(one: Message, other: Message) -> bool:
    """Say whether two messages are equal to a reader."""
    return one is other or sameness(one) == sameness(other)


def likeness(one: Message, other: Message) -> int:
    """Return how alike an input message and an output message are: 4 equal, 3 alike, 1 a shell, 0 not at all."""
    if other.extra.get("inserted"):
        return 0
    if same(one, other):
        return 4
    if one.role != other.role or other.summary:
        return 0
    if one.role == "tool" and (one.call_id or "") != (other.call_id or ""):
        return 0
    before, after = one.text or "", other.text or ""
    if after and (before[:8] == after[:8] or before.startswith(after)):
        return 3
    ids = [call.id for call in other.calls]
    if ids and set(ids) <= {call.id for call in one.calls}:
        return 3
    return 1 if not after and not ids else 0


def align(
    history: History, output: History, *, identity: Sequence[int | None] | None = None
) -> Alignment:
    """Match the output of a trim with its input; `identity` gives the input index of objects that are shared."""
    if identity is not None and None not in identity and _all_different(history, output, identity):
        seen: set[int] = set()
        duplicates: set[int] = set()
        for index, source in enumerate(identity):
            if source in seen:
                duplicates.add(index)
            elif source is not None:
                seen.add(source)
        return Alignment(tuple(identity), frozenset(duplicates))
    keys = [sameness(message) for message in history]
    place = {key: index for index, key in enumerate(keys)}
    if len(place) == len(keys):
        direct = [place.get(sameness(message)) for message in output]
        if None not in direct and len(set(direct)) == len(direct) and not _any_inserted(output):
            return Alignment(tuple(direct), frozenset())
    return _align_by_likeness(history, output, identity)


def _any_inserted(output: History) -> bool:
    return any(message.extra and message.extra.get("inserted") for message in output)


def _all_different(history: History, output: History, identity: Sequence[int | None]) -> bool:
    """Shared objects may be trusted unless an equal message was left out, which could as well be the one that stayed."""
    if len(identity) == len(history) and tuple(identity) == tuple(range(len(history))):
        return True
    keys = set(map(sameness, history))
    return len(keys) == len(history)


def _align_by_likeness(history: History, output: History, identity: Sequence[int | None] | None) -> Alignment:
    size, length = len(history), len(output)

    def like(index: int, place: int) -> int:
        value = likeness(history[index], output[place])
        if value < 4 and identity is not None and identity[place] == index:
            return 4
        return value

    table = [[like(index, place) for place in range(length)] for index in range(size)]
    best = [[0] * (length + 1) for _ in range(size + 1)]
    for index in range(size):
        row, above, values = best[index + 1], best[index], table[index]
        for place in range(length):
            top = max(above[place + 1], row[place])
            value = values[place]
            if value and above[place] + value > top:
                top = above[place] + value
            row[place + 1] = top

    sources: list[int | None] = [None] * length
    index, place = size, length
    while index and place:
        value = table[index - 1][place - 1]
        if value and best[index][place] == best[index - 1][place - 1] + value:
            index, place = index - 1, place - 1
            sources[place] = index
        elif best[index][place] == best[index][place - 1]:
            place -= 1
        else:
            index -= 1

    used = {source for source in sources if source is not None}
    for wanted in (4, 3):
        for place in range(length - 1, -1, -1):
            if sources[place] is None:
                for index in range(size - 1, -1, -1):
                    if index not in used and table[index][place] == wanted:
                        sources[place] = index
                        used.add(index)
                        break
    duplicates: set[int] = set()
    for place in range(length):
        if sources[place] is None:
            for index in range(size - 1, -1, -1):
                if table[index][place] == 4:
                    sources[place] = index
                    duplicates.add(place)
                    break
    # Of equal copies the one nearest the original's order was matched above; a copy is whatever is left.
    return Alignment(tuple(sources), frozenset(duplicates))
