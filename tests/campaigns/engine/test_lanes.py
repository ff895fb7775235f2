"""Lanes: what comes first, what is made again after a crash, and that a cause found on a report is known from there."""

import json
from pathlib import Path

import pytest

from trimfuzz.campaigns.engine.engine import engine_for
from trimfuzz.campaigns.engine.lanes import Item, feed, made_again
from trimfuzz.campaigns.engine.records import as_json, from_json, record_of, smaller
from trimfuzz.campaigns.engine.tally import Tally
from trimfuzz.campaigns.target.contract import Contract, contract_for
from trimfuzz.implementations.museum import PIECES
from trimfuzz.implementations.trimmer import Trimmer
from trimfuzz.messages.reading.pairing import INPUT_CLASSES
from trimfuzz.strategies.known import Known, known_histories

from ..commandline import trimfuzz

TERMS = contract_for(next(piece.trimmer for piece in PIECES if piece.name == "tail-slice"))
ADDRESSES = {known.id: known.url for known in known_histories() if known.url}
REPORTS_IN_CHAT = 69


def examined(*wanted: str) -> Tally:
    """Examine some known cases, all of them where none is named, and return the tally."""
    engine, tally = engine_for(TERMS), Tally(TERMS)

    def step(item: Item) -> bool:
        if not wanted or (item.known is not None and item.known.id in wanted):
            engine.examine(item.history, tally, known=item.known)
        return True

    feed("known", TERMS, seed=0, start=0, examples=1_000_000, step=step)
    return tally


def test_reports_come_before_examples() -> None:
    """All that the format can carry, each with its address; of each class of input the reports come first."""
    items: list[Known] = []

    def step(item: Item) -> bool:
        assert item.known is not None
        items.append(item.known)
        return True

    feed("known", TERMS, seed=0, start=0, examples=1_000_000, step=step)
    order = [(INPUT_CLASSES.index(TERMS.example(one.history).reading.input_class), one.url is None) for one in items]

    assert order == sorted(order)
    assert sum(not example for _, example in order) == REPORTS_IN_CHAT


def test_a_cause_is_known_from_the_report_that_tells_of_its_rule() -> None:
    """C28 tells of a cut batch; C82 tells of a mutation, and what else breaks on its history is no report of it."""
    assert examined("C82").urls == {}
    assert "batch-atomic/valid/call-dropped" in examined("C82").smallest
    assert examined("C82", "C28").urls["batch-atomic/valid/call-dropped"] == ADDRESSES["C28"]
    assert examined("X003").urls == {}


def test_the_smaller_record_keeps_the_address() -> None:
    """A generated history that takes the place of a report's is known from there all the same."""
    tally = examined()
    cause = "no-orphan/valid/call-dropped"
    known = record_of(tally.smallest[cause], TERMS, url="https://example.org/1")
    generated = from_json({**as_json(known), "size": [0, 0, 0], "url": None})

    assert smaller(known, generated).size == [0, 0, 0]
    assert smaller(known, generated).url == "https://example.org/1"
    assert smaller(generated, known).url == "https://example.org/1"
    assert smaller(None, generated).url is None


@pytest.mark.slow
def test_a_campaign_says_where_it_is_known_from(tmp_path: Path) -> None:
    """In its document and in the fixtures; every known case is run, however few examples were asked for."""
    arguments = ("campaign", "museum:tail-slice", "--examples", "1", "--fixtures", "found", "--json")
    found = trimfuzz(*arguments, code=1, cwd=tmp_path).document["trimmers"][0]
    causes = {one["cause"]: one["url"] for one in found["bugs"]}
    held = {
        data["cause"]: data["found_by"].get("url")
        for data in (json.loads(path.read_text("utf-8")) for path in (tmp_path / "found").glob("*.json"))
    }

    assert causes == held
    assert {url for url in causes.values() if url} <= set(ADDRESSES.values())  # the one drawn history has none
    assert causes["no-orphan/valid/call-dropped"]
    again = trimfuzz(*arguments, code=1, cwd=tmp_path).document["trimmers"][0]
    assert {one["cause"]: one["url"] for one in again["bugs"] if one["state"] == "known"} == held


@pytest.mark.slow
def test_a_check_runs_every_known_case(tmp_path: Path) -> None:
    """Whatever the number of generated ones is."""
    found = trimfuzz(
        "check",
        "museum:tail-slice",
        "--examples",
        "1",
        "--seed",
        "1",
        "--seconds",
        "0",
        "--shrink",
        "0",
        "--json",
        code=1,
        cwd=tmp_path,
    ).document

    assert found["examples"] == len(known_histories(TERMS.trimmer.format)) + 1
    urls = {one["cause"]: one["url"] for one in found["causes"]}
    assert urls["batch-atomic/valid/call-dropped"] == ADDRESSES["C28"]


def contract(**options: object) -> Contract:
    """The contract of a trimmer that returns its input."""
    return contract_for(Trimmer("identity", lambda items, _limit, _count: items), **options)  # pyright: ignore[reportArgumentType]


def fed(lane: str, under: Contract, *, start: int = 0) -> list[Item]:
    """All items of the known lane, a hundred of another one."""
    found: list[Item] = []

    def step(item: Item) -> bool:
        found.append(item)
        return True

    feed(lane, under, seed=3, start=start, examples=1_000_000 if lane == "known" else 100, step=step)
    return found


def classes(items: list[Item], under: Contract) -> list[str]:
    """The input class of each item."""
    return [under.example(item.history).reading.input_class for item in items]


def test_known_cases_of_valid_input_come_first() -> None:
    """A run that is cut short has tried what can fail a trimmer: valid, pending, then what fails nothing."""
    found = classes(fed("known", contract()), contract())

    assert found[0] == "valid"
    assert set(found) == set(INPUT_CLASSES)
    assert found == sorted(found, key=INPUT_CLASSES.index)


@pytest.mark.parametrize("inputs", [INPUT_CLASSES, ("pending", "malformed"), ("malformed", "valid")])
def test_numbers_grow_and_a_lane_goes_on_where_it_stopped(inputs: tuple[str, ...]) -> None:
    """A worker that died is followed by one that starts behind the number it died on."""
    under = contract(inputs=inputs)
    whole = fed("known", under)
    numbers = [item.number for item in whole]

    assert numbers == sorted(set(numbers))
    middle = len(whole) // 2
    assert fed("known", under, start=whole[middle - 1].number + 1) == whole[middle:]


@pytest.mark.parametrize("lane", ["known", "random"])
@pytest.mark.parametrize("inputs", [INPUT_CLASSES, ("interleaved",)])
def test_payload_makes_the_history_again(lane: str, inputs: tuple[str, ...]) -> None:
    """What the flight recorder holds is enough to name the history that a trimmer died on."""
    under = contract(inputs=inputs)

    for item in fed(lane, under):
        again = made_again(lane, item.payload, under)
        assert again is not None
        assert again.history == item.history
