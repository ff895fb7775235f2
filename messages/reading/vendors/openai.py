"""OpenAI: chat completions, and the Responses API with or without a server anchor."""

from ..profile import Profile, ProfileDeclaration

DECLARED = (
    ProfileDeclaration(Profile("openai-chat")),
    ProfileDeclaration(Profile("openai-responses", merge_items=True, one_response=True, reasoning=True)),
    ProfileDeclaration(
        Profile("openai-responses-anchored", merge_items=True, one_response=True, reasoning=True, anchored=True),
        goes_on_from="openai-responses",
    ),
)
