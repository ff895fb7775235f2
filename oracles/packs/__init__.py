"""Packs: which rules a provider enforces, and what it answers when one is broken; one module a vendor.

A version of a provider (`anthropic@4.5`) is a pack with a name of its own. The bare name is the newest version. What a
pack is, and what a module declares, stands in `provider`.
"""

from ...messages.reading.profile import Profile
from ...messages.reading.profiles import PROFILES, VERSIONED, profile
from ...messages.shelf import modules_in
from ..provider import Pack, PackDeclaration, pack_of
from ..provider_answers import ProviderAnswer

__all__ = ["ANSWERS", "PACKS", "VERSIONED_PACKS", "Pack", "ProviderAnswer", "pack"]

_DECLARED: dict[str, PackDeclaration] = {one.name: one for module in modules_in(__name__) for one in module.DECLARED}


def _made(found: Profile) -> Pack:
    base = found.name.partition("@")[0]
    if base not in _DECLARED:
        raise LookupError(f"no module of {__name__} declares a pack of {base}, whose profile is declared by a vendor")
    return pack_of(_DECLARED[base], found)


ANSWERS: dict[str, tuple[ProviderAnswer, ...]] = {name: one.answers for name, one in _DECLARED.items()}
"""Every answer of every version, by provider."""
PACKS: dict[str, Pack] = {name: _made(found) for name, found in PROFILES.items()}
"""Every pack by name, its versions aside."""
VERSIONED_PACKS: dict[str, Pack] = {name: _made(found) for name, found in VERSIONED.items()}
"""The packs of single versions, as `--provider` takes them."""


def pack(name: str) -> Pack:
    """Return a pack; an unknown name or version raises `BadName` with the known ones."""
    found = profile(name)
    return PACKS.get(found.name) or VERSIONED_PACKS[found.name]
