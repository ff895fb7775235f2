"""The small parts under a run: lanes, the flight recorder, isolation, and whose turn it is."""

import os
import time
from pathlib import Path

import pytest

from trimfuzz.campaigns.engine.lanes import Item, feed, made_again
from trimfuzz.campaigns.process.flight_recorder import Recorder
from trimfuzz.campaigns.process.isolation import describe_status, isolated
from trimfuzz.campaigns.runs.schedule import Turn, next_turn
from trimfuzz.campaigns.target.contract import Contract, contract_for
from trimfuzz.implementations.trimmer import Trimmer
from trimfuzz.messages.limits import Limit


@pytest.fixture
def contract() -> Contract:
    """The contract of a trimmer of OpenAI dicts."""
    return contract_for(Trimmer("mine", lambda items, _limit, _count: items))


def fed(lane: str, contract: Contract, *, seed: int = 1, start: int = 0, examples: int = 40) -> list[Item]:
    """The items of a lane."""
    items: list[Item] = []

    def step(item: Item) -> bool:
        items.append(item)
        return True

    feed(lane, contract, seed=seed, start=start, examples=examples, step=step)
    return items


@pytest.mark.parametrize("lane", ["known", "hypothesis", "random"])
def test_a_lane_is_fixed_by_its_seed_and_can_be_made_again(lane: str, contract: Contract) -> None:
    """The same histories in the same order, and each one from what the recorder holds."""
    first, again = fed(lane, contract), fed(lane, contract)

    assert [item.history for item in first] == [item.history for item in again]
    assert len(first) == 40
    for item in first:
        again_made = made_again(lane, item.payload, contract)
        assert again_made is not None
        assert (again_made.history, again_made.point, again_made.known) == (item.history, item.point, item.known)


def test_another_seed_draws_other_histories(contract: Contract) -> None:
    """In both drawn lanes."""
    for lane in ("hypothesis", "random"):
        assert [item.payload for item in fed(lane, contract)] != [item.payload for item in fed(lane, contract, seed=2)]


def test_the_random_lane_can_be_entered_anywhere(contract: Contract) -> None:
    """Number 30 is number 30, however the lane was entered."""
    assert fed("random", contract, start=30, examples=10) == fed("random", contract)[30:]


def test_a_lane_stops_when_it_is_told_to(contract: Contract) -> None:
    """After the item that said so; Hypothesis too."""
    for lane in ("known", "hypothesis", "random"):
        seen: list[Item] = []

        def step(item: Item, seen: list[Item] = seen) -> bool:
            seen.append(item)
            return len(seen) < 3

        feed(lane, contract, seed=1, start=0, examples=1000, step=step)
        assert len(seen) == 3


def test_only_the_wanted_input_classes_are_drawn() -> None:
    """In every lane."""
    valid = contract_for(Trimmer("mine", lambda items, _limit, _count: items), inputs=("valid",))

    for lane in ("known", "hypothesis", "random"):
        assert {valid.example(item.history).reading.input_class for item in fed(lane, valid)} == {"valid"}


def test_the_recorder_tells_another_process_what_was_going_on() -> None:
    """The example, its bytes and the limit; and whether a trim was running."""
    written = Recorder.create()
    assert written.handle is not None
    other = Recorder.attach(os.dup(written.handle))
    other.begin(7, b"\x01\x02")
    other.trim(Limit("messages", -1))

    entry = written.read()
    other.rest()

    assert (entry.example, entry.payload, entry.limit, entry.trimming) == (7, b"\x01\x02", -1, True)
    assert (written.read().trimming, written.read().limit) == (False, -1)
    other.close()
    written.close()


def test_the_recorder_takes_a_payload_of_any_length() -> None:
    """Cut where the file ends."""
    recorder = Recorder.create()
    recorder.begin(0, bytes(1 << 20))
    recorder.trim(None)

    assert 0 < len(recorder.read().payload) < 1 << 16
    recorder.close()


def test_an_isolated_call_answers_dies_or_hangs() -> None:
    """And the process that asked goes on."""
    assert isolated(lambda: {"found": 1}, seconds=5).value == {"found": 1}
    assert isolated(lambda: os._exit(9), seconds=5).status == "exit status 9"
    assert isolated(lambda: time.sleep(60), seconds=0.2).end == "hung"


def test_the_end_of_a_process_in_words() -> None:
    """A status, or a signal by its name."""
    assert describe_status(3) == "exit status 3"
    assert describe_status(-9) == "killed by SIGKILL"


def test_everybody_gets_the_floor_first() -> None:
    """Whoever has had least, until all have had their share."""
    turns = [Turn("rich", spent=9.0, recent_causes=50.0), Turn("poor", spent=1.0), Turn("poorer", spent=0.5)]

    assert next_turn(turns, floor=5.0).name == "poorer"


def test_above_the_floor_the_turn_goes_where_causes_are() -> None:
    """And fades when nothing more is found."""
    busy, quiet = Turn("busy"), Turn("quiet")
    busy.account(seconds=2.0, causes=5)
    quiet.account(seconds=2.0, causes=0)
    assert next_turn([quiet, busy], floor=0.0) is busy

    for _ in range(30):
        busy.account(seconds=2.0, causes=0)
    assert next_turn([quiet, busy], floor=0.0) is quiet


def test_a_trimmer_that_is_running_waits_unless_there_is_no_other() -> None:
    """Two processes can share one trimmer, if it is the only one."""
    running, idle = Turn("running", busy=1, recent_causes=9.0), Turn("idle")

    assert next_turn([running, idle], floor=0.0) is idle
    assert next_turn([running], floor=0.0) is running


def test_no_recorder_is_left_in_the_temporary_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not even one that was never closed: it has no name."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    recorder = Recorder.create()

    assert list(tmp_path.iterdir()) == []
    recorder.close()
