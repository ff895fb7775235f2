"""Measuring: arms of one figure take turns, round after round, in CPU time, beside a fixed pure-Python loop.

A machine is slow or fast, and busy or idle; what is compared is therefore measured in turns, and every cost is also
given in the cost of the loop, which was measured in the same rounds. Nothing here fails: a target that is missed is
said so.
"""

import gc
import time
from collections.abc import Callable, Mapping
from statistics import median
from typing import TypeAlias

from attrs import field, frozen
from rich.table import Table

Arm: TypeAlias = Callable[[], int]
"""Does some work, and returns how many operations that was."""

LOOP = "loop"
LOOP_STEPS = 100


def loop() -> int:
    """The fixed pure-Python loop; one operation is a thousand turns of it."""
    total = 0
    for turn in range(1000 * LOOP_STEPS):
        total += turn * turn % 7
    return LOOP_STEPS


@frozen
class Costs:
    """CPU seconds for one operation of each arm, round by round."""

    of: Mapping[str, list[float]]

    def ratios(self, arm: str, base: str) -> list[float]:
        """What one operation of an arm costs in operations of another, round by round."""
        return [cost / unit for cost, unit in zip(self.of[arm], self.of[base], strict=True)]

    def loops(self, arm: str) -> float:
        """What one operation of an arm costs in operations of the loop."""
        return median(self.ratios(arm, LOOP))


def measure(arms: Mapping[str, Arm], rounds: int) -> Costs:
    """Let every arm have its turn in every round, the loop among them; one turn before that is not counted."""
    turns = {**arms, LOOP: loop}
    found: dict[str, list[float]] = {name: [] for name in turns}
    for number in range(rounds + 1):
        for name, arm in turns.items():
            gc.collect()
            start = time.process_time()
            operations = arm()
            spent = time.process_time() - start
            if number:
                found[name].append(spent / operations)
    return Costs(found)


@frozen
class Figure:
    """One figure: its value in every round, and what it should be. `loops` is the cost of one operation in loops."""

    name: str
    unit: str
    values: list[float]
    loops: float | None = field(default=None, kw_only=True)
    at_least: float | None = field(default=None, kw_only=True)
    at_most: float | None = field(default=None, kw_only=True)

    @property
    def best(self) -> float:
        """The best round: the least disturbed one."""
        return min(self.values) if self.at_least is None else max(self.values)

    @property
    def met(self) -> bool | None:
        """Whether the median is where it should be; None without a target."""
        if self.at_least is not None:
            return median(self.values) >= self.at_least
        return None if self.at_most is None else median(self.values) <= self.at_most


def table(title: str, figures: list[Figure]) -> Table:
    """Lay figures out: median and best of the rounds, cost in loops, target, and whether it is met."""
    found = Table(title=title, title_justify="left")
    for heading in ("figure", "unit"):
        found.add_column(heading)
    for heading in ("median", "best", "in loops", "target"):
        found.add_column(heading, justify="right")
    found.add_column("met")
    for figure in figures:
        bound = figure.at_most if figure.at_least is None else figure.at_least
        target = "" if bound is None else f"{'≤' if figure.at_least is None else '≥'} {number(bound)}"
        found.add_row(
            figure.name,
            figure.unit,
            number(median(figure.values)),
            number(figure.best),
            "" if figure.loops is None else number(figure.loops),
            target,
            {True: "yes", False: "[bold]NO[/]", None: ""}[figure.met],
        )
    return found


def number(value: float) -> str:
    """Write a number with three digits that mean something."""
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"
