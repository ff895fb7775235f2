"""`trimfuzz lint`: what a provider would reject in a file."""

import json
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from trimfuzz.campaigns.reports.listings import listed
from trimfuzz.campaigns.runs.lint import Linted, lint_file
from trimfuzz.messages.errors import BadFile
from trimfuzz.messages.formats.registry import format_named
from trimfuzz.oracles.judging.advice import ADVICE
from trimfuzz.oracles.packs import pack
from trimfuzz.oracles.rules.lint import FAULT_RULES
from trimfuzz.strategies.encoding.features import features_of
from trimfuzz.strategies.lane import random_histories

from ..commandline import trimfuzz

CALL = {"id": "c1", "type": "function", "function": {"name": "f", "arguments": "{}"}}
ASKED = {"role": "user", "content": "q"}
CALLED = {"role": "assistant", "content": None, "tool_calls": [CALL]}
ANSWERED = {"role": "tool", "tool_call_id": "c1", "content": "out"}
BLOCKS: dict[str, Any] = {
    "model": "claude",
    "system": "rules",
    "max_tokens": 9,
    "tools": [{"name": "f", "input_schema": {}}],
    "messages": [
        {"role": "user", "content": "q"},
        {"role": "assistant", "content": [{"type": "tool_use", "id": "t1", "name": "f", "input": {}}]},
        {"role": "user", "content": "and then"},
    ],
}


def _said(text: str) -> dict[str, Any]:
    return {"role": "user", "parts": [{"text": text}]}


def _parts(role: str, *parts: dict[str, Any]) -> dict[str, Any]:
    return {"role": role, "parts": list(parts)}


def _fc(name: str) -> dict[str, Any]:
    return {"functionCall": {"name": name, "args": {}}}


def _fr(name: str) -> dict[str, Any]:
    return {"functionResponse": {"name": name, "response": {}}}


def _blocks(*blocks: dict[str, Any]) -> dict[str, Any]:
    return {"role": "assistant", "content": list(blocks)}


def _asked_for() -> dict[str, Any]:
    return _blocks(_AI_CALL, {"type": "tool-approval-request", "approvalId": "p", "toolCallId": "a"})


_MCP_USE = {"type": "mcp_tool_use", "id": "m1", "name": "x", "server_name": "s", "input": {}}
_MCP_RESULT = {"type": "mcp_tool_result", "tool_use_id": "m1", "is_error": False, "content": []}
_AI_CALL = {"type": "tool-call", "toolCallId": "a", "toolName": "f", "input": {}}
_APPROVED = {"type": "tool-approval-response", "approvalId": "p", "approved": True}
_TOLD = {
    "role": "tool",
    "content": [
        {"type": "tool-result", "toolCallId": "a", "toolName": "f", "output": {"type": "text", "value": "out"}},
    ],
}
_F = {"type": "function", "name": "f"}
_OUTPUT = {"type": "function_call_output", "call_id": "a", "output": "out"}
_RESULT = {"type": "tool_result", "tool_use_id": "c", "content": "out"}
_ASKS = {"type": "function_call", "call_id": "a", "name": "f", "arguments": "{}"}
_STEP = (
    _ASKS, {"type": "reasoning", "summary": []}, {"role": "assistant", "content": "and"}, {**_ASKS, "call_id": "d"}
)  # fmt: skip


def linted(tmp_path: Path, data: object, **options: Any) -> Linted:
    """Lint JSON data from a file."""
    path = tmp_path / "request.json"
    path.write_text(data if isinstance(data, str) else json.dumps(data), "utf-8")
    return lint_file(str(path), **options)


def rules(found: Linted) -> list[str]:
    """The rules that are broken, in order."""
    return [one.rule for one in found.faults]


def test_orphan_is_found_and_a_pair_is_not(tmp_path: Path) -> None:
    """A result without its call is rejected, with the provider's words and their source; with its call it is fine."""
    found = linted(tmp_path, [ASKED, ANSWERED])
    (orphan,) = found.faults

    assert (orphan.rule, orphan.places, orphan.ids, orphan.fails) == ("no-orphan", ("messages[1]",), ("c1",), True)
    assert orphan.answer is not None
    assert orphan.answer.text is not None
    assert orphan.answer.text.startswith("Invalid parameter: messages with role 'tool'")
    assert "put back" in orphan.advice
    assert found.failed
    assert rules(linted(tmp_path, [ASKED, CALLED, ANSWERED])) == []


def test_places_are_those_of_the_file(tmp_path: Path) -> None:
    """A system prompt outside of the list does not shift the numbers of its messages, in notes either."""
    (found,) = linted(tmp_path, BLOCKS).faults

    assert (found.rule, found.places) == ("call-answered", ("messages[1]",))
    assert found.note.startswith("messages[1] calls t1")


def test_the_provider_can_be_another_one(tmp_path: Path) -> None:
    """What one provider takes another rejects; a version takes what the newest one does not."""
    opens_on_a_call = [CALLED, ANSWERED, ASKED, {"role": "assistant", "content": "a"}]
    assert rules(linted(tmp_path, opens_on_a_call)) == []
    assert rules(linted(tmp_path, opens_on_a_call, provider="bedrock")) == ["first-is-user", "last-is-user-or-tool"]
    prefill = [ASKED, {"role": "assistant", "content": "a"}]
    assert linted(tmp_path, prefill, provider="anthropic").failed
    assert not linted(tmp_path, prefill, provider="anthropic@4.5").failed


def test_request_without_tools(tmp_path: Path) -> None:
    """A request that declares none while its history has calls is one violation, and a bare list none."""
    body = {**BLOCKS, "messages": [*BLOCKS["messages"][:2], _result("t1")], "tools": []}
    (found,) = linted(tmp_path, body).faults

    assert (found.rule, found.places) == ("tools-declared", ("messages[1]", "messages[2]"))
    assert rules(linted(tmp_path, {**body, "tools": BLOCKS["tools"]})) == []
    assert rules(linted(tmp_path, body["messages"])) == []


def _result(call: str) -> dict[str, Any]:
    return {"role": "user", "content": [{"type": "tool_result", "tool_use_id": call, "content": "out"}]}


def test_results_behind_a_server_anchor_stand_alone(tmp_path: Path) -> None:
    """Behind `previous_response_id` an output needs no call before it in the list; without it, it does."""
    items = [{"type": "function_call_output", "call_id": "c1", "output": "out"}]
    assert rules(linted(tmp_path, {"input": items, "previous_response_id": "r", "tools": [{"name": "f"}]})) == []
    assert rules(linted(tmp_path, {"input": items, "tools": [{"name": "f"}]})) == ["no-orphan"]


@pytest.mark.parametrize("name", ["openai-chat", "openai-responses", "anthropic", "gemini", "bedrock", "ai-sdk"])
def test_histories_that_a_provider_accepts_are_accepted(tmp_path: Path, name: str) -> None:
    """What its pack says it takes, written in its format and read back from a file, is not rejected."""
    form = format_named(name)
    features = features_of(form)
    wanted = {key: value for key, value in pack(form.provider).features.items() if key != "inputs"}
    inputs = pack(form.provider).features.get("inputs", ("valid",))
    on = {key: value and getattr(features, key) for key, value in wanted.items()}
    drawn = random_histories(4, features=features, inputs=inputs, **on)
    sizes = 0
    for one in islice((one for one in drawn if one.history), 40):
        found = linted(tmp_path, form.write_history(one.history), format=name)
        assert [violation for violation in found.faults if violation.fails] == []
        sizes += len(found.request.sent)
    assert sizes > 200


def test_every_fault_has_advice() -> None:
    """Whatever can be found comes with what to change, and no advice is about a rule that cannot be found."""
    assert set(ADVICE) == {rule.name for rule in FAULT_RULES} | {"tools-declared", "nonempty-history"}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "is empty"),
        ("hello", "is not JSON"),
        ('{"role": "user", "content": "a"}\nhello', "line 2 is not JSON"),
        ('{"a": 1}', "no messages, input or contents"),
        ("3", "a transcript is a request"),
        ('[{"role": "user", "content": [{"type": "tool_use", "id": 1}], "tool_call_id": "a"}]', "has signs of"),
    ],
)
def test_files_that_cannot_be_read(tmp_path: Path, text: str, words: str) -> None:
    """One line, with the place."""
    with pytest.raises(BadFile, match=words) as caught:
        linted(tmp_path, text)
    assert "\n" not in str(caught.value)


def test_command_line(tmp_path: Path) -> None:
    """Exit codes, the report, and the document, which is one and nothing else."""
    (tmp_path / "bad.jsonl").write_text("\n".join(map(json.dumps, [ASKED, CALLED, ASKED])), "utf-8")
    (tmp_path / "good.jsonl").write_text("\n".join(map(json.dumps, [ASKED, CALLED, ANSWERED])), "utf-8")
    said = trimfuzz("lint", "bad.jsonl", code=1, cwd=tmp_path).stdout
    assert "call-answered" in said
    assert "1 violation (exit code 1)" in said
    assert "change" in said
    document = trimfuzz("lint", "bad.jsonl", "--json", code=1, cwd=tmp_path).document
    assert [one["rule"] for one in document["violations"]] == ["call-answered"]
    assert document["violations"][0]["places"] == ["messages[1]"]
    assert trimfuzz("lint", "good.jsonl", "--json", cwd=tmp_path).document["violations"] == []
    assert "cannot read none.json" in trimfuzz("lint", "none.json", code=2, cwd=tmp_path).stderr
    assert "unknown provider" in trimfuzz("lint", "good.jsonl", "--provider", "nobody", code=2, cwd=tmp_path).stderr


def test_every_listed_format_can_be_named(tmp_path: Path) -> None:
    """One whose items are objects of a program is one clear line."""
    (tmp_path / "empty.json").write_text("[]", "utf-8")
    for name in (row["name"] for row in listed("formats")):
        if format_named(name).dicts or name == "neutral":
            assert linted(tmp_path, [], format=name).request.format == name
        else:
            said = trimfuzz("lint", "empty.json", "--format", name, code=2, cwd=tmp_path).stderr
            assert f"the items of {name} are objects of a program, and no JSON" in said
            assert said.count("\n") == 1


@pytest.mark.parametrize(
    ("data", "provider", "broken"),
    [
        # Gemini pairs by order where ids are absent; a response too many is still one.
        ({"contents": [_said("x"), _parts("model", _fc("f"), _fc("f")), _parts("user", _fr("f"), _fr("f"))]}, None, []),
        (
            {"contents": [_said("x"), _parts("model", _fc("f")), _parts("user", _fr("f"), _fr("f"))]},
            None,
            ["one-result-per-call"],
        ),
        # A list that was emptied; behind an anchor an empty list goes on with what the server holds.
        ({"model": "m", "messages": []}, None, ["nonempty-history"]),
        ({"contents": []}, None, ["nonempty-history"]),
        ({"model": "m", "input": []}, None, ["nonempty-history"]),
        ({"model": "m", "input": [], "previous_response_id": "r"}, None, []),
        ({"system": "s", "max_tokens": 1, "messages": []}, "anthropic", ["nonempty-history"]),
        ([{"role": "system", "content": "s"}], "openai-chat", []),
        # Calls that an MCP server runs are server calls.
        ([ASKED, _blocks(_MCP_USE, _MCP_RESULT), ASKED], "anthropic", []),
        ([ASKED, _blocks(_MCP_USE), ASKED], "anthropic", ["provider-executed-pair"]),
        # An approval answers the call that it was asked for; without it the call is open.
        ([ASKED, _asked_for(), {"role": "tool", "content": [_APPROVED]}], "ai-sdk", []),
        ([ASKED, _asked_for(), {"role": "tool", "content": [_APPROVED]}, _TOLD], "ai-sdk", []),
        ([ASKED, {"role": "assistant", "content": [_AI_CALL]}, ASKED], "ai-sdk", ["call-answered"]),
        # What an item refers to stands on the server.
        ({"input": [{"type": "item_reference", "id": "fc_1"}, _OUTPUT], "tools": [_F]}, None, []),
        ({"input": [{"role": "user", "content": "q"}, _OUTPUT], "tools": [_F]}, None, ["no-orphan"]),
        ({"input": [{"type": "item_reference", "id": "own"}, _OUTPUT], "tools": [_F]}, None, []),
        # It excuses only what it can stand for: one item, of its kind, in its place.
        ({"input": [{"type": "item_reference", "id": "rs_1"}, _OUTPUT], "tools": [_F]}, None, ["no-orphan"]),
        ({"input": [_OUTPUT, {"type": "item_reference", "id": "fc_1"}], "tools": [_F]}, None, ["no-orphan"]),
        (
            {"input": [{"type": "item_reference", "id": "fc_1"}, _OUTPUT, {**_OUTPUT, "call_id": "d"}], "tools": [_F]},
            None,
            ["no-orphan"],
        ),
        ({"input": [_ASKS, {"type": "item_reference", "id": "own"}], "tools": [_F]}, None, []),
        ({"input": [_ASKS, {"type": "item_reference", "id": "fc_1"}], "tools": [_F]}, None, ["call-answered"]),
        ({"input": [{"type": "item_reference", "id": "own"}, _ASKS], "tools": [_F]}, None, ["call-answered"]),
        # One response may think and speak between its calls; what no source tells of is not failed.
        ({"input": [*_STEP, _OUTPUT, {**_OUTPUT, "call_id": "d"}], "tools": [_F]}, None, []),
        (
            {"input": [*_STEP, {"role": "user", "content": "q"}], "tools": [_F]},
            None,
            ["call-answered", "call-answered"],
        ),
        ({"input": [_ASKS, {"role": "user", "content": "q"}, _OUTPUT], "tools": [_F]}, None, []),
        ({"input": [_ASKS, _OUTPUT, _OUTPUT], "tools": [_F]}, None, []),
    ],
)
def test_ways_of_providers(tmp_path: Path, data: object, provider: str | None, broken: list[str]) -> None:
    """What a provider has a way of its own for is no fault, and the near miss is one."""
    found = linted(tmp_path, data, provider=provider)
    assert [one.rule for one in found.faults if one.fails] == broken


@pytest.mark.parametrize(
    ("blocks", "broken"),
    [
        ([{"type": "text", "text": "task"}, _RESULT], ["no-orphan"]),
        ([_RESULT, {"type": "text", "text": "task"}], ["no-orphan"]),
        ([_RESULT], ["no-orphan", "first-is-user"]),
    ],
)
def test_a_user_message_that_opens_on_an_orphan_is_a_user_message(
    tmp_path: Path, blocks: list[Any], broken: list[str]
) -> None:
    """One fault, the orphan: neither the role of the first item, nor the place of the text, nor the tools."""
    messages = [{"role": "user", "content": blocks}, {"role": "assistant", "content": "a"}, ASKED]
    found = linted(tmp_path, {"model": "claude-sonnet-4-5", "anthropic_version": "x", "messages": messages})
    assert sorted(one.rule for one in found.faults) == sorted(broken)


def test_results_of_a_step_in_two_messages_are_one_fault(tmp_path: Path) -> None:
    """Said once, of both messages."""
    step = {"role": "assistant", "content": [{"type": "tool_use", "id": "c", "name": "look", "input": {}}]}
    bearer = {"role": "user", "content": [_RESULT, {"type": "text", "text": "so far"}]}
    messages = [
        ASKED,
        step,
        bearer,
        {"role": "user", "content": [_RESULT]},
        {"role": "assistant", "content": "a"},
        ASKED,
    ]
    found = linted(tmp_path, {"max_tokens": 1, "anthropic_version": "x", "messages": messages})
    notes = [one.note for one in found.faults if one.rule == "results-together"]
    assert notes == ["messages[2] and messages[3] both hold results of one step"]
