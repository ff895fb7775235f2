"""Compaction points while a history is shrunk: where a point goes when messages before it are gone, which is plainer.

A point lies between two messages, and so does the end of what was there when it was computed. Both stay at their
messages; a stale point must stay stale, or the fault that needs it is lost with the first message.
"""

from ...messages.limits import Limit
from ...messages.model import History

PLAINER_UP_TO = 12
"""Longest history of which every plainer point is tried at the end."""
EVERY_POINT_UP_TO = 5
"""Longest history of which every point is tried on the way."""


def moved_points(point: Limit, before: History, after: History) -> list[Limit]:
    """Return where a point of `before` can lie in `after`, which was made from it: the likeliest first."""
    size = len(after)
    length = len(before) if point.length is None else point.length
    lengths = [size] if length >= len(before) else _moved(length, before, after)
    indexes = _moved(point.index, before, after)
    return [Limit("compaction", index, max(length, index)) for length in lengths for index in indexes]


def _moved(place: int, before: History, after: History) -> list[int]:
    """A place by what is left in front of it, and by what is left behind it; they differ if messages were edited."""
    kept = set(map(id, after))
    front = sum(id(message) in kept for message in before[:place])
    back = len(after) - sum(id(message) in kept for message in before[place:])
    unmoved = [place] if len(before) == len(after) else []
    return [*dict.fromkeys(found for found in (*unmoved, front, back) if 0 <= found <= len(after))]


def points_worth_trying(point: Limit, before: History, after: History) -> list[Limit]:
    """Return the other points of `after`: all where it is short, else none if the point was stale in `before`.

    What needs a stale point shows at no other, and there are too many of those.
    """
    size = len(after)
    if size <= EVERY_POINT_UP_TO:
        return sorted(_all(size), key=lambda found: _order(found, size))
    stale = point.length is not None and point.length < len(before)
    return [] if stale else [Limit("compaction", index, size) for index in range(size + 1)]


def plainer_points(point: Limit, size: int) -> list[Limit]:
    """Return the points of a history of `size` messages that are plainer than this one, the plainest first.

    A point that was computed on the whole history is plainer than a stale one, then the smaller index, then the one
    that missed less.
    """
    if size > PLAINER_UP_TO:
        return []
    plainer = [found for found in _all(size) if _order(found, size) < _order(point, size)]
    return sorted(plainer, key=lambda found: _order(found, size))


def _all(size: int) -> list[Limit]:
    return [Limit("compaction", index, length) for index in range(size + 1) for length in range(index, size + 1)]


def _order(point: Limit, size: int) -> tuple[bool, int, int]:
    missing = size - (size if point.length is None else min(point.length, size))
    return (missing > 0, point.index, missing)
