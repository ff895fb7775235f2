"""What a provider asks of the list as a whole, where its profile turns the rule on."""

import pytest

from trimfuzz.messages.reading.profiles import SHAPE_RULES

from ..shorthand import cuts, note


@pytest.mark.parametrize(
    ("rule", "provider", "given", "output", "cut"),
    [
        ("first-is-user", "bedrock", "U A U A U", "1 2 3 4", "lost"),
        ("first-is-user", "bedrock", "S U A[c1] T(c1) U", "0 3 4", "lost"),
        ("first-is-user", "bedrock", "U A U", "+A=new 2", "invented"),
        ("alternate-roles", "bedrock", "U A U A U", "0 1 3 4", "lost"),
        ("alternate-roles", "bedrock", "U A U", "+SUM 2", "inserted-between"),
        ("alternate-roles", "bedrock", "U A U A", "0 2 1 3", "reordered"),
        ("alternate-roles", "bedrock", "U A U", "0 0 1 2", "duplicated"),
        ("last-is-user-or-tool", "mistral", "U A U", "0 1", "lost"),
        ("last-is-user-or-tool", "mistral", "U A U", "0 2 1", "reordered"),
        ("call-turn-after-user-or-result", "gemini", "U A[c1] T(c1) A U", "1 2 3 4", "lost"),
        ("call-turn-after-user-or-result", "gemini", "U A U A[c1] T(c1)", "0 1 3 4", "lost"),
        ("assistant-between-tool-and-user", "mistral-old", "U A[c1] T(c1) A U", "0 1 2 4", "lost"),
        ("system-once-first", "strict", "S U A U", "0 +S 3", "inserted-between"),
        ("system-once-first", "strict", "S U A U", "1 0 3", "reordered"),
        ("results-together", "anthropic", "U A[c1,c2] T(c1) T(c2)", "0 1 +U(c1) +U(c2)", "inserted-between"),
        ("results-before-text", "anthropic", "U A[c1] T(c1) U", "0 1 +U%(c1)", "inserted-between"),
        ("result-turn-only-results", "gemini", "U A[c1] T(c1) U", "0 1 +U(c1)=text", "inserted-between"),
    ],
)
def test_a_shape_that_was_broken_has_its_cut(rule: str, provider: str, given: str, output: str, cut: str) -> None:
    """Something was lost, put in, copied or moved; without the flag of the profile the rule holds."""
    assert cuts(rule, given, output, provider=provider) == [cut]
    assert cuts(rule, given, output, provider="neutral") == []


@pytest.mark.parametrize(
    ("rule", "provider", "given", "output"),
    [
        ("first-is-user", "bedrock", "S U A U", "0 3"),
        ("first-is-user", "bedrock", "A U A U", "2 3"),
        ("first-is-user", "bedrock", "S U", "0"),
        ("alternate-roles", "bedrock", "U U A U", "0 1 2"),
        ("alternate-roles", "bedrock", "U A S A U", "0 1 3"),
        ("alternate-roles", "bedrock", "U A A A U", "0 1 3 4"),
        ("alternate-roles", "bedrock", "U A[c1] T(c1) U", "0 1 2 3"),
        ("last-is-user-or-tool", "mistral", "U A U A", "2 3"),
        ("last-is-user-or-tool", "mistral", "U A[c1] T(c1) U", "0 1 2"),
        ("call-turn-after-user-or-result", "gemini", "U A[c1] T(c1) A[c2] T(c2)", "0 3 4"),
        ("call-turn-after-user-or-result", "gemini", "U A R A[c1] T(c1)", "0 1 2 3 4"),
        ("call-turn-after-user-or-result", "gemini", "U A U A[p1*]", "0 1 3"),
        ("assistant-between-tool-and-user", "mistral-old", "U A[c1] T(c1) U", "0 1 2 3"),
        ("system-once-first", "strict", "S S U", "0 1 2"),
        ("system-once-first", "strict", "S U S A", "2 3"),
        ("results-together", "anthropic", "U A[c1,c2] T(c1) T(c2)", "0 1 +U(c1,c2)"),
        ("results-together", "anthropic", "U A[c1,c2] U(c1) U(c2)", "0 1 2 3"),
        ("results-before-text", "anthropic", "U A[c1] T(c1) U", "0 1 +U(c1)=text"),
        ("result-turn-only-results", "gemini", "U A[c1] T(c1) U", "0 1 +U(c1)"),
    ],
)
def test_a_shape_that_was_given_or_is_fine_is_held(rule: str, provider: str, given: str, output: str) -> None:
    """System messages are transparent, results count as tool messages, and a given fault stays given."""
    assert cuts(rule, given, output, provider=provider) == []


def test_strict_turns_every_shape_rule_on() -> None:
    """So each of them can break under it."""
    assert cuts("first-is-user", "U A U A U", "1 2", provider="strict")
    assert {"results-together", "system-once-first"} <= set(SHAPE_RULES)


def test_the_note_names_input_messages() -> None:
    """Although the neighbours were found in the output."""
    assert note("alternate-roles", "U A U A U", "0 1 3 4", provider="bedrock") == (
        "an assistant message, messages[3], comes right behind an assistant message, messages[1]"
    )
    assert note("first-is-user", "U A U A U", "3 4", provider="bedrock") == (
        "the conversation opens on an assistant message, messages[3]"
    )
