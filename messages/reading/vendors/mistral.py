"""Mistral: a version for each of its validator that differs, and `mistral-old` as hosts with older ones have it."""

from ..profile import Profile, ProfileDeclaration

_SHAPE = frozenset({"last-is-user-or-tool"})

DECLARED = (
    ProfileDeclaration(Profile("mistral", shape=_SHAPE), {"v3": {}, "v7": {}, "v11": {}, "v13": {}}),
    ProfileDeclaration(Profile("mistral-old", shape=_SHAPE | {"assistant-between-tool-and-user"})),
)
