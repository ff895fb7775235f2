"""Anthropic Messages. Until 4.5 a list may end on an assistant message, which the model then goes on with."""

from ..profile import Profile, ProfileDeclaration

_SHAPE = frozenset({"first-is-user", "results-before-text", "results-together"})

DECLARED = (
    ProfileDeclaration(
        Profile(
            "anthropic",
            shape=_SHAPE | {"last-is-user-or-tool"},
            merge_items=True,
            reasoning=True,
            turn_reasoning=True,
            signed=True,
            whole_batch=True,
            system_outside=True,
            forgets_reasoning=True,
        ),
        {"4.5": {"shape": _SHAPE}, "4.6": {}},
    ),
)
