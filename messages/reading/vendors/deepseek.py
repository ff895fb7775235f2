"""DeepSeek: chat completions, with the reasoning passed back."""

from ..profile import Profile, ProfileDeclaration

DECLARED = (ProfileDeclaration(Profile("deepseek", reasoning=True)),)
