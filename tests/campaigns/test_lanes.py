"""Public reports come first, and a cause found on one of them is known from there."""

import json
from pathlib import Path

from trimfuzz.campaigns.engine import engine_for
from trimfuzz.campaigns.lanes import Item, feed
from trimfuzz.campaigns.ledger import Ledger
from trimfuzz.campaigns.records import as_json, from_json, record_of, smaller
from trimfuzz.campaigns.terms import terms_for
from trimfuzz.implementations.museum import PIECES
from trimfuzz.strategies.known import Known, known_histories

from .commandline import trimfuzz

TERMS = terms_for(next(piece.trimmer for piece in PIECES if piece.name == "tail-slice"))
ADDRESSES = {known.id: known.url for known in known_histories() if known.url}
REPORTS_IN_CHAT = 72


def examined(*wanted: str) -> Ledger:
    """Examine some known cases, all of them where none is named, and return the ledger."""
    engine, ledger = engine_for(TERMS), Ledger(TERMS)

    def step(item: Item) -> bool:
        if not wanted or (item.known is not None and item.known.id in wanted):
            engine.examine(item.history, ledger, known=item.known)
        return True

    feed("known", TERMS, seed=0, start=0, examples=1_000_000, step=step)
    return ledger


def test_reports_come_before_examples() -> None:
    """All that the format can carry, each with its address."""
    items: list[Known] = []

    def step(item: Item) -> bool:
        assert item.known is not None
        items.append(item.known)
        return True

    feed("known", TERMS, seed=0, start=0, examples=1_000_000, step=step)

    assert [known.url is not None for known in items[: REPORTS_IN_CHAT + 1]] == [True] * REPORTS_IN_CHAT + [False]


def test_a_cause_is_known_from_the_report_that_tells_of_its_rule() -> None:
    """C82 tells of a mutation and comes first; C28 tells of a cut batch."""
    assert examined("C82").urls["batch-atomic/valid/call-dropped"] == ADDRESSES["C82"]
    assert examined("C82", "C28").urls["batch-atomic/valid/call-dropped"] == ADDRESSES["C28"]
    assert examined("X003").urls == {}


def test_the_smaller_record_keeps_the_address() -> None:
    """A generated history that takes the place of a report's is known from there all the same."""
    ledger = examined()
    cause = "no-orphan/valid/call-dropped"
    known = record_of(ledger.smallest[cause], TERMS, url="https://example.org/1")
    generated = from_json({**as_json(known), "size": [0, 0, 0], "url": None})

    assert smaller(known, generated).size == [0, 0, 0]
    assert smaller(known, generated).url == "https://example.org/1"
    assert smaller(generated, known).url == "https://example.org/1"
    assert smaller(None, generated).url is None


def test_a_campaign_says_where_it_is_known_from(tmp_path: Path) -> None:
    """In its document and in the fixtures; every known case is run, however few examples were asked for."""
    arguments = ("campaign", "museum:tail-slice", "--examples", "1", "--fixtures", "found", "--json")
    found = trimfuzz(*arguments, code=1, cwd=tmp_path).document["trimmers"][0]
    causes = {one["cause"]: one["url"] for one in found["findings"]}
    held = {
        data["cause"]: data["found_by"]["url"]
        for data in (json.loads(path.read_text("utf-8")) for path in (tmp_path / "found").glob("*.json"))
    }

    assert causes == held
    assert set(causes.values()) <= set(ADDRESSES.values())
    again = trimfuzz(*arguments, code=1, cwd=tmp_path).document["trimmers"][0]
    assert {one["cause"]: one["url"] for one in again["findings"] if one["state"] == "known"} == held


def test_a_check_runs_every_known_case(tmp_path: Path) -> None:
    """Whatever the number of generated ones is."""
    found = trimfuzz(
        "check", "museum:tail-slice", "--examples", "1", "--seed", "1", "--seconds", "0", "--json", code=1, cwd=tmp_path
    ).document

    assert found["examples"] == len(known_histories(TERMS.trimmer.format)) + 1
    urls = {one["cause"]: one["url"] for one in found["findings"]}
    assert urls["batch-atomic/valid/call-dropped"] == ADDRESSES["C28"]
