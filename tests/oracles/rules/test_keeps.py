"""What a trimmer promised never to drop."""

import pytest

from trimfuzz.messages.model import Message
from trimfuzz.oracles.judging.judging import judge

from ..shorthand import case_of, cuts, note, ok


@pytest.mark.parametrize(
    ("rule", "given", "output", "cut"),
    [
        ("keeps-system", "D U A U", "3", "lost"),
        ("keeps-system", "S D U", "0 2", "lost"),
        ("keeps-pinned", "U! A U", "1 2", "lost"),
        ("keeps-latest-user", "U A U A", "0 1 3", "lost"),
        ("keeps-newest", "U A U A U", "0 1 2", "lost"),
        ("keeps-newest", "U A U=questionquestion", "0 1 2=question", "edited"),
        ("keeps-current-turn", "U A[c1] T(c1)", "0", "lost"),
        ("pending-call-kept", "U A[c1] U A U", "+SUM 4", "call-dropped"),
        ("pending-call-kept", "U A[c1,c2] T(c1)", "0", "call-dropped"),
    ],
)
def test_what_was_promised_and_is_gone_is_found(rule: str, given: str, output: str, cut: str) -> None:
    """The plain case of each promise."""
    assert cuts(rule, given, output) == [cut]
    assert cuts(rule, given, output, identity=False) == [cut]


@pytest.mark.parametrize(
    ("rule", "given", "output"),
    [
        ("keeps-system", "S U A S U", "0 4"),
        ("keeps-pinned", "U A[c1]! T(c1) A U", "1 2 4"),
        ("keeps-latest-user", "U A U A[c1] T(c1)", "2"),
        ("keeps-latest-user", "A", ""),
        ("keeps-newest", "U A U", "2"),
        ("keeps-newest", "", ""),
        ("keeps-current-turn", "U A U A[c1] T(c1)", "2 3 4"),
        ("pending-call-kept", "U A U A[c1]", "2 3"),
        ("pending-call-kept", "U A[p1*] U", "2"),
        ("pending-call-kept", "U A[c1] T(c1)", ""),
    ],
)
def test_what_was_kept_or_never_promised_is_held(rule: str, given: str, output: str) -> None:
    """Only the leading run of system messages is protected, and only what waits for a result is pending."""
    assert cuts(rule, given, output) == []


def test_a_summary_is_not_the_latest_user_message() -> None:
    """Nor is a bearer of results."""
    given = (Message("user", "q"), Message("assistant", "a"), Message("user", "so far", summary=True))
    assert judge(case_of(given), ok(given, "0 1"), rules=("keeps-latest-user",)) == []
    assert judge(case_of(given), ok(given, "1 2"), rules=("keeps-latest-user",)) != []


def test_the_note_says_what_is_gone() -> None:
    """By its place in the input."""
    assert note("keeps-pinned", "U A! U", "0 2") == "messages[1], which is pinned, is gone"
