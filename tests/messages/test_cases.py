"""Cases, outcomes and findings: what is derived from a history and a limit, and that a finding can travel."""

import pickle

import pytest

from trimfuzz.messages.cases import CUTS, STATUSES, Case, Example, Finding, Outcome
from trimfuzz.messages.formats.counting import cost_in, default_count
from trimfuzz.messages.formats.openai_chat import FORMAT as OPENAI_CHAT
from trimfuzz.messages.limits import Limit
from trimfuzz.messages.reading.profiles import PROFILES


def test_an_example_knows_what_its_messages_cost(h) -> None:
    """One each unless told otherwise."""
    history = h("U A#5 U")
    assert Example(history).costs == (1, 1, 1)
    example = Example(history, cost=lambda message: message.tokens or 2)
    assert example.costs == (2, 5, 2)
    assert example.total == 9


def test_an_example_is_read_once_under_its_profile(h) -> None:
    """The same reading for all limits, with items merged where the profile says so."""
    history = h("U A[a] A[b] T(a) T(b)")
    example = Example(history, profile=PROFILES["openai-responses"])
    assert example.reading is example.reading
    assert Case(example).input_class == "valid"
    assert Case(Example(history)).input_class == "interleaved"
    assert example.memo is example.memo


@pytest.mark.parametrize(
    ("limit", "room", "fits"),
    [
        (None, None, False),
        (Limit("messages", -1), 0, False),
        (Limit("messages", 0), 0, False),
        (Limit("messages", 2), 2, False),
        (Limit("messages", 3), 3, True),
        (Limit("tokens", 4), 4, True),
        (Limit("compaction", 2, 3), None, False),
        (Limit("other", 2), None, False),
    ],
)
def test_the_room_that_a_limit_leaves(h, limit, room, fits) -> None:
    """At least none; unknown without a limit, and a compaction point is no amount."""
    case = Case(Example(h("U A U")), limit)
    assert case.room == room
    assert case.fits is fits


def test_an_empty_history_fits_any_known_limit() -> None:
    """Also a negative one, which counts as none."""
    assert Case(Example(()), Limit("messages", -1)).fits


def test_a_cause_is_rule_class_and_cut(h) -> None:
    """What a shrink must keep."""
    case = Case(Example(h("U A[a]")), Limit("messages", 1))
    assert Finding("no-orphan", "call-dropped", case, Outcome("ok", ())).cause == "no-orphan/pending/call-dropped"


def test_a_finding_can_be_sent_to_another_process(h) -> None:
    """With its case and outcome, also after everything was derived."""
    example = Example(h("U A[a]?r T(a) U"), cost=cost_in(OPENAI_CHAT, default_count))
    case = Case(example, Limit("messages", 1))
    assert case.input_class == "valid"
    finding = Finding("no-orphan", "call-dropped", case, Outcome("ok", example.history[2:]), messages=(2,), ids=("a",))
    received = pickle.loads(pickle.dumps(finding))
    assert received == finding
    assert received.cause == finding.cause
    assert received.case.history == example.history


def test_what_is_derived_stays_behind(h) -> None:
    """Whatever other rooms keep in the memo, be it a function, does not have to travel."""
    example = Example(h("U A[a] T(a)"))
    example.memo["anything"] = lambda: None
    assert (len(example.units.members), example.keys.distinct, example.total) == (2, True, 3)
    received = pickle.loads(pickle.dumps(example))
    assert received == example
    assert received.memo == {}
    assert received.units == example.units


def test_the_words_for_outcomes_and_cuts() -> None:
    """Those of the design, each once."""
    assert set(STATUSES) == {"ok", "refused", "raised", "hung", "crashed", "protocol-error", "skipped"}
    assert set(CUTS) == {
        "call-dropped", "result-dropped", "inserted-between", "reordered", "duplicated", "invented", "mutated",
        "over-limit", "emptied", "lost", "edited", "refused", "raised", "hung", "crashed",
    }  # fmt: skip
    assert len(CUTS) == len(set(CUTS))
