"""The table of rules in docs is what the generator gives, and says what it should."""

from pathlib import Path

import pytest

from trimfuzz.campaigns.reports.rules_table import rules_page
from trimfuzz.implementations.museum import PIECES
from trimfuzz.messages.reports import FAMILIES
from trimfuzz.oracles.rules.registry import RULES

AGAIN = "python -m trimfuzz.campaigns.reports.rules_table > docs/rules.md"
PAGE = Path(__file__).parents[3] / "docs" / "rules.md"


def cells(first: str) -> list[str]:
    """Return the cells of a row by its first one."""
    rows = [line.strip("| \n").split(" | ") for line in rules_page().splitlines() if line.startswith(f"| {first} |")]
    assert len(rows) == 1, first
    return [cell.strip() for cell in rows[0]]


def test_docs_hold_what_is_generated() -> None:
    """A rule, a report or a museum piece changes the page."""
    assert PAGE.read_text(encoding="utf-8") == rules_page(), f"run {AGAIN}"


@pytest.mark.slow
def test_every_rule_and_family_has_a_row() -> None:
    """Once, with its definition."""
    for rule in RULES.values():
        assert cells(f"**{rule.name}**")[:3] == [f"**{rule.name}**", rule.kind, rule.doc]
    for name, about in FAMILIES.items():
        assert cells(name)[:2] == [name, about]
    assert sum(int(cells(name)[2]) for name in FAMILIES) == 78


def test_a_row_says_who_enforces_who_claims_and_what_breaks_it() -> None:
    """alternate-roles is enforced by two packs and claimed by one report, of family F6."""
    assert cells("**alternate-roles**")[3:] == [
        "bedrock, strict", "", "1: F6 1", ", ".join(piece.name for piece in PIECES if piece.rule == "alternate-roles"),
    ]  # fmt: skip
    assert cells("**no-orphan**")[4:6] == ["batch-atomic, repairs", "10: F1 8, F3 1, F4 1"]


@pytest.mark.slow
def test_a_rule_without_reports_says_so_by_an_empty_cell() -> None:
    """No report tells of an invented call; every rule has a piece that breaks it."""
    assert cells("**invented-call**")[5] == ""
    assert cells("**filter-complete**")[5:] == ["1: F9 1", "handoff-keeps-spoken-calls"]
    assert all(cells(f"**{name}**")[-1] for name in RULES)
