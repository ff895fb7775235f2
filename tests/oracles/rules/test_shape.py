"""What a provider asks of the list as a whole, where its profile turns the rule on."""

import pytest

from trimfuzz.messages.reading.profile import SHAPE_RULES

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
        ("alternate-roles", "bedrock", "U A[c1,c2] T(c1) T(c2) A U", "0 1 2 3 5"),
        ("alternate-roles", "bedrock", "U A[c1] U(c1) U", "0 1 2 3"),
        ("alternate-roles", "bedrock", "U A[c1,c2] U(c1) U(c2) A U", "0 1 2 3 4 5"),
        ("alternate-roles", "strict", "U A[c1] T(c1) A U", "0 1 2 4"),
        ("first-is-user", "anthropic", "U A[c1] U(c1)=go A U", "2 3 4"),
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
        ("results-before-text", "anthropic", "U A[c1] U%(c1) A", "0 2 3"),
        ("results-before-text", "anthropic", "U A[c1] T(c1) U", "0 +U%(c1)"),
        ("result-turn-only-results", "gemini", "U A[c1] T(c1) U", "0 1 +U(c1)"),
    ],
)
def test_a_shape_that_was_given_or_is_fine_is_held(rule: str, provider: str, given: str, output: str) -> None:
    """System messages are transparent, results count as tool messages, and a given fault stays given."""
    assert cuts(rule, given, output, provider=provider) == []


@pytest.mark.parametrize(
    ("given", "output", "cut"),
    [
        ("U A[c1] U(c1) A U", "0 1 2 4", "lost"),
        ("U A[c1] U(c1)", "0 1 2 +SUM", "inserted-between"),
        ("U A[c1] U(c1) A U", "0 1 2 +SUM 3 4", "inserted-between"),
        ("U A[c1,c2] U(c1,c2)", "0 1 +U(c1) +U(c2)", "inserted-between"),
        ("U A[c1] U(c1) A A[c2] U(c2)", "0 1 2 5", "lost"),
    ],
)
def test_bedrock_alternates_between_items_as_they_are_sent(given: str, output: str, cut: str) -> None:
    """A result is sent in an item of the user's role: before a text, or another such item, it is one too many."""
    assert cut in cuts("alternate-roles", given, output, provider="bedrock")


def test_bedrock_says_which_items_are_of_one_role() -> None:
    """In words that are true of a result."""
    assert note("alternate-roles", "U A[c1] U(c1) A U", "0 1 2 4", provider="bedrock") == (
        "a user message, messages[4], is sent in an item of the user's role, right behind another one, messages[2]"
    )


def test_a_conversation_that_opens_on_an_orphan_with_a_text_opens_on_a_user_message() -> None:
    """What is wrong with it is the orphan; results alone open nothing."""
    for given, expected in (("U A[c1] U(c1)=go A U", []), ("U A[c1] U(c1) A U", ["lost"])):
        assert cuts("first-is-user", given, "2 3 4", provider="anthropic") == expected
        assert cuts("no-orphan", given, "2 3 4", provider="anthropic") == ["call-dropped"]


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
