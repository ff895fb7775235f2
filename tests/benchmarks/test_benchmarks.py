"""The benchmark harness itself: it takes turns, says what is met, and never fails for time."""

import subprocess
import sys
from pathlib import Path

import pytest

from .measure import LOOP, Figure, measure, number, table


@pytest.mark.slow
def test_arms_take_turns_and_the_first_turn_is_not_counted() -> None:
    """Round after round, the loop among them; the cost of one operation is the time by the operations."""
    turns: list[str] = []

    def arm(name: str, operations: int):
        def once() -> int:
            turns.append(name)
            return operations

        return once

    costs = measure({"a": arm("a", 1), "b": arm("b", 10)}, 3)
    assert turns == ["a", "b"] * 4
    assert {name: len(found) for name, found in costs.of.items()} == {"a": 3, "b": 3, LOOP: 3}
    assert min(costs.of[LOOP]) > 0


@pytest.mark.parametrize(
    ("figure", "met"),
    [
        (Figure("f", "u", [1.0, 5.0, 9.0], at_least=5), True),
        (Figure("f", "u", [1.0, 4.0, 9.0], at_least=5), False),
        (Figure("f", "u", [1.0, 5.0, 9.0], at_most=5), True),
        (Figure("f", "u", [1.0, 6.0, 9.0], at_most=5), False),
        (Figure("f", "u", [1.0]), None),
    ],
)
def test_a_target_is_met_by_the_median(figure: Figure, met: bool | None) -> None:
    """Neither the best nor the worst round decides."""
    assert figure.met is met


def test_the_best_round_is_the_fastest_one() -> None:
    """The greatest where more is better, else the least."""
    assert Figure("f", "u", [1.0, 2.0], at_least=1).best == 2
    assert Figure("f", "u", [1.0, 2.0], at_most=1).best == 1


def test_a_table_has_a_row_for_every_figure() -> None:
    """Also for one without target or cost."""
    assert table("t", [Figure("f", "u", [1.0]), Figure("g", "u", [1.0], loops=2, at_most=3)]).row_count == 2


@pytest.mark.parametrize(("value", "written"), [(12345.6, "12,346"), (99.94, "99.9"), (0.12345, "0.123")])
def test_numbers_have_three_digits_that_mean_something(value: float, written: str) -> None:
    """And thousands are set apart."""
    assert number(value) == written


@pytest.mark.slow
def test_the_script_measures_one_figure_and_ends_well() -> None:
    """Whatever the figure is."""
    script = Path(__file__).with_name("run.py")
    command = [sys.executable, str(script), "--rounds", "1", "--only", "lane"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "histories/s" in done.stdout
    assert "≥ 15,000" in done.stdout
