"""Compactors and memories from the command line: checked, fuzzed in a campaign, kept as fixtures, run again."""

import json
from pathlib import Path

import pytest

from ..commandline import trimfuzz

COMPACTOR = '''
class Strips:
    """Drops leading results, but only those that it sees when the plan is made."""

    def plan(self, messages, limit):
        cut = limit.index
        while cut < len(messages) and messages[cut]["role"] == "tool":
            cut += 1
        return cut

    def apply(self, messages, cut):
        return [{"role": "user", "content": "earlier", "summary": True}, *messages[cut:]] if cut else messages


class Dies(Strips):
    """Ends the process when something came later."""

    def plan(self, messages, limit):
        return len(messages)

    def apply(self, messages, planned):
        if planned < len(messages):
            import os
            os._exit(3)
        return messages


class Window:
    """Pops the oldest message."""

    def __init__(self, limit):
        self.limit, self.messages = limit, []

    def add(self, message):
        self.messages.append(message)
        while len(self.messages) > max(self.limit, 0):
            self.messages.pop(0)

    def view(self):
        return self.messages
'''
IN_FLIGHT = {"kind": "compaction", "value": 2, "length": 2}


@pytest.mark.slow
def test_batch_in_flight_is_found_by_check(tmp_path: Path) -> None:
    """The plan is made while a batch is in flight: its result comes later and finds no call."""
    (tmp_path / "mine.py").write_text(COMPACTOR)
    said = trimfuzz(
        *("check", "mine.py:Strips", "--limit", "compaction", "--examples", "60", "--seconds", "0", "--seed", "3"),
        *("--inputs", "valid", "--json"),
        code=1,
        cwd=tmp_path,
    ).document

    found = next(one for one in said["causes"] if one["cause"] == "no-orphan/valid/call-dropped")
    assert [message["role"] for message in found["history"]] == ["user", "assistant", "tool"]
    assert found["limit"] == IN_FLIGHT
    assert "deterministic" in said["assumed"]
    measured = {"within-limit", "identity-under-limit", "refuses-only-when-needed", "utilisation"}
    assert not measured & {*said["assumed"], *said["promises"]["kept"], *said["promises"]["broken"]}
    assert not {"monotone", "idempotent"} & {one["name"] for one in said["promises"]["observed"]}


def test_what_a_point_does_not_measure_cannot_be_promised(tmp_path: Path) -> None:
    """A compaction point says where to cut: nothing can be within it."""
    (tmp_path / "mine.py").write_text(COMPACTOR)
    said = trimfuzz(
        "check", "mine.py:Strips", "--limit", "compaction", "--promise", "within-limit", code=2, cwd=tmp_path
    )

    assert "within-limit cannot be promised under a compaction" in said.stderr


@pytest.mark.slow
def test_campaign_and_replay(tmp_path: Path) -> None:
    """A compactor and a memory under a campaign; their fixtures hold the point, and fail again."""
    (tmp_path / "mine.py").write_text(COMPACTOR)
    names = ("museum:strips-the-results-it-saw", "mine.py:Window", "museum:compacts-whole-exchanges")
    asked = ("--inputs", "valid", "--jobs", "1", "--seed", "5", "--fixtures", "found")
    trimfuzz("campaign", names[0], "--examples", "250", *asked, code=1, cwd=tmp_path)
    trimfuzz("campaign", *names[1:], "--examples", "60", *asked, code=1, cwd=tmp_path)

    fixtures = [json.loads(path.read_text()) for path in (tmp_path / "found").glob("*.json")]
    by_trimmer = {
        (one["found_by"]["trimmer"], one["limit"].get("kind"))
        for one in fixtures
        if one["cause"] == "no-orphan/valid/call-dropped"
    }
    assert by_trimmer == {(names[0], "compaction"), (names[1], "messages")}
    point = next(
        one["limit"]
        for one in fixtures
        if one["found_by"]["trimmer"] == names[0] and one["cause"] == "no-orphan/valid/call-dropped"
    )
    assert point == IN_FLIGHT
    assert not any(one["found_by"]["trimmer"] == names[2] for one in fixtures)
    again = trimfuzz("replay", "found", code=1, cwd=tmp_path)
    assert f"{len(fixtures)} failed" in again.stdout


@pytest.mark.slow
def test_crash_that_needs_a_stale_point_is_made_again(tmp_path: Path) -> None:
    """A compactor that ends its process on a stale point alone is a finding, with that point."""
    (tmp_path / "mine.py").write_text(COMPACTOR)
    said = trimfuzz(
        *("check", "mine.py:Dies", "--limit", "compaction", "--examples", "40", "--seconds", "0", "--seed", "3"),
        *("--shrink", "0", "--inputs", "valid", "--json"),
        code=1,
        cwd=tmp_path,
    ).document

    found = next(one for one in said["causes"] if one["rule"] == "total-no-raise")
    assert found["limit"]["length"] < len(found["history"])
