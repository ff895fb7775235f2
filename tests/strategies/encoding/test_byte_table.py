"""What each byte stands for, and that simpler bytes stand for simpler things."""

import pytest

from trimfuzz.messages.reading.pairing import InputClass
from trimfuzz.strategies import ALL, Drawn, Features, interpret, only, without
from trimfuzz.strategies.encoding.byte_table import CODES, allowed_in, resolve
from trimfuzz.strategies.encoding.catalogue import OPS


def of(name: str) -> int:
    """Return the first code of an op."""
    return CODES.index(name)


def alone(code: int, features: Features = ALL) -> Drawn:
    """Interpret one op in a valid history."""
    return interpret(bytes([0, code]), features, inputs=["valid"])


def test_the_table_is_whole() -> None:
    """Every code names an op, neighbours are ops, and 0 is the plain user message."""
    assert len(CODES) == 256
    assert set(CODES) <= set(OPS)
    assert {op.instead for op in OPS.values()} | {op.fewer for op in OPS.values() if op.fewer} <= set(OPS)
    assert CODES[0] == "user"
    assert {CODES[code] for code in range(7)} == {"user", "assistant", *(f"call {count}" for count in range(1, 6))}


def test_codes_never_move() -> None:
    """Old strings keep their meaning: some codes, with what stands there."""
    assert {code: CODES[code] for code in (2, 39, 71, 73, 98, 109, 134, 141, 160, 167, 174, 239, 251, 255)} == {
        2: "call 1",
        39: "result",
        71: "result large",
        73: "old ids 1",
        98: "call 1 huge",
        109: "approval 2",
        134: "call 5 large",
        141: "item call 2",
        160: "user keep",
        167: "result keep",
        174: "provider tool",
        239: "steer user between keep",
        251: "user keep huge",
        255: "user",
    }


@pytest.mark.parametrize("input_class", ["valid", "interleaved", "malformed"])
def test_every_op_has_a_plain_neighbour(input_class: str) -> None:
    """Without any feature each op becomes one that needs nothing."""
    allowed = allowed_in(only([]), input_class) - {"interleaved", "malformed"}
    for name in OPS:
        assert not resolve(name, allowed).features


@pytest.mark.parametrize(
    ("name", "off", "neighbour"),
    [
        ("user keep", "keep", "user"),
        ("user keep huge", "sizes", "user keep"),
        ("call 3", "parallel", "call 1"),
        ("call 3 keep", "keep", "call 3"),
        ("call 3 keep", "parallel", "call 1 keep"),
        ("old ids 2", "reused_ids", "call 2"),
        ("old ids 2", "parallel", "old ids 1"),
        ("last result", "out_of_order", "result"),
        ("developer", "developer", "system"),
        ("call 1 signed", "signature", "call 1 reasoning"),
        ("provider mixed", "inline_results", "call 2"),
        ("provider same", "inline_results", "provider tool"),
        ("provider same", "provider_executed", "call 1"),
        ("inline 3", "parallel", "inline 1"),
        ("summary result", "summary", "result"),
        ("user item", "item_ids", "user"),
    ],
)
def test_a_disabled_op_behaves_as_its_plain_neighbour(name: str, off: str, neighbour: str) -> None:
    """It has the same history as the neighbour, in place and alone."""
    features = without([off])
    there = OPS[name].name
    assert resolve(there, allowed_in(features, "valid")).name == neighbour
    if there in CODES and neighbour in CODES:
        assert alone(of(there), features) == alone(of(neighbour), features)


def test_what_a_class_does_not_allow_behaves_as_its_plain_neighbour() -> None:
    """In a valid history a steer is a user message, an orphan a result."""
    assert alone(of("steer user")) == alone(of("user"))
    assert alone(of("orphan")) == alone(of("result")) == alone(of("call 1"))
    assert alone(of("reopened")) == alone(of("call 1"))


@pytest.mark.parametrize("input_class", ["valid", "pending", "interleaved", "malformed"])
def test_clearing_the_highest_bit_never_makes_more(input_class: InputClass) -> None:
    """The plainer form of an op makes no more messages; Hypothesis tries just that."""
    for code in range(32, 256):
        # Inline results save messages, and so does a summary that opens an interleaved history on an assistant.
        if CODES[code].split()[0] in ("inline", "provider", "summary"):
            continue
        plainer = code & ~(1 << (code.bit_length() - 1))
        one, other = (interpret(bytes([0, each]), inputs=[input_class]).history for each in (plainer, code))
        assert len(one) <= len(other), (CODES[code], CODES[plainer])
