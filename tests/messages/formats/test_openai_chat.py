"""The openai-chat format: there and back up to the listed normalisations, and an error for what would be lost."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trimfuzz.messages.errors import BadHistory, CannotCarry
from trimfuzz.messages.formats.items.values import MARKS, bare
from trimfuzz.messages.formats.openai_chat import read, write
from trimfuzz.messages.model import Call, Message

TEXT = st.sampled_from(["", "text", "déjà"])
ROLES = ["system", "developer", "user", "assistant", "tool"]
IMAGE = {"type": "image_url", "image_url": {"url": "data:"}}
WRITTEN_CALLS = st.fixed_dictionaries(
    {
        "id": st.sampled_from(["", "c1"]),
        "type": st.just("function"),
        "function": st.fixed_dictionaries({"name": TEXT, "arguments": st.sampled_from(["{}", "", "not json"])}),
    }
)
EXTRA = st.fixed_dictionaries({}, optional={"inserted": st.sampled_from([True, "m"]), "src": st.just({"a": [1, None]})})


@st.composite
def dicts(draw: st.DrawFn) -> dict:
    """Draw a message dict that needs no normalising."""
    role = draw(st.sampled_from(ROLES))
    item = {"role": role, "content": draw(TEXT | st.just([IMAGE, {"type": "text", "text": "t"}]))}
    if role == "assistant" and draw(st.booleans()):
        item["content"] = draw(TEXT | st.none())
        item["tool_calls"] = draw(st.lists(WRITTEN_CALLS, min_size=1, max_size=3))
    if role == "tool":
        item["tool_call_id"] = draw(st.sampled_from(["", "c1"]))
    for key in ("name", "reasoning_content"):
        if draw(st.booleans()):
            item[key] = draw(TEXT)
    for key in ("keep_during_truncation", "summary"):
        if draw(st.booleans()):
            item[key] = True
    return {**item, **draw(EXTRA)}


@st.composite
def messages(draw: st.DrawFn) -> Message:
    """Draw a neutral message that the format can carry."""
    role = draw(st.sampled_from(ROLES))
    calls = st.lists(st.builds(Call, TEXT, TEXT, arguments=TEXT), max_size=3).map(tuple)
    made = draw(calls) if role == "assistant" else ()
    return Message(
        role,
        draw(TEXT | st.none()) if made else draw(TEXT),
        calls=made,
        call_id=draw(TEXT) if role == "tool" else None,
        name=draw(TEXT | st.none()),
        reasoning=draw(TEXT | st.none()),
        keep_during_truncation=draw(st.booleans()),
        summary=draw(st.booleans()),
        extra=draw(EXTRA),
    )


@pytest.mark.slow
@given(messages())
def test_a_message_comes_back_from_the_wire_as_it_was(message: Message) -> None:
    """Neutral to wire to neutral."""
    assert read(write(message)) == message


@given(dicts())
def test_a_dict_comes_back_from_neutral_as_it_was(item: dict) -> None:
    """Wire to neutral to wire."""
    assert write(read(item)) == item


def test_an_assistant_message_on_the_wire() -> None:
    """Calls in order, arguments as the raw string, null where it has no text."""
    message = Message("assistant", calls=(Call("c1", "look", arguments='{"q": 1}'), Call("c2")), reasoning="r")
    assert write(message) == {
        "role": "assistant",
        "content": None,
        "tool_calls": [
            {"id": "c1", "type": "function", "function": {"name": "look", "arguments": '{"q": 1}'}},
            {"id": "c2", "type": "function", "function": {"name": "f", "arguments": "{}"}},
        ],
        "reasoning_content": "r",
    }


def test_a_tool_message_on_the_wire() -> None:
    """Always an id and a string, possibly empty."""
    assert write(Message("tool", name="look")) == {"role": "tool", "content": "", "tool_call_id": "", "name": "look"}


def test_marks_are_top_level_keys_present_only_when_true() -> None:
    """And `bare` takes them off again, and nothing else."""
    plain = {"role": "user", "content": "u", "src": 1}
    marked = write(
        Message("user", "u", keep_during_truncation=True, summary=True, extra={"inserted": "marker", "src": 1})
    )
    assert marked == {**plain, "keep_during_truncation": True, "summary": True, "inserted": "marker"}
    assert set(marked) - set(plain) == MARKS
    assert bare(marked) == plain
    assert write(Message("user", "u")) == {"role": "user", "content": "u"}


def test_sizes_never_travel() -> None:
    """They come from text length."""
    assert write(Message("user", "u", tokens=9)) == {"role": "user", "content": "u"}


CALL = {"id": "c1", "type": "function", "function": {"name": "f", "arguments": "{}"}}
NORMALISED = [
    ({"role": "user"}, {"role": "user", "content": ""}),
    ({"role": "user", "content": None}, {"role": "user", "content": ""}),
    ({"role": "user", "content": [{"type": "text", "text": "t"}]}, {"role": "user", "content": "t"}),
    ({"role": "user", "content": "u", "summary": False}, {"role": "user", "content": "u"}),
    ({"role": "user", "content": "u", "keep_during_truncation": False}, {"role": "user", "content": "u"}),
    ({"role": "assistant", "content": "a", "tool_calls": []}, {"role": "assistant", "content": "a"}),
    (
        {"role": "assistant", "content": "a", "tool_calls": None, "name": None, "tool_call_id": None},
        {"role": "assistant", "content": "a"},
    ),
    (
        {"role": "assistant", "tool_calls": [{"id": "c1", "function": {}}]},
        {"role": "assistant", "content": None, "tool_calls": [CALL]},
    ),
    (
        {"role": "assistant", "content": None, "tool_calls": [{"function": {"name": "f"}}]},
        {"role": "assistant", "content": None, "tool_calls": [{**CALL, "id": ""}]},
    ),
]


@pytest.mark.parametrize(("given_", "normal"), NORMALISED)
def test_what_is_normalised_on_the_way(given_: dict, normal: dict) -> None:
    """Each listed normalisation, and that a second passage changes nothing more."""
    assert write(read(given_)) == normal
    assert write(read(normal)) == normal


def test_a_text_of_none_without_calls_is_an_empty_one() -> None:
    """In the other direction."""
    assert read(write(Message("assistant"))) == Message("assistant", "")
    assert read(write(Message("assistant", ""))) == Message("assistant", "")


def test_parts_ride_along_with_their_text() -> None:
    """The text can be read without them, and they come back in order."""
    item = {"role": "user", "content": [{"type": "text", "text": "a"}, IMAGE, {"type": "text", "text": "b"}]}
    message = read(item)
    assert message.text == "ab"
    assert message.extra["parts"] == item["content"]
    assert write(message) == item


def test_a_text_part_with_more_than_text_is_not_flattened() -> None:
    """A cache mark on the only part would be lost."""
    item = {"role": "user", "content": [{"type": "text", "text": "a", "cache_control": {"type": "ephemeral"}}]}
    assert read(item).text == "a"
    assert write(read(item)) == item


def test_nothing_is_shared_with_what_was_read_or_is_written() -> None:
    """A trimmer that edits its dicts changes neither the message nor the next writing of it."""
    item = {"role": "user", "content": [dict(IMAGE), dict(IMAGE)], "src": {"a": [1]}}
    message = read(item)
    item["src"]["a"].append(2)
    item["content"][0]["type"] = "changed"
    first = write(message)
    first["src"]["a"].append(3)
    first["content"][0]["type"] = "changed"
    assert write(message) == {"role": "user", "content": [IMAGE, IMAGE], "src": {"a": [1]}}


@pytest.mark.parametrize(
    ("message", "said"),
    [
        (Message("reasoning", "r"), "no place for the role 'reasoning'"),
        (Message("user", "u", call_id="c1"), "no place for a call id on a message of role 'user'"),
        (Message("assistant", calls=(Call("c", provider_executed=True),)), "no place for provider-executed calls"),
        (Message("assistant", calls=(Call("c", alt_id="d"),)), "no place for a second call id"),
        *[
            (Message("user", "u", extra={key: "x"}), f"no place for {key}")
            for key in ("inline_results", "approval_request", "approval_response", "item_id", "text_first")
        ],
        (Message("user", "u", extra={"content": "x"}), "has a content of its own"),
        (Message("user", "u", extra={"tool_calls": []}), "has a tool_calls of its own"),
        (Message("user", "edited", extra={"parts": [{"type": "text", "text": "t"}]}), "has one content"),
    ],
)
def test_what_has_no_place_is_an_error_that_names_it(message: Message, said: str) -> None:
    """Nothing is dropped silently."""
    with pytest.raises(CannotCarry, match=said):
        write(message)


@pytest.mark.parametrize(
    ("item", "said"),
    [
        ("hello", "a message is a dict (this is a str)"),
        ({"content": "x"}, "unknown role None (known: system, developer, user, assistant, tool)"),
        ({"role": "function", "content": "x"}, "unknown role 'function'"),
        ({"role": "tool", "content": "x"}, "a tool message needs tool_call_id"),
        ({"role": "tool", "content": "x", "tool_call_id": 3}, "a tool message needs tool_call_id"),
        ({"role": "user", "content": "x", "tool_call_id": "c1"}, "a message of role 'user' has no tool_call_id"),
        ({"role": "user", "content": 3}, "content must be a string, null or a list of parts (this is an int)"),
        ({"role": "user", "content": ["t"]}, "a content part is a dict"),
        ({"role": "user", "content": "x", "name": 3}, "name must be a string"),
        ({"role": "user", "content": "x", "reasoning_content": []}, "reasoning_content must be a string"),
        ({"role": "assistant", "tool_calls": {}}, "tool_calls must be a list"),
        ({"role": "assistant", "tool_calls": ["c"]}, "a tool call is a dict"),
        (
            {"role": "assistant", "tool_calls": [{"id": "c"}]},
            'a tool call needs a function with "name" and "arguments"',
        ),
        ({"role": "assistant", "tool_calls": [{**CALL, "id": 3}]}, "a tool call's id, name and arguments are strings"),
        (
            {"role": "assistant", "tool_calls": [{"id": "c", "function": {"name": "f", "arguments": {}}}]},
            "a tool call's id, name and arguments are strings (arguments as the raw JSON text)",
        ),
        ({"role": "assistant", "tool_calls": [{**CALL, "index": 0}]}, "unknown key 'index' in a tool call"),
        (
            {"role": "assistant", "tool_calls": [{"id": "c", "function": {"name": "f", "parsed": {}}}]},
            "unknown key 'parsed' in a tool call (it would be lost)",
        ),
    ],
)
def test_a_bad_dict_is_one_error_that_says_what_to_do(item: object, said: str) -> None:
    """The index is added by whoever reads a list."""
    with pytest.raises(BadHistory) as caught:
        read(item)
    assert str(caught.value).startswith(said)
    assert caught.value.index is None
