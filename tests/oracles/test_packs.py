"""A pack says which rules a provider enforces, and what it answers."""

import pytest

from trimfuzz.messages.errors import BadName
from trimfuzz.messages.profiles import PROFILES
from trimfuzz.oracles.packs import PACKS, pack
from trimfuzz.oracles.rules import RULES


@pytest.mark.parametrize("name", PROFILES)
def test_there_is_a_pack_for_every_profile(name: str) -> None:
    """With the same flags, and only rules that there are."""
    found = pack(name)

    assert found.profile is PROFILES[name]
    assert found.profile.shape <= found.enforces
    assert all(RULES[rule].kind == "pack" for rule in found.enforces)
    assert set(found.texts) <= set(RULES)


@pytest.mark.parametrize("name", PACKS)
def test_every_text_has_a_source_a_date_and_a_confidence(name: str) -> None:
    """And the status it comes with, except where a client library says it."""
    for rule, text in PACKS[name].texts.items():
        assert text.text, rule
        assert text.source.startswith("https://")
        assert text.confidence in "ABCD"
        assert text.date == "2026-11"
        assert (text.status is None) == (name == "ai-sdk")


def test_a_text_is_only_there_for_a_rule_that_can_fail_under_the_pack() -> None:
    """A text for a rule that the provider does not enforce would never be printed."""
    for found in PACKS.values():
        for rule in found.texts:
            enforced = rule in found.enforces or RULES[rule].kind == "always"
            assert enforced or found.profile.anchored, (found.name, rule)


def test_openai_chat_answers_the_three_ways_to_break_a_pair() -> None:
    """With the texts that people search for."""
    found = pack("openai-chat")

    assert found.text("no-orphan").text.startswith("Invalid parameter: messages with role 'tool' must be")  # type: ignore[union-attr]
    for rule in ("call-answered", "batch-atomic", "result-adjacent"):
        text = found.text(rule)
        assert text is not None
        assert text.text.startswith("An assistant message with 'tool_calls' must be followed by tool messages")
        assert text.status == 400
    assert found.text("first-is-user") is None
    assert found.enforces == {"nonempty-history"}


@pytest.mark.parametrize(
    ("rule", "names"),
    [
        ("provider-executed-pair", {"anthropic", "openai-responses", "openai-responses-anchored", "ai-sdk", "strict"}),
        ("unique-item-id", {"openai-responses", "openai-responses-anchored", "strict"}),
        ("nonempty-message", {"anthropic", "bedrock", "kimi", "mistral-old", "strict"}),
        ("nonempty-user", {"strict"}),
        ("first-is-user", {"anthropic", "bedrock", "strict"}),
        ("reasoning-kept-with-followup",
         {"openai-responses", "openai-responses-anchored", "anthropic", "gemini", "deepseek", "kimi", "strict"}),
    ],
)  # fmt: skip
def test_what_is_enforced_by_whom(rule: str, names: set[str]) -> None:
    """The lists under the rules table, and the flags of the profiles."""
    assert {found.name for found in PACKS.values() if rule in found.enforces} == names


def test_strict_enforces_every_shape_rule() -> None:
    """It is all providers at once."""
    wanted = {name for name, rule in RULES.items() if rule.kind == "pack"}

    assert pack("strict").enforces == wanted
    assert pack("neutral").enforces == frozenset()


def test_an_unknown_provider_is_named_with_the_known_ones() -> None:
    """So a typing error can be seen."""
    with pytest.raises(BadName, match=r"unknown provider 'openia'.*openai-chat"):
        pack("openia")
