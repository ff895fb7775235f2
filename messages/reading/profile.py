"""A profile: what distinguishes one provider's reading of a history from another's, as data.

A profile changes findings only through how batches are read (`merge_items`, `one_response`), the shape rules it turns
on, `whole_batch`, the reasoning flags and `anchored`. All flags off are the core rules. A provider pack is a profile of
the same name, with error texts and sources.

A provider that changed its rules has versions, `anthropic@4.5`: profiles too, with the flags that differ.
"""

from collections.abc import Mapping
from typing import Any

from attrs import field, frozen

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


@frozen
class ProfileDeclaration:
    """One provider as its vendor module declares it.

    `versions` gives the flags by which each version differs from the profile, oldest first; the bare name is the last
    one. A version without any differs in texts alone. `goes_on_from` names the provider whose requests are read by this
    profile where they go on with what the server holds.
    """

    profile: Profile
    versions: Mapping[str, Mapping[str, Any]] = field(factory=dict[str, dict[str, Any]])
    goes_on_from: str | None = field(default=None, kw_only=True)
