"""AWS Bedrock Converse. Its versions are families of models; Claude 4.5 takes a list that ends on an assistant."""

from ..profile import Profile, ProfileDeclaration

_SHAPE = frozenset({"first-is-user", "alternate-roles", "results-before-text"})

DECLARED = (
    ProfileDeclaration(
        Profile("bedrock", shape=_SHAPE | {"last-is-user-or-tool"}, system_outside=True, results_from_user=True),
        {"llama": {}, "claude-4.5": {"shape": _SHAPE}, "claude-4.6": {}},
    ),
)
