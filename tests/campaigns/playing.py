"""What tests of sessions share: a player of a named trimmer, and what the random lane finds with it."""

from collections.abc import Callable
from typing import Any

from trimfuzz.campaigns.sessions.playing import Found, Player, player_for
from trimfuzz.campaigns.sessions.script_lane import sessions
from trimfuzz.campaigns.sessions.script_shrinking import shrink_script
from trimfuzz.campaigns.target.contract import contract_for
from trimfuzz.campaigns.target.resolve import resolve
from trimfuzz.campaigns.target.spec import Spec
from trimfuzz.implementations.registry import find
from trimfuzz.implementations.trimmer import Trimmer
from trimfuzz.messages.limits import Limit
from trimfuzz.messages.session.steps import Keep, Script, script


def player(name: str, *, then: str | None = None, **fields: Any) -> Player:
    """Return the player of a registered trimmer."""
    return player_for(resolve(Spec(name, **fields)), then=None if then is None else find(then))


def player_of(trim: Callable[..., Any], **fields: Any) -> Player:
    """Return the player of a plain function `(items, limit, count)`, or of what `stateful` makes."""
    return player_for(contract_for(Trimmer("mine", trim, **fields)))


def read(text: str, *, keep: Keep = "stored", then: str | None = None) -> Script:
    """Read a script whose steps stand in one line, with semicolons between."""
    return script(text.replace("; ", "\n"), keep=keep, then=then)


def causes(playing: Player, text: str, limit: Limit | None = None, *, keep: Keep = "stored") -> list[str]:
    """Play a script and return the causes of what it broke."""
    return [found.finding.cause for found in playing.play(read(text, keep=keep), limit)]


def smallest(
    playing: Player, *, examples: int, steps: int = 20, seed: int = 1
) -> dict[str, tuple[Found, Limit | None]]:
    """Play sessions of the random lane, and return the first finding of every cause, shrunk."""
    found: dict[str, tuple[Found, Limit | None]] = {}
    for session in sessions(playing, seed=seed, steps=steps, start=0, examples=examples):
        for one in playing.play(session.script, session.limit):
            found.setdefault(one.finding.cause, (one, session.limit))
    small = {cause: shrink_script(playing, one, limit, seconds=30) for cause, (one, limit) in found.items()}
    return {cause: (one.found, one.limit) for cause, one in small.items()}
