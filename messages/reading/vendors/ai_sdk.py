"""The Vercel AI SDK, a check in the client: the core rules."""

from ..profile import Profile, ProfileDeclaration

DECLARED = (ProfileDeclaration(Profile("ai-sdk")),)
