"""Taking a history apart for a package with messages of its own, and putting together what came back."""

from attrs import evolve

from trimfuzz.implementations.packages.pieces import ById, marker, rebuilt, summary, taken_apart
from trimfuzz.implementations.packages.pieces import MessagePart as Part
from trimfuzz.messages.model import Call, Message


def history():
    """A question, two calls with text beside them, and their results."""
    return [
        Message("user", "u"),
        Message("assistant", "both", calls=(Call("c0"), Call("c1"))),
        Message("tool", "r0", call_id="c0"),
        Message("tool", "r1", call_id="c1"),
    ]


def test_pieces_of_a_history():
    """Text and calls are pieces of their own, and a call message without text has none for it."""
    items = [*history(), Message("assistant", calls=(Call("c2"),)), Message("assistant", "")]
    assert [piece for piece, _message in taken_apart(items)] == [
        Part(0), Part(1), Part(1, 0), Part(1, 1), Part(2), Part(3), Part(4, 0), Part(5),
    ]  # fmt: skip


def test_whole_messages_come_back_as_they_were():
    """All pieces of a message make the very object."""
    items = history()
    traced = rebuilt(items, [piece for piece, _message in taken_apart(items)])
    assert list(traced.sources or ()) == [0, 1, 2, 3]
    assert all(one is other for one, other in zip(traced.items, items, strict=True))


def test_a_lost_call_is_cut_from_its_message():
    """What is left of a message keeps its source."""
    items = history()
    traced = rebuilt(items, [Part(1), Part(1, 1), Part(3)])
    assert traced.items == [evolve(items[1], calls=(Call("c1"),)), items[3]]
    assert list(traced.sources or ()) == [1, 3]


def test_lost_text_leaves_bare_calls():
    """Calls without their text have none."""
    items = history()
    assert rebuilt(items, [Part(1, 0), Part(1, 1)]).items == [evolve(items[1], text=None)]


def test_lost_calls_leave_plain_text():
    """The text alone is a message without calls."""
    items = history()
    assert rebuilt(items, [Part(1)]).items == [evolve(items[1], calls=())]


def test_pieces_that_are_pulled_apart_make_two_messages():
    """A summary between two calls of a message splits it."""
    items = history()
    traced = rebuilt(items, [Part(1, 0), summary("user", "s"), Part(1, 1)])
    assert [len(item.calls) for item in traced.items] == [1, 0, 1]
    assert list(traced.sources or ()) == [1, None, 1]


def test_a_piece_that_comes_twice_makes_a_second_message():
    """A duplicate stays one."""
    traced = rebuilt(history(), [Part(0), Part(0)])
    assert list(traced.sources or ()) == [0, 0]


def test_reordered_calls_are_seen():
    """Calls in another order are no longer the message that was given."""
    items = history()
    assert [call.id for call in rebuilt(items, [Part(1), Part(1, 1), Part(1, 0)]).items[0].calls] == ["c1", "c0"]


def test_rewritten_text():
    """A package that rewrote a text says so, and the message keeps its source."""
    items = history()
    traced = rebuilt(items, [Part(2, text="short")])
    assert traced.items == [evolve(items[2], text="short")]
    assert list(traced.sources or ()) == [2]


def test_insertions_are_declared():
    """A summary and a marker say what they are."""
    assert summary("user", "s").summary
    assert marker("tool", "r", call_id="c0").extra["inserted"]


def test_objects_are_known_by_identity():
    """Equal objects are two; one that was never handed out is new."""
    known = ById()
    one, other = known.known([1], Part(0)), known.known([1], Part(1))
    found = list(known.pieces([other, [1], one], lambda item: summary("user", str(item))))
    assert found == [Part(1), summary("user", "[1]"), Part(0)]
