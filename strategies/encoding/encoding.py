"""One byte is one op: a string of bytes, interpreted into a history by plain Python.

The first byte is the header. It chooses the input class (valid, pending, interleaved, malformed, in about 50, 15, 20
and 15 of 100) and how the history opens. Every other byte is one op of the code table. Ops that the class does not
allow act as their plain neighbours, open calls are answered before anything new begins, and what the class still lacks
at the end is added. So each string has a history of exactly the class that it asks for; none is rejected, and every
shorter string, or string of smaller bytes, has a simpler history of that class.

The same bytes feed Hypothesis and the random lane. Fixtures hold histories, never bytes.
"""

from collections.abc import Iterable
from functools import lru_cache

from attrs import field, frozen

from ...messages.limits import Limit
from ...messages.model import History, head_length
from ...messages.reading.pairing import INPUT_CLASSES, InputClass, read
from .draft import TEXTS, Draft
from .fast_message import message
from .features import ALL, Features
from .neighbours import part_neighbours
from .opening import Header, headers, possible

SHORT = 40
"""The most messages of a history that is not `long`."""


@frozen
class Drawn:
    """What a string of bytes stands for. `point` is there when compaction points were wanted."""

    history: History
    input_class: InputClass
    point: Limit | None = None


@frozen
class Grammar:
    """How bytes are read under some features. Make one with `grammar`, and use it for many strings."""

    features: Features
    headers: tuple[Header, ...] = field(repr=False)
    guarded: bool
    """Whether some switch forbids a neighbourhood or an ending, which ops then have to ask about."""
    marks: bool
    min_size: int
    max_size: int | None

    def interpret(self, data: bytes) -> Drawn:
        """Return the history (and compaction point) that these bytes stand for; every string of bytes has one.

        Only a `max_size` below the smallest history of the class that the bytes ask for raises `ValueError`.
        """
        drawn = self._padded(data)
        if self.max_size is not None and len(drawn.history) > self.max_size:
            return self._cut_short(data, self.max_size)
        return drawn

    def _padded(self, data: bytes) -> Drawn:
        """Read bytes, with as many user messages behind them as the least size asks for."""
        drawn = self._interpret(data)
        while (missing := self.min_size - len(drawn.history)) > 0:
            data = (data or b"\0") + bytes(missing)
            drawn = self._interpret(data)
        return drawn

    def _interpret(self, data: bytes) -> Drawn:
        header = self.headers[data[0] if data else 0]
        draft = Draft(self.features, auto_user=header.auto_user, guarded=self.guarded, name=header.name)
        for role in header.roles:
            draft.out.append(message(role, TEXTS[role][len(draft.out)]))
        runs = header.table
        for code in data[1:]:
            runs[code](draft)
        _finish(draft, header)
        if self.guarded:
            _settle(draft, header)
            if not (self.features.repeated_roles and self.features.calls_after_text):
                part_neighbours(draft)
        history = tuple(draft.out)
        return Drawn(history, header.input_class, _point(draft, history) if self.marks else None)

    def _cut_short(self, data: bytes, most: int) -> Drawn:
        """Return the longest beginning of the bytes that fits; where none does, the plainest history of its class."""
        fits, over = 0, len(data)
        found: Drawn | None = None
        while over - fits > 1:
            middle = (fits + over) // 2
            tried = self._padded(data[:middle])
            if len(tried.history) <= most:
                fits, found = middle, tried
            else:
                over = middle
        if found is not None:
            return found
        wanted = self.headers[data[0] if data else 0].input_class
        heads = [bytes([code]) for code, header in enumerate(self.headers) if header.input_class == wanted]
        smallest = min(map(self._padded, heads), key=lambda drawn: len(drawn.history))
        if len(smallest.history) > most:
            raise ValueError(f"a {wanted} history with these features has at least {len(smallest.history)} messages")
        return smallest


def interpret(
    data: bytes,
    features: Features = ALL,
    *,
    inputs: Iterable[InputClass] = INPUT_CLASSES,
    compaction: bool = False,
    min_size: int = 0,
    max_size: int | None = None,
) -> Drawn:
    """Return the history that a string of bytes stands for; `grammar` says what the options do."""
    made = grammar(features, inputs=tuple(inputs), compaction=compaction, min_size=min_size, max_size=max_size)
    return made.interpret(data)


@lru_cache(maxsize=64)
def grammar(
    features: Features = ALL,
    *,
    inputs: tuple[InputClass, ...] = INPUT_CLASSES,
    compaction: bool = False,
    min_size: int = 0,
    max_size: int | None = None,
) -> Grammar:
    """Return how bytes are read.

    `inputs` are the input classes wanted; those that these features cannot make are left out. `compaction` adds a
    compaction point to each history. Sizes count messages. Raises `ValueError` for an unknown class, when no class is
    left, and for sizes that leave none.
    """
    for name in inputs:
        if name not in INPUT_CLASSES:
            raise ValueError(f"unknown input class {name!r}: one of {', '.join(INPUT_CLASSES)}")
    wanted: list[InputClass] = [name for name in INPUT_CLASSES if name in inputs and possible(features, name)]
    if not wanted:
        raise ValueError(f"no history that is {' or '.join(inputs) or 'of no input class'} with {features!r}")
    if not features.long:
        max_size = SHORT if max_size is None else min(max_size, SHORT)
    if min_size < 0 or (max_size is not None and max_size < min_size):
        raise ValueError(f"no history has at least {min_size} and at most {max_size} messages")
    return Grammar(
        features, headers(features, wanted, marks=compaction), _guarded(features), compaction, min_size, max_size
    )


def _guarded(features: Features) -> bool:
    return not (
        features.tool_steps
        and features.user_after_result
        and features.null_content
        and features.empty
        and features.system_alone
        and features.repeated_roles
        and features.calls_after_text
        and features.open_tail
        and features.ends_on_call
        and features.ends_on_result
        and features.ends_on_assistant
    )


def _finish(draft: Draft, header: Header) -> None:
    """Add what the input class still needs, and close what may not stay open."""
    wanted = header.input_class
    if wanted == "pending":
        if not draft.open:
            draft.step(header.tail)
        return
    if header.breaker is not None and not (draft.interleaved if wanted == "interleaved" else draft.malformed):
        header.breaker(draft)
    if draft.open and (wanted == "valid" or not header.tail):
        draft.close()


def _settle(draft: Draft, header: Header) -> None:
    """Honour the switches that forbid an ending."""
    features, out = draft.features, draft.out
    if header.input_class == "pending":
        if out[-1].role == "tool" and not features.ends_on_result:
            draft.step(1)
        elif out[-1].calls and not features.ends_on_call:
            if len(draft.open) < 2:
                draft.step(2)
            draft.next_result()
        return
    if not out and not features.empty:
        draft.user()
    if out and not features.system_alone and head_length(tuple(out)) == len(out):
        draft.user()
    if out and out[-1].calls and not (features.ends_on_call and features.open_tail):
        draft.user()
    if out and out[-1].role == "tool" and not features.ends_on_result:
        draft.add("assistant")
    if out and out[-1].role == "assistant" and not out[-1].calls and not features.ends_on_assistant:
        draft.user()


def _point(draft: Draft, history: History) -> Limit:
    """Return the compaction point that was marked; without a mark only the newest message is kept."""
    features, size = draft.features, len(history)
    index = max(size - 1, 0) if draft.cut is None else draft.cut
    length = size if draft.cut_length is None or not features.cut_stale else draft.cut_length
    if not (features.cut_in_batch and features.cut_in_flight):
        for first, last in sorted(_spans(history), reverse=True):
            if not features.cut_in_batch and first < index <= last:
                index = first
            if not features.cut_in_flight and first < length <= last:
                length = size
    return Limit("compaction", index, max(length, index))


def _spans(history: History) -> list[tuple[int, int]]:
    """Return for each batch its first call message and its last message of all."""
    reading = read(history)
    return [
        (batch.messages[0], max((*batch.messages, *(reading.answers[answer].message for answer in batch.answers))))
        for batch in reading.batches
    ]
