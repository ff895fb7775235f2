"""Counters of one's own: what `--count` names, tried before anything runs, and watched afterwards.

Some take one message, some a list (`num_tokens_from_messages`), some both. One that takes lists alone is asked for
lists as a whole, since a total may have a constant (three tokens that start the answer) and may be rounded once. A
counter that raises, or returns what is no number of at least 0, raises `BadCounter` with its own error, whoever asked.
"""

from collections.abc import Callable, Sequence
from math import isfinite
from numbers import Integral, Real
from typing import Any, TypeAlias, cast

from attrs import field, frozen

from ..errors import BadCounter, CannotCarry, a_kind
from ..model import History, Message
from .counting import Count, message_count
from .format import Format

Function: TypeAlias = Callable[[Any], object]
SHORT, LONG = "a", "a word or two " * 30
COPIES = 9
"""How often a message stands in a list that is asked for its constant: rounding alone then makes none."""


@frozen
class Counter:
    """Somebody's counter under its name, of one item or a list of them.

    `lists`: it takes lists alone, and `constant` is what they cost beyond their messages. `alone`: it takes single
    messages alone, and a list is their sum.
    """

    name: str
    function: Function = field(eq=False)
    lists: bool = field(default=False, kw_only=True)
    alone: bool = field(default=False, kw_only=True)
    constant: int = field(default=0, kw_only=True)

    def __call__(self, item: Any) -> int:
        """Count an item, or a list of them with its constant."""
        many = isinstance(item, list | tuple)
        if self.alone and many:
            return sum(self._asked(one) for one in cast("Sequence[Any]", item))
        if self.lists and not many:
            return max(self._asked([item]) - self.constant, 0)
        return self._asked(cast("Any", item))

    def _asked(self, item: Any) -> int:
        try:
            answer = self.function(item)
        except Exception as error:
            raise BadCounter(f"{self.name}: {_said(error)}", f"asked for {_shown(item)}") from error
        number = _number(answer)
        if number is None:
            raise BadCounter(f"{self.name} returned {_answered(answer)}, no number of at least 0", _shown(item))
        return number


def tried(function: Function, name: str, form: Format) -> Counter:
    """Try a counter on plain messages of a format, each alone, then as lists; raises `BadCounter` if it takes neither.

    One that is told apart by nothing in a message but by all in a list (it walked over the keys) takes lists.
    """
    given = Counter(name, function)
    short, long = (form.write(Message("user", text)) for text in (SHORT, LONG))
    singles, problem = _both(given, short, long)
    listed, other = _both(given, [short], [long])
    if singles is not None and (listed is None or singles[0] != singles[1] or listed[0] == listed[1]):
        return Counter(name, function, alone=listed is None)
    if listed is None:
        assert problem is not None and other is not None  # noqa: PT018
        hint = "asked for one message" if problem.problem == other.problem else f"for a list of them: {other.problem}"
        raise BadCounter(problem.problem, f"{hint}; a counter takes a message, or a list of messages")
    excess = COPIES * listed[0] - given([short] * COPIES)
    return Counter(name, function, lists=True, constant=max(int(excess // (COPIES - 1)), 0))


def _both(count: Count, short: Any, long: Any) -> tuple[tuple[int, int] | None, BadCounter | None]:
    try:
        return (count(short), count(long)), None
    except BadCounter as error:
        return None, error


def total_in(form: Format, counter: Counter) -> Callable[[History], int]:
    """Return what the messages of a list cost together, without the constant, by a counter that takes lists."""

    def total(history: History) -> int:
        items: list[Any] = []
        other = 0
        for message in history:
            try:
                items.append(form.write(message))
            except CannotCarry:
                other += message_count(message)
        return other + (max(counter(items) - counter.constant, 0) if items else 0)

    return total


def _number(answer: object) -> int | None:
    """Return a count as a plain number; a fraction stays one, since a quarter of a length is a common count."""
    if isinstance(answer, bool) or not isinstance(answer, Real) or not isfinite(answer) or answer < 0:
        return None
    if isinstance(answer, Integral):
        return int(answer)
    fraction = float(answer)
    return int(fraction) if fraction.is_integer() else cast("int", fraction)


def _answered(answer: object) -> str:
    return repr(answer) if isinstance(answer, int | float) else a_kind(answer)


def _said(error: Exception) -> str:
    try:
        words = " ".join(str(error).split())[:300]
    except Exception:  # somebody's error may not even have words
        words = ""
    return f"{type(error).__name__}: {words}" if words else type(error).__name__


def _shown(item: Any) -> str:
    """Show what a counter was asked for; a list by its length and its last message, which is mostly the one."""
    try:
        if isinstance(item, list | tuple):
            many = cast("Sequence[Any]", item)
            return f"a list of {len(many)}" + (f", the last {_short(many[-1])}" if many else "")
        return _short(item)
    except Exception:  # what a trimmer hands over may answer anything
        return "what has no words"


def _short(item: Any) -> str:
    text = " ".join(repr(item).split())
    return text if len(text) <= 200 else text[:197] + "..."
