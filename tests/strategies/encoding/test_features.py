"""Every feature is generated in its share, and never when it is switched off."""

from collections.abc import Callable, Iterator
from functools import cache
from itertools import islice

import pytest

from trimfuzz.messages.errors import BadName
from trimfuzz.messages.formats.features import MESSAGE_FEATURES
from trimfuzz.messages.formats.neutral import FORMAT as NEUTRAL_FORMAT
from trimfuzz.messages.formats.openai_chat import FORMAT as OPENAI_CHAT
from trimfuzz.messages.model import SYSTEM_ROLES
from trimfuzz.messages.reading.pairing import Reading, read
from trimfuzz.messages.shorthand import history
from trimfuzz.strategies import ALL, FEATURES, Drawn, Features, features_of, only, random_histories, without
from trimfuzz.strategies.encoding.features_seen import SEEN, features_in, left_out_in

EXAMPLES = 2000


def spans(reading: Reading) -> Iterator[tuple[int, int]]:
    """For each batch its first call message and its last message."""
    for batch in reading.batches:
        yield batch.messages[0], max((*batch.messages, *(reading.answers[answer].message for answer in batch.answers)))


POINT_SEEN: dict[str, Callable[[Drawn, Reading], bool]] = {
    "cut_in_batch": lambda drawn, reading: (
        drawn.point is not None and any(first < drawn.point.index <= end for first, end in spans(reading))
    ),
    "cut_in_flight": lambda drawn, reading: (
        drawn.point is not None and any(first < (drawn.point.length or 0) <= end for first, end in spans(reading))
    ),
    "cut_stale": lambda drawn, _: drawn.point is not None and drawn.point.length != len(drawn.history),
}


def seen_in(name: str, drawn: Drawn, reading: Reading) -> bool:
    """Say whether a history, or its compaction point, has a feature."""
    return POINT_SEEN[name](drawn, reading) if name in POINTS else SEEN[name](drawn.history, reading)


SHARES: dict[str, tuple[float, float]] = {
    "parallel": (79.5, 79.3),
    "tool_steps": (78.9, 78.6),
    "out_of_order": (29.1, 29.1),
    "repeated_roles": (63.6, 62.0),
    "calls_after_text": (56.2, 54.7),
    "user_after_result": (56.4, 57.4),
    "call_text": (29.7, 27.1),
    "null_content": (90.6, 90.6),
    "arguments": (8.3, 8.3),
    "tool_names": (42.1, 42.1),
    "sizes": (53.8, 53.8),
    "long": (28.1, 27.9),
    "empty": (5.7, 5.7),
    "keep": (37.6, 37.6),
    "summary": (31.8, 31.8),
    "system": (49.6, 49.6),
    "no_system": (39.2, 39.2),
    "system_alone": (1.9, 1.9),
    "several_systems": (13.0, 13.0),
    "developer": (33.9, 33.9),
    "system_midway": (37.0, 37.0),
    "reasoning": (30.7, 30.7),
    "signature": (17.0, 0.0),
    "reasoning_items": (21.2, 0.0),
    "provider_executed": (19.9, 0.0),
    "inline_results": (31.5, 0.0),
    "split_results": (4.9, 0.0),
    "text_before_results": (5.5, 0.0),
    "approvals": (14.9, 0.0),
    "approval_apart": (1.8, 0.0),
    "alt_ids": (25.0, 0.0),
    "item_ids": (21.6, 0.0),
    "unnamed_results": (46.6, 46.9),
    "unsigned_reasoning": (25.5, 30.7),
    "bare_signature": (9.8, 0.0),
    "user_results": (20.8, 0.0),
    "provider_later": (9.2, 0.0),
    "provider_tool_results": (4.0, 0.0),
    "mixed_calls": (4.9, 0.0),
    "adjacent_calls": (6.5, 6.5),
    "reused_ids": (35.1, 35.1),
    "open_tail": (18.7, 19.0),
    "ends_on_call": (17.2, 17.3),
    "ends_on_result": (50.0, 51.8),
    "ends_on_assistant": (9.0, 8.4),
    "steer_user": (17.4, 17.4),
    "steer_system": (6.5, 6.5),
    "steer_assistant": (5.5, 5.5),
    "nested_calls": (4.7, 4.8),
    "abandoned": (9.3, 9.3),
    "late_results": (2.0, 2.0),
    "opens_on_assistant": (8.9, 8.9),
    "orphans": (5.1, 5.1),
    "displaced_results": (5.0, 5.0),
    "duplicate_results": (5.0, 5.0),
    "duplicate_ids": (4.1, 4.1),
    "empty_ids": (5.1, 5.1),
    "reopened_ids": (3.8, 3.8),
    "cut_in_batch": (30.1, 30.5),
    "cut_in_flight": (10.7, 11.2),
    "cut_stale": (48.9, 48.9),
}
"""In how many of 100 random histories each feature is met: with everything on, and in the openai-chat format."""

MADE_OF = {
    "bare_signature": "signature",
    "user_results": "inline_results", "provider_later": "provider_executed", "mixed_calls": "provider_executed",
    "provider_tool_results": "provider_executed", "split_results": "inline_results",
    "text_before_results": "inline_results", "approval_apart": "approvals",
}  # fmt: skip
"""Features that cannot be there without another one."""
POINTS = ("cut_in_batch", "cut_in_flight", "cut_stale")
CARRIED = features_of(OPENAI_CHAT)


@cache
def shares(features: Features) -> dict[str, float]:
    """Measure the share of each feature; those of compaction points on histories that have one."""
    found = dict.fromkeys(FEATURES, 0)
    for compaction in (False, True):
        for drawn in islice(random_histories(1, features=features, compaction=compaction), EXAMPLES):
            reading = read(drawn.history)
            for name in FEATURES:
                if (name in POINTS) == compaction:
                    found[name] += seen_in(name, drawn, reading)
    return {name: 100 * count / EXAMPLES for name, count in found.items()}


def test_every_feature_has_a_detector_and_a_share() -> None:
    """The tables here name every feature, so that a new one cannot be forgotten."""
    assert set(SEEN) == set(FEATURES) - set(POINTS)
    assert set(POINT_SEEN) == set(POINTS)
    assert set(SHARES) == set(FEATURES)


@pytest.mark.slow
@pytest.mark.parametrize("features", [ALL, CARRIED], ids=["everything", "openai-chat"])
def test_each_is_generated_in_its_share(features: Features) -> None:
    """Every feature is met in about the share that the table says, and in at least one of 100 histories."""
    expected = {name: everything if features == ALL else carried for name, (everything, carried) in SHARES.items()}
    found = shares(features)
    off = {
        name: (found[name], share)
        for name, share in expected.items()
        if found[name] != pytest.approx(share, rel=0.15, abs=0.6)
    }
    assert off == {}
    rare = {name for name, share in expected.items() if share < 1 and getattr(features, MADE_OF.get(name, name))}
    assert rare == set()


@pytest.mark.slow
@pytest.mark.parametrize("examples", [250, pytest.param(2000, marks=pytest.mark.nightly)])
@pytest.mark.parametrize("name", FEATURES)
def test_switched_off_it_never_appears(name: str, examples: int) -> None:
    """Without the feature no history has it, and each still has the class it asked for."""
    # A late result behind another exchange looks like a call nested in an open batch.
    features = without([name, "nested_calls"] if name == "late_results" else [name])
    for drawn in islice(random_histories(2, features=features, compaction=name in POINTS), examples):
        reading = read(drawn.history)
        assert not seen_in(name, drawn, reading), drawn
        assert reading.input_class == drawn.input_class


@pytest.mark.slow
def test_nothing_but_one_feature() -> None:
    """Alone, each feature that needs no other is still generated, and none but it (and what it is made of)."""
    alone = {
        "parallel", "keep", "reasoning", "reasoning_items", "provider_executed", "item_ids", "alt_ids", "approvals",
        "sizes", "arguments", "reused_ids", "summary", "orphans", "empty_ids", "abandoned", "open_tail",
    }  # fmt: skip
    for name in sorted(alone):
        needed = {
            "open_tail": ("ends_on_call",),
            "reasoning": ("unsigned_reasoning",),
            "provider_executed": ("provider_tool_results",),
        }.get(name, ())
        drawn = list(islice(random_histories(3, features=only([name, *needed])), 100))
        found = [(each, read(each.history)) for each in drawn]
        assert any(seen_in(name, *each) for each in found), name
        for other in alone - {name}:
            assert not any(seen_in(other, *each) for each in found), (name, other)


def test_a_format_turns_off_what_it_has_no_place_for() -> None:
    """What openai-chat does not carry is off, the rest on; neutral carries everything."""
    assert features_of(NEUTRAL_FORMAT) == ALL
    assert {name for name in FEATURES if not getattr(CARRIED, name)} == MESSAGE_FEATURES - OPENAI_CHAT.features
    assert features_of(OPENAI_CHAT, marks=False) == without(["keep", "summary"], CARRIED)


def test_features_print_as_what_is_off() -> None:
    """The repr says what was switched off, and can be pasted back."""
    assert repr(ALL) == "Features()"
    assert repr(without(["keep", "long"])) == "Features(long=False, keep=False)"
    assert eval(repr(CARRIED), {"Features": Features}) == CARRIED


def test_an_unknown_feature_is_named() -> None:
    """A typo is an error that lists what there is."""
    with pytest.raises(BadName, match=r"unknown feature 'keeps' \(known: parallel, .*keep"):
        without(["keeps"])


@pytest.mark.parametrize(
    ("written", "names"),
    [
        ("D S U", {"system", "developer", "several_systems"}),
        ("U A[a] U T(a)", {"steer_user", "no_system"}),
        ("U T(a) A[a]", {"displaced_results"}),
        ("U T(x)", {"orphans"}),
        ("U A[a] T(a) U A[a] T(a)", {"reused_ids"}),
        ("U A[a] A[b] T(b) T(a)", {"nested_calls", "adjacent_calls"}),
        ("U A[a] T(a) U A[a*] T(a)", {"provider_executed", "provider_tool_results"}),
        ("", {"empty", "no_system"}),
    ],
)
def test_features_are_read_off_a_history_of_any_origin(written: str, names: set[str]) -> None:
    """Whatever its ids and texts are called: public cases are nobody's encoding."""
    assert names <= features_in(history(written))
    assert features_in(history(written), names) == names


def test_what_is_ignored_in_generation_is_ignored_here() -> None:
    """Without any system message nobody has one, and without names all results have none."""
    bare = history("U A[a] T(a)")
    assert left_out_in(bare, frozenset({"no_system"})) == {"no_system"}
    assert not left_out_in(bare, frozenset({"no_system", "system", "developer"}))
    assert left_out_in(bare, frozenset({"unnamed_results"})) == {"unnamed_results"}
    assert not left_out_in(bare, frozenset({"unnamed_results", "tool_names"}))
    assert not left_out_in(bare, frozenset(POINTS))


def test_without_any_system_feature_no_system_message_is_generated() -> None:
    """Of no kind, in no place, in no class of input."""
    off = without(["system", "developer", "several_systems", "system_alone", "system_midway", "steer_system"])
    for drawn in islice(random_histories(5, features=off), EXAMPLES):
        assert not any(message.role in SYSTEM_ROLES for message in drawn.history)
