"""The public strategies: cheap, within Hypothesis' rules, and printing what can be pasted back."""

import re
from collections.abc import Callable, Collection
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from hypothesis.control import current_build_context
from hypothesis.errors import InvalidArgument

from trimfuzz.messages.cases import Case
from trimfuzz.messages.formats.counting import message_count
from trimfuzz.messages.formats.openai_chat import FORMAT as OPENAI_CHAT
from trimfuzz.messages.limits import LIMIT_KINDS, Limit, LimitKind, sweep
from trimfuzz.messages.model import Call, History, Message
from trimfuzz.messages.reading.pairing import INPUT_CLASSES, InputClass, read
from trimfuzz.messages.reading.profiles import PROFILES
from trimfuzz.strategies import cases, compaction_points, features_of, histories, histories_with_points, limits, without

FIXED = settings(derandomize=True, database=None, deadline=None)


def draws(strategy: st.SearchStrategy[Any], count: int = 400) -> list[tuple[Any, int]]:
    """Draw examples, with the number of choices that each took. Health checks are all on."""
    found: list[tuple[Any, int]] = []

    @settings(FIXED, max_examples=count, phases=[Phase.generate], suppress_health_check=())
    @given(strategy)
    def collect(value: Any) -> None:
        found.append((value, len(current_build_context().data.choices)))

    collect()
    return found


@pytest.mark.slow
@pytest.mark.parametrize(
    ("strategy", "most"),
    [
        (histories(), 2),
        (histories(inputs=["malformed"], max_size=30, keep=False), 2),
        (histories_with_points(), 2),
        (cases(), 3),
        (cases(kind="tokens"), 3),
        (cases(kind="compaction"), 2),
        (histories().flatmap(limits), 3),
        (histories().flatmap(compaction_points), 4),
    ],
    ids=repr,
)
def test_few_choices_and_no_health_check(strategy: st.SearchStrategy[Any], most: int) -> None:
    """An example costs at most four choices, which is what decides its speed; no health check fires."""
    assert all(choices <= most for _, choices in draws(strategy, 150))


@pytest.mark.slow
def test_sizes_and_classes() -> None:
    """A mean of about 30 messages, more than 40 in a quarter, and all classes in about their shares."""
    found: list[History] = [history for history, _ in draws(histories(), 800)]
    sizes = list(map(len, found))
    assert sum(sizes) / len(sizes) == pytest.approx(30, abs=4)
    assert sum(size > 40 for size in sizes) / len(sizes) == pytest.approx(0.25, abs=0.06)
    classes = [read(history).input_class for history in found]
    for name, share in zip(INPUT_CLASSES, (0.5, 0.15, 0.2, 0.15), strict=True):
        assert classes.count(name) / len(classes) == pytest.approx(share, abs=0.06)


@pytest.mark.slow
@pytest.mark.parametrize("inputs", [("valid",), ["pending", "interleaved"], {"malformed"}])
def test_inputs_selects(inputs: Collection[InputClass]) -> None:
    """Only the classes asked for are drawn, in whatever collection they are named."""
    assert {read(history).input_class for history, _ in draws(histories(inputs=inputs), 150)} == set(inputs)


@pytest.mark.slow
def test_features_and_switches() -> None:
    """Features come as a whole, as keywords, or both; sizes count messages."""
    carried = features_of(OPENAI_CHAT)
    for history, _ in draws(histories(features=carried, keep=False, min_size=3, max_size=12), 200):
        assert OPENAI_CHAT.read_history(OPENAI_CHAT.write_history(history)) == history
        assert not any(message.keep_during_truncation for message in history)
        assert 3 <= len(history) <= 12


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: histories(keeps=False), "unknown feature 'keeps'"),
        (lambda: histories(inputs=["broken"]), "unknown input class 'broken'"),  # pyright: ignore[reportArgumentType]
        (lambda: histories(inputs=[]), "of no input class"),
        (lambda: histories(inputs=["pending"], open_tail=False), "no history that is pending"),
        (lambda: histories(min_size=3, max_size=2), "at least 3 and at most 2"),
        (lambda: histories(inputs=["pending"], max_size=1), "at least 2 messages"),
        (lambda: cases(kind="words"), "unknown kind of limit 'words'"),  # pyright: ignore[reportArgumentType]
        (lambda: limits((), kind="words"), "unknown kind of limit 'words'"),  # pyright: ignore[reportArgumentType]
    ],
)
def test_bad_options_are_told_when_the_first_example_is_drawn(
    make: Callable[[], st.SearchStrategy[Any]], said: str
) -> None:
    """Making the strategy never raises; drawing raises InvalidArgument that says what was wrong."""
    strategy = make()
    with pytest.raises(InvalidArgument, match=re.escape(said)):
        draws(strategy, 20)


def test_strategies_print_as_they_were_made() -> None:
    """The repr is the call, so that a failing test says what it drew from."""
    assert repr(histories()) == "histories()"
    assert repr(histories(inputs=["valid"], keep=False)) == "histories(inputs=['valid'], keep=False)"
    assert repr(histories(features=without(["long"]))) == "histories(features=Features(long=False))"
    assert repr(cases(kind="tokens")) == "cases(kind='tokens')"


def test_a_failing_example_can_be_pasted_back() -> None:
    """What Hypothesis prints is Python that makes the same history."""
    failing: list[History] = []

    @settings(FIXED, max_examples=2000)
    @given(history=histories(inputs=["interleaved"]))
    def fails(history: History) -> None:
        if any(message.extra and message.calls for message in history) and len(history) > 4:
            failing.append(history)
            raise AssertionError

    with pytest.raises(AssertionError) as caught:
        fails()
    printed = "\n".join(caught.value.__notes__)
    pasted = re.search(r"history=(\(.*\)),\n\)", printed, re.DOTALL)
    assert pasted is not None, printed
    assert eval(pasted[1], {"Message": Message, "Call": Call}) == failing[-1]


@pytest.mark.slow
def test_every_history_is_its_own_repr() -> None:
    """The same for all that can be drawn."""
    for history, _ in draws(histories(), 200):
        assert eval(repr(history), {"Message": Message, "Call": Call}) == history


@pytest.mark.parametrize("kind", LIMIT_KINDS)
def test_cases_have_one_limit_of_their_kind(kind: LimitKind) -> None:
    """A case has the profile asked for, what its messages cost, and a limit of its sweep, or a point in its history."""
    found: list[Case] = [case for case, _ in draws(cases(kind=kind, profile=PROFILES["bedrock"]), 100)]
    values: set[int] = set()
    for case in found:
        assert case.profile.name == "bedrock"
        assert case.limit is not None
        assert case.limit.kind == kind
        values.add(case.limit.value)
        if kind == "compaction":
            assert case.limit.length is not None
            assert 0 <= case.limit.index <= case.limit.length <= len(case.history)
        elif kind == "tokens":
            assert case.example.costs == tuple(map(message_count, case.history))
            assert case.limit in sweep(case.history, kind, costs=case.example.costs)
        else:
            assert case.limit in sweep(case.history, kind)
    assert len(values) > 10


def test_points_of_a_given_history() -> None:
    """All points of a history are reached, none outside, and the simplest is its beginning, not stale."""
    history = (Message("user", "u0."), Message("assistant", "a1."), Message("user", "u2."))
    found: set[Limit] = {point for point, _ in draws(compaction_points(history), 300)}
    assert found == {Limit("compaction", index, length) for index in range(4) for length in range(index, 4)}
    assert len({limit for limit, _ in draws(limits(history, kind="messages"), 200)}) == 6


@pytest.mark.slow
def test_points_come_in_all_kinds() -> None:
    """Inside a batch, computed in flight, and stale points are all drawn with their histories."""
    inside = flight = stale = 0
    for (history, point), _ in draws(histories_with_points(inputs=["valid"]), 500):
        reading = read(history)
        for batch in reading.batches:
            last = max(reading.answers[answer].message for answer in batch.answers)
            inside += batch.messages[0] < point.index <= last
            flight += batch.messages[0] < point.length <= last < len(history)
        stale += point.length < len(history)
    assert min(inside, flight, stale) >= 25


def test_a_slow_or_filtering_strategy_would_be_noticed() -> None:
    """The check above can fail: a filter that rejects nearly everything trips a health check."""
    with pytest.raises(Exception, match=HealthCheck.filter_too_much.name):
        draws(histories().filter(lambda history: len(history) == 77), 50)
