"""Profiles: what distinguishes one provider's reading of a history from another's, as data.

A profile changes findings only through how batches are read (`merge_items`, `one_response`), the shape rules it turns
on, `whole_batch`, the reasoning flags and `anchored`. All flags off are the core rules. A provider pack is a profile of
the same name, with error texts and sources.

A provider that changed its rules has versions, `anthropic@4.5`: profiles too, with the flags that differ.
"""

from typing import Any

from attrs import evolve, field, frozen

from ..errors import BadName

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
    one_response: bool = field(default=False, kw_only=True)
    """What the model wrote between two calls (reasoning, a message, a call of its own) is of the same response."""
    anchored: bool = field(default=False, kw_only=True)
    whole_batch: bool = field(default=False, kw_only=True)
    reasoning: bool = field(default=False, kw_only=True)
    turn_reasoning: bool = field(default=False, kw_only=True)
    signed: bool = field(default=False, kw_only=True)
    forgets_reasoning: bool = field(default=False, kw_only=True)
    """Reasoning of turns that are over may be left out: it is asked for again only behind the last user message."""
    reasoning_of_calls: bool = field(default=False, kw_only=True)
    """Beside `reasoning`: only that of messages with calls is asked for again."""
    signed_calls: bool = field(default=False, kw_only=True)
    """A call of the running turn comes back with its signature, whether reasoning stands beside it or not."""
    results_from_user: bool = field(default=False, kw_only=True)
    """Results are sent in user items, and neighbours are not merged: alternate-roles reads items as they are sent."""
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
        Profile("openai-responses", merge_items=True, one_response=True, reasoning=True),
        Profile("openai-responses-anchored", merge_items=True, one_response=True, reasoning=True, anchored=True),
        Profile(
            "anthropic",
            shape={"first-is-user", "last-is-user-or-tool", "results-before-text", "results-together"},
            merge_items=True, reasoning=True, turn_reasoning=True, signed=True, whole_batch=True, system_outside=True,
            forgets_reasoning=True,
        ),
        Profile(
            "gemini",
            shape={"call-turn-after-user-or-result", "result-turn-only-results"},
            whole_batch=True, system_outside=True,
        ),
        Profile(
            "bedrock",
            shape={"first-is-user", "alternate-roles", "last-is-user-or-tool", "results-before-text"},
            system_outside=True, results_from_user=True,
        ),
        Profile("mistral", shape={"last-is-user-or-tool"}),
        Profile("mistral-old", shape={"last-is-user-or-tool", "assistant-between-tool-and-user"}),
        Profile("deepseek", reasoning=True, reasoning_of_calls=True),
        Profile("kimi", reasoning=True, reasoning_of_calls=True),
        Profile(
            "strict", shape=set(SHAPE_RULES), reasoning=True, turn_reasoning=True, signed=True, whole_batch=True,
            need_user=True, system_outside=True,
        ),
    )
}  # fmt: skip


# The flags by which each version differs from its provider, oldest first. A version without any differs in texts alone.
_VERSIONS: dict[str, dict[str, dict[str, Any]]] = {
    "anthropic": {"4.5": {"shape": PROFILES["anthropic"].shape - {"last-is-user-or-tool"}}, "4.6": {}},
    "gemini": {"2.5": {}, "3": {"signed_calls": True}},
    "bedrock": {
        "llama": {},
        "claude-4.5": {"shape": PROFILES["bedrock"].shape - {"last-is-user-or-tool"}},
        "claude-4.6": {},
    },
    "mistral": {"v3": {}, "v7": {}, "v11": {}, "v13": {}},
}

VERSIONS: dict[str, tuple[str, ...]] = {name: tuple(known) for name, known in _VERSIONS.items()}
"""The versions that providers have; the texts of the last one are those of the bare name."""
VERSIONED: dict[str, Profile] = {
    f"{name}@{version}": evolve(PROFILES[name], name=f"{name}@{version}", **flags)
    for name, known in _VERSIONS.items()
    for version, flags in known.items()
}
"""The profile of each version, by its full name."""


def profile(name: str) -> Profile:
    """Return the profile of a provider, or of a version of it; an unknown name raises `BadName` with the known ones."""
    found = PROFILES.get(name) or VERSIONED.get(name)
    if found is not None:
        return found
    base, at, version = name.partition("@")
    if at and base in PROFILES:
        known = ", ".join(f"{base}@{one}" for one in VERSIONS.get(base, ())) or f"{base} alone"
        raise BadName(f"unknown version {version!r} of {base}", f"known: {known}")
    raise BadName(f"unknown provider {name!r}", "known: " + ", ".join(PROFILES))
