"""Profiles: what distinguishes one provider's reading of a history from another's, as data.

A profile changes findings only through how batches are read (`merge_items`), the shape rules it turns on,
`whole_batch`, the reasoning flags and `anchored`. All flags off are the core rules. A provider pack is a profile of the
same name, with error texts and sources.
"""

from attrs import field, frozen

from .errors import BadName

SHAPE_RULES = (
    "first-is-user", "alternate-roles", "last-is-user-or-tool", "call-turn-after-user-or-result",
    "assistant-between-tool-and-user", "system-once-first", "results-together", "results-before-text",
    "result-turn-only-results",
)  # fmt: skip


@frozen
class Profile:
    """The flags of one provider. `shape` names the shape rules that its list obeys."""

    name: str
    shape: frozenset[str] = field(default=frozenset(), converter=frozenset, kw_only=True)
    merge_items: bool = field(default=False, kw_only=True)
    anchored: bool = field(default=False, kw_only=True)
    whole_batch: bool = field(default=False, kw_only=True)
    reasoning: bool = field(default=False, kw_only=True)
    turn_reasoning: bool = field(default=False, kw_only=True)
    signed: bool = field(default=False, kw_only=True)
    need_user: bool = field(default=False, kw_only=True)
    tolerant_lint: bool = field(default=False, kw_only=True)
    """A steer between a call and its results is accepted (lint alone; findings never depend on it)."""
    system_outside: bool = field(default=False, kw_only=True)
    """The system prompt is no part of the list: a list of system messages alone is empty."""


NEUTRAL = Profile("neutral", tolerant_lint=True)

PROFILES: dict[str, Profile] = {
    profile.name: profile
    for profile in (
        NEUTRAL,
        Profile("openai-chat"),
        Profile("ai-sdk"),
        Profile("openai-responses", merge_items=True, reasoning=True),
        Profile("openai-responses-anchored", merge_items=True, reasoning=True, anchored=True),
        Profile(
            "anthropic",
            shape={"first-is-user", "last-is-user-or-tool", "results-before-text", "results-together"},
            merge_items=True, reasoning=True, turn_reasoning=True, signed=True, whole_batch=True, system_outside=True,
        ),
        Profile(
            "gemini",
            shape={"call-turn-after-user-or-result", "result-turn-only-results"},
            reasoning=True, whole_batch=True, system_outside=True,
        ),
        Profile(
            "bedrock",
            shape={"first-is-user", "alternate-roles", "last-is-user-or-tool", "results-before-text"},
            system_outside=True,
        ),
        Profile("mistral", shape={"last-is-user-or-tool"}),
        Profile("mistral-old", shape={"last-is-user-or-tool", "assistant-between-tool-and-user"}),
        Profile("deepseek", reasoning=True),
        Profile("kimi", reasoning=True),
        Profile(
            "strict", shape=set(SHAPE_RULES), reasoning=True, turn_reasoning=True, signed=True, whole_batch=True,
            need_user=True, system_outside=True,
        ),
    )
}  # fmt: skip


def profile(name: str) -> Profile:
    """Return the profile of a provider; an unknown name raises `BadName` with the known ones."""
    try:
        return PROFILES[name]
    except KeyError:
        raise BadName(f"unknown provider {name!r}", "known: " + ", ".join(PROFILES)) from None
