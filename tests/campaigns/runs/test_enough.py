"""Enough: when "nothing found" is a verdict."""

import pytest

from trimfuzz.campaigns.runs.enough import Explored, lacking

WHOLE = Explored(80, 70, True, 80)


def said(known: Explored | None, generated: Explored, *, bound: float = 10.0) -> str:
    """Return what is said of these phases."""
    return lacking(known, generated, enough=100, what="generated histories", bound=bound)


@pytest.mark.parametrize(
    "generated", [Explored(200, 100, False), Explored(20, 12, True), Explored(0, 0, True), Explored(100, 100, True)]
)
def test_enough(generated: Explored) -> None:
    """A hundred, or all that was asked for."""
    assert said(WHOLE, generated) == ""
    assert said(None, generated) == ""


def test_too_few_generated_histories() -> None:
    """The reason has the numbers, and a time that is in proportion to what was missing."""
    words = said(WHOLE, Explored(60, 50, False))
    assert words.startswith("too little was judged: 50 of 100 generated histories; --seconds ")
    assert words.endswith(" would do")
    assert 15 <= _seconds(words) <= 20
    assert _seconds(said(WHOLE, Explored(6, 5, False))) > 3 * _seconds(words) / 2
    minutes = lacking(WHOLE, Explored(60, 50), enough=100, what="histories", bound=1, option="--minutes")
    assert minutes.endswith("; --minutes 2 would do")


def test_too_few_public_cases() -> None:
    """Without all of them nothing is said to hold, however much was generated."""
    words = said(Explored(30, 20, False, 80), Explored(150, 120, False))
    assert "30 of 80 public cases; --seconds" in words
    assert "generated" not in words


def test_the_named_time_is_more_than_what_was_given() -> None:
    """Also where nothing at all was tried."""
    for generated in (Explored(), Explored(150, 99, False)):
        assert _seconds(said(WHOLE, generated, bound=10)) > 10
    assert _seconds(said(Explored(), Explored(), bound=10)) > 10


def test_without_a_bound_more_time_would_not_help() -> None:
    """It hung, or its process ended, too often."""
    words = said(WHOLE, Explored(60, 50, False), bound=0)
    assert words.endswith("it hung or ended its process too often")


def _seconds(words: str) -> int:
    return int(words.partition("--seconds ")[2].split()[0])
