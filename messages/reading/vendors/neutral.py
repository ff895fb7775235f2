"""No provider: the core rules alone, with a steer between call and result tolerated."""

from ..profile import Profile, ProfileDeclaration

DECLARED = (ProfileDeclaration(Profile("neutral", tolerant_lint=True)),)
