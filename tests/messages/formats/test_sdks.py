"""What is written is what the providers' own SDKs take: their types and service models judge it.

The SDKs are test dependencies only. What no SDK can take is left out of the histories here: empty ids, ids of other
characters, and a system message where the SDK has a parameter for it.
"""

from collections.abc import Iterable
from itertools import islice
from typing import Any

import pytest

from trimfuzz.messages.formats.items.values import bare
from trimfuzz.messages.formats.registry import format_named
from trimfuzz.messages.reading.pairing import INPUT_CLASSES
from trimfuzz.strategies.encoding.features import features_of, without
from trimfuzz.strategies.lane import random_histories

HISTORIES = 60


def written(name: str, *off: str) -> list[dict[str, Any]]:
    """Return the items of random histories, as a provider is sent them."""
    form = format_named(name)
    features = without([*off, "empty_ids"], features_of(form))
    drawn = islice(random_histories(12, features=features, inputs=INPUT_CLASSES), HISTORIES)
    return [bare(item) for each in drawn for item in form.write_history(each.history)]


def check(items: list[dict[str, Any]], type_: Any) -> None:
    """Validate items by a type of an SDK, down to the last block."""
    pydantic = pytest.importorskip("pydantic")
    adapter = pydantic.TypeAdapter(type_)
    for item in items:
        _exhaust(adapter.validate_python(item))


def _exhaust(value: Any) -> None:
    """Walk through what was validated: pydantic looks into an `Iterable` no earlier than it is iterated over."""
    if isinstance(value, dict):
        for inner in value.values():
            _exhaust(inner)
    elif isinstance(value, Iterable) and not isinstance(value, str | bytes):
        for inner in value:
            _exhaust(inner)


@pytest.mark.slow
def test_openai_chat() -> None:
    """`ChatCompletionMessageParam`."""
    types = pytest.importorskip("openai.types.chat")
    check(written("openai-chat"), types.ChatCompletionMessageParam)


@pytest.mark.slow
def test_openai_responses() -> None:
    """`ResponseInputItemParam`."""
    types = pytest.importorskip("openai.types.responses")
    items = written("openai-responses")
    assert {item.get("type") for item in items} >= {"function_call", "function_call_output", "reasoning"}
    assert {"web_search_call", None, "message"} <= {item.get("type") for item in items}
    check(items, types.ResponseInputItemParam)
    approvals = [
        {"type": "mcp_approval_request", "id": "q", "name": "f", "arguments": "{}", "server_label": "server"},
        {"type": "mcp_approval_response", "approval_request_id": "q", "approve": True},
    ]
    form = format_named("openai-responses")
    assert form.write_items(form.read_items(approvals)) == approvals
    check(approvals, types.ResponseInputItemParam)


@pytest.mark.slow
def test_anthropic() -> None:
    """`MessageParam`."""
    types = pytest.importorskip("anthropic.types")
    items = written("anthropic")
    kinds = {block["type"] for item in items if isinstance(item["content"], list) for block in item["content"]}
    expected = {"text", "thinking", "tool_use", "tool_result", "server_tool_use", "web_search_tool_result"}
    assert kinds == expected
    check(items, types.MessageParam)


@pytest.mark.slow
def test_gemini() -> None:
    """`Content`, which forbids keys that it does not know."""
    types = pytest.importorskip("google.genai.types")
    items = written("gemini")
    assert any("thoughtSignature" in part for item in items for part in item["parts"])
    for item in items:
        types.Content.model_validate(item)


def test_bedrock() -> None:
    """The service model of Converse, by which botocore checks what it sends."""
    session = pytest.importorskip("botocore.session").Session()
    validate = pytest.importorskip("botocore.validate")
    shape = session.get_service_model("bedrock-runtime").operation_model("Converse").input_shape
    items = written("bedrock")
    assert any(
        "toolResult" in item["content"][0] and "text" in item["content"][-1] for item in items if item["content"]
    )
    report = validate.ParamValidator().validate({"modelId": "m", "messages": items}, shape)
    assert not report.has_errors(), report.generate_report()


@pytest.mark.slow
def test_an_sdk_does_say_no() -> None:
    """To a block inside a message that lacks something, or has too much: the checks here can fail."""
    pydantic = pytest.importorskip("pydantic")
    content = pytest.importorskip("google.genai.types").Content
    message = pytest.importorskip("anthropic.types").MessageParam
    with pytest.raises(pydantic.ValidationError):
        content.model_validate({"role": "user", "parts": [{"functionReply": {}}]})
    with pytest.raises(pydantic.ValidationError):
        check([{"role": "user", "content": [{"type": "tool_result"}]}], message)
