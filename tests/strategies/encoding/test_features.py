"""Every feature is generated in its share, and never when it is switched off."""

from collections.abc import Callable, Iterator
from functools import cache
from itertools import islice, pairwise

import pytest

from trimfuzz.messages.errors import BadName
from trimfuzz.messages.formats.features import MESSAGE_FEATURES
from trimfuzz.messages.formats.neutral import FORMAT as NEUTRAL_FORMAT
from trimfuzz.messages.formats.openai_chat import FORMAT as OPENAI_CHAT
from trimfuzz.messages.model import SYSTEM_ROLES, History, Message, head_length
from trimfuzz.messages.reading.pairing import Reading, read
from trimfuzz.strategies import ALL, FEATURES, Drawn, Features, features_of, only, random_histories, without

EXAMPLES = 2000


def displaced(reading: Reading) -> Iterator[tuple[int, list[int]]]:
    """For each paired result that something stands in front of: its batch, and what stands there."""
    for index, answer in enumerate(reading.answers):
        if answer.slot is not None and answer.batch is not None:
            between = [message for place, message in reading.interposers if place == index]
            if between:
                yield answer.batch, between


def steered(reading: Reading) -> Iterator[Message]:
    """Messages right behind a call or result of a batch, in front of another result of it."""
    for batch, between in displaced(reading):
        known = reading.batches[batch]
        members = {*known.messages, *(reading.answers[answer].message for answer in known.answers)}
        for message in between:
            if message - 1 in members:
                yield reading.history[message]


def has_tool_steps(history: History) -> bool:
    """Two call messages without a user message between them."""
    stepped = False
    for message in history:
        if message.calls and stepped:
            return True
        if message.role == "user" and "inline_results" not in message.extra:
            stepped = False
        stepped = stepped or bool(message.calls)
    return False


def out_of_order(reading: Reading) -> bool:
    """A batch whose results are not in call order."""
    return any(
        one > other
        for batch in reading.batches
        for one, other in pairwise(
            slot for slot in (reading.answers[answer].slot for answer in batch.answers) if slot is not None
        )
    )


def reused(reading: Reading) -> bool:
    """An id used by two batches, the first of which was answered by then."""
    batches: dict[str, set[int]] = {}
    for slot in reading.slots:
        if slot.id:
            batches.setdefault(slot.id, set()).add(slot.batch)
    shadowed = {reading.slots[later].id for _, later in reading.shadows}
    return any(len(found) > 1 and name not in shadowed for name, found in batches.items())


def late(reading: Reading) -> bool:
    """A result that a user message and then another call stand in front of."""
    for _, between in displaced(reading):
        users = [message for message in between if reading.history[message].role == "user"]
        if users and any(reading.history[message].calls for message in between if message > users[0]):
            return True
    return False


def abandoned(reading: Reading) -> bool:
    """A batch that is open in the middle, and not because its id was used again."""
    shadowed = {reading.slots[slot].batch for pair in reading.shadows for slot in pair}
    return any(not at_tail and batch not in shadowed for batch, at_tail in reading.open_batches.items())


def orphans(reading: Reading) -> Iterator[str]:
    """The ids of results without a call."""
    return (answer.id for answer in reading.answers if answer.orphan)


def spans(reading: Reading) -> Iterator[tuple[int, int]]:
    """For each batch its first call message and its last message."""
    for batch in reading.batches:
        yield batch.messages[0], max((*batch.messages, *(reading.answers[answer].message for answer in batch.answers)))


def last(history: History, wanted: Callable[[Message], bool]) -> bool:
    """Whether the last message is of a kind."""
    return bool(history) and wanted(history[-1])


def key(name: str) -> Callable[[Drawn, Reading], bool]:
    """Whether a message has a key of `extra`."""
    return lambda drawn, _: any(name in message.extra for message in drawn.history)


def neighbours(history: History) -> Iterator[tuple[Message, Message]]:
    """User and assistant messages of one role side by side, system messages and bearers of results aside."""
    spoken = [message for message in history if message.role not in SYSTEM_ROLES]
    for one, other in pairwise(spoken):
        results = "inline_results" in one.extra or "inline_results" in other.extra
        if one.role == other.role and (one.role == "assistant" or (one.role == "user" and not results)):
            yield one, other


def split(reading: Reading) -> bool:
    """A batch whose results stand in several user messages."""
    bearers: dict[int, set[int]] = {}
    for answer in reading.answers:
        if answer.role == "user" and answer.batch is not None:
            bearers.setdefault(answer.batch, set()).add(answer.message)
    return any(len(found) > 1 for found in bearers.values())


SEEN: dict[str, Callable[[Drawn, Reading], bool]] = {
    "parallel": lambda drawn, _: any(len(message.calls) > 1 for message in drawn.history),
    "tool_steps": lambda drawn, _: has_tool_steps(drawn.history),
    "out_of_order": lambda _, reading: out_of_order(reading),
    "repeated_roles": lambda drawn, _: any(True for _pair in neighbours(drawn.history)),
    "calls_after_text": lambda drawn, _: any(
        not call.provider_executed for _one, other in neighbours(drawn.history) for call in other.calls
    ),
    "user_after_result": lambda drawn, _: any(
        one.role == "tool" and other.role == "user" for one, other in pairwise(drawn.history)
    ),
    "call_text": lambda drawn, _: any(message.calls and message.text for message in drawn.history),
    "null_content": lambda drawn, _: any(message.text is None for message in drawn.history),
    "arguments": lambda drawn, _: any(len(call.arguments) > 100 for message in drawn.history for call in message.calls),
    "tool_names": lambda drawn, _: any(message.name for message in drawn.history),
    "sizes": lambda drawn, _: any(len(message.text or "") > 90 for message in drawn.history),
    "long": lambda drawn, _: len(drawn.history) > 40,
    "empty": lambda drawn, _: not drawn.history,
    "keep": lambda drawn, _: any(message.keep_during_truncation for message in drawn.history),
    "summary": lambda drawn, _: any(message.summary for message in drawn.history),
    "system": lambda drawn, _: bool(drawn.history) and drawn.history[0].role == "system",
    "no_system": lambda drawn, _: head_length(drawn.history) == 0,
    "system_alone": lambda drawn, _: 0 < head_length(drawn.history) == len(drawn.history),
    "several_systems": lambda drawn, _: head_length(drawn.history) > 1,
    "developer": lambda drawn, _: any(message.role == "developer" for message in drawn.history),
    "system_midway": lambda drawn, _: any(
        message.role in SYSTEM_ROLES for message in drawn.history[head_length(drawn.history) :]
    ),
    "reasoning": lambda drawn, _: any(message.reasoning for message in drawn.history),
    "signature": key("signature"),
    "reasoning_items": lambda drawn, _: any(message.role == "reasoning" for message in drawn.history),
    "provider_executed": lambda _, reading: any(slot.provider_executed for slot in reading.slots),
    "inline_results": key("inline_results"),
    "split_results": lambda _, reading: split(reading),
    "text_before_results": key("text_first"),
    "approvals": key("approval_request"),
    "approval_apart": lambda drawn, _: any(
        message.call_id is None and "approval_response" in message.extra for message in drawn.history
    ),
    "alt_ids": lambda _, reading: any(slot.alt_id for slot in reading.slots),
    "item_ids": key("item_id"),
    "unnamed_results": lambda drawn, _: any(
        message.role == "tool" and message.name is None and message.call_id is not None for message in drawn.history
    ),
    "unsigned_reasoning": lambda drawn, _: any(
        message.reasoning and "signature" not in message.extra for message in drawn.history
    ),
    "bare_signature": lambda drawn, _: any(
        message.calls and not message.reasoning and "signature" in message.extra for message in drawn.history
    ),
    "user_results": lambda drawn, _: any(
        message.role == "user" and "inline_results" in message.extra for message in drawn.history
    ),
    "provider_later": lambda drawn, _: any(
        message.role == "assistant" and "inline_results" in message.extra and not message.calls
        for message in drawn.history
    ),
    "provider_tool_results": lambda _, reading: any(
        answer.role == "tool" and answer.id.startswith("p") for answer in reading.answers
    ),
    "mixed_calls": lambda drawn, _: any(
        len({call.provider_executed for call in message.calls}) > 1 for message in drawn.history
    ),
    "adjacent_calls": lambda drawn, _: any(
        one.calls and other.calls and "inline_results" not in one.extra for one, other in pairwise(drawn.history)
    ),
    "reused_ids": lambda _, reading: reused(reading),
    "open_tail": lambda _, reading: any(reading.open_batches.values()),
    "ends_on_call": lambda drawn, _: last(drawn.history, lambda message: bool(message.calls)),
    "ends_on_result": lambda drawn, _: last(drawn.history, lambda message: message.role == "tool"),
    "ends_on_assistant": lambda drawn, _: last(
        drawn.history, lambda message: message.role == "assistant" and not message.calls
    ),
    "steer_user": lambda _, reading: any(message.role == "user" for message in steered(reading)),
    "steer_system": lambda _, reading: any(message.role in SYSTEM_ROLES for message in steered(reading)),
    "steer_assistant": lambda _, reading: any(
        message.role == "assistant" and not message.calls for message in steered(reading)
    ),
    "nested_calls": lambda _, reading: any(message.calls for message in steered(reading)),
    "abandoned": lambda _, reading: abandoned(reading),
    "late_results": lambda _, reading: late(reading),
    "opens_on_assistant": lambda drawn, reading: (
        bool(reading.conversation) and drawn.history[reading.conversation[0]].role != "user"
    ),
    "orphans": lambda _, reading: any(name.startswith("x") for name in orphans(reading)),
    "displaced_results": lambda _, reading: any(name.startswith("c") for name in orphans(reading)),
    "duplicate_results": lambda _, reading: any(answer.surplus and answer.id for answer in reading.answers),
    "duplicate_ids": lambda drawn, _: any(
        call.id and message.calls.count(call) > 1 for message in drawn.history for call in message.calls
    ),
    "empty_ids": lambda _, reading: any(not slot.id for slot in reading.slots),
    "reopened_ids": lambda _, reading: any(
        reading.slots[one].id and reading.slots[one].batch != reading.slots[other].batch
        for one, other in reading.shadows
    ),
    "cut_in_batch": lambda drawn, reading: (
        drawn.point is not None and any(first < drawn.point.index <= end for first, end in spans(reading))
    ),
    "cut_in_flight": lambda drawn, reading: (
        drawn.point is not None and any(first < (drawn.point.length or 0) <= end for first, end in spans(reading))
    ),
    "cut_stale": lambda drawn, _: drawn.point is not None and drawn.point.length != len(drawn.history),
}

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
            for name, seen in SEEN.items():
                if (name in POINTS) == compaction:
                    found[name] += seen(drawn, reading)
    return {name: 100 * count / EXAMPLES for name, count in found.items()}


def test_every_feature_has_a_detector_and_a_share() -> None:
    """The tables here name every feature, so that a new one cannot be forgotten."""
    assert set(SEEN) == set(SHARES) == set(FEATURES)


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


@pytest.mark.parametrize("examples", [250, pytest.param(2000, marks=pytest.mark.nightly)])
@pytest.mark.parametrize("name", FEATURES)
def test_switched_off_it_never_appears(name: str, examples: int) -> None:
    """Without the feature no history has it, and each still has the class it asked for."""
    # A late result behind another exchange looks like a call nested in an open batch.
    features = without([name, "nested_calls"] if name == "late_results" else [name])
    for drawn in islice(random_histories(2, features=features, compaction=name in POINTS), examples):
        reading = read(drawn.history)
        assert not SEEN[name](drawn, reading), drawn
        assert reading.input_class == drawn.input_class


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
        assert any(SEEN[name](*each) for each in found), name
        for other in alone - {name}:
            assert not any(SEEN[other](*each) for each in found), (name, other)


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
