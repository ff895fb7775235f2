"""Trivial trimmers never pass, each for its own reason; and the commonest one has two bugs, no more and no fewer."""

import shutil
from pathlib import Path

import pytest

from ..checking import Row, check, table

pytestmark = pytest.mark.slow

TRIVIAL = Path(__file__).parents[2] / "data" / "trivial.py"
REFUSES = "--refuses DoesNotFit"


@pytest.fixture
def here(tmp_path: Path) -> Path:
    """A folder with the file in it, so that a check leaves nothing behind beside it."""
    shutil.copy(TRIVIAL, tmp_path)
    return tmp_path


@table(
    # More than the limit, and more than the first user message and the last turn.
    Row("trivial.py:identity", "", ("within-limit",)),
    # Nothing came back where the newest unit fits; that explains what was lost of lists that fit, and the emptiness.
    Row("trivial.py:empty", "", ("nonempty-history",)),
    Row("trivial.py:system_only", "", ("nonempty-history",)),
    # A result without its call; and where the newest message makes no pair, what was lost of lists that fit.
    # Where that is a system message, no conversation is left.
    Row("trivial.py:newest_only", "", ("no-orphan", "identity-under-limit"), may=("nonempty-history",)),
    Row("trivial.py:newest_unit_only", "", ("identity-under-limit",), may=("nonempty-history",)),
    # A refusal that was not needed explains that a list which fits did not come back.
    Row("trivial.py:refuses", REFUSES, ("refuses-only-when-needed",)),
    Row("trivial.py:refuses_what_is_over", REFUSES, ("refuses-only-when-needed",)),
)
def test_a_trivial_trimmer_fails_for_the_right_reason(row: Row, here: Path):
    """Exactly these bugs, and the causes that were folded into them have no number of their own."""
    found = row.hold(here)
    numbers = {bug["n"] for bug in found.document["bugs"]}
    assert {cause["bug"] for cause in found.document["causes"] if cause["fails"]} <= numbers


def test_the_utilisation_of_nothing_is_explained(here: Path):
    """Who keeps nothing, or not what fits, is not told as well that it keeps too little."""
    for name in ("empty", "newest_unit_only"):
        found = check(f"trivial.py:{name}", cwd=here)
        assert found.document["schema"] == 2
        told = [cause for cause in found.document["causes"] if cause["rule"] == "utilisation" and cause["fails"]]
        assert "utilisation" not in found.rules
        assert all(cause["bug"] is not None for cause in told)


def test_a_trimmer_whose_every_call_raises_is_called_wrongly(here: Path):
    """The error, and the options that change the call; it is no finding."""
    found = check("trivial.py:raises", cwd=here)
    assert found.code == 2
    told = found.document["error"]
    for words in ("RuntimeError", "there is no such table", "--call", "--limit", "--format", "--in-place"):
        assert words in told, told


@table(Row("trivial.py:pops", "", ("no-orphan", "no-input-mutation")))
def test_popping_from_the_front_has_two_bugs(row: Row, here: Path):
    """It breaks pairs, and it changes its input: pairing is numbered first. That it raises below 0 is an edge."""
    _has_two_bugs(row, here)


@pytest.mark.nightly
@table(Row("trivial.py:pops_tokens", "--limit tokens", ("no-orphan", "no-input-mutation")))
def test_popping_by_tokens_has_the_same_two(row: Row, here: Path):
    """Counted in tokens, which takes far longer to shrink."""
    _has_two_bugs(row, here)


def _has_two_bugs(row: Row, here: Path) -> None:
    found = row.hold(here)
    assert found.cuts == [("no-orphan", "call-dropped"), ("no-input-mutation", "mutated")]
    assert "total-no-raise" in found.edge_rules
