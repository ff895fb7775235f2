"""Lanes: what comes first, and that every item can be made again from what the flight recorder holds."""

import pytest

from trimfuzz.campaigns.lanes import Item, feed, history_of
from trimfuzz.campaigns.terms import Terms, terms_for
from trimfuzz.implementations.trimmer import Trimmer
from trimfuzz.messages.pairing import INPUT_CLASSES


def terms(**options: object) -> Terms:
    """The terms of a trimmer that returns its input."""
    return terms_for(Trimmer("identity", lambda items, _limit, _count: items), **options)  # pyright: ignore[reportArgumentType]


def fed(lane: str, under: Terms, *, start: int = 0) -> list[Item]:
    """All items of a lane, a hundred at most."""
    found: list[Item] = []

    def step(item: Item) -> bool:
        found.append(item)
        return len(found) < 100

    feed(lane, under, seed=3, start=start, examples=1_000_000, step=step)
    return found


def classes(items: list[Item], under: Terms) -> list[str]:
    """The input class of each item."""
    return [under.example(item.history).reading.input_class for item in items]


def test_known_cases_of_valid_input_come_first() -> None:
    """A run that is cut short has tried what can fail a trimmer: valid, pending, then what fails nothing."""
    found = classes(fed("known", terms()), terms())

    assert found[0] == "valid"
    assert set(found) == set(INPUT_CLASSES)
    assert found == sorted(found, key=INPUT_CLASSES.index)


@pytest.mark.parametrize("inputs", [INPUT_CLASSES, ("pending", "malformed"), ("malformed", "valid")])
def test_numbers_grow_and_a_lane_goes_on_where_it_stopped(inputs: tuple[str, ...]) -> None:
    """A worker that died is followed by one that starts behind the number it died on."""
    under = terms(inputs=inputs)
    whole = fed("known", under)
    numbers = [item.number for item in whole]

    assert numbers == sorted(set(numbers))
    middle = len(whole) // 2
    assert fed("known", under, start=whole[middle - 1].number + 1) == whole[middle:]


@pytest.mark.parametrize("lane", ["known", "random"])
@pytest.mark.parametrize("inputs", [INPUT_CLASSES, ("interleaved",)])
def test_payload_makes_the_history_again(lane: str, inputs: tuple[str, ...]) -> None:
    """What the flight recorder holds is enough to name the history that a trimmer died on."""
    under = terms(inputs=inputs)

    assert [history_of(lane, item.payload, under) for item in fed(lane, under)] == [
        item.history for item in fed(lane, under)
    ]
