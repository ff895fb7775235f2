"""Profiles by name: those that the vendors' modules declare, and those of their versions."""

from attrs import evolve

from ..errors import BadName
from ..shelf import modules_in, ordered
from .profile import Profile, ProfileDeclaration

_FIRST = (
    "neutral", "openai-chat", "ai-sdk", "openai-responses", "openai-responses-anchored", "anthropic", "gemini",
    "bedrock", "mistral", "mistral-old", "deepseek", "kimi", "strict",
)  # fmt: skip
"""The order in which providers are listed; others follow."""


def _declared() -> dict[str, ProfileDeclaration]:
    found = (one for module in modules_in(f"{__package__}.vendors") for one in module.DECLARED)
    return ordered({one.profile.name: one for one in found}, _FIRST)


_DECLARED = _declared()

PROFILES: dict[str, Profile] = {name: one.profile for name, one in _DECLARED.items()}
"""The profile of each provider, its versions aside."""
VERSIONS: dict[str, tuple[str, ...]] = {name: tuple(one.versions) for name, one in _DECLARED.items() if one.versions}
"""The versions that providers have; the texts of the last one are those of the bare name."""
VERSIONED: dict[str, Profile] = {
    f"{name}@{version}": evolve(one.profile, name=f"{name}@{version}", **flags)
    for name, one in _DECLARED.items()
    for version, flags in one.versions.items()
}
"""The profile of each version, by its full name."""
NEUTRAL = PROFILES["neutral"]

_GOING_ON = {one.goes_on_from: name for name, one in _DECLARED.items() if one.goes_on_from is not None}


def profile(name: str) -> Profile:
    """Return the profile of a provider, or of a version of it; an unknown name raises `BadName` with the known ones."""
    found = PROFILES.get(name) or VERSIONED.get(name)
    if found is not None:
        return found
    base, at, version = name.partition("@")
    if at and base in PROFILES:
        known = ", ".join(f"{base}@{one}" for one in VERSIONS.get(base, ())) or f"{base} alone"
        raise BadName(f"unknown version {version!r} of {base}", f"known: {known}")
    raise BadName(f"unknown provider {name!r}", "known: " + ", ".join(PROFILES))


def going_on(name: str) -> str:
    """Return the provider that reads a request which goes on with what the server holds; mostly the same one."""
    return _GOING_ON.get(name, name)
