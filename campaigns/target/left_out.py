"""Left out: what a program never sends, and so is neither generated, nor a public case, nor made by shrinking.

`--without` names switches of `histories()`; `--system outside` stands for all that have a system message in the list.
"""

from collections.abc import Iterable
from difflib import get_close_matches

from ...messages.errors import BadName
from ...messages.formats.format import Format
from ...strategies.encoding.features import FEATURES


def on_the_command_line(name: str) -> str:
    """Return a switch as it is named on the command line."""
    return name.replace("_", "-")


NAMES = tuple(map(on_the_command_line, FEATURES))
"""The switches as they are named on the command line."""
SYSTEM_FEATURES = frozenset(
    {"system", "developer", "several_systems", "system_alone", "system_midway", "steer_system"}
)  # fmt: skip
"""What is off where the system prompt stands outside of the list."""
SYSTEM_OUTSIDE = ("anthropic", "bedrock", "gemini")
"""Formats of which a request has a system prompt outside of its list."""


def check_features(names: Iterable[str]) -> None:
    """Raise `BadName` for a feature that is not known, with those that are called nearly so."""
    for name in names:
        if name not in NAMES:
            near = get_close_matches(name, NAMES, n=3, cutoff=0.65)
            guess = f"did you mean {' or '.join(near)}? " if near else ""
            raise BadName(f"unknown feature {name!r}", f"{guess}`trimfuzz list features` shows them all")


def features_left_out(names: Iterable[str], system: str, form: Format) -> frozenset[str]:
    """Return the switches that are off; raises `BadName` where the system prompt of a format has no other place."""
    off = frozenset(name.replace("-", "_") for name in names)
    if system != "outside":
        return off
    if form.name not in SYSTEM_OUTSIDE:
        known = ", ".join(SYSTEM_OUTSIDE)
        raise BadName(f"--system outside says nothing about {form.name}", f"formats with such a place: {known}")
    return off | SYSTEM_FEATURES


def about_left_out(names: Iterable[str], system: str) -> tuple[str, ...]:
    """Return the sentences about it for the first lines of a report."""
    asked = list(names)
    found: list[str] = []
    if asked:
        found.append(f"without {', '.join(asked)}: neither generated, nor among the public cases")
    if system == "outside":
        found.append("system outside: no system or developer message is in the list")
    return tuple(found)
