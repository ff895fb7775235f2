"""Survivors: which input message each output message is.

Shared objects settle it at once; so does equality, where every output message equals a different one of the input.
Else two messages are compared: equal, alike (the same role and id with the same beginning or end, or calls or results
cut down), a result replaced by another one of its id, or a mere shell. The alignment keeps the order and has the
greatest total likeness; where there is a choice a result goes with the call in front of it, then the newest messages
are preferred. What is left over is then matched in any order (moved), then to messages that are already taken
(duplicated); the rest is new. Equal messages cannot be told apart, so nobody is blamed for which of them was kept:
where the input holds equal messages, shared objects are not asked.
"""

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from itertools import pairwise
from typing import Any, cast

from attrs import frozen

from ..lazy import lazy
from ..model import History, Message, is_declared_insertion
from .pairing import result_ids

IGNORED_KEYS = frozenset({"src", "simplified", "inserted", "origin", "injection"})
_NO_EXTRA: Hashable = frozenset[Hashable]()


@frozen(slots=False)
class Alignment:
    """For each output message its input index (None: new), and which of them are second copies of a kept message."""

    sources: tuple[int | None, ...]
    duplicates: frozenset[int]

    @lazy
    def place(self) -> dict[int, int]:
        """Where each surviving input message stands in the output; duplicates do not count."""
        return {
            source: index
            for index, source in enumerate(self.sources)
            if source is not None and index not in self.duplicates
        }

    @lazy
    def new(self) -> tuple[int, ...]:
        """The output messages that come from nowhere."""
        return tuple(index for index, source in enumerate(self.sources) if source is None)

    @lazy
    def ordered(self) -> bool:
        """Whether survivors stand in input order."""
        return all(one < other for one, other in pairwise(self.place))


@frozen(slots=False)
class Keys:
    """A history's messages as numbers, equal for messages that are equal to a reader; made once for all its trims."""

    each: tuple[int, ...]
    number: dict[Hashable, int]

    @property
    def distinct(self) -> bool:
        """Whether no two messages are equal; each key is then the message's own index."""
        return len(self.number) == len(self.each)

    @lazy
    def twins(self) -> frozenset[int]:
        """The numbers that more than one message has."""
        return frozenset(number for number, often in Counter(self.each).items() if often > 1)


def keys_of(history: History) -> Keys:
    """Number the messages of a history by what a reader sees."""
    number: dict[Hashable, int] = {}
    return Keys(tuple([number.setdefault(sameness(message), len(number)) for message in history]), number)


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
        _hashable({key: value for key, value in extra.items() if key not in IGNORED_KEYS}) if extra else _NO_EXTRA,
    )


def _hashable(value: Any) -> Hashable:
    if isinstance(value, Mapping):
        return frozenset((key, _hashable(inner)) for key, inner in cast("Mapping[str, Any]", value).items())
    if isinstance(value, list | tuple):
        return tuple(_hashable(inner) for inner in cast("Sequence[Any]", value))
    return value


def same(one: Message, other: Message) -> bool:
    """Say whether two messages are equal to a reader."""
    return one is other or sameness(one) == sameness(other)


def likeness(one: Message, other: Message) -> int:
    """Return how alike an input message and an output message are.

    4 equal, 3 alike, 2 a result in the place of another one of its id, 1 a shell, 0 not at all.
    """
    if _only_now_inserted(one, other):
        return 0
    if same(one, other):
        return 4
    return _alike(one, other) if _group(one) == _group(other) else 0


def texts_alike(one: str, other: str) -> bool:
    """Say whether one text can be what became of another: they begin or end alike, or one begins the other."""
    if not one or not other:
        return False
    return one[:8] == other[:8] or one[-8:] == other[-8:] or one.startswith(other) or other.startswith(one)


def says_it_is_new(message: Message) -> bool:
    """Say whether an output message declares itself a summary or a marker; a result is one whatever marks it bears."""
    return is_declared_insertion(message) and not result_ids(message)


def _only_now_inserted(one: Message, other: Message) -> bool:
    """Say whether the output message declares itself new; one that was handed in with its mark is not."""
    if not (other.extra and other.extra.get("inserted")):
        return False
    return not one.extra.get("inserted") and not result_ids(other)


def _group(message: Message) -> tuple[str, str]:
    """Return what must agree before two messages are compared: the role, and for a result its call id."""
    return (message.role, (message.call_id or "") if message.role == "tool" else "")


def _alike(one: Message, other: Message) -> int:
    """Return the likeness of two messages of one group that are not equal."""
    if says_it_is_new(other):
        return 0
    after = other.text or ""
    if texts_alike(one.text or "", after):
        return 3
    ids = {call.id for call in other.calls}
    if ids:
        return 3 if ids <= {call.id for call in one.calls} else 0
    if other.extra and (answered := inline_ids(other)):
        return 3 if answered <= inline_ids(one) else 0
    if other.role == "tool" and result_ids(other):
        return 2
    return 0 if after else 1


def inline_ids(message: Message) -> frozenset[str]:
    """Return the ids of the results that stand inside a message which is no tool message."""
    return frozenset(result_ids(message)) if message.extra and message.role != "tool" else frozenset()


def align(
    history: History,
    output: History,
    *,
    identity: Sequence[int | None] | None = None,
    keys: Keys | None = None,
    pinned: bool = False,
) -> Alignment:
    """Match the output of a trim with its input.

    `identity` gives the input index of each output message that is an object of the input; `keys` are those of the
    history, where they are known. Such an object may be taken for an equal message, unless it is `pinned` to its own.
    """
    keys = keys or keys_of(history)
    if identity is not None and None not in identity and (keys.distinct or list(identity) == [*range(len(history))]):
        return _by_identity(cast("Sequence[int]", identity))
    known = [None] * len(output) if identity is None else identity
    numbers, edited = _numbers(history, output, known, keys)
    if not edited and (keys.distinct or not pinned):
        quick = _in_order(history, output, keys, numbers)
        if quick is None and keys.distinct:
            quick = _each_once(output, numbers)
        if quick is not None:
            return Alignment(quick, frozenset())
    return _by_likeness(_Comparison(history, output, keys.each, numbers, known, pinned))


def _by_identity(identity: Sequence[int]) -> Alignment:
    seen: set[int] = set()
    duplicates: set[int] = set()
    for index, source in enumerate(identity):
        if source in seen:
            duplicates.add(index)
        seen.add(source)
    return Alignment(tuple(identity), frozenset(duplicates))


def _numbers(history: History, output: History, known: Sequence[int | None], keys: Keys) -> tuple[list[int], bool]:
    """Return the key of each output message (-1: equal to no input message), and whether one was edited in place."""
    numbers: list[int] = []
    edited = False
    for source, message in zip(known, output, strict=True):
        if source is not None and history[source] is message:
            numbers.append(keys.each[source])
        else:
            numbers.append(keys.number.get(sameness(message), -1))
            edited = edited or source is not None
    return numbers, edited


def _in_order(history: History, output: History, keys: Keys, numbers: Sequence[int]) -> tuple[int | None, ...] | None:
    """Match newest first where every output message equals one of the input, in order, or is a declared insertion.

    Nothing can be likelier than that; None where it does not come out.
    """
    sources: list[int | None] = [None] * len(output)
    each, index = keys.each, len(keys.each)
    unsure: list[int] = []  # results that equal more than one of the input
    for place in range(len(output) - 1, -1, -1):
        number = numbers[place]
        if _clearly_new(output[place], number):
            continue
        if number < 0 or output[place].extra.get("inserted"):
            return None
        index -= 1
        while index >= 0 and each[index] != number:
            index -= 1
        if index < 0:
            return None
        sources[place] = index
        if number in keys.twins and result_ids(output[place]):
            unsure.append(place)
    return tuple(sources) if not unsure or _with_their_calls(history, output, sources, unsure) else None


def _with_their_calls(history: History, output: History, sources: Sequence[int | None], places: Sequence[int]) -> bool:
    """Say whether each of these results came from behind the call message that it stands behind."""
    before, after = callers_of(history), callers_of(output)
    for place in places:
        source, caller = sources[place], after[place]
        assert source is not None
        if caller is not None and sources[caller] != before[source]:
            return False
    return True


def callers_of(history: History) -> list[int | None]:
    """Return for each message with results the nearest message in front of it that makes the call of the first one."""
    latest: dict[str, int] = {}
    found: list[int | None] = []
    for index, message in enumerate(history):
        ids = result_ids(message)
        found.append(latest.get(ids[0]) if ids else None)
        for call in message.calls:
            latest[call.id] = index
            if call.alt_id is not None:
                latest[call.alt_id] = index
    return found


def _each_once(output: History, numbers: Sequence[int]) -> tuple[int | None, ...] | None:
    """Match in any order where no two input messages are equal, and no output message comes twice."""
    sources: list[int | None] = []
    for message, number in zip(output, numbers, strict=True):
        if _clearly_new(message, number):
            sources.append(None)
        elif number < 0 or message.extra.get("inserted"):
            return None
        else:
            sources.append(number)
    known = [source for source in sources if source is not None]
    return tuple(sources) if len(set(known)) == len(known) else None


def _clearly_new(message: Message, number: int) -> bool:
    return number < 0 and says_it_is_new(message)


@frozen(slots=False)
class _Comparison:
    """Input messages (index) beside output messages (place): how alike, with shared objects taken into account."""

    history: History
    output: History
    each: Sequence[int]
    numbers: Sequence[int]
    identity: Sequence[int | None]
    pinned: bool

    @lazy
    def groups(self) -> dict[tuple[str, str], list[int]]:
        """The input messages that can be alike at all."""
        found: dict[tuple[str, str], list[int]] = {}
        for index, message in enumerate(self.history):
            found.setdefault(_group(message), []).append(index)
        return found

    def equal(self, index: int, place: int) -> bool:
        """Say whether they are of likeness 4."""
        own = self.identity[place]
        if own == index or (self.pinned and own is not None):
            return own == index
        same_number = self.each[index] == self.numbers[place]
        return same_number and not _only_now_inserted(self.history[index], self.output[place])

    def certain(self, index: int, place: int) -> bool:
        """Say whether two messages are equal, and nothing else could be matched better at the end of both lists."""
        if not self.equal(index, place):
            return False
        return self.each.count(self.each[index]) == 1 or not result_ids(self.output[place])

    def row(self, place: int) -> dict[int, int]:
        """The likeness of one output message by input index; an object of the input is like nothing but its equals."""
        message, own = self.output[place], self.identity[place]
        found: dict[int, int] = {} if own is None else {own: 4}
        for index in self.groups.get(_group(message), ()):
            if self.equal(index, place):
                found[index] = 4
            elif own is None and (value := _alike(self.history[index], message)):
                found[index] = value
        return found


def _by_likeness(comparison: _Comparison) -> Alignment:
    """Match by likeness: the best in order, then what was moved, then second copies; the rest is new."""
    size, length = len(comparison.history), len(comparison.output)
    sources: list[int | None] = [None] * length
    while size and length and comparison.certain(size - 1, length - 1):
        size, length = size - 1, length - 1
        sources[length] = size
    table = [comparison.row(place) for place in range(length)]
    _best_in_order(size, _weighted(comparison, table), sources)

    used = {source for source in sources if source is not None}
    for wanted in (4, 3):
        for place in range(length - 1, -1, -1):
            if sources[place] is None:
                moved = [index for index, value in table[place].items() if value == wanted and index not in used]
                if moved:
                    sources[place] = max(moved)
                    used.add(max(moved))
    duplicates = [place for place in range(length) if sources[place] is None and 4 in table[place].values()]
    for place in duplicates:
        sources[place] = max(index for index, value in table[place].items() if value == 4)
    return Alignment(tuple(sources), frozenset(duplicates))


def _weighted(comparison: _Comparison, table: Sequence[Mapping[int, int]]) -> Sequence[Mapping[int, int]]:
    """Return likeness as weights, in which of equal likeness a result weighs more with the call in front of it."""
    unsure = [place for place, row in enumerate(table) if len(row) > 1 and result_ids(comparison.output[place])]
    if not unsure:
        return table
    before, after = callers_of(comparison.history), callers_of(comparison.output)
    scale = 4 * len(table) + 1
    weights = [{index: value * scale for index, value in row.items()} for row in table]
    for place in unsure:
        caller = after[place]
        if caller is not None and caller < place:
            for index in weights[place]:
                source = before[index]
                weights[place][index] += 0 if source is None else table[caller].get(source, 0)
    return weights


def _best_in_order(size: int, table: Sequence[Mapping[int, int]], sources: list[int | None]) -> None:
    """Fill in the order-preserving alignment of greatest total weight, newest first where there is a choice."""
    columns = [[0] * (size + 1)]
    for values in table:
        before, column, top = columns[-1], [0] * (size + 1), 0
        for index in range(size):
            top = max(top, before[index + 1])
            value = values.get(index, 0)
            if value and before[index] + value > top:
                top = before[index] + value
            column[index + 1] = top
        columns.append(column)
    index, place = size, len(table)
    while index and place:
        value = table[place - 1].get(index - 1, 0)
        if value and columns[place][index] == columns[place - 1][index - 1] + value:
            index, place = index - 1, place - 1
            sources[place] = index
        elif columns[place][index] == columns[place - 1][index]:
            place -= 1
        else:
            index -= 1
