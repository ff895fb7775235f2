"""Explorations: what a worker is asked to look through, histories of a lane or sessions.

Everything above (the supervisor, `runs`) treats both alike; here is all in which they differ.
"""

from typing import Any

from attrs import frozen

from ..defaults import STEPS


@frozen
class Exploration:
    """What to explore: `of` says whose jobs do it in the worker, `options` are what these need beside seed and time.

    `lenient` allows more deaths the more there is behind them; `shows_log` adds what a dying worker printed last.
    """

    of: str
    options: dict[str, Any]
    lenient: bool
    shows_log: bool


def histories(lane: str, *, observe: bool = True) -> Exploration:
    """Histories of a lane; `observe` also looks at promises that nobody made."""
    return Exploration("histories", {"lane": lane, "observe": observe}, lenient=True, shows_log=True)


def sessions(*, steps: int = STEPS, then: str | None = None) -> Exploration:
    """Sessions of at most `steps` steps; `then` names a trimmer that trims what is sent once more."""
    return Exploration("sessions", {"steps": steps, "then": then}, lenient=False, shows_log=False)
