"""The schedule of a campaign: whose turn is it?

Everybody first gets a floor of time. After that the turn goes to the trimmer that is expected to show the most new
causes a second: causes found lately (each slice fades the earlier ones), over the time of those slices. A trimmer that
has shown nothing for long is still asked now and then, since its estimate never falls to zero.
"""

from attrs import define

FADE = 0.7
PRIOR_CAUSES = 0.2
PRIOR_SECONDS = 1.0


@define
class Turn:
    """One trimmer's account: seconds spent, and its fading counts of causes and seconds."""

    name: str
    spent: float = 0.0
    recent_causes: float = 0.0
    recent_seconds: float = 0.0
    busy: int = 0

    @property
    def promise(self) -> float:
        """Expected new causes a second."""
        return (self.recent_causes + PRIOR_CAUSES) / (self.recent_seconds + PRIOR_SECONDS + 0.1 * self.spent)

    def account(self, *, seconds: float, causes: int) -> None:
        """Note what a slice cost and brought."""
        self.spent += seconds
        self.recent_causes = FADE * self.recent_causes + causes
        self.recent_seconds = FADE * self.recent_seconds + seconds


def next_turn(turns: list[Turn], *, floor: float) -> Turn:
    """Return whose turn it is: the least served below the floor, else the most promising; idle ones first."""
    served = [turn for turn in turns if turn.spent < floor and not turn.busy]
    if served:
        return min(served, key=lambda turn: turn.spent)
    idle = [turn for turn in turns if not turn.busy]
    return max(idle or turns, key=lambda turn: turn.promise / (1 + turn.busy))
