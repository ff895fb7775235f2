"""Lint names everything that a provider would reject in one list."""

import pytest

from trimfuzz.messages.reading.profiles import profile
from trimfuzz.oracles.rules.lint import lint

from ..shorthand import history


def rules(given: str, provider: str = "openai-chat") -> list[str]:
    """Return the rules that a list breaks."""
    return [complaint.rule for complaint in lint(history(given), profile(provider))]


@pytest.mark.parametrize(
    ("given", "provider", "expected"),
    [
        ("T(c1) U", "openai-chat", ["no-orphan"]),
        ("T(c1) U", "openai-responses-anchored", []),
        ("U A T(c1) U", "openai-responses-anchored", ["no-orphan"]),
        ("U A[c1] U", "openai-chat", ["call-answered"]),
        ("U A[c1]", "openai-chat", ["call-answered"]),
        ("U A[p1*] U", "anthropic", ["provider-executed-pair"]),
        ("U A(p1) U", "anthropic", ["provider-executed-pair"]),
        ("U A[c1] T(c1) T(c1)", "openai-chat", ["one-result-per-call"]),
        ("U A[a,a] T(a) T(a)", "openai-chat", ["unique-call-id"]),
        ("U A[] T()", "openai-chat", ["nonempty-call-id"]),
        ("U= A U", "openai-chat", ["nonempty-message"]),
        ("U A^m1 A^m1 U", "openai-responses", ["unique-item-id"]),
        ("U R U", "openai-responses", ["reasoning-kept-with-followup"]),
        ("U A?a1 U", "ai-sdk", ["approval-pair"]),
        ("A U", "bedrock", ["first-is-user"]),
        ("U U", "bedrock", ["alternate-roles"]),
        ("U A", "mistral", ["last-is-user-or-tool"]),
        ("U A A[c1] T(c1)", "gemini", ["call-turn-after-user-or-result"]),
        ("U A[c1] T(c1) U", "mistral-old", ["assistant-between-tool-and-user"]),
        ("U A[c1] U%(c1)", "anthropic", ["results-before-text"]),
        ("U A[c1] U(c1)=text", "gemini", ["result-turn-only-results"]),
        ("U A[c1] T(c1) A U", "anthropic", []),
        ("S U A[c1] T(c1) A U", "strict", []),
        ("S S U", "strict", ["system-once-first"]),
    ],
)
def test_each_fault_of_a_list_is_named(given: str, provider: str, expected: list[str]) -> None:
    """Once for each subject, and shape rules only where the profile turns them on."""
    assert rules(given, provider) == expected


def test_neutral_alone_takes_a_steer_between_a_call_and_its_result() -> None:
    """A user or system message; another assistant is a fault there as well."""
    assert rules("U A[c1] U T(c1)") == ["result-adjacent"]
    assert rules("U A[c1] U T(c1)", "neutral") == []
    assert rules("U A[c1] S T(c1)", "neutral") == []
    assert rules("U A[c1] A T(c1)", "neutral") == ["result-adjacent"]


def test_a_complaint_says_where_and_why() -> None:
    """By the indexes of the list itself."""
    (found,) = lint(history("U A[c1] U"), profile("openai-chat"))

    assert (found.messages, found.ids) == ((1,), ("c1",))
    assert found.note == "messages[1] calls c1, and no result answers it"


def test_results_split_over_messages_are_said_once() -> None:
    """Of two bearers it is one fault, of three it is two: each message that comes behind the first."""
    assert rules("U A[c1,c2] U(c1) U(c2) A U", "anthropic").count("results-together") == 1
    assert rules("U A[c1,c2,c3] U(c1) U(c2) U(c3) A U", "anthropic").count("results-together") == 2
    assert rules("U A[c1,c2] U(c1,c2) A U", "anthropic").count("results-together") == 0
