"""Compaction points while a history is shrunk."""

import pytest

from trimfuzz.campaigns.engine.compaction_points import (
    EVERY_POINT_UP_TO,
    moved_points,
    plainer_points,
    points_worth_trying,
)
from trimfuzz.messages.limits import Limit
from trimfuzz.messages.model import Message
from trimfuzz.messages.shorthand import history

BEFORE = history("U A[a] T(a) U A U")


def point(index: int, length: int) -> Limit:
    """A compaction point."""
    return Limit("compaction", index, length)


@pytest.mark.parametrize(
    ("kept", "moved"),
    [
        ((0, 1, 2, 3, 4), point(3, 4)),
        ((1, 2, 3, 4, 5), point(2, 3)),
        ((0, 1, 2, 4, 5), point(3, 3)),
        ((0, 1), point(2, 2)),
        ((4, 5), point(0, 0)),
    ],
)
def test_point_stays_at_its_messages(kept: tuple[int, ...], moved: Limit) -> None:
    """Of what is dropped, what lay before the point, or before the end of what was there, moves it."""
    assert moved_points(point(3, 4), BEFORE, tuple(BEFORE[index] for index in kept)) == [moved]


def test_point_that_was_not_stale_stays_so() -> None:
    """A point that was computed on the whole history is one of the whole shorter history."""
    assert moved_points(point(3, 6), BEFORE, BEFORE[1:]) == [point(2, 5)]


def test_edited_messages_leave_two_places() -> None:
    """Where a message was edited as another one went, the place is counted from the front and from the end."""
    after = (BEFORE[0], Message("user", "other"), *BEFORE[4:])
    assert moved_points(point(3, 6), BEFORE, after) == [point(1, 4), point(2, 4)]


def test_every_point_of_a_short_history_is_tried() -> None:
    """Up to a few messages all points are worth trying, the plainest first; of longer ones those that are not stale."""
    few = points_worth_trying(point(3, 4), BEFORE, BEFORE[:2])
    assert few == [point(0, 2), point(1, 2), point(2, 2), point(0, 1), point(0, 0), point(1, 1)]
    longer = BEFORE * 2
    assert len(longer) > EVERY_POINT_UP_TO + 1
    assert points_worth_trying(point(3, 4), longer, longer[1:]) == []
    assert points_worth_trying(point(3, 12), longer, longer[1:]) == [point(index, 11) for index in range(12)]


def test_plainer_points_come_plainest_first() -> None:
    """A point of the whole history is plainer than any stale one, then the smaller index, then what missed less."""
    assert plainer_points(point(0, 1), 2) == [point(0, 2), point(1, 2), point(2, 2)]
    assert plainer_points(point(1, 2), 2) == [point(0, 2)]
    assert plainer_points(point(0, 13), 13) == []
