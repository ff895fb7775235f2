"""Packs: which rules a provider enforces, and what it answers when one is broken.

A pack is a profile of the same name with texts and sources. It decides what fails a trimmer and which error is
printed; it never changes what a rule means. A provider that would not notice a broken rule (the AI SDK takes orphans)
has no text for it.
"""

from attrs import field, frozen

from ...messages.errors import BadName
from ...messages.profiles import PROFILES, Profile
from .anthropic import ANTHROPIC
from .openai import CHAT, RESPONSES
from .others import AI_SDK, BEDROCK, DEEPSEEK, GEMINI, KIMI, MISTRAL, MISTRAL_OLD
from .texts import Text

__all__ = ["PACKS", "Pack", "Text", "pack"]

# What packs enforce beside the flags of their profiles.
_ENFORCED: dict[str, frozenset[str]] = {
    "provider-executed-pair": frozenset({"anthropic", "openai-responses", "ai-sdk", "strict"}),
    "approval-pair": frozenset({"ai-sdk", "openai-responses", "strict"}),
    "unique-item-id": frozenset({"openai-responses", "strict"}),
    "nonempty-message": frozenset({"anthropic", "bedrock", "kimi", "mistral-old", "strict"}),
    "signed-reasoning-unmodified": frozenset({"anthropic", "gemini", "strict"}),
    "nonempty-history": frozenset(
        {"openai-chat", "openai-responses", "mistral", "mistral-old", "anthropic", "gemini", "bedrock", "strict"}
    ),
}
_SAME_API = {"openai-responses-anchored": "openai-responses"}


@frozen
class Pack:
    """One provider: its profile, the rules whose breach it rejects, and its error texts by rule."""

    name: str
    profile: Profile
    enforces: frozenset[str]
    texts: dict[str, Text] = field(factory=dict[str, Text], eq=False, repr=False)

    def text(self, rule: str) -> Text | None:
        """Return what the provider answers when a rule is broken; None where no text is known."""
        return self.texts.get(rule)


def _enforced(profile: Profile) -> frozenset[str]:
    api = _SAME_API.get(profile.name, profile.name)
    found = {rule for rule, names in _ENFORCED.items() if api in names}
    if profile.anchored:
        found.discard("nonempty-history")  # the server holds a conversation already
    if profile.reasoning or profile.turn_reasoning:
        found.add("reasoning-kept-with-followup")
    if profile.need_user:
        found.add("nonempty-user")
    return profile.shape | found


_TEXTS: dict[str, dict[str, Text]] = {
    "openai-chat": CHAT,
    "openai-responses": RESPONSES,
    "openai-responses-anchored": RESPONSES,
    "anthropic": ANTHROPIC,
    "gemini": GEMINI,
    "bedrock": BEDROCK,
    "mistral": MISTRAL,
    "mistral-old": MISTRAL_OLD,
    "deepseek": DEEPSEEK,
    "kimi": KIMI,
    "ai-sdk": AI_SDK,
}

PACKS: dict[str, Pack] = {
    name: Pack(name, profile, _enforced(profile), _TEXTS.get(name, {})) for name, profile in PROFILES.items()
}
"""Every pack by name. neutral and strict name no provider, and print no text."""


def pack(name: str) -> Pack:
    """Return a pack; an unknown name raises `BadName` with the known ones."""
    try:
        return PACKS[name]
    except KeyError:
        raise BadName(f"unknown provider {name!r}", "known: " + ", ".join(PACKS)) from None
