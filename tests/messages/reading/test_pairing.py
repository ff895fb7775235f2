"""Pairing: which result answers which call (P1 to P7), and the input class that follows from it."""

import pytest

from trimfuzz.messages.model import Call, Message
from trimfuzz.messages.reading.pairing import INPUT_CLASSES, Reading, read, result_ids, result_texts


def pairs(reading: Reading) -> list[tuple[int, int, int]]:
    """Return (call message, position, result message) of every pair."""
    return [
        (slot.message, slot.position, reading.answers[slot.answer].message)
        for slot in reading.slots
        if slot.answer is not None
    ]


def batches(reading: Reading) -> list[tuple[int, ...]]:
    """Return the call messages of every batch."""
    return [batch.messages for batch in reading.batches]


def orphans(reading: Reading) -> list[int]:
    """Return the messages with an orphan result."""
    return [answer.message for answer in reading.answers if answer.orphan]


def surplus(reading: Reading) -> list[int]:
    """Return the messages with a surplus result."""
    return [answer.message for answer in reading.answers if answer.surplus]


def displaced(reading: Reading) -> list[tuple[int, int]]:
    """Return (result message, interposer)."""
    return [(reading.answers[answer].message, between) for answer, between in reading.interposers]


# P1: batches


@pytest.mark.parametrize(
    ("shorthand", "apart", "merged"),
    [
        ("U A[a] A[b] T(a) T(b)", [(1,), (2,)], [(1, 2)]),
        ("U A[a]+ A[b] T(a) T(b)", [(1,), (2,)], [(1, 2)]),
        ("U A[a] A[b]+ T(a) T(b)", [(1,), (2,)], [(1,), (2,)]),
        ("U A[a] A[b] A[c]", [(1,), (2,), (3,)], [(1, 2, 3)]),
        ("U A[a] U A[b]", [(1,), (3,)], [(1,), (3,)]),
        ("U A[a] R A[b]", [(1,), (3,)], [(1,), (3,)]),
        ("U A[a] T(a) A[b]", [(1,), (3,)], [(1,), (3,)]),
        ("U A[p*](p) A[b]", [(1,), (2,)], [(1,), (2,)]),
        ("U A A[b]", [(2,)], [(2,)]),
    ],
)
def test_each_call_message_opens_a_batch_unless_items_are_merged(h, shorthand: str, apart, merged) -> None:
    """Merged: a call message without text right behind another one that holds no inline results."""
    assert batches(read(h(shorthand))) == apart
    assert batches(read(h(shorthand), merge_items=True)) == merged


@pytest.mark.parametrize(
    ("kept_apart", "expected"),
    [
        ([None, 0, 1], [(1,), (2,)]),
        ([None, 0, 0], [(1, 2)]),
        ([None, 0, None], [(1, 2)]),
        ([None, None, 1], [(1, 2)]),
        (None, [(1, 2)]),
    ],
)
def test_survivors_of_two_input_batches_are_never_merged(h, kept_apart, expected) -> None:
    """A cut that makes two call messages neighbours does not make them one batch; a new message may join either."""
    assert batches(read(h("U A[a] A[b]"), merge_items=True, kept_apart=kept_apart)) == expected


@pytest.mark.parametrize(
    ("shorthand", "expected"),
    [
        ("U A[a] R A[b] T(a) T(b)", [(1, 3)]),
        ("U A[a] A R A[b] T(a) T(b)", [(1, 4)]),
        ("U R A[a] A[b] A A[c]", [(2, 3, 5)]),
        ("U A[a] A[p*](p) A[b] T(a) T(b)", [(1, 2, 3)]),
        ("U A[a] R A[p*](p) A[b] T(a) T(b)", [(1, 4), (3,)]),
        ("U A[p*](p) R A[b] T(b)", [(1,), (3,)]),
        ("U A[a] R A[b]+ T(a) T(b)", [(1,), (3,)]),
        ("U A[a] T(a) R A[b] T(b)", [(1,), (4,)]),
        ("U A[a] U A[b]", [(1,), (3,)]),
        ("U A[a] S A[b]", [(1,), (3,)]),
        ("U A[a] T:q A[b]", [(1,), (3,)]),
    ],
)
def test_what_the_model_wrote_between_two_calls_is_of_one_response(h, shorthand: str, expected) -> None:
    """Reasoning, a message, a call of the provider's own: all calls of the client there are one batch."""
    reading = read(h(shorthand), merge_items=True, one_response=True)
    assert batches(reading) == expected


@pytest.mark.parametrize(
    ("shorthand", "expected", "input_class"),
    [
        ("U A[a] R A[b] T(a) T(b)", [], "valid"),
        ("U A[a] A A[b] T(b) T(a)", [], "valid"),
        ("U A[a] R A[p*](p) T(a)", [], "valid"),
        ("U A[a] R A[b]", [], "pending"),
        ("U A[a] R A[p*](p)", [], "pending"),
        ("U A[a] R A[b] T(a)", [], "pending"),
        ("U A[a] A T(a)", [(3, 2)], "interleaved"),
        ("U A[a] R A[b] U T(a) T(b)", [(5, 4), (6, 4)], "interleaved"),
        ("U A[a] R A[b] U", [], "interleaved"),
    ],
)
def test_nothing_in_one_response_stands_between_a_call_and_its_result(
    h, shorthand: str, expected, input_class: str
) -> None:
    """Up to its last call; what stands behind that is an interposer, as everywhere."""
    reading = read(h(shorthand), merge_items=True, one_response=True)
    assert displaced(reading) == expected
    assert reading.input_class == input_class


def test_survivors_of_two_responses_are_never_one(h) -> None:
    """Though nothing but the model's own words is left between them."""
    history = h("U A[a] A A[b]")
    apart = read(history, merge_items=True, one_response=True, kept_apart=[None, 0, None, 1])
    assert batches(apart) == [(1,), (3,)]
    assert batches(read(history, merge_items=True, one_response=True, kept_apart=[None, 0, None, 0])) == [(1, 3)]


def test_a_new_item_between_two_batches_does_not_join_them(h) -> None:
    """The new message joins the first; the survivor of the second stays apart."""
    reading = read(h("U A[a] A[n] A[b]"), merge_items=True, kept_apart=[None, 0, None, 1])
    assert batches(reading) == [(1, 2), (3,)]


def test_only_an_assistant_opens_a_batch() -> None:
    """Calls on another role are nobody's calls, and their results are orphans."""
    reading = read((Message("user", "u", calls=(Call("a"),)), Message("tool", "t", call_id="a")))
    assert batches(reading) == []
    assert orphans(reading) == [1]


# P2 to P5: which call an answer belongs to


@pytest.mark.parametrize(
    ("shorthand", "paired", "alone", "extra"),
    [
        ("U A[a] T(a)", [(1, 0, 2)], [], []),
        ("U A[a] T(b)", [], [2], []),
        ("U T(a) A[a]", [], [1], []),
        ("U A[a,b] T(b) T(a)", [(1, 0, 3), (1, 1, 2)], [], []),
        ("U A[a] T(a) T(a)", [(1, 0, 2)], [], [3]),
        ("U A[a] T(A)", [], [2], []),
        # P2: a later call of the same id shadows the earlier one, answered or not.
        ("U A[x] T(x) A[x] T(x)", [(1, 0, 2), (3, 0, 4)], [], []),
        ("U A[x] A[x] T(x)", [(2, 0, 3)], [], []),
        ("U A[x] A[x] T(x) T(x)", [(2, 0, 3)], [], [4]),
        ("U A[x,y] A[x] T(y) T(x)", [(1, 1, 3), (2, 0, 4)], [], []),
        # P3: slots of one id in one batch are counted, the first in the message first.
        ("U A[x,x] T(x)", [(1, 0, 2)], [], []),
        ("U A[x,x] T(x) T(x)", [(1, 0, 2), (1, 1, 3)], [], []),
        ("U A[x,x] T(x) T(x) T(x)", [(1, 0, 2), (1, 1, 3)], [], [4]),
        # P4: nothing closes a batch.
        ("U A[a] U A T(a)", [(1, 0, 4)], [], []),
        ("U A[a] U A[b] T(b) T(a)", [(1, 0, 5), (3, 0, 4)], [], []),
        # P5: the empty id is positional inside its nearest batch.
        ("U A[,] T() T()", [(1, 0, 2), (1, 1, 3)], [], []),
        ("U A[] T() A[] T()", [(1, 0, 2), (3, 0, 4)], [], []),
        ("U T()", [], [1], []),
        # A second id.
        ("U A[f|c] T(c)", [(1, 0, 2)], [], []),
        ("U A[f|c] T(f)", [(1, 0, 2)], [], []),
        ("U A[f|c] T(f) T(c)", [(1, 0, 2)], [], [3]),
        ("U A[f|c] A[c] T(c) T(f)", [(1, 0, 4), (2, 0, 3)], [], []),
        ("U A[f|f] T(f)", [(1, 0, 2)], [], []),
        # Provider-executed calls pair in the same way, inline or by a tool message.
        ("U A[p*](p)", [(1, 0, 1)], [], []),
        ("U A[p*] A(p)", [(1, 0, 2)], [], []),
        ("U A[p*] T(p)", [(1, 0, 2)], [], []),
        # Inline results of a user message.
        ("U A[a,b] U(a,b)", [(1, 0, 2), (1, 1, 2)], [], []),
        ("U A[a] U(a,z)", [(1, 0, 2)], [2], []),
        ("U A[a] U(a,a)", [(1, 0, 2)], [], [2]),
    ],
)
def test_an_answer_looks_only_at_the_current_batch_of_its_id(h, shorthand, paired, alone, extra) -> None:
    """It fills a free slot there, is surplus when none is left, and an orphan when there is no such batch."""
    reading = read(h(shorthand))
    assert pairs(reading) == paired
    assert orphans(reading) == alone
    assert surplus(reading) == extra


def test_in_a_merged_batch_the_nearest_call_message_is_answered_first(h) -> None:
    """And the first slot of that message."""
    reading = read(h("U A[x] A[x,x] T(x) T(x) T(x) T(x)"), merge_items=True)
    assert pairs(reading) == [(1, 0, 5), (2, 0, 3), (2, 1, 4)]
    assert surplus(reading) == [6]


@pytest.mark.parametrize(
    ("message", "ids"),
    [
        (Message("tool", "t", call_id="a"), ("a",)),
        (Message("tool", "t"), ("",)),
        (Message("tool", "t", extra={"approval_response": "r"}), ()),
        (Message("tool", "t", call_id="a", extra={"approval_response": "r"}), ("a",)),
        (Message("tool", "t", call_id="a", extra={"inline_results": ["b"]}), ("a", "b")),
        (Message("user", "u", extra={"inline_results": [{"call_id": "a"}, {"id": "b"}, "c", {}]}), ("a", "b", "c", "")),
        (Message("assistant", "a", extra={"item_id": "i"}), ()),
        (Message("user", "u", call_id="a"), ()),
    ],
)
def test_the_results_that_a_message_holds(message: Message, ids: tuple[str, ...]) -> None:
    """One of a tool message that is not merely an approval, and one of each inline entry, whatever the role."""
    assert result_ids(message) == ids


@pytest.mark.parametrize(
    ("message", "texts"),
    [
        (Message("tool", "t", call_id="a"), ("t",)),
        (Message("tool", None, call_id="a"), ("",)),
        (Message("tool", "t", extra={"approval_response": "r"}), ()),
        (
            Message("tool", "t", call_id="a", extra={"inline_results": ["b", {"call_id": "c", "text": "x"}]}),
            ("t", "", "x"),
        ),
        (Message("user", "u", extra={"inline_results": [{"call_id": "a", "text": "x"}, "c"]}), ("x", "")),
        (Message("user", "u"), ()),
    ],
)
def test_the_texts_of_the_results_that_a_message_holds(message: Message, texts: tuple[str, ...]) -> None:
    """One for each id, in the same order."""
    assert result_texts(message) == texts
    assert len(result_ids(message)) == len(texts)


# P6 and P7


@pytest.mark.parametrize(
    ("shorthand", "expected"),
    [
        ("U A[a,b] T(b) T(a)", []),
        ("U A[a] U T(a)", [(3, 2)]),
        ("U A[a,b] T(a) S T(b)", [(4, 3)]),
        ("U A[a] A[b] T(a) T(b)", [(3, 2), (4, 3)]),
        ("U A[a] T(z) T(a)", [(3, 2)]),
        ("U A[a,b] T(a) T(a) T(b)", []),
        ("U A[a] T(a) U T(a)", [(4, 3)]),
        ("U A[a] U U T(a)", [(4, 2), (4, 3)]),
        ("U A[p*] A(p)", []),
        ("U A[p*] U A(p)", [(3, 2)]),
    ],
)
def test_what_stands_between_a_result_and_its_call_and_is_no_result_of_that_batch(h, shorthand, expected) -> None:
    """(result, interposer) for each; surplus results of the batch are none, and a surplus result can have some."""
    assert displaced(read(h(shorthand))) == expected


def test_in_a_merged_batch_the_last_call_message_counts_for_adjacency(h) -> None:
    """Call items side by side stand in nobody's way."""
    assert displaced(read(h("U A[a] A[b] T(a) T(b)"), merge_items=True)) == []


@pytest.mark.parametrize(
    ("shorthand", "expected"),
    [
        ("U A[a] T(a)", {}),
        ("U A[a]", {0: True}),
        ("U A[a,b] T(b)", {0: True}),
        ("U A[a,b] T(b) T(b)", {0: True}),
        ("U A[a,b] T(b) T(z)", {0: False}),
        ("U A[a] U", {0: False}),
        ("U A[a] S", {0: False}),
        ("U A[a] T(a) A[b]", {1: True}),
        ("U A[a] A[b]", {0: False, 1: True}),
        ("U A[x] A[x] T(x)", {0: False}),
    ],
)
def test_an_open_batch_is_pending_while_only_its_own_results_stand_behind_it(h, shorthand, expected) -> None:
    """True is pending, False abandoned, by batch."""
    assert read(h(shorthand)).open_batches == expected


@pytest.mark.parametrize(
    ("shorthand", "expected"),
    [
        ("U A[x] T(x) A[x] T(x)", ()),
        ("U A[x] A[x] T(x)", ((0, 1),)),
        ("U A[x,x] T(x) T(x)", ((0, 1),)),
        ("U A[x,x,x]", ((0, 1), (0, 2), (1, 2))),
        ("U A[x,x] T(x) A[x]", ((0, 1), (1, 2))),
        ("U A[f|c] A[c|f] T(c)", ((0, 1),)),
        ("U A[,]", ((0, 1),)),
        ("U A[x] A[x] A[x]", ((0, 1), (1, 2))),
    ],
)
def test_an_id_used_twice_in_a_batch_or_again_while_open_is_a_shadow(h, shorthand, expected) -> None:
    """Pairs of slots, each once; reuse after the answer is none."""
    assert read(h(shorthand)).shadows == expected


# Input classes


@pytest.mark.parametrize(
    ("shorthand", "expected"),
    [
        ("", "valid"),
        ("S", "valid"),
        ("U", "valid"),
        ("S D U A[a,b] T(b) T(a) A U", "valid"),
        ("U A[a] T(a) U A[a] T(a)", "valid"),
        ("U U A A", "valid"),
        ("U S A[a] T(a)", "valid"),
        ("R U", "valid"),
        ("U A[p*](p) A", "valid"),
        ("U A[a]", "pending"),
        ("U A[a,b] T(a)", "pending"),
        ("U A[a] T(a) A[b]", "pending"),
        ("U A[a] U", "interleaved"),
        ("U A[a] S", "interleaved"),
        ("U A[a] U T(a)", "interleaved"),
        ("U A[a] S T(a)", "interleaved"),
        ("U A[a,b] T(a) A", "interleaved"),
        ("U A[a] A[b] T(b) T(a)", "interleaved"),
        ("A", "interleaved"),
        ("S A U", "interleaved"),
        ("A[a] T(a)", "interleaved"),
        ("A[a]", "interleaved"),
        ("U A[a] U A[b]", "interleaved"),
        ("U T(a)", "malformed"),
        ("T(a) U", "malformed"),
        ("U A[a] T(a) T(a)", "malformed"),
        ("U A[] T()", "malformed"),
        ("U A[]", "malformed"),
        ("U A[a,a] T(a) T(a)", "malformed"),
        ("U A[a] A[a] T(a)", "malformed"),
        ("U A[a] U A[a] T(a)", "malformed"),
        ("U A[a] U T(a) T(z)", "malformed"),
    ],
)
def test_the_input_class_follows_from_the_pairing(h, shorthand: str, expected: str) -> None:
    """Each class beside histories that are nearly of another one."""
    assert expected in INPUT_CLASSES
    assert read(h(shorthand)).input_class == expected


def test_merging_items_changes_the_class(h) -> None:
    """Two call items side by side are a step of their own each, or one step in two items."""
    history = h("U A[a] A[b] T(a) T(b)")
    assert read(history).input_class == "interleaved"
    assert read(history, merge_items=True).input_class == "valid"


# What a reading offers


def test_a_reading_knows_what_each_message_holds(h) -> None:
    """Slots, answers and batches by message, and the conversation without system messages and reasoning items."""
    reading = read(h("S U R A[a,b] T(b) T(a) A[c] U(c)"))
    assert reading.slots_of == {3: [0, 1], 6: [2]}
    assert reading.answers_of == {4: [0], 5: [1], 7: [2]}
    assert reading.batch_of == {3: 0, 6: 1}
    assert reading.results_of == {4: {0}, 5: {0}, 7: {1}}
    assert reading.conversation == (1, 3, 4, 5, 6, 7)
    assert [batch.answers for batch in reading.batches] == [(0, 1), (2,)]
    assert [batch.slots for batch in reading.batches] == [(0, 1), (2,)]
    assert [(slot.id, slot.alt_id, slot.provider_executed, slot.batch) for slot in reading.slots] == [
        ("a", None, False, 0), ("b", None, False, 0), ("c", None, False, 1),
    ]  # fmt: skip
    assert [(answer.id, answer.role) for answer in reading.answers] == [("b", "tool"), ("a", "tool"), ("c", "user")]
