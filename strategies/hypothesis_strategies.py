"""The public strategies. They draw one string of bytes and interpret it, so that shrinking has one short string to work
on.

The string comes in three size bands, which differ only in the least length: whatever a larger band drew, a smaller one
can hold, and shrinking moves there at once. An example costs two choices, and one more where a limit is drawn as well.
A failing example prints as the history, which can be pasted back as Python.

As in Hypothesis itself, all options are keywords, and bad ones raise `InvalidArgument` when the first example is drawn.
"""

from collections.abc import Collection
from functools import lru_cache

from hypothesis import strategies as st
from hypothesis.errors import InvalidArgument

from ..messages.cases import Case, Example
from ..messages.errors import BadName
from ..messages.formats.counting import message_count
from ..messages.limits import LIMIT_KINDS, Cost, Limit, LimitKind, cost_of, sweep
from ..messages.model import History
from ..messages.reading.pairing import INPUT_CLASSES, InputClass
from ..messages.reading.profile import Profile
from ..messages.reading.profiles import NEUTRAL
from .encoding.encoding import Drawn, Grammar, grammar
from .encoding.features import ALL, Features, switched
from .lane import BANDS

LONGEST = BANDS[-1][1]
byte_strings = st.one_of([st.binary(min_size=least, max_size=LONGEST) for least, _ in BANDS])


@st.composite
def histories(
    draw: st.DrawFn,
    *,
    inputs: Collection[InputClass] = INPUT_CLASSES,
    features: Features = ALL,
    min_size: int = 0,
    max_size: int | None = None,
    **switches: bool,
) -> History:
    """Histories of the input classes wanted, in about 50 (valid), 15, 20 and 15 (malformed) of 100 examples.

    `features` are what they may contain, `switches` further features by name (`histories(keep=False)`). `min_size` and
    `max_size` count messages. Shrinks towards few, plain messages, and never out of its input class.
    """
    return _draw(draw, inputs, features, False, min_size, max_size, switches).history


@st.composite
def histories_with_points(
    draw: st.DrawFn,
    *,
    inputs: Collection[InputClass] = INPUT_CLASSES,
    features: Features = ALL,
    min_size: int = 0,
    max_size: int | None = None,
    **switches: bool,
) -> tuple[History, Limit]:
    """Histories, each with a compaction point: inside a parallel batch, computed in flight, or stale, among others.

    The point is part of the string of bytes: it stays at its message while others are shrunk away.
    """
    drawn = _draw(draw, inputs, features, True, min_size, max_size, switches)
    return drawn.history, _point_of(drawn)


@st.composite
def compaction_points(draw: st.DrawFn, history: History) -> Limit:
    """Compaction points for one given history: an index, and the length of the history when it was computed."""
    index = draw(st.integers(0, len(history)))
    missing = draw(st.integers(0, len(history) - index))
    return Limit("compaction", index, len(history) - missing)


@st.composite
def limits(draw: st.DrawFn, history: History, *, kind: LimitKind = "messages", count: Cost = message_count) -> Limit:
    """Limits at which a trim of one given history can change, from below zero to far above; `count` measures tokens."""
    return _one_limit(draw, history, kind, count)


@st.composite
def cases(
    draw: st.DrawFn,
    *,
    kind: LimitKind = "messages",
    count: Cost = message_count,
    profile: Profile = NEUTRAL,
    inputs: Collection[InputClass] = INPUT_CLASSES,
    features: Features = ALL,
    min_size: int = 0,
    max_size: int | None = None,
    **switches: bool,
) -> Case:
    """Cases: a history and one limit of a kind (for `compaction` a point). `count` measures tokens.

    To test a trimmer, draw `histories()` and sweep the limits of each instead: it finds more and shrinks better.
    """
    compaction = kind == "compaction"
    drawn = _draw(draw, inputs, features, compaction, min_size, max_size, switches)
    limit = _point_of(drawn) if compaction else _one_limit(draw, drawn.history, kind, count)
    return Case(Example(drawn.history, profile=profile, cost=cost_of(kind, count)), limit)


def _one_limit(draw: st.DrawFn, history: History, kind: LimitKind, count: Cost) -> Limit:
    if kind not in LIMIT_KINDS:
        raise InvalidArgument(f"unknown kind of limit {kind!r}: one of {', '.join(LIMIT_KINDS)}")
    found = sweep(history, kind, costs=tuple(map(count, history)) if kind == "tokens" else None)
    return found[draw(st.integers(0, len(found) - 1))]


def _point_of(drawn: Drawn) -> Limit:
    assert drawn.point is not None
    return drawn.point


def _draw(
    draw: st.DrawFn,
    inputs: Collection[InputClass],
    features: Features,
    compaction: bool,
    min_size: int,
    max_size: int | None,
    switches: dict[str, bool],
) -> Drawn:
    made = _grammar(tuple(inputs), features, compaction, min_size, max_size, tuple(switches.items()))
    data = draw(byte_strings)
    try:
        return made.interpret(data)
    except ValueError as error:
        raise InvalidArgument(str(error)) from None


@lru_cache(maxsize=64)
def _grammar(
    inputs: tuple[InputClass, ...],
    features: Features,
    compaction: bool,
    min_size: int,
    max_size: int | None,
    switches: tuple[tuple[str, bool], ...],
) -> Grammar:
    try:
        return grammar(
            switched(features, dict(switches)),
            inputs=inputs,
            compaction=compaction,
            min_size=min_size,
            max_size=max_size,
        )
    except (BadName, ValueError) as error:
        raise InvalidArgument(str(error)) from None
