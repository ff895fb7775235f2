"""Profiles: the table of the definitions, as data of its own."""

import pytest
from attrs import fields

from trimfuzz.messages.errors import BadName
from trimfuzz.messages.reading.profile import SHAPE_RULES, Profile
from trimfuzz.messages.reading.profiles import PROFILES, profile

ALL_SHAPES = (
    "first-is-user alternate-roles last-is-user-or-tool call-turn-after-user-or-result assistant-between-tool-and-user "
    "system-once-first results-together results-before-text result-turn-only-results"
)
TABLE = {
    "neutral": ("", "tolerant_lint"),
    "openai-chat": ("", ""),
    "ai-sdk": ("", ""),
    "openai-responses": ("", "merge_items one_response reasoning"),
    "openai-responses-anchored": ("", "merge_items one_response reasoning anchored"),
    "anthropic": (
        "first-is-user last-is-user-or-tool results-before-text results-together",
        "merge_items reasoning turn_reasoning signed whole_batch system_outside forgets_reasoning",
    ),
    "gemini": (
        "call-turn-after-user-or-result result-turn-only-results", "whole_batch system_outside",
    ),
    "bedrock": (
        "first-is-user alternate-roles last-is-user-or-tool results-before-text", "system_outside results_from_user",
    ),
    "mistral": ("last-is-user-or-tool", ""),
    "mistral-old": ("last-is-user-or-tool assistant-between-tool-and-user", ""),
    "deepseek": ("", "reasoning reasoning_of_calls"),
    "kimi": ("", "reasoning reasoning_of_calls"),
    "strict": (ALL_SHAPES, "reasoning turn_reasoning signed whole_batch need_user system_outside"),
}  # fmt: skip
FLAGS = [spec.name for spec in fields(Profile) if spec.name not in ("name", "shape")]


def test_there_is_a_profile_for_every_row() -> None:
    """Each under its own name; a new vendor needs no line here."""
    assert set(PROFILES) >= set(TABLE)
    assert all(name == found.name for name, found in PROFILES.items())


@pytest.mark.parametrize("name", TABLE)
def test_a_profile_has_exactly_the_flags_of_its_row(name: str) -> None:
    """Every flag that the row does not name is off."""
    shape, flags = TABLE[name]
    found = profile(name)
    assert found.shape == set(shape.split())
    assert {flag for flag in FLAGS if getattr(found, flag)} == set(flags.split())


def test_strict_has_every_shape_rule() -> None:
    """The list that it is made of is the list of the definitions."""
    assert set(SHAPE_RULES) == set(ALL_SHAPES.split())
    assert len(SHAPE_RULES) == len(set(SHAPE_RULES))


def test_an_unknown_provider_is_an_error_that_lists_the_known_ones() -> None:
    """The hint holds every name."""
    with pytest.raises(BadName, match="unknown provider 'openai'") as caught:
        profile("openai")
    assert all(name in caught.value.hint for name in TABLE)
