"""Mistral's own validator is an independent judge: it agrees with the mistral packs, blind spots aside.

The blind spots are data, each with a line why and its smallest history. What disagrees and is none of them fails.
"""

from collections.abc import Callable
from itertools import islice

import pytest
from attrs import evolve, frozen

from trimfuzz.messages.model import History
from trimfuzz.messages.reading.profile import SHAPE_RULES
from trimfuzz.messages.shorthand import history
from trimfuzz.oracles.packs import Pack, pack
from trimfuzz.oracles.rules.lint import lint
from trimfuzz.strategies import random_histories, without

validators = pytest.importorskip("mistral_common.protocol.instruct.validator")

EXAMPLES = pytest.mark.parametrize("examples", [400, pytest.param(4000, marks=pytest.mark.nightly)])
NO_PLACE = without(
    ["developer", "reasoning_items", "provider_executed", "inline_results", "approvals", "alt_ids", "item_ids"]
)
"""Everything that a Mistral request has a place for, of all input classes."""
JUDGES = {
    "mistral": validators.MistralRequestValidatorV13,
    "mistral@v3": validators.MistralRequestValidatorV3,
    "mistral@v7": validators.MistralRequestValidatorV5,
    "mistral@v11": validators.MistralRequestValidatorV11,
    "mistral@v13": validators.MistralRequestValidatorV13,
    "mistral-old": validators.MistralRequestValidatorV3,
}
"""The validator that `get_validator` gives for each version; what hosts ran before it is not to be had, v3 is next."""
EVERY = frozenset(JUDGES)
COUNTS = frozenset({"mistral@v3", "mistral@v7", "mistral-old"})
BY_NAME = pytest.mark.parametrize("name", JUDGES)


@frozen
class BlindSpot:
    """A disagreement that is known. `rule` is what we complain of and the judge takes; "": it alone rejects.

    `holds` says whether a history has it, `smallest` is one in shorthand.
    """

    rule: str
    why: str
    smallest: str
    holds: Callable[[History], bool]
    packs: frozenset[str] = EVERY


BLIND_SPOTS = (
    BlindSpot(
        "system-once-first",
        "a system message behind another one or a user message is taken; only behind assistant and tool it is not",
        "S S",
        lambda _history: True,
    ),
    BlindSpot(
        "no-orphan",
        "the loop over the messages skips the first one: a result there is not looked up",
        "T(c) U",
        lambda messages: messages[0].role == "tool",
    ),
    BlindSpot(
        "call-answered",
        "the loop over the messages skips the first one: calls there need no result",
        "A[c] U",
        lambda messages: bool(messages[0].calls),
    ),
    BlindSpot(
        "",
        "the loop over the messages skips the first one: results of calls there are not expected",
        "A[c] T(c)",
        lambda messages: bool(messages[0].calls),
    ),
    BlindSpot(
        "",
        "no rule of ours speaks of text beside calls, since only the oldest versions reject it",
        "U A[c]+ T(c)",
        lambda messages: any(message.calls and message.text for message in messages),
        frozenset({"mistral@v3", "mistral-old"}),
    ),
    BlindSpot(
        "no-orphan",
        "results are counted: an orphan stands in for a result that is lost",
        "U A[c] T(d)",
        lambda _history: True,
        COUNTS,
    ),
    BlindSpot(
        "call-answered",
        "results are counted: a call whose result is lost goes by an orphan or a second result of another call",
        "U A[c] T(d)",
        lambda _history: True,
        COUNTS,
    ),
    BlindSpot(
        "one-result-per-call",
        "results are counted: a second result stands in for one that is lost",
        "U A[c,d] T(c) T(c)",
        lambda _history: True,
        COUNTS,
    ),
    BlindSpot(
        "assistant-between-tool-and-user",
        "mistral-common 1.13.1 takes a user message behind a result; the validators that rejected it are older",
        "U A[c] T(c) U",
        lambda _history: True,
        frozenset({"mistral-old"}),
    ),
)


def complaints(known: Pack, messages: History) -> set[str]:
    """Name the rules for which the pack says that a list is rejected."""
    shape = known.profile.shape | (known.hard & set(SHAPE_RULES))
    found = {complaint.rule for complaint in lint(messages, evolve(known.profile, shape=shape))}
    return (found if messages else {"nonempty-history"}) & known.hard


def error_of(name: str, messages: History) -> str:
    """Return what the judge answers; the empty string if it takes the list."""
    from mistral_common.exceptions import MistralCommonException

    from .mistral_request import request

    judge = JUDGES[name](mode=validators.ValidationMode.serving)
    try:
        judge.validate_messages(request(messages))
    except MistralCommonException as error:
        return str(error)
    return ""


def unexplained(name: str, messages: History) -> set[str]:
    """Return what pack and judge disagree on, blind spots aside: rules that it takes, or its error."""
    said, error = complaints(pack(name), messages), error_of(name, messages)
    if bool(said) == bool(error):
        return set()
    excused = {spot.rule for spot in BLIND_SPOTS if name in spot.packs and spot.holds(messages)}
    return said - excused if said else {error} if "" not in excused else set()


@pytest.mark.slow
@EXAMPLES
@BY_NAME
def test_pack_and_judge_agree(name: str, examples: int) -> None:
    """On histories of all input classes: what one rejects, the other rejects."""
    for drawn in islice(random_histories(5, features=NO_PLACE), examples):
        assert unexplained(name, drawn.history) == set(), drawn.history


@BY_NAME
def test_both_verdicts_are_there(name: str) -> None:
    """The judge takes many of these histories and rejects many."""
    taken = sum(not error_of(name, drawn.history) for drawn in islice(random_histories(5, features=NO_PLACE), 300))
    assert 50 < taken < 250


@pytest.mark.slow
@EXAMPLES
@BY_NAME
def test_the_judge_takes_what_the_pack_accepts(name: str, examples: int) -> None:
    """Every history that the pack's features make, without a blind spot."""
    for drawn in islice(random_histories(6, **pack(name).features), examples):
        assert error_of(name, drawn.history) == ""


@pytest.mark.parametrize("spot", BLIND_SPOTS, ids=lambda spot: spot.smallest)
def test_a_blind_spot_is_one(spot: BlindSpot) -> None:
    """Pack and judge do disagree on its smallest history, under every pack that it is said of."""
    messages = history(spot.smallest)
    assert spot.holds(messages)
    for name in spot.packs:
        said, error = complaints(pack(name), messages), error_of(name, messages)
        if spot.rule:
            assert (spot.rule in said, error) == (True, ""), name
        else:
            assert (said, bool(error)) == (set(), True), name


@pytest.mark.parametrize(
    ("rule", "smallest"),
    [
        ("no-orphan", "U A[c] T(c) T(d) U"),
        ("call-answered", "U A[c] U"),
        ("result-adjacent", "U A[c] U T(c)"),
        ("one-result-per-call", "U A[c] T(c) T(c)"),
        ("unique-call-id", "U A[c,c] T(c) T(c)"),
        ("nonempty-call-id", "U A[] T()"),
        ("last-is-user-or-tool", "U A"),
        ("nonempty-message", "U A= U"),
        ("system-once-first", "U A S U"),
    ],
)
def test_the_texts_are_those_of_the_judge(rule: str, smallest: str) -> None:
    """Word for word, where a version rejects the smallest history that breaks the rule alone; else it takes it."""
    messages = history(smallest)
    for name in JUDGES:
        entry, error = pack(name).answers[rule], error_of(name, messages)
        if entry.severity != "hard":
            assert error == "", name
            continue
        parts = (entry.text or "").split("...")
        assert error.startswith(parts[0]) and error.endswith(parts[-1]), (name, error)  # noqa: PT018
