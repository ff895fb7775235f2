"""Packs: which rules a provider enforces, and what it answers when one is broken.

A pack is a profile of the same name with an entry for each rule of which it is known what the provider does. The
profile and the table below decide what fails a trimmer; entries say what the provider is known to do. Where the two
disagree the entry's note says why: rules of pairing always fail, also where a provider would not notice, and a rule
that is rejected fails nobody before the table lists it.

A version of a provider (`anthropic@4.5`) is a pack with a name of its own. The bare name is the newest version.
"""

from typing import Any

from attrs import field, frozen

from ...messages.reading.profiles import PROFILES, VERSIONED, VERSIONS, Profile, profile
from .anthropic import ANTHROPIC
from .bedrock import BEDROCK
from .entry import Entry
from .features import FeatureValues, features_of
from .google import GEMINI
from .mistral import MISTRAL, MISTRAL_OLD
from .openai import CHAT, RESPONSES, RESPONSES_ANCHORED
from .others import AI_SDK, DEEPSEEK, KIMI

__all__ = ["PACKS", "VERSIONED_PACKS", "Entry", "Pack", "pack"]

# What packs enforce beside the flags of their profiles: the design's table.
_ENFORCED: dict[str, frozenset[str]] = {
    "provider-executed-pair": frozenset({"anthropic", "openai-responses", "ai-sdk", "strict"}),
    "approval-pair": frozenset({"ai-sdk", "openai-responses", "strict"}),
    "unique-item-id": frozenset({"openai-responses", "strict"}),
    "nonempty-message": frozenset({"anthropic", "bedrock", "kimi", "mistral-old", "strict"}),
    "tools-declared": frozenset({"anthropic", "bedrock", "strict"}),
    "reasoning-kept-with-followup": frozenset({"gemini"}),
    "signed-reasoning-unmodified": frozenset({"anthropic", "gemini", "strict"}),
    "nonempty-history": frozenset(
        {"openai-chat", "openai-responses", "mistral", "mistral-old", "anthropic", "gemini", "bedrock", "strict"}
    ),
}
_SAME_API = {"openai-responses-anchored": "openai-responses"}
# Versions differ from their provider mostly by flags. Beside those: mistral-common's v3 is what the table calls
# mistral-old where it comes to empty messages, and signatures are optional before Gemini 3.
_ADDED = {"mistral@v3": frozenset({"nonempty-message"})}
_DROPPED = {"gemini@2.5": frozenset({"reasoning-kept-with-followup", "signed-reasoning-unmodified"})}


@frozen
class Pack:
    """One provider, or one version of it: its profile, the rules whose breach fails a trimmer, what is known of each.

    `features` are keywords for `strategies.histories` and `random_histories`, which then make only histories that the
    provider accepts.
    """

    name: str
    profile: Profile
    enforces: frozenset[str]
    entries: dict[str, Entry] = field(factory=dict[str, Entry], eq=False, repr=False)
    features: FeatureValues = field(factory=dict[str, Any], eq=False, repr=False)

    def text(self, rule: str) -> Entry | None:
        """Return what the provider answers when a rule is broken; None where no text is known."""
        found = self.entries.get(rule)
        return None if found is None or found.text is None else found

    @property
    def hard(self) -> frozenset[str]:
        """The rules whose breach is rejected with an error, whether they fail a trimmer or not."""
        return frozenset(rule for rule, entry in self.entries.items() if entry.severity == "hard")

    @property
    def versions(self) -> tuple[str, ...]:
        """The versions of this provider that have a pack of their own, oldest first, as `--provider` takes them."""
        base = self.name.partition("@")[0]
        return tuple(f"{base}@{version}" for version in VERSIONS.get(base, ()))


def _enforced(found: Profile) -> frozenset[str]:
    base = found.name.partition("@")[0]
    api = _SAME_API.get(base, base)
    rules = {rule for rule, names in _ENFORCED.items() if api in names}
    if found.anchored:
        rules.discard("nonempty-history")  # the server holds a conversation already
    if found.reasoning or found.turn_reasoning:
        rules.add("reasoning-kept-with-followup")
    if found.need_user:
        rules.add("nonempty-user")
    return (found.shape | rules | _ADDED.get(found.name, frozenset())) - _DROPPED.get(found.name, frozenset())


ENTRIES: dict[str, tuple[Entry, ...]] = {
    "openai-chat": CHAT,
    "openai-responses": RESPONSES,
    "openai-responses-anchored": RESPONSES_ANCHORED,
    "anthropic": ANTHROPIC,
    "gemini": GEMINI,
    "bedrock": BEDROCK,
    "mistral": MISTRAL,
    "mistral-old": MISTRAL_OLD,
    "deepseek": DEEPSEEK,
    "kimi": KIMI,
    "ai-sdk": AI_SDK,
}
"""Every entry of every version. neutral and strict name no provider, and have none."""


def _in_force(name: str) -> dict[str, Entry]:
    """Return the entries of one version by rule; the bare name is the one that `VERSIONS` has last."""
    base, _, version = name.partition("@")
    asked = version or VERSIONS.get(base, ("",))[-1]
    return {entry.rule: entry for entry in ENTRIES.get(base, ()) if not entry.versions or asked in entry.versions}


def _made(found: Profile) -> Pack:
    return Pack(found.name, found, _enforced(found), _in_force(found.name), features_of(found.name))


PACKS: dict[str, Pack] = {name: _made(found) for name, found in PROFILES.items()}
"""Every pack by name, its versions aside."""
VERSIONED_PACKS: dict[str, Pack] = {name: _made(found) for name, found in VERSIONED.items()}
"""The packs of single versions, as `--provider` takes them."""


def pack(name: str) -> Pack:
    """Return a pack; an unknown name or version raises `BadName` with the known ones."""
    found = profile(name)
    return PACKS.get(found.name) or VERSIONED_PACKS[found.name]
