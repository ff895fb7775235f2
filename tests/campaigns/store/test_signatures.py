"""Signatures: which findings are the same bug."""

import pytest
from attrs import evolve

from trimfuzz.campaigns.engine.records import Record
from trimfuzz.campaigns.store.signatures import fingerprint_of, role_pattern, signature_of, without_class
from trimfuzz.messages.limits import Limit
from trimfuzz.messages.model import History, Message
from trimfuzz.messages.neutral import dump_history
from trimfuzz.messages.shorthand import history


def record(
    written: str | History, kept: list[int] | History, named: list[int], cut: str = "call-dropped", **others: object
) -> Record:
    """Make a record of a history that was cut down to the messages `kept`, about the messages `named`."""
    given = history(written) if isinstance(written, str) else written
    output = tuple(given[index] for index in kept) if isinstance(kept, list) else kept
    return evolve(
        Record(
            "mine", "no-orphan", f"no-orphan/valid/{cut}", cut, "always", True, "valid", dump_history(given),
            Limit("messages", 2), "ok", dump_history(output), messages=named,
        ),
        **others,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("written", "kept", "named", "pattern"),
    [
        ("U A[a] T(a) U", [2, 3], [2], "A[1]>|T"),
        ("U A[a,b] T(a) T(b) U", [3, 4], [3], "A[2]>T>|T"),
        ("U A[a,b] T(a) T(b) U", [2, 3, 4], [2, 3], "A[2]>|T>T"),
        ("U A[a] U T(a) U", [2, 3, 4], [3], "A[1]>|U>T"),
        ("U A[a] T(a)! U", [2, 3], [2], "A[1]>|T!"),
        ("U A[a] T(a) U", [1, 3], [1], "A[1]>|T"),
    ],
)
def test_pattern_is_the_broken_unit(written: str, kept: list[int], named: list[int], pattern: str) -> None:
    """The pattern holds the unit that a finding names, what stands inside it, and where it was cut."""
    assert role_pattern(record(written, kept, named)) == pattern


def test_pattern_is_read_as_the_version_of_a_provider_reads_it() -> None:
    """Under anthropic two call messages side by side are one batch, also under a version of it."""
    pattern = {
        provider: role_pattern(record("U A[a] A[b] T(a) T(b)", [3, 4], [3], provider=provider))
        for provider in ("openai-chat", "anthropic", "anthropic@4.5")
    }
    assert pattern["anthropic@4.5"] == pattern["anthropic"] != pattern["openai-chat"]


def test_pattern_does_not_know_what_stands_around() -> None:
    """A finding that was not shrunk to its end has the signature of one that was."""
    small = record("A[a] T(a)", [1], [1])
    large = record("S U A U A[q] T(q) U A[a] T(a) U A U", [8, 9, 10, 11], [8])

    assert signature_of(small) == signature_of(large) == "mine no-orphan/call-dropped A[1]>|T"


def test_the_class_is_left_out_where_it_fails() -> None:
    """The same cut on pending input is the same bug; a signature of format 1 is read as one of today."""
    valid, pending = (
        record("U A[a] T(a)", [2], [2], cause=f"no-orphan/{name}/call-dropped") for name in ("valid", "pending")
    )
    assert signature_of(valid) == signature_of(pending)
    assert without_class("mine no-orphan/valid/call-dropped A[1]>|T", valid.cause) == signature_of(valid)
    rejected = "mine no-orphan/malformed/call-dropped A[1]>|T"
    assert without_class(rejected, "no-orphan/malformed/call-dropped") == rejected
    assert without_class(signature_of(valid), valid.cause) == signature_of(valid)


@pytest.mark.parametrize(
    "other",
    [
        record("U A[a,b] T(a) T(b)", [3], [3]),
        record("U A[a] T(a)", [2], [2], trimmer="yours"),
        record("U A[a] T(a)", [2], [2], cause="no-orphan/malformed/call-dropped"),
        record("U A[a] U T(a)", [2, 3], [3]),
    ],
    ids=["batch", "trimmer", "cause", "steer"],
)
def test_different_bugs_have_different_signatures(other: Record) -> None:
    """Another trimmer, cause or shape of the broken unit is another bug."""
    assert signature_of(other) != signature_of(record("U A[a] T(a)", [2], [2]))


def test_inserted_messages_are_in_the_pattern() -> None:
    """A message that the trimmer put into a batch is part of the break; one that it put elsewhere is not."""
    given = history("U A[a] T(a) U")
    marker = Message("user", "earlier messages were left out", summary=True)
    inside = record(given, (given[1], marker, given[2]), [2], "inserted-between")
    outside = record(given, (marker, *given[1:]), [2], "inserted-between")

    assert role_pattern(inside) == "A[1]>+U*>T"
    assert role_pattern(outside) == "A[1]>T"


def test_invention_alone_is_its_own_pattern() -> None:
    """A finding about no input message shows what was put in."""
    given = history("U A U")
    invented = record(given, (*given, Message("tool", "stub", call_id="z")), [], "invented")

    assert role_pattern(invented) == "+T"


def test_errors_have_the_shape_of_the_whole_history() -> None:
    """Two errors of one type on different histories are two bugs; repetitions do not make them three."""
    raised = {"output": None, "status": "raised"}
    empty = record("", [], [], "raised:IndexError", **raised)
    once = record("U A[a] T(a)", [], [], "raised:IndexError", **raised)
    often = record("U A[a] T(a) A[b] T(b) A[c] T(c)", [], [], "raised:IndexError", **raised)

    assert role_pattern(empty) == "(empty)"
    assert role_pattern(once) == "U>A[1]>T"
    assert role_pattern(often) == "U>A[1]>T.."


def test_long_patterns_lose_their_middle() -> None:
    """A pattern stays readable whatever the history."""
    shape = " ".join(f"A[{','.join('abcdefghijklmn'[:size])}]" for size in range(1, 15))
    pattern = role_pattern(record(shape, [], [], "raised:KeyError", output=None))

    assert pattern == "A[1]>A[2]>A[3]>A[4]>A[5]>...>A[10]>A[11]>A[12]>A[13]>A[14]"


def test_hangs_have_no_pattern() -> None:
    """A hang is shrunk by size alone, so its history says nothing about which bug it is."""
    assert role_pattern(record("U A U A", [], [], "hung", output=None, status="hung")) == ""


def test_fingerprint_is_twelve_hex_digits_of_both() -> None:
    """The fingerprint changes with the signature and with the history, and with nothing else."""
    messages = dump_history(history("U A"))
    known = fingerprint_of("one", messages)

    assert len(known) == 12
    assert int(known, 16) >= 0
    assert known == fingerprint_of("one", [dict(reversed(message.items())) for message in messages])
    assert known != fingerprint_of("two", messages)
    assert known != fingerprint_of("one", messages[:1])
