"""Sessions that are drawn: everything in them can happen, and what they are for does happen."""

from collections import Counter
from itertools import islice

import pytest

from trimfuzz.messages.reading.pairing import read
from trimfuzz.messages.session.transcript import Transcript, happened
from trimfuzz.strategies.sessions import COMPACTIONS, IN_FLIGHT, LISTS, Moves, random_scripts


@pytest.mark.slow
def test_every_step_can_happen_and_the_end_is_a_request() -> None:
    for moves in (Moves(LISTS), Moves(COMPACTIONS), Moves(IN_FLIGHT, pins=True)):
        for _, found in islice(random_scripts(3, moves, steps=20), 200):
            assert happened(found.steps) == found.steps
            assert found.steps[-1].op == "send"
            assert {step.op for step in found.steps} <= moves.ops | {"system"}


@pytest.mark.slow
def test_what_makes_a_session_worth_it_happens() -> None:
    """Late results, steers, restarts, plans applied later, ids used again: each in at least one of fifty sessions."""
    seen: Counter[str] = Counter()
    for _, found in islice(random_scripts(1, Moves(COMPACTIONS, pins=True), steps=30), 1000):
        transcript, facts, planned = Transcript(), set[str](), 0
        for step in found.steps:
            if step.op == "plan":
                planned = len(transcript.history)
            if step.op == "apply" and len(transcript.history) > planned:
                facts.add("a plan for a longer list")
            if step.op == "apply" and transcript.waiting:
                facts.add("a compaction in flight")
            if step.op == "result" and step.ids[0] in transcript.given_up:
                facts.add("a late result")
            if step.op == "call" and {call.id for m in transcript.history for call in m.calls} & {*step.ids}:
                facts.add("an id used again")
            if step.pinned:
                facts.add("a pin")
            facts.add(step.op)
            following = transcript.after(step)
            assert following is not None
            transcript = following
        facts.add(read(transcript.history).input_class)
        seen.update(facts)
    assert "malformed" not in seen
    wanted = {
        "a plan for a longer list", "a compaction in flight", "a late result", "an id used again", "a pin", "steer",
        "interrupt", "save", "valid", "interleaved",
    }  # fmt: skip
    assert {name for name in wanted if seen[name] < 20} == set()


def test_a_session_can_be_made_without_those_before_it() -> None:
    all_of_them = [found for _, found in islice(random_scripts(5, Moves(), steps=10), 8)]
    assert [found for _, found in islice(random_scripts(5, Moves(), steps=10, start=5), 3)] == all_of_them[5:]
