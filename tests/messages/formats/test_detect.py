"""Detection: each format by its signs, the paths of its messages, and one clear error where it is none or two."""

from itertools import islice
from typing import Any

import pytest
from attrs import evolve

from trimfuzz.messages.errors import BadHistory, CannotCarry
from trimfuzz.messages.formats.anthropic import FORMAT as ANTHROPIC
from trimfuzz.messages.formats.bedrock import FORMAT as BEDROCK
from trimfuzz.messages.formats.detect import read_request
from trimfuzz.messages.formats.gemini import FORMAT as GEMINI
from trimfuzz.messages.formats.openai_chat import FORMAT as OPENAI_CHAT
from trimfuzz.messages.formats.openai_responses import FORMAT as OPENAI_RESPONSES
from trimfuzz.messages.formats.registry import format_named
from trimfuzz.messages.formats.translation import translate
from trimfuzz.messages.model import Call, Message
from trimfuzz.messages.neutral import dump_history
from trimfuzz.messages.shorthand import history as h
from trimfuzz.strategies.encoding.features import features_of
from trimfuzz.strategies.lane import random_histories

STEP = "U=u A[c1,c2] T(c1)=x T(c2)=y U=v"
NAMES = ["openai-chat", "openai-responses", "anthropic", "gemini", "bedrock", "ai-sdk"]
KEYS = {"openai-responses": "input", "gemini": "contents"}


def items_of(name: str, written: str = STEP) -> list[Any]:
    form = format_named(name)
    return form.write_items(form.shape(h(written)))


@pytest.mark.parametrize("name", NAMES)
def test_a_list_and_a_request_are_known_by_what_is_in_them(name: str) -> None:
    """The same history, whichever it is; a list alone says nothing about tools."""
    items = items_of(name)
    read = read_request(items)
    form = format_named(name)
    assert (read.format, read.tools, read.anchored) == (name, None, False)
    assert read.items == tuple(items)
    assert read.sent == form.shape(h(STEP))
    assert read.history == form.plain(form.shape(h(STEP)))
    assert len(read.history) == len(read.where)
    key = KEYS.get(name, "messages")
    request = read_request({key: items, "model": "m"})
    assert (request.format, request.tools, request.model) == (name, (), "m")
    assert request.sent == read.sent
    assert request.sent_where == tuple(f"{key}[{index}]" for index in range(len(items)))


@pytest.mark.parametrize("name", NAMES)
def test_what_is_generated_is_never_taken_for_another_format(name: str) -> None:
    """A history with calls says which format it is in; one without may be any of those that have strings."""
    form = format_named(name)
    for drawn in islice(random_histories(31, features=features_of(form)), 60):
        read = read_request(form.write_history(drawn.history))
        speaks = any(message.calls for message in drawn.history)
        assert read.format == name or (not speaks and read.format == "openai-chat")
        if read.format == name:
            assert read.history == drawn.history


@pytest.mark.parametrize(
    ("name", "where"),
    [
        ("openai-chat", "messages[0] messages[1] messages[2] messages[3] messages[4]"),
        ("anthropic", "messages[0] messages[1] messages[2].content[0] messages[2].content[1] messages[3]"),
        (
            "bedrock",
            "messages[0] messages[1] messages[2].content[0] messages[2].content[1] messages[2].content[2]",
        ),
        ("gemini", "contents[0] contents[1] contents[2].parts[0] contents[2].parts[1] contents[3]"),
        ("openai-responses", "input[0] input[1] input[3] input[4] input[5]"),
    ],
)
def test_every_message_has_its_place(name: str, where: str) -> None:
    """A result in a message by its block; calls side by side by the first of them."""
    assert " ".join(read_request({KEYS.get(name, "messages"): items_of(name)}).where) == where


@pytest.mark.parametrize(
    ("body", "name", "lead", "tools"),
    [
        (
            {
                "system": "s",
                "messages": [{"role": "user", "content": "u"}],
                "tools": [{"name": "f", "input_schema": {}}],
            },
            "anthropic",
            "system",
            ("f",),
        ),
        (
            {"system": [{"type": "text", "text": "s"}], "messages": [{"role": "user", "content": "u"}]},
            "anthropic",
            "system",
            (),
        ),
        (
            {
                "system": [{"text": "s"}],
                "messages": [{"role": "user", "content": [{"text": "u"}]}],
                "toolConfig": {"tools": [{"toolSpec": {"name": "f"}}]},
            },
            "bedrock",
            "system",
            ("f",),
        ),
        (
            {
                "systemInstruction": {"parts": [{"text": "s"}]},
                "contents": [{"role": "user", "parts": [{"text": "u"}]}],
                "tools": [{"functionDeclarations": [{"name": "f"}, {"name": "g"}]}],
            },
            "gemini",
            "systemInstruction",
            ("f", "g"),
        ),
        (
            {"instructions": "s", "input": "u", "tools": [{"type": "function", "name": "f"}]},
            "openai-responses",
            "instructions",
            ("f",),
        ),
        (
            {
                "messages": [{"role": "system", "content": "s"}, {"role": "user", "content": "u"}],
                "tools": [{"type": "function", "function": {"name": "f"}}],
            },
            "openai-chat",
            "messages[0]",
            ("f",),
        ),
    ],
)  # fmt: skip
def test_the_system_prompt_leads_and_the_tools_are_named(
    body: dict[str, Any], name: str, lead: str, tools: tuple[str, ...]
) -> None:
    """Wherever a request has them."""
    read = read_request(body)
    assert (read.format, read.tools, read.where[0]) == (name, tools, lead)
    assert [(message.role, message.text) for message in read.history] == [("system", "s"), ("user", "u")]


def test_outputs_behind_a_response_on_the_server_are_anchored() -> None:
    """So that results alone are no orphans; a list says nothing of the kind."""
    items = OPENAI_RESPONSES.write_history(h("T(c1)=x"))
    assert read_request({"input": items, "previous_response_id": "r"}).anchored
    assert read_request({"input": items, "conversation": "c"}).anchored
    assert not read_request({"input": items}).anchored
    assert not read_request(items).anchored


def test_lines_of_a_log_may_have_something_around_their_messages() -> None:
    """Lines without a message are left out; a log of requests with one line is that request."""
    first, second = items_of("anthropic", "U=u A[c1]")
    lines = [{"type": "user", "message": first}, {"type": "title", "title": "t"}, {"type": "x", "message": second}]
    read = read_request(lines)
    assert (read.format, read.where) == ("anthropic", ("messages[0].message", "messages[2].message"))
    assert read_request([{"messages": [first, second]}]).history == read.history
    assert read_request({"at": 1, "request": {"messages": [first, second]}}).history == read.history


def test_neutral_json_is_read_too() -> None:
    """As fixtures hold it."""
    assert read_request(dump_history(h(STEP))).history == h(STEP)
    assert read_request(dump_history(h(STEP))).format == "neutral"


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (7, r"a transcript is a request, or a list of messages \(this is an int\)"),
        ({"model": "m"}, r"no messages, input or contents in it \(its keys: model\)"),
        (
            [*items_of("anthropic"), *items_of("openai-chat")],
            r"signs of anthropic \(messages\[1\].content\[0\]\) and of openai-chat \(messages\[5\].tool_calls\)",
        ),
        ([{"role": "user", "content": "u"}, {"role": "cook", "content": "x"}], r"^messages\[1\]: unknown role 'cook'"),
        ({"system": 7, "anthropic_version": "v", "messages": []}, r"^system: content must be"),
    ],
)  # fmt: skip
def test_what_is_none_or_two_is_one_clear_error(data: Any, said: str) -> None:
    """With the path of what is wrong."""
    with pytest.raises(BadHistory, match=said):
        read_request(data)


def test_a_format_can_be_named() -> None:
    """Where nothing in the list tells."""
    assert read_request([{"role": "user", "content": "u"}]).format == "openai-chat"
    assert read_request([{"role": "user", "content": "u"}], format="anthropic").format == "anthropic"


@pytest.mark.parametrize("source", NAMES)
@pytest.mark.parametrize("target", NAMES)
def test_items_of_one_format_are_items_of_another(source: str, target: str) -> None:
    """The same step, written by either, and by way of the other; a tool's name that one has, the other may have."""
    one, other = format_named(source), format_named(target)
    named = tuple(evolve(message, name="f") if message.role == "tool" else message for message in h(STEP))
    translated = translate(one.write_items(one.shape(named)), one, other)
    assert translated in (items_of(target), other.write_items(other.shape(named)))


def test_a_translation_loses_nothing_silently() -> None:
    """Text beside results becomes a message of its own; a signature or an image has no place."""
    beside = ANTHROPIC.write(Message("user", "u", extra={"inline_results": [{"call_id": "c", "text": "x"}]}))
    chat = translate([beside], ANTHROPIC, OPENAI_CHAT)
    assert [item["role"] for item in chat] == ["tool", "user"]
    signed = ANTHROPIC.write(Message("assistant", None, calls=(Call("c"),), reasoning="t", extra={"signature": "s"}))
    with pytest.raises(CannotCarry, match=r"messages\[0\]: openai-chat has no place for signature"):
        translate([signed], ANTHROPIC, OPENAI_CHAT)
    assert translate([signed], ANTHROPIC, BEDROCK)[0]["content"][0]["reasoningContent"]["reasoningText"]["signature"]
    image = {"role": "user", "parts": [{"inlineData": {}}]}
    with pytest.raises(CannotCarry, match=r"messages\[0\]: anthropic has no place for these blocks of gemini"):
        translate([image], GEMINI, ANTHROPIC)
