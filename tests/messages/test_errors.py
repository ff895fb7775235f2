"""Errors: one line that says where, what, and what to do."""

import pickle

import pytest

from trimfuzz.messages.errors import BadFile, BadHistory, BadName, BadTarget, CannotCarry, TrimfuzzError


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (BadName("unknown rule 'x'", "known: a, b"), "unknown rule 'x' (known: a, b)"),
        (BadFile("no such file"), "no such file"),
        (
            BadHistory("text must be a string", "this is a list", 3),
            "messages[3]: text must be a string (this is a list)",
        ),
        (BadHistory("a history is a list", "this is null"), "a history is a list (this is null)"),
        (CannotCarry("no place for parts", index=0), "messages[0]: no place for parts"),
    ],
)
def test_an_error_reads_as_one_line(error: TrimfuzzError, said: str) -> None:
    """Place first, hint in brackets, neither when there is none."""
    assert str(error) == said


@pytest.mark.parametrize("kind", [BadFile, BadHistory, BadName, BadTarget, CannotCarry])
def test_every_error_means_could_not_run(kind: type[TrimfuzzError]) -> None:
    """One base for them all; and they can be raised, chained and sent to another process."""

    def fail() -> None:
        try:
            raise ValueError
        except ValueError as error:
            raise kind("problem", "hint") from error

    with pytest.raises(TrimfuzzError) as caught:
        fail()
    assert isinstance(caught.value.__cause__, ValueError)
    received = pickle.loads(pickle.dumps(caught.value))
    assert type(received) is kind
    assert str(received) == "problem (hint)"
