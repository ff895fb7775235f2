"""DeepSeek: chat completions, with the reasoning of calls passed back."""

from ..profile import Profile, ProfileDeclaration

DECLARED = (ProfileDeclaration(Profile("deepseek", reasoning=True, reasoning_of_calls=True)),)
