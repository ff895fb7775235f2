"""Kimi (Moonshot): chat completions, with the reasoning of calls passed back."""

from ..profile import Profile, ProfileDeclaration

DECLARED = (ProfileDeclaration(Profile("kimi", reasoning=True, reasoning_of_calls=True)),)
