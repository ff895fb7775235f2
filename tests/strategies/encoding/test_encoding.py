"""A string of bytes has a history of exactly the class it asks for, whatever the bytes are."""

import json
from itertools import combinations, islice, pairwise, product
from random import Random

import pytest

from trimfuzz.messages.formats.openai_chat import FORMAT as OPENAI_CHAT
from trimfuzz.messages.model import Call, History, Message
from trimfuzz.messages.neutral import dump_history, load_history
from trimfuzz.messages.reading.pairing import INPUT_CLASSES, InputClass, read
from trimfuzz.strategies import ALL, FEATURES, Features, features_of, interpret, only, random_strings, without
from trimfuzz.strategies.encoding.byte_table import CODES
from trimfuzz.strategies.encoding.encoding import grammar


def spell(*names: str, header: int = 0) -> bytes:
    """Return the bytes of some ops."""
    return bytes([header, *(CODES.index(name) for name in names)])


def roles(history: History) -> str:
    """Write a history as letters: one for each message, with the number of calls."""
    return " ".join(message.role[0].upper() + (str(len(message.calls)) if message.calls else "") for message in history)


def test_no_bytes_are_the_empty_history() -> None:
    """The simplest string of all, and a header alone, stand for nothing."""
    assert interpret(b"").history == interpret(b"\0").history == ()


def test_what_ops_say() -> None:
    """One short string with its history, message for message."""
    assert interpret(spell("call 2", "last result", "user")).history == (
        Message("user", "u0."),
        Message("assistant", calls=(Call("c0"), Call("c1"))),
        Message("tool", "r2.", call_id="c1"),
        Message("tool", "r3.", call_id="c0"),
        Message("user", "u4."),
    )


@pytest.mark.parametrize(
    ("names", "inputs", "expected"),
    [
        (["call 1"], "valid", "U A1 T"),
        (["user", "call 3", "assistant"], "valid", "U A3 T T T A"),
        (["result"], "valid", "U A1 T"),
        (["last result"], "valid", "U A2 T T"),
        (["old ids 1"], "valid", "U A1 T A1 T"),
        (["system", "user", "system"], "valid", "S U S"),
        (["inline 2"], "valid", "U A2 U"),
        (["provider later"], "valid", "U A1 A"),
        ([], "pending", "U A1"),
        (["call 3", "result"], "pending", "U A3 T"),
        (["call 1", "user"], "pending", "U A1 T U A1"),
        ([], "interleaved", "A1 U"),
        (["assistant"], "interleaved", "A"),
        (["steer user"], "interleaved", "A1 U T"),
        (["steer user between"], "interleaved", "A2 T U T"),
        (["nested"], "interleaved", "A1 A1 T T"),
        (["late"], "interleaved", "A1 U T"),
        (["abandon 1", "call 1", "late"], "interleaved", "A1 U A1 T T"),
        ([], "malformed", "T"),
        (["duplicate"], "malformed", "A1 T T"),
        (["displaced"], "malformed", "T A1"),
        (["same ids"], "malformed", "A2 T T"),
        (["reopened"], "malformed", "A1 U A1 T"),
    ],
)
def test_histories_of_short_strings(names: list[str], inputs: InputClass, expected: str) -> None:
    """Each op brings along what it needs, and nothing more than its class asks for."""
    assert roles(interpret(spell(*names), inputs=[inputs]).history) == expected


def some_strings(count: int) -> list[bytes]:
    """Return strings of all bands, and some far longer ones."""
    rng = Random(7)
    return [*islice(random_strings(5), count), *(rng.randbytes(300) for _ in range(5)), bytes(range(256)) * 2]


@pytest.mark.parametrize("input_class", INPUT_CLASSES)
def test_the_class_asked_for_is_always_met(input_class: InputClass) -> None:
    """What the interpreter says of thousands of strings is what the pairing finds, and what was asked for."""
    made = grammar(inputs=(input_class,))
    for data in some_strings(1200):
        drawn = made.interpret(data)
        assert drawn.input_class == input_class == read(drawn.history).input_class, list(data)


@pytest.mark.slow
def test_every_header_and_every_op_alone() -> None:
    """Each header byte with each op, and no rest to hide behind."""
    made = grammar()
    for head, code in product(range(0, 256, 5), range(256)):
        drawn = made.interpret(bytes([head, code]))
        assert drawn.input_class == read(drawn.history).input_class, (head, CODES[code])


@pytest.mark.slow
def test_the_class_is_met_whatever_is_switched_off() -> None:
    """Random sets of features: a class that cannot be made is left out, all others are what they say."""
    rng = Random(3)
    for number in range(75):
        features = without([name for name in FEATURES if rng.random() < 0.4])
        made = grammar(features, compaction=bool(number % 2))
        for data in islice(random_strings(number), 25):
            drawn = made.interpret(data)
            assert drawn.input_class == read(drawn.history).input_class, (features, list(data))


def test_the_shares_of_the_classes() -> None:
    """About 50, 15, 20 and 15 of 100 strings, and the same proportions where some are left out."""
    expected = {"valid": 50, "pending": 15, "interleaved": 20, "malformed": 15}
    wanted: list[tuple[InputClass, ...]] = [INPUT_CLASSES, ("valid", "pending"), ("malformed",)]
    for inputs in wanted:
        made = grammar(inputs=inputs)
        found = [made.interpret(data).input_class for data in islice(random_strings(1), 1500)]
        total = sum(expected[name] for name in inputs)
        for name in INPUT_CLASSES:
            share = 100 * found.count(name) / len(found)
            assert share == pytest.approx(100 * expected[name] / total if name in inputs else 0, abs=4)


def test_what_cannot_be_made_is_an_error() -> None:
    """No class left, an unknown one, and sizes that leave nothing."""
    with pytest.raises(ValueError, match="no history that is malformed"):
        grammar(only(["parallel"]), inputs=("malformed",))
    with pytest.raises(ValueError, match="unknown input class 'broken': one of valid, pending"):
        interpret(b"", inputs=["broken"])  # pyright: ignore[reportArgumentType]
    with pytest.raises(ValueError, match="at least 5 and at most 4"):
        interpret(b"", min_size=5, max_size=4)
    with pytest.raises(ValueError, match="a pending history with these features has at least 2"):
        interpret(b"", inputs=["pending"], max_size=1)


def test_the_same_bytes_are_the_same_history() -> None:
    """Interpretation has no memory: equal twice, in any order, and no message is shared."""
    made = grammar()
    strings = some_strings(300)
    first = [made.interpret(data) for data in strings]
    again = [made.interpret(data) for data in reversed(strings)][::-1]
    assert first == again
    for one, other in zip(first, again, strict=True):
        known = {id(message) for message in one.history}
        assert len(known) == len(one.history)
        assert not known.intersection(map(id, other.history))


def test_texts_are_short_and_different_and_none_begins_another() -> None:
    """Survivors can be recognised by their text; only bare calls have none, and other messages have strings."""
    made = grammar()
    for data in some_strings(400):
        history = made.interpret(data).history
        texts = [message.text for message in history if message.text is not None]
        assert len(set(texts)) == len(texts)
        assert all(message.text for message in history if not message.calls)
        ordered = sorted(texts)
        assert not any(other.startswith(one) for one, other in pairwise(ordered))


@pytest.mark.slow
@pytest.mark.parametrize("marks", [True, False])
def test_openai_chat_gives_back_what_it_was_given(marks: bool) -> None:
    """Written and read again, through JSON, a history of the format's features is the same."""
    made = grammar(features_of(OPENAI_CHAT, marks=marks))
    for data in some_strings(600):
        history = made.interpret(data).history
        items = OPENAI_CHAT.write_history(history)
        assert OPENAI_CHAT.read_history(json.loads(json.dumps(items))) == history
        assert marks or not any("keep_during_truncation" in item or "summary" in item for item in items)


@pytest.mark.slow
def test_neutral_json_gives_back_what_it_was_given() -> None:
    """So does neutral JSON, for everything."""
    made = grammar()
    for data in some_strings(600):
        history = made.interpret(data).history
        assert load_history(json.loads(json.dumps(dump_history(history)))) == history


@pytest.mark.parametrize(("least", "most"), [(0, 3), (2, 2), (5, 9), (30, None), (45, 50)])
def test_sizes_are_honoured(least: int, most: int | None) -> None:
    """No history is shorter or longer than asked, and each still has its class."""
    made = grammar(min_size=least, max_size=most)
    sizes: set[int] = set()
    for data in some_strings(400):
        drawn = made.interpret(data)
        assert drawn.input_class == read(drawn.history).input_class
        sizes.add(len(drawn.history))
    assert min(sizes) >= least
    assert most is None or max(sizes) <= most
    assert least == most or len(sizes) > 2


def test_without_long_no_history_has_more_than_forty_messages() -> None:
    """The switch and a size work together: the smaller one holds."""
    features = without(["long"])
    sizes = [len(interpret(data, features).history) for data in some_strings(400)]
    assert max(sizes) == 40
    assert max(len(interpret(data, features, max_size=7).history) for data in some_strings(100)) == 7


def test_plainer_bytes_make_plainer_histories() -> None:
    """With every op replaced by 0 a string is all user messages: as plain as its class can be."""
    for data in some_strings(200):
        drawn = interpret(bytes(len(data)))
        assert {message.role for message in drawn.history} <= {"user"}
        assert len(drawn.history) == max(len(data) - 1, 0)


@pytest.mark.slow
@pytest.mark.parametrize("every", [6, pytest.param(1, marks=pytest.mark.nightly)], ids="one pair in {}".format)
def test_pairs_of_features_work_together(every: int) -> None:
    """With any two features alone, histories are made, and of the classes they say."""
    pairs = [
        (one, other)
        for (number, one), (place, other) in combinations(enumerate(FEATURES), 2)
        if (number + place) % every == 0
    ]
    assert {name for pair in pairs for name in pair} == set(FEATURES)
    for pair in pairs:
        made = grammar(only(pair), compaction=True)
        for data in islice(random_strings(9), 20, 22):
            drawn = made.interpret(data)
            assert drawn.input_class == read(drawn.history).input_class


class TestCompactionPoints:
    """Points lie where they were marked, and are always inside the history."""

    def test_the_first_mark_is_the_place_the_second_the_time(self) -> None:
        """Two marks among ops: where the cut lies, and how long the history was when it was computed."""
        mark, user = 224, 0
        point = interpret(bytes([0, user, mark, user, user, mark, user]), compaction=True).point
        assert point is not None
        assert (point.kind, point.index, point.length) == ("compaction", 1, 3)

    def test_a_mark_in_an_open_batch_lies_inside_it(self) -> None:
        """Behind the call, or behind the first of its results."""
        points = [interpret(bytes([0, 4, mark]), compaction=True).point for mark in (224, 225, 226)]
        assert [point and point.index for point in points] == [2, 3, 4]

    def test_computed_in_flight(self) -> None:
        """The second mark in an open batch: its results came later."""
        drawn = interpret(bytes([0, 0, 224, 3, 225]), compaction=True)
        assert roles(drawn.history) == "U A2 T T"
        assert drawn.point is not None
        assert (drawn.point.index, drawn.point.length) == (1, 3)

    def test_without_a_mark_the_newest_message_is_kept(self) -> None:
        """Which may already be inside a batch; the empty history has a point as well."""
        point = interpret(bytes([0, 3]), compaction=True).point
        assert point is not None
        assert (point.index, point.length) == (3, 4)
        assert interpret(b"", compaction=True).point is not None
        assert interpret(bytes([0, 3, 224])).point is None

    @pytest.mark.parametrize("features", [ALL, without(["cut_in_batch"]), without(["cut_in_flight", "cut_stale"])])
    def test_always_inside(self, features: Features) -> None:
        """0 <= index <= length <= size, for any bytes."""
        made = grammar(features, compaction=True)
        for data in some_strings(500):
            drawn = made.interpret(data)
            assert drawn.point is not None
            assert drawn.point.length is not None
            assert 0 <= drawn.point.index <= drawn.point.length <= len(drawn.history)
