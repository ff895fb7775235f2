"""Survivors: which input message each output message is."""

from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from trimfuzz.messages.model import Call, History, Message
from trimfuzz.messages.reading.survivors import Alignment, align, keys_of, likeness, same, sameness

LONG = "a long result text"


def user(text: str | None, **options) -> Message:
    """Return a user message."""
    return Message("user", text, **options)


def result(text: str | None, call_id: str | None = "c1", **options) -> Message:
    """Return a tool message."""
    return Message("tool", text, call_id=call_id, **options)


def calls(*ids: str, text: str | None = None) -> Message:
    """Return an assistant message with calls."""
    return Message("assistant", text, calls=tuple(map(Call, ids)))


# Equality


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (user(None), user("")),
        (result("r", None), result("r", "")),
        (user("u", tokens=3), user("u", tokens=4)),
        *[(user("u", extra={key: 1}), user("u")) for key in ("src", "simplified", "inserted", "origin", "injection")],
        (user("u", extra={"parts": [{"a": 1, "b": 2}]}), user("u", extra={"parts": ({"b": 2, "a": 1},)})),
    ],
)
def test_messages_that_a_reader_cannot_tell_apart_are_the_same(one: Message, other: Message) -> None:
    """Sizes and bookkeeping aside; absent and empty text alike; lists as tuples; keys in any order."""
    assert same(one, other)
    assert hash(sameness(one)) == hash(sameness(other))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (user("u"), user("v")),
        (user("u"), Message("system", "u")),
        (result("r"), result("r", "c2")),
        (calls("c1"), calls("c2")),
        (calls("c1"), Message("assistant", calls=(Call("c1", arguments="{ }"),))),
        (user("u"), user("u", keep_during_truncation=True)),
        (user("u"), user("u", summary=True)),
        (user("u"), user("u", name="n")),
        (user("u"), user("u", reasoning="r")),
        (user("u", extra={"item_id": "a"}), user("u", extra={"item_id": "b"})),
    ],
)
def test_messages_that_differ_in_anything_else_are_not_the_same(one: Message, other: Message) -> None:
    """Every field and every other extra key counts."""
    assert not same(one, other)


# Likeness


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        (user("u"), user("u"), 4),
        (user("u", summary=True), user("u", summary=True), 4),
        (result(LONG), result("a long result that was cut"), 3),
        (result(LONG), result("a lo"), 3),
        (result("a lo"), result(LONG), 3),
        (result("1234567"), result("12345678"), 3),
        (result("1234567"), result("123456789", "c2"), 0),
        (result(LONG), result("[cut] result text"), 3),
        (result(LONG), result("esult text"), 3),
        (result(LONG), result("sult txt"), 2),
        (user(LONG), user("... sult text"), 3),
        (user(LONG), user("quite another"), 0),
        (result("12345678"), result("12345678 and more"), 3),
        (result(LONG), result("other"), 2),
        (result(""), result("other"), 2),
        (result(LONG), result("other", "c2"), 0),
        (result(LONG), result("other", extra={"inserted": "marker"}), 2),
        (result(LONG), result("other", summary=True), 2),
        (result("r33.", summary=True), result("r33", summary=True), 3),
        (result(LONG), result(LONG, extra={"inserted": True}), 4),
        (result(LONG), result("a lo", "c2"), 0),
        (user(LONG), Message("assistant", LONG), 0),
        (calls("c1", "c2"), calls("c2"), 3),
        (calls("c1", "c2"), calls("c1", "c2", text="new"), 3),
        (calls("c1"), calls("c1", "c9"), 0),
        (calls("c1"), calls("c9"), 0),
        (calls("c1", text=LONG), calls("c9", text="a lo"), 3),
        (calls("c1", text=LONG), Message("assistant", "a lo"), 3),
        (calls("c1"), Message("assistant"), 1),
        (result(LONG), result(""), 2),
        (user("u"), user(None), 1),
        (user(LONG), user("a lo", summary=True), 0),
        (user(LONG), user(LONG, extra={"inserted": True}), 0),
        (user(LONG), user(LONG, extra={"inserted": "marker"}), 0),
        (user(LONG, extra={"inserted": True}), user(LONG, extra={"inserted": True}), 4),
        (user(LONG, extra={"inserted": True}), user(LONG), 4),
        (user(LONG, extra={"inserted": True}), user("a lo", extra={"inserted": True}), 0),
    ],
)
def test_how_alike_an_input_and_an_output_message_are(one: Message, other: Message, expected: int) -> None:
    """4 equal, 3 cut down, 2 a result replaced, 1 a shell, 0 neither.

    A new declared insertion is like nothing, an old one like itself; a result is a result whatever marks it bears.
    """
    assert likeness(one, other) == expected


# Shared objects


def test_shared_objects_settle_it(h) -> None:
    """Also where one of them was changed out of recognition, and in any order."""
    history = h("U A U")
    output = (history[2], user("quite other"))
    assert align(history, output, identity=(2, 0)) == Alignment((2, 0), frozenset())


def test_a_shared_object_that_comes_twice_is_a_duplicate_the_second_time(h) -> None:
    """The first occurrence is the survivor."""
    history = h("U A U")
    found = align(history, (history[0], history[0], history[2]), identity=(0, 0, 2))
    assert found.sources == (0, 0, 2)
    assert found.duplicates == {1}
    assert found.place == {0: 0, 2: 2}


def test_a_shared_object_is_like_no_other_message(h) -> None:
    """A message that was moved is not taken for an edit of one that it resembles."""
    history = (user("message 1"), user("message 2"), user("message 3"))
    output = (user("brand new"), history[2], history[0])
    assert align(history, output, identity=(None, 2, 0)).sources == (None, 2, 0)


def test_an_edited_object_is_known_also_where_it_was_moved_or_comes_twice(h) -> None:
    """Beside a message that is new, so that not everything is a shared object."""
    history = h("U A U")
    edited = user("quite other")
    assert align(history, (user("new"), history[2], edited), identity=(None, 2, 0)).sources == (None, 2, 0)
    twice = align(history, (user("new"), edited, edited), identity=(None, 0, 0))
    assert twice.sources == (None, 0, 0)
    assert len(twice.duplicates) == 1


def test_an_object_edited_into_a_summary_is_still_that_object(h) -> None:
    """Beside a message that is new."""
    history = h("U A U")
    output = (user("sum", summary=True), user("new"), history[2])
    assert align(history, output, identity=(0, None, 2)).sources == (0, None, 2)


# Equal messages


def test_of_equal_messages_the_newest_is_taken_to_have_survived() -> None:
    """With shared objects or without: nobody can tell which was kept, so nobody is blamed."""
    history = (user("hi"), Message("assistant", "a"), user("hi"))
    assert align(history, (history[0],)).sources == (2,)
    assert align(history, (history[0],), identity=(0,)).sources == (2,)


def test_an_object_edited_into_a_summary_is_known_among_equal_messages_too() -> None:
    """Though equal messages can be taken for one another, it equals none any more."""
    history = (user("hi"), Message("assistant", "a"), user("hi"))
    assert align(history, (user("sum", summary=True), history[2]), identity=(0, 2)).sources == (0, 2)


def test_an_object_can_be_pinned_to_its_own_place() -> None:
    """For who needs to know where it came from: equal messages are then not taken for it."""
    history = (user("hi"), Message("assistant", "a"), user("hi"))
    output = (user("sum", summary=True), history[0])
    assert align(history, output, identity=(None, 0)).sources == (None, 2)
    assert align(history, output, identity=(None, 0), pinned=True).sources == (None, 0)


def test_a_whole_history_of_equal_messages_is_itself() -> None:
    """Each stands for itself, and nothing is moved or duplicated."""
    history = (user("hi"), user("hi"), user("hi"))
    assert align(history, history) == align(history, history, identity=(0, 1, 2)) == Alignment((0, 1, 2), frozenset())


def test_an_equal_copy_beyond_what_the_input_holds_is_a_duplicate() -> None:
    """Two of the three are the input's own two."""
    history = (user("hi"), user("hi"))
    found = align(history, (*history, user("hi")))
    assert found.sources.count(None) == 0
    assert len(found.duplicates) == 1
    assert set(found.place) == {0, 1}


# Without shared objects


def test_equal_messages_are_found_in_order(h) -> None:
    """Copies, with what is new between them."""
    history = h("S U A[c1] T(c1) U")
    copies = h("S U A[c1] T(c1) U")
    output = (copies[0], user("sum", summary=True), copies[2], copies[3], copies[4])
    assert align(history, output) == Alignment((0, None, 2, 3, 4), frozenset())


@pytest.mark.parametrize("text", ["a long", "removed", ""])
def test_one_result_in_and_one_out_are_the_same_message(text: str) -> None:
    """Truncated, cleared or emptied; beside the real one, or for another call, it is new."""
    history = (user("u"), calls("c1"), result(LONG))
    assert align(history, (history[0], history[1], result(text))).sources == (0, 1, 2)
    assert align(history, (history[0], history[1], result(text), history[2])).sources == (0, 1, None, 2)
    assert align(history, (history[0], history[1], result(text, "c2"))).sources == (0, 1, None)
    assert align(history, (history[0], history[1], user("removed"))).sources == (0, 1, None)


def test_a_replaced_result_is_found_in_order_only() -> None:
    """Likeness 2 never finds a moved message."""
    history = (calls("c1"), result(LONG), user("u"))
    assert align(history, (history[0], history[2], result("removed"))).sources == (0, 2, None)


def test_a_result_goes_with_the_call_that_it_stands_behind() -> None:
    """Where an id is used again, and the texts do not say which it was; else the newest is taken."""
    history = (calls("x", text="one"), result(LONG, "x"), user("u"), calls("x", text="two"), result("done by two", "x"))
    cleared = result("[cleared]", "x")
    assert align(history, (history[0], cleared)).sources == (0, 1)
    assert align(history, (history[3], cleared)).sources == (3, 4)
    assert align(history, (history[0], cleared, history[3], cleared)).sources == (0, 1, 3, 4)
    assert align(history, (cleared,)).sources == (4,)
    bare = (calls("x"), result(LONG, "x"), user("u"), calls("x"), result("done by two", "x"))
    assert align(bare, (bare[0], cleared)).sources == (3, 4)


def test_of_equal_results_one_goes_with_its_call_too() -> None:
    """Also where every output message equals one of the input, and where that is the last one."""
    history = (calls("x", text="one"), result("done", "x"), calls("x", text="two"), result("done", "x"), user("u"))
    assert align(history, (history[0], history[1])).sources == (0, 1)
    assert align(history, (history[0], history[1], history[4])).sources == (0, 1, 4)
    assert align(history, (history[2], history[1])).sources == (2, 3)
    assert align(history, (history[1],)).sources == (3,)


def test_calls_cut_from_a_message_leave_the_same_message(h) -> None:
    """Known by the ids that are left."""
    history = (user("u"), calls("c1", "c2"), result("r1", "c1"), result("r2", "c2"))
    assert align(history, (history[0], calls("c2"), history[3])).sources == (0, 1, 3)


def test_a_bearer_of_results_is_known_by_the_ids_that_it_answers() -> None:
    """Whatever became of the texts: one with other ids is another, and one that lost a result is the same."""

    def bearer(**said: str) -> Message:
        return Message("user", extra={"inline_results": [{"call_id": key, "text": text} for key, text in said.items()]})

    history = (bearer(a="one", b="two"), bearer(c="three"))
    assert align(history, (bearer(a="cut", b="cut"),)).sources == (0,)
    assert align(history, (bearer(b="cut"), bearer(c="cut"))).sources == (0, 1)
    assert align(history, (bearer(c="cut", d="new"),)).sources == (None,)


def test_a_moved_message_is_found_behind_the_order(h) -> None:
    """It is a survivor out of order."""
    history = h("U A U A")
    found = align(history, (history[2], history[3], history[0], history[1]))
    assert found.sources == (2, 3, 0, 1)
    assert not found.ordered
    assert align(history, (history[0], history[2])).ordered


def test_a_moved_message_is_no_edit_of_one_that_it_resembles() -> None:
    """Where all differ and each comes back once, equality decides, also beside what is declared new."""
    history = (user("message 1"), user("message 2"), Message("assistant", "z"))
    assert align(history, (history[1], history[0])).sources == (1, 0)
    assert align(history, (history[1], user("sum", summary=True), history[0])).sources == (1, None, 0)


def test_an_edited_message_can_be_moved_too(h) -> None:
    """What is left over is matched at likeness 3."""
    history = (user(LONG), Message("assistant", "a"), user("z"))
    found = align(history, (history[1], history[2], user("a long")))
    assert found.sources == (1, 2, 0)


def test_an_equal_message_can_be_moved_beside_an_edited_one(h) -> None:
    """What is left over is matched at likeness 4 first."""
    history = (user(LONG), Message("assistant", "a"), user("z"))
    found = align(history, (user("z"), user("a long"), Message("assistant", "a")))
    assert found == Alignment((2, 0, 1), frozenset())


def test_a_shell_is_matched_in_order_only(h) -> None:
    """Likeness 1 never finds a moved message."""
    history = (Message("assistant", "a"), user("u"))
    assert align(history, (Message("assistant"), history[1])).sources == (0, 1)
    assert align(history, (history[1], Message("assistant"))).sources == (1, None)


def test_a_second_copy_is_a_duplicate(h) -> None:
    """Only of an equal message; a second edited one is new."""
    history = (user("u"), result(LONG))
    found = align(history, (history[0], history[0], history[1]))
    assert found.duplicates == {0}
    assert found.sources == (0, 0, 1)
    assert align(history, (result("a lon"), result("a long"))).sources == (None, 1)


def test_the_newest_is_preferred_where_two_are_equally_alike(h) -> None:
    """An edit that two messages could have become is the newer one's."""
    history = (user("message 1"), user("message 2"))
    assert align(history, (user("message"),)).sources == (1,)


def test_the_greatest_total_likeness_wins_over_the_single_best_match(h) -> None:
    """Two edits in order (3 + 3) outweigh one equal message (4) that would stand across them."""
    history = (user("message 1"), user("message 2"), Message("assistant", "z"), Message("assistant", "z"))
    output = (Message("assistant", "z"), user("message x"), user("message y"))
    assert align(history, output).sources == (3, 0, 1)


def test_a_surviving_marker_is_no_new_one() -> None:
    """A marker that the input already held is the same message when it comes back."""
    history = (user("u"), user("[2 skipped]", extra={"inserted": True}), user("v"))
    assert align(history, history[1:]).sources == (1, 2)
    assert align(history, (user("[2 skipped]", extra={"inserted": True}), history[2])).sources == (1, 2)
    plain = (user("u"), user("[2 skipped]"), user("v"))
    assert align(plain, (user("[2 skipped]", extra={"inserted": True}), plain[2])).sources == (None, 2)


def test_nothing_comes_of_nothing(h) -> None:
    """An empty input or output."""
    assert align((), ()) == Alignment((), frozenset())
    assert align(h("U"), ()).sources == ()
    assert align((), h("U")).new == (0,)


# Against every alignment there is

POOL = [
    user("a"), user("b"), user("message 1"), user("message 2"), user("messag"), user(None), calls("x", "y"), calls("x"),
    result(LONG, "x"), result("a long", "x"), result("r", "y"), user("s", summary=True),
    user("m", extra={"inserted": True}),
]  # fmt: skip
HISTORIES = st.lists(st.sampled_from(POOL), max_size=6).map(tuple)


def best_total(history: History, output: History) -> int:
    """Return the greatest total likeness of any order-preserving alignment, by trying them all."""

    @cache
    def best(index: int, place: int) -> int:
        if index == len(history) or place == len(output):
            return 0
        value = likeness(history[index], output[place])
        taken = value + best(index + 1, place + 1) if value else 0
        return max(taken, best(index + 1, place), best(index, place + 1))

    return best(0, 0)


def total_in_order(history: History, output: History, found: Alignment) -> int:
    """Return the greatest total likeness of survivors in order that an alignment holds."""
    pairs = [(source, place) for source, place in found.place.items()]
    best = [0] * len(pairs)
    for number, (source, place) in enumerate(pairs):
        before = [best[other] for other in range(number) if pairs[other][0] < source]
        best[number] = likeness(history[source], output[place]) + max(before, default=0)
    return max(best, default=0)


@pytest.mark.slow
@settings(max_examples=300)
@given(HISTORIES, HISTORIES)
def test_no_other_alignment_keeps_more_likeness_in_order(history: History, output: History) -> None:
    """Where all messages differ and all come back, equality alone decides instead."""
    found = align(history, output)
    if not (keys_of(history).distinct and all(likeness(history[s], output[p]) == 4 for s, p in found.place.items())):
        assert total_in_order(history, output, found) == best_total(history, output)


@given(HISTORIES, HISTORIES)
def test_every_output_message_is_a_survivor_a_duplicate_or_new(history: History, output: History) -> None:
    """No input message survives twice, duplicates equal their source, and what is new equals nothing of the input."""
    found = align(history, output)
    assert len(found.sources) == len(output)
    survivors = [s for p, s in enumerate(found.sources) if s is not None and p not in found.duplicates]
    assert len(survivors) == len(set(survivors))
    for place, source in enumerate(found.sources):
        if source is None:
            assert all(likeness(message, output[place]) < 4 for message in history)
        else:
            assert likeness(history[source], output[place]) >= (4 if place in found.duplicates else 1)


@given(HISTORIES, st.sets(st.integers(0, 5)))
def test_a_plain_trim_is_all_survivors_in_order(history: History, kept: set[int]) -> None:
    """Whatever subset is kept: same contents, in order, nothing new; with shared objects the same again."""
    indexes = [index for index in sorted(kept) if index < len(history)]
    output = tuple(history[index] for index in indexes)
    found = align(history, output)
    assert found.ordered
    assert not found.new
    assert not found.duplicates
    assert [same(history[s], m) for s, m in zip(found.sources, output, strict=True) if s is not None] == [True] * len(
        output
    )
    again = align(history, output, identity=indexes, keys=keys_of(history))
    assert again == found
