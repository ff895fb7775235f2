"""The random lane of sessions: scripts, each with the way its list is kept and its limit, by number of a seed."""

from collections.abc import Iterator

from attrs import evolve, frozen

from ...messages.limits import Limit
from ...messages.session.steps import Script
from ...strategies.sessions import random_scripts
from ..defaults import STEPS
from .playing import Player


@frozen
class Session:
    """One session to play: its number, its script and its limit (None where the script holds the points)."""

    number: int
    script: Script
    limit: Limit | None


def sessions(
    player: Player, *, seed: int, steps: int = STEPS, start: int = 0, examples: int, then: str | None = None
) -> Iterator[Session]:
    """Yield `examples` sessions of a player, from number `start` on; `then` is the name that scripts give its second
    trimmer.
    """
    drawn = random_scripts(seed, player.moves, steps=steps, start=start)
    for number in range(start, start + examples):
        rng, script = next(drawn)
        keep = player.keeps[rng.randrange(len(player.keeps))]
        yield Session(number, evolve(script, keep=keep, then=then), player.limit(rng.randrange))
