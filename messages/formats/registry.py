"""The registry of formats: every module of this folder that defines a `FORMAT`, and what adapters register.

Adapters to packages with message types of their own build a `Format` and register it under a name.
"""

from functools import cache

from ..errors import BadName
from ..shelf import modules_in, ordered
from .format import Format

_FIRST = ("neutral", "openai-chat", "openai-responses", "anthropic", "gemini", "bedrock", "ai-sdk")
"""The order in which formats are listed; others follow."""
_registered: dict[str, Format] = {}


@cache
def _shipped() -> dict[str, Format]:
    found: dict[str, Format] = {}
    for module in modules_in(__package__ or ""):
        form = getattr(module, "FORMAT", None)
        if isinstance(form, Format):
            found[form.name] = form
    return ordered(found, _FIRST)


def register_format(found: Format) -> Format:
    """Add a format; returns it."""
    _registered[found.name] = found
    return found


def formats() -> dict[str, Format]:
    """Return the known formats by name."""
    return {**_shipped(), **_registered}


def format_named(name: str) -> Format:
    """Return a format; an unknown name raises `BadName` with the known ones."""
    known = formats()
    try:
        return known[name]
    except KeyError:
        raise BadName(f"unknown format {name!r}", "known: " + ", ".join(known)) from None
