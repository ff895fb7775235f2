"""What each format makes of the same few things: the items themselves, and what it has no place for."""

from typing import Any

import pytest
from attrs import evolve

from trimfuzz.messages.errors import BadHistory, CannotCarry
from trimfuzz.messages.formats.anthropic import FORMAT as ANTHROPIC
from trimfuzz.messages.formats.bedrock import FORMAT as BEDROCK
from trimfuzz.messages.formats.gemini import FORMAT as GEMINI
from trimfuzz.messages.formats.openai_responses import FORMAT as OPENAI_RESPONSES
from trimfuzz.messages.formats.registry import format_named
from trimfuzz.messages.model import Call, Message
from trimfuzz.messages.shorthand import history as h

STEP = "S=s U=u A[c1,c2]+=a T(c1)=x T(c2)=y U=v"


def named(written: str, form: str) -> Any:
    """Return a history whose results have names where the format wants them."""
    return format_named(form).plain(format_named(form).shape(h(written)))


@pytest.mark.parametrize(
    ("form", "items"),
    [
        (
            "anthropic",
            [
                {"role": "system", "content": "s"},
                {"role": "user", "content": "u"},
                {
                    "role": "assistant",
                    "content": [
                        {"type": "text", "text": "a"},
                        {"type": "tool_use", "id": "c1", "name": "f", "input": {}},
                        {"type": "tool_use", "id": "c2", "name": "f", "input": {}},
                    ],
                },
                {
                    "role": "user",
                    "content": [
                        {"type": "tool_result", "tool_use_id": "c1", "content": "x"},
                        {"type": "tool_result", "tool_use_id": "c2", "content": "y"},
                    ],
                },
                {"role": "user", "content": "v"},
            ],
        ),
        (
            "bedrock",
            [
                {"role": "system", "content": [{"text": "s"}]},
                {"role": "user", "content": [{"text": "u"}]},
                {
                    "role": "assistant",
                    "content": [
                        {"text": "a"},
                        {"toolUse": {"toolUseId": "c1", "name": "f", "input": {}}},
                        {"toolUse": {"toolUseId": "c2", "name": "f", "input": {}}},
                    ],
                },
                {
                    "role": "user",
                    "content": [
                        {"toolResult": {"toolUseId": "c1", "content": [{"text": "x"}]}},
                        {"toolResult": {"toolUseId": "c2", "content": [{"text": "y"}]}},
                        {"text": "v"},
                    ],
                },
            ],
        ),
        (
            "gemini",
            [
                {"role": "system", "parts": [{"text": "s"}]},
                {"role": "user", "parts": [{"text": "u"}]},
                {
                    "role": "model",
                    "parts": [
                        {"text": "a"},
                        {"functionCall": {"id": "c1", "name": "f", "args": {}}},
                        {"functionCall": {"id": "c2", "name": "f", "args": {}}},
                    ],
                },
                {
                    "role": "user",
                    "parts": [
                        {"functionResponse": {"id": "c1", "name": "f", "response": {"output": "x"}}},
                        {"functionResponse": {"id": "c2", "name": "f", "response": {"output": "y"}}},
                    ],
                },
                {"role": "user", "parts": [{"text": "v"}]},
            ],
        ),
        (
            "ai-sdk",
            [
                {"role": "system", "content": "s"},
                {"role": "user", "content": "u"},
                {
                    "role": "assistant",
                    "content": [
                        {"type": "text", "text": "a"},
                        {"type": "tool-call", "toolCallId": "c1", "toolName": "f", "input": {}},
                        {"type": "tool-call", "toolCallId": "c2", "toolName": "f", "input": {}},
                    ],
                },
                {
                    "role": "tool",
                    "content": [
                        {
                            "type": "tool-result",
                            "toolCallId": "c1",
                            "toolName": "f",
                            "output": {"type": "text", "value": "x"},
                        },
                        {
                            "type": "tool-result",
                            "toolCallId": "c2",
                            "toolName": "f",
                            "output": {"type": "text", "value": "y"},
                        },
                    ],
                },
                {"role": "user", "content": "v"},
            ],
        ),
        (
            "openai-responses",
            [
                {"role": "system", "content": "s"},
                {"role": "user", "content": "u"},
                {"role": "assistant", "content": "a"},
                {"type": "function_call", "call_id": "c1", "name": "f", "arguments": "{}"},
                {"type": "function_call", "call_id": "c2", "name": "f", "arguments": "{}"},
                {"type": "function_call_output", "call_id": "c1", "output": "x"},
                {"type": "function_call_output", "call_id": "c2", "output": "y"},
                {"role": "user", "content": "v"},
            ],
        ),
    ],
)
def test_one_step(form: str, items: list[Any]) -> None:
    """A step of two calls, as the provider's documentation shows it."""
    known = format_named(form)
    assert known.write_items(known.shape(h(STEP))) == items
    if form != "openai-responses":  # there the text beside the calls becomes a message of its own
        assert known.write_history(named(STEP, form)) == items


@pytest.mark.parametrize(
    ("form", "written", "item"),
    [
        ("anthropic", "A[p*](p)=", [{"type": "server_tool_use", "id": "p", "name": "f", "input": {}},
                                    {"type": "web_search_tool_result", "tool_use_id": "p", "content": []}]),
        ("anthropic", "A(p)=a", [{"type": "web_search_tool_result", "tool_use_id": "p", "content": []},
                                 {"type": "text", "text": "a"}]),
        ("anthropic", "U%(c)=u", [{"type": "text", "text": "u"}, {"type": "tool_result", "tool_use_id": "c"}]),
        ("anthropic", "U(c)=u", [{"type": "tool_result", "tool_use_id": "c"}, {"type": "text", "text": "u"}]),
        ("ai-sdk", "A[c]?q", [{"type": "tool-call", "toolCallId": "c", "toolName": "f", "input": {}},
                              {"type": "tool-approval-request", "approvalId": "q", "toolCallId": "c"}]),
    ],
)  # fmt: skip
def test_blocks(form: str, written: str, item: list[Any]) -> None:
    """What only some systems know, and where it stands; each comes back as it was."""
    [message] = h(written)
    message = evolve(message, text=None) if message.text == "" else message
    known = format_named(form)
    assert known.write(message)["content"] == item
    assert known.read(known.write(message)) == message


def test_thinking_stands_first_and_has_its_signature() -> None:
    """Anthropic takes none without; Gemini signs the first call, or the text."""
    thought = Message("assistant", "a", reasoning="t", extra={"signature": "s"})
    assert ANTHROPIC.write(thought)["content"][0] == {"type": "thinking", "thinking": "t", "signature": "s"}
    with pytest.raises(CannotCarry, match="anthropic has no place for unsigned reasoning"):
        ANTHROPIC.write(Message("assistant", "a", reasoning="t"))
    calls = evolve(thought, calls=(Call("c1"), Call("c2")))
    assert [sorted(part) for part in GEMINI.write(calls)["parts"]] == [
        ["text", "thought"], ["text"], ["functionCall", "thoughtSignature"], ["functionCall"],
    ]  # fmt: skip
    assert GEMINI.write(thought)["parts"][1] == {"text": "a", "thoughtSignature": "s"}


def test_a_call_without_an_id_pairs_by_position() -> None:
    """In Gemini the empty id is no id."""
    [call, result] = GEMINI.write_history(named("A[] T()=x", "gemini"))
    assert call["parts"] == [{"functionCall": {"name": "f", "args": {}}}]
    assert result["parts"] == [{"functionResponse": {"name": "f", "response": {"output": "x"}}}]


def test_marks_are_keys_of_the_item_and_of_the_blocks_that_have_them() -> None:
    """An item is pinned if one of its results is; where not all are, those say so themselves."""
    all_pinned, one_pinned = h("T(c1)=x! T(c2)=y!"), h("T(c1)=x T(c2)=y!")
    for history in (all_pinned, one_pinned):
        [item] = ANTHROPIC.write_history(history)
        assert item["keep_during_truncation"] is True
        assert ["keep_during_truncation" in block for block in item["content"]] == [False, history is one_pinned]
        assert ANTHROPIC.read_history([item]) == history


def test_a_marked_user_message_stays_apart_in_bedrock() -> None:
    """Its pin is not that of the results."""
    assert len(BEDROCK.write_history(h("A[c] T(c) U"))) == 2
    assert len(BEDROCK.write_history(h("A[c] T(c) U!"))) == 3


@pytest.mark.parametrize("form", ["anthropic", "bedrock", "gemini", "ai-sdk"])
def test_what_is_not_known_rides_along_whole(form: str) -> None:
    """An image between two texts: the text can be read, and the item comes out as it went in."""
    key = "parts" if form == "gemini" else "content"
    blocks: list[Any] = [{"text": "a"}, {"image": {"source": "..."}}, {"text": "b"}]
    if form in ("anthropic", "ai-sdk"):
        blocks = [{"type": next(iter(block)), **block} for block in blocks]
    item = {"role": "user", key: blocks, "id": "m1"}
    known = format_named(form)
    message = known.read(item)
    assert message.text == "ab"
    assert known.write(message) == item
    with pytest.raises(CannotCarry, match=f"{form} has one content"):
        known.write(evolve(message, text="other"))


def test_an_item_of_results_that_was_emptied_is_an_empty_message() -> None:
    """Of whichever role; it is no item that cannot be read."""
    for form, item in (
        ("ai-sdk", {"role": "tool", "content": []}),
        ("anthropic", {"role": "user", "content": []}),
        ("gemini", {"role": "user", "parts": []}),
    ):
        message = format_named(form).read(item)
        assert (message.role, message.text, message.calls) == ("user", None, ())
        assert format_named(form).write(message) == item


def test_items_of_other_kinds_pair_by_their_call_ids() -> None:
    """A shell call and its output are a call and a result, and come out as they went in."""
    items = [
        {"type": "shell_call", "call_id": "c", "action": {"commands": ["ls"]}},
        {"type": "shell_call_output", "call_id": "c", "output": []},
        {"type": "item_reference", "id": "r"},
        {"type": "computer_call_output", "call_id": "d", "output": {}, "keep_during_truncation": True},
    ]
    call, result, _, pinned = OPENAI_RESPONSES.read_items(items)
    assert (call.calls[0].id, result.call_id, pinned.keep_during_truncation) == ("c", "c", True)
    assert OPENAI_RESPONSES.write_items((call, result, _, pinned)) == items


def test_arguments_are_parsed_where_the_format_has_an_object() -> None:
    """Blanks are lost when a history is shaped, and never without saying; what is no object has no place."""
    spaced = (Message("assistant", calls=(Call("c", arguments='{"a": 1}'),)),)
    for form in (ANTHROPIC, BEDROCK, GEMINI):
        with pytest.raises(CannotCarry, match=rf"^messages\[0\]: {form.name} would not give back the calls"):
            form.write_history(spaced)
        assert form.plain(form.shape(spaced))[0].calls[0].arguments == '{"a":1}'
        for arguments in ("[1]", '{"a":1,"a":2}', "{"):
            with pytest.raises(CannotCarry, match="has no place for the arguments"):
                form.write(Message("assistant", calls=(Call("c", arguments=arguments),)))
    assert OPENAI_RESPONSES.read_history(OPENAI_RESPONSES.write_history(spaced)) == spaced


@pytest.mark.parametrize(
    ("form", "written", "said"),
    [
        ("anthropic", "U D", r"messages\[1\]: anthropic has no place for developer"),
        ("anthropic", "U R", r"messages\[1\]: anthropic has no place for reasoning_items"),
        ("anthropic", "U(c)", r"messages\[0\]: anthropic would not give back the role, call_id, extra"),
        ("bedrock", "A[p*]", "bedrock has no place for provider_executed"),
        ("gemini", "A[c] T(c)", r"messages\[1\]: gemini would not give back the name"),
        ("gemini", "A^m", "gemini has no place for item_ids"),
        ("ai-sdk", "A?q", "ai-sdk has no place for an approval request without a call"),
        ("openai-responses", "A~r", "openai-responses has no place for reasoning"),
        ("openai-responses", "A[c1]+", r"messages\[0\]: openai-responses would not give back the calls"),
        ("openai-responses", "U A[c1] A[c2]", r"messages\[1\]: openai-responses would not give back the calls"),
    ],
)
def test_what_has_no_place_is_named_with_its_message(form: str, written: str, said: str) -> None:
    """Nothing is dropped silently."""
    with pytest.raises(CannotCarry, match=said):
        format_named(form).write_history(h(written))


@pytest.mark.parametrize(
    ("form", "item", "said"),
    [
        ("anthropic", {"role": "tool", "content": "x"}, "unknown role 'tool'"),
        ("anthropic", {"role": "user", "content": 7}, "content must be a string or a list of blocks"),
        ("bedrock", {"role": "user", "content": "x"}, "content must be a list of blocks"),
        ("gemini", {"role": "user"}, "parts must be a list of blocks"),
        ("openai-responses", {"content": "x"}, "unknown role None"),
        ("ai-sdk", "x", "an item of ai-sdk is a dict"),
    ],
)
def test_what_cannot_be_read_is_said(form: str, item: Any, said: str) -> None:
    """With what to do."""
    with pytest.raises(BadHistory, match=said):
        format_named(form).read(item)
