"""The registry keeps the name and group of every rule: both stand in fixtures that are out there."""

from pathlib import Path

import pytest

from trimfuzz.messages.errors import BadName
from trimfuzz.oracles.rules.registry import RULES, rule_named

TABLE = {
    "pairing and safety": "no-orphan no-input-mutation call-answered result-adjacent batch-atomic one-result-per-call "
    "unique-call-id nonempty-call-id nothing-duplicated invented-call total-no-raise terminates",
    "shape": "first-is-user alternate-roles last-is-user-or-tool call-turn-after-user-or-result "
    "assistant-between-tool-and-user system-once-first results-together results-before-text result-turn-only-results "
    "nonempty-history nonempty-user nonempty-message unique-item-id reasoning-kept-with-followup "
    "signed-reasoning-unmodified provider-executed-pair approval-pair tools-declared",
    "conduct": "order-preserved content-intact nothing-invented truthful-marker real-result-not-dropped no-silent-loss",
    "limits": "within-limit identity-under-limit refuses-only-when-needed utilisation",
    "keeps": "keeps-system keeps-pinned keeps-latest-user keeps-newest keeps-current-turn pending-call-kept",
    "relations": "idempotent deterministic monotone repairs late-result-safe state-consistent filter-complete",
}


def test_no_rule_loses_its_name_or_its_group() -> None:
    """A new rule needs no line here; one that stands in fixtures stays."""
    groups = {name: rule.group for name, rule in RULES.items()}
    assert groups.items() >= {name: group for group, names in TABLE.items() for name in names.split()}.items()


def test_every_rule_has_tests_in_this_folder() -> None:
    """Its name stands in one of them, beside this one."""
    own = Path(__file__)
    text = "".join(path.read_text("utf-8") for path in own.parent.glob("test_*.py") if path != own)
    assert [f"{name}: no test in tests/oracles/rules" for name in RULES if f'"{name}"' not in text] == []


def test_the_group_decides_when_a_broken_rule_fails() -> None:
    """Always, where the pack enforces it, or where it was promised."""
    kinds = {rule.group: rule.kind for rule in RULES.values()}

    assert kinds.pop("pairing and safety") == "always"
    assert kinds.pop("shape") == "pack"
    assert set(kinds.values()) == {"promise"}


def test_rules_say_what_they_need_beside_one_trim() -> None:
    """Further runs, or the request; the others are judged from one run."""
    assert {name: set(rule.runs) for name, rule in RULES.items() if rule.runs} == {
        "idempotent": {"twice"},
        "deterministic": {"again"},
        "monotone": {"larger"},
        "state-consistent": {"stored"},
        "tools-declared": {"request"},
        "filter-complete": {"request"},
    }


def test_every_rule_has_its_definition_in_a_line() -> None:
    """It is what `list` prints."""
    for rule in RULES.values():
        assert rule.doc.endswith("."), rule.name
        assert "\n" not in rule.doc
        assert len(rule.doc) < 140


def test_an_unknown_rule_is_named_with_the_known_ones() -> None:
    """So a typing error can be seen."""
    with pytest.raises(BadName, match=r"unknown rule 'no-orphans'.*no-orphan"):
        rule_named("no-orphans")
