"""Lanes: where the histories of a run come from.

`known` are the public cases, reports first; `hypothesis` lets Hypothesis draw the bytes (`check`), `random` draws them
from a plain generator, about twenty times faster (`campaign`). All three give the same kind of item, which can be made
again from what the flight recorder holds: the number of a known case, or the bytes.
"""

from collections.abc import Callable, Iterator
from typing import TypeAlias

from attrs import frozen

from ...messages.limits import Limit
from ...messages.model import History
from ...messages.reading.pairing import INPUT_CLASSES
from ...strategies.encoding.encoding import Grammar
from ...strategies.known import Known, known_histories
from ...strategies.lane import random_strings
from ..target.contract import Contract

CHUNK = 500
"""Examples of one run of Hypothesis; the next run goes on with another seed."""


@frozen
class Item:
    """One history of a lane: its number, the bytes it was made from, and its compaction point where one was drawn.

    `known` is the public case that a history of the known lane comes from.
    """

    number: int
    payload: bytes
    history: History
    point: Limit | None = None
    known: Known | None = None


Take: TypeAlias = Callable[[Item], bool]
"""Takes an item; says whether to go on."""


def feed(lane: str, contract: Contract, *, seed: int, start: int, examples: int, step: Take) -> None:
    """Feed `examples` items of a lane, from number `start` on, to `step`, until it says stop."""
    if lane == "hypothesis":
        _hypothesis(contract, seed, start, examples, step)
        return
    for item in _known(contract) if lane == "known" else _random(contract, seed, start):
        if item.number >= start + examples:
            return
        if item.number >= start and not step(item):
            return


def made_again(lane: str, payload: bytes, contract: Contract) -> Item | None:
    """Make the item again that a payload stands for (number 0, but for a known case); None if there is none."""
    if lane == "known":
        return next((item for item in _known(contract) if item.payload == payload), None)
    return _item(contract.grammar(), 0, payload)


def lane_size(lane: str, contract: Contract) -> int | None:
    """Return how many items a lane has; None for one that has no end."""
    return sum(1 for _ in _known(contract)) if lane == "known" else None


def _known(contract: Contract) -> Iterator[Item]:
    """Valid input first: where time is short, what is found there counts. The number is the place in this order."""
    given = [
        (contract.example(known.history).reading.input_class, known)
        for known in known_histories(contract.trimmer.format, marks=contract.marks)
        if not contract.left_out_in(known.history)
    ]
    given.sort(key=lambda one: INPUT_CLASSES.index(one[0]))
    for number, (input_class, known) in enumerate(given):
        if input_class in contract.inputs:
            yield Item(number, str(number).encode(), known.history, known=known)


def _item(made: Grammar, number: int, data: bytes) -> Item:
    drawn = made.interpret(data)
    return Item(number, data, drawn.history, drawn.point)


def _random(contract: Contract, seed: int, start: int) -> Iterator[Item]:
    made = contract.grammar()
    for number, data in enumerate(random_strings(seed, start=start), start):
        yield _item(made, number, data)


def _hypothesis(contract: Contract, seed: int, start: int, examples: int, step: Take) -> None:
    from hypothesis import HealthCheck, Phase, given, settings
    from hypothesis import seed as seeded

    from ...strategies.hypothesis_strategies import byte_strings

    made = contract.grammar()
    number, end, going = start, start + examples, True

    def one(data: bytes) -> None:
        nonlocal number, going
        if going and number < end:
            going = step(_item(made, number, data))
            number += 1

    while going and number < end:
        quiet = settings(
            max_examples=min(CHUNK, end - number),
            database=None,
            deadline=None,
            phases=[Phase.generate],
            suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.large_base_example],
        )
        before = number
        seeded(f"{seed}:{number}")(quiet(given(byte_strings)(one)))()
        if number == before:
            return
