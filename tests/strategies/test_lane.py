"""The random lane: the same for the same seed, enterable anywhere, in three size bands."""

import subprocess
import sys
from collections import Counter
from itertools import islice
from statistics import fmean

import pytest

from trimfuzz.messages.formats.openai_chat import FORMAT as OPENAI_CHAT
from trimfuzz.messages.reading.pairing import read
from trimfuzz.strategies import features_of, interpret, random_histories, random_strings
from trimfuzz.strategies.lane import BANDS, BLOCK


def test_a_seed_is_a_stream() -> None:
    """Equal seeds give equal strings, others give others."""
    one, again, other = (list(islice(random_strings(seed), 200)) for seed in (4, 4, 5))
    assert one == again
    assert sum(map(bool, (a == b for a, b in zip(one, other, strict=True)))) < 30


@pytest.mark.parametrize("start", [1, BLOCK - 1, BLOCK, BLOCK + 1, 3 * BLOCK + 7])
def test_entered_anywhere(start: int) -> None:
    """From number N on, the stream is the same as without the first N."""
    whole = list(islice(random_strings(2), start + 100))
    assert list(islice(random_strings(2, start=start), 100)) == whole[start:]


def test_a_late_start_costs_nothing() -> None:
    """A campaign can be resumed at any number."""
    assert any(islice(random_strings(2, start=10**12), 5))


def test_histories_are_those_of_the_strings() -> None:
    """The lane adds nothing to the encoding."""
    features = features_of(OPENAI_CHAT)
    lane = random_histories(6, start=9, features=features, inputs=["valid"], compaction=True, max_size=20)
    for drawn, data in islice(zip(lane, random_strings(6, start=9), strict=False), 200):
        assert drawn == interpret(data, features, inputs=["valid"], compaction=True, max_size=20)


@pytest.mark.slow
def test_sizes() -> None:
    """Strings keep to the bands; histories have about 30 messages on average, and a quarter have more than 40."""
    strings = list(islice(random_strings(0), 6000))
    lengths = Counter(map(len, strings))
    assert set(lengths) == set(range(BANDS[-1][1] + 1))
    sizes = [len(drawn.history) for drawn in islice(random_histories(0), 6000)]
    assert fmean(sizes) == pytest.approx(30, abs=2)
    assert sum(size > 40 for size in sizes) / len(sizes) == pytest.approx(0.25, abs=0.05)
    assert max(sizes) > 90


@pytest.mark.slow
def test_deep_things_are_reached() -> None:
    """What takes several ops to happen is met within a few thousand histories."""
    met: Counter[str] = Counter()
    for drawn in islice(random_histories(8), 4000):
        history, reading = drawn.history, read(drawn.history)
        for batch in reading.batches:
            last = max((reading.answers[answer].message for answer in batch.answers), default=0)
            met["batch of three beyond 40"] += len(batch.slots) >= 3 and last > 40
            met["batch of five"] += len(batch.slots) == 5
            pins = sum(history[reading.answers[answer].message].keep_during_truncation for answer in batch.answers)
            met["some results pinned"] += 0 < pins < len(batch.answers)
        for answer, between in reading.interposers:
            steer = history[between]
            inside = history[between - 1].role == "tool" and reading.answers[answer].slot is not None
            met["pinned steer between results"] += steer.keep_during_truncation and inside
        met["pin larger than all the rest"] += any(
            message.keep_during_truncation
            and 2 * len(message.text or "") > sum(len(other.text or "") for other in history)
            for message in history
        )
    assert min(met.values()) >= 20, met
    assert len(met) == 5


def test_the_lane_alone_never_loads_hypothesis() -> None:
    """A campaign's process starts without it; the names of the package are loaded one by one."""
    code = (
        "import sys; from trimfuzz.strategies import random_histories, known_histories; next(random_histories(0)); "
        "known_histories(); sys.exit('hypothesis' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
