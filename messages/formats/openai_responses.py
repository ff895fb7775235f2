"""The `openai-responses` wire format: the input items of OpenAI's Responses API.

Every call, every result and every reasoning item is an item of its own, so one message can be several: its text, then
its calls. Reasoning items are messages of role `reasoning`. What the provider runs itself is one item, with its result
in it: `web_search_call` for the tool `web_search`, else `mcp_call`. An item id rides as `item_id`. Approvals are asked
for and given by items of their own (`mcp_approval_request`, `mcp_approval_response`). Results may stand alone, where a
request names a `previous_response_id`: judge those with `--provider openai-responses-anchored`.

Another item, or one that says more than is read here, is carried whole, as the only one of `parts`; a call or an output
of a tool that is not known (`shell_call`, `computer_call_output`) still pairs by its `call_id`.

Normalised: calls side by side, which the API takes as one step, are one message, unless they have ids or marks of their
own; the type `message` is left out where there is no id; a mark that is false is left out; no output is an empty one.
"""

from collections.abc import Iterator, Mapping
from typing import Any, cast

from attrs import evolve

from ..errors import BadHistory, CannotCarry
from ..model import NO_EXTRA, Call, History, Message
from .features import message_features
from .format import Format, Signs
from .items.inline_results import apart, entries_of, tidy
from .items.values import copied, dumped, mapping, parsed, without_false_marks

NAME = "openai-responses"
SERVER_TOOL = "web_search"
_ROLES = ("system", "developer", "user", "assistant")
_MARKS = ("keep_during_truncation", "summary")
_INSIDE = frozenset({"inline_results", "item_id", "parts", "approval_request", "approval_response", "approve"})
FEATURES = frozenset(
    {"keep", "summary", "developer", "reasoning_items", "provider_executed", "inline_results", "item_ids", "approvals"}
)
MISSING = frozenset(
    {
        "approvals", "call_text", "mixed_calls", "adjacent_calls", "provider_later", "provider_tool_results",
        "user_results",
    }
)  # fmt: skip


def shape(history: History) -> History:
    """Return a history with every text and every call as a message of its own."""
    return tuple(piece for message in apart(history) for piece in _split(message))


def _split(message: Message) -> Iterator[Message]:
    if message.role == "tool" and message.text is None and message.call_id is not None:
        message = evolve(message, text="")
    if not message.calls or "parts" in message.extra or (len(message.calls) == 1 and not message.text):
        yield message if not message.calls or message.text is None or message.text else evolve(message, text=None)
        return
    first = {key: value for key, value in message.extra.items() if key != "inline_results"}
    entries = entries_of(message)
    if message.text:
        yield evolve(message, calls=(), extra=first)
        first = {}
    for call in message.calls:
        mine = [tidy(entry) for entry in entries if entry["call_id"] == call.id]
        entries = [entry for entry in entries if entry["call_id"] != call.id]
        inside: dict[str, Any] = {"inline_results": mine} if mine else {}
        yield evolve(message, text=None, calls=(call,), extra={**inside, **first})
        first = {}
    if entries:
        left: list[Any] = [tidy(entry) for entry in entries]
        yield evolve(message, text=None, calls=(), extra={"inline_results": left})


def plain(history: History) -> History:
    """Return a history with calls side by side as one message."""
    found: list[Message] = []
    for message in history:
        if found and _joins(found[-1], message):
            found[-1] = evolve(found[-1], calls=found[-1].calls + message.calls)
        else:
            found.append(message)
    return tuple(found)


def _joins(before: Message, message: Message) -> bool:
    if not _only_calls(before) or not _only_calls(message) or message.extra or not before.extra.keys() <= {"item_id"}:
        return False
    return all(getattr(before, mark) == getattr(message, mark) for mark in _MARKS)


def _only_calls(message: Message) -> bool:
    return bool(message.calls) and not message.text and not any(call.provider_executed for call in message.calls)


def write(message: Message) -> dict[str, Any]:
    """Write a message as a fresh item; raises `CannotCarry` for what has no place in this format."""
    if "parts" in message.extra:
        return _write_whole(message)
    missing = message_features(message) - FEATURES
    if missing:
        raise CannotCarry(f"{NAME} has no place for {', '.join(sorted(missing))}")
    return _with_the_rest(message, _item(message))


def _item(message: Message) -> dict[str, Any]:
    role, extra = message.role, message.extra
    if "approval_request" in extra or "approval_response" in extra:
        return _approval(message)
    if "inline_results" in extra and not any(call.provider_executed for call in message.calls):
        raise CannotCarry(f"{NAME} has no place for results in a message of role {role!r}")
    if message.call_id is not None and role != "tool":
        raise CannotCarry(f"{NAME} has no place for a call id on a message of role {role!r}")
    if role == "tool":
        if message.text is None:
            raise CannotCarry(f"{NAME} has no place for a result without text", "an empty one is a string")
        named = {} if message.name is None else {"name": message.name}
        return {"type": "function_call_output", "call_id": message.call_id or "", "output": message.text, **named}
    if message.name is not None:
        raise CannotCarry(f"{NAME} has no place for a name on a message of role {role!r}")
    if role == "reasoning":
        said = [] if message.text is None else [{"type": "summary_text", "text": message.text}]
        return {"type": "reasoning", "summary": said}
    if message.calls:
        if role != "assistant" or message.text is not None or len(message.calls) > 1:
            raise CannotCarry(f"{NAME} has one item for each call, and one for text", "shape() takes them apart")
        return _call(message)
    if role not in _ROLES or message.text is None:
        raise CannotCarry(f"{NAME} has no place for a message of role {role!r} without text")
    if "item_id" not in extra:
        return {"role": role, "content": message.text}
    if role != "assistant":
        return {"type": "message", "role": role, "content": [{"type": "input_text", "text": message.text}]}
    said: list[Any] = [{"type": "output_text", "text": message.text, "annotations": []}]
    return {"type": "message", "role": role, "status": "completed", "content": said}


def _call(message: Message) -> dict[str, Any]:
    [call] = message.calls
    if not call.provider_executed:
        return {"type": "function_call", "call_id": call.id, "name": call.name, "arguments": call.arguments}
    entries = entries_of(message)
    if len(entries) > 1 or any(
        entry["call_id"] != call.id or not entry.keys() <= {"call_id", "text"} for entry in entries
    ):
        raise CannotCarry(f"{NAME} has one result in the item of a provider's call, and that of this call")
    if call.name == SERVER_TOOL:
        if any("text" in entry for entry in entries):
            raise CannotCarry(f"{NAME} has no place for the text of a web search's result")
        action = {"type": "search", **parsed(call.arguments, NAME)}
        status = "completed" if entries else "in_progress"
        return {"type": "web_search_call", "id": call.id, "status": status, "action": action}
    found: dict[str, Any] = {"type": "mcp_call", "id": call.id, "name": call.name, "arguments": call.arguments}
    if "server_label" not in message.extra:
        found["server_label"] = "server"
    if entries:
        found["output"] = entries[0].get("text")
    return found


def _approval(message: Message) -> dict[str, Any]:
    extra = message.extra
    if "approval_response" in extra:
        if message.role != "tool" or message.call_id is not None:
            raise CannotCarry(f"{NAME} has an item of its own for an approval")
        found: dict[str, Any] = {"type": "mcp_approval_response", "approval_request_id": extra["approval_response"]}
        found["approve"] = extra.get("approve", True)
        return found if message.text is None else {**found, "reason": message.text}
    if message.role != "assistant" or message.calls or message.text is not None:
        raise CannotCarry(f"{NAME} has an item of its own for an approval request")
    defaults = {"name": "f", "arguments": "{}", "server_label": "server"}
    given = {key: value for key, value in defaults.items() if key not in extra}
    return {"type": "mcp_approval_request", "id": extra["approval_request"], **given}


def _with_the_rest(message: Message, found: dict[str, Any]) -> dict[str, Any]:
    for mark in _MARKS:
        if getattr(message, mark):
            if mark in found:
                raise CannotCarry(f"{NAME} has a {mark} of its own in a reasoning item")
            found[mark] = True
    for key, value in message.extra.items():
        if key in found and key != "approve":
            raise CannotCarry(f"{NAME} has a {key} of its own", "it cannot ride along under that name")
        if key not in _INSIDE:
            found[key] = copied(value)
        elif key == "item_id":
            if "id" in found:
                raise CannotCarry(f"{NAME} has a second id for this item")
            found["id"] = value
    return found


def _write_whole(message: Message) -> dict[str, Any]:
    parts = message.extra["parts"]
    if not isinstance(parts, list | tuple) or len(cast("list[Any]", parts)) != 1:
        raise CannotCarry(f"{NAME} has no place for these parts", "here they are one item")
    whole = cast("dict[str, Any]", copied(parts)[0])
    bare = evolve(message, tokens=None, extra={key: value for key, value in message.extra.items() if key != "parts"})
    marks = {mark: True for mark in (*_MARKS, "inserted") if getattr(message, mark, message.extra.get(mark))}
    if _read_loosely({**whole, **marks}) != bare:
        raise CannotCarry(f"{NAME} has one content", "here the item says something else than the rest of the message")
    return {**whole, **marks}


def read(item: object) -> Message:
    """Read one item; raises `BadHistory` (without an index) with what to do."""
    given = normal(mapping(item, f"an item of {NAME} is a dict"))
    message = _parsed(given)
    if message is not None:
        try:
            if write(message) == given:
                return message
        except CannotCarry:
            pass
    loose = _read_loosely(given)
    whole = {
        key: copied(value)
        for key, value in given.items()
        if key not in (*_MARKS, "inserted") or isinstance(value, list)
    }
    return evolve(loose, extra={**loose.extra, "parts": [whole]})


def normal(item: Mapping[str, Any]) -> dict[str, Any]:
    """Return an item as this module would have written it, as far as the list of normalisations goes."""
    found = without_false_marks(item)
    kind = found.get("type")
    if kind == "message" and "id" not in found:
        del found["type"]
    if found.get("output", "") is None and kind == "function_call_output":
        found["output"] = ""
    content = found.get("content")
    if "id" not in found and isinstance(content, list) and len(cast("list[Any]", content)) == 1:
        only = cast("Any", content)[0]
        if (
            isinstance(only, dict)
            and set(cast("dict[str, Any]", only)) == {"type", "text"}
            and only["type"] == "input_text"
        ):
            found["content"] = only["text"]
    return found


def _parsed(given: Mapping[str, Any]) -> Message | None:
    """Return what an item says, where it is of a kind that can be written again; None for any other."""
    kind = given.get("type")
    taken: set[str] = {"type", *_MARKS}
    fields: dict[str, Any] = {}
    extra: dict[str, Any] = {}
    if kind in (None, "message"):
        if given.get("role") not in _ROLES:
            raise BadHistory(f"unknown role {given.get('role')!r}", "known: " + ", ".join(_ROLES))
        fields = {"role": given["role"], "text": _text(given.get("content"))}
        taken |= {"role", "content", "status"}
    elif kind == "reasoning":
        fields = {"role": "reasoning", "text": _text(given.get("summary"))}
        taken |= {"summary"}
    elif kind == "function_call":
        call = Call(_id(given), str(given.get("name") or "f"), arguments=str(given.get("arguments") or "{}"))
        fields = {"role": "assistant", "calls": (call,)}
        taken |= {"call_id", "name", "arguments"}
    elif kind == "function_call_output" and isinstance(given.get("output"), str):
        fields = {"role": "tool", "text": given["output"], "call_id": _id(given), "name": given.get("name")}
        taken |= {"call_id", "output", "name"}
    elif kind in ("web_search_call", "mcp_call"):
        fields, extra = _provider_call(given)
        taken |= {"id", "status", "action"} if kind[0] == "w" else {"id", "name", "arguments", "output"}
        if given.get("server_label") == "server":
            taken.add("server_label")
    elif kind == "mcp_approval_request":
        fields, extra = {"role": "assistant"}, {"approval_request": str(given.get("id"))}
        taken |= {"id"} | {
            k for k, v in (("name", "f"), ("arguments", "{}"), ("server_label", "server")) if given.get(k) == v
        }
    elif kind == "mcp_approval_response":
        fields = {"role": "tool", "text": given.get("reason")}
        extra = {"approval_response": str(given.get("approval_request_id"))}
        taken |= {"approval_request_id", "reason"} | ({"approve"} if given.get("approve") is True else set())
    else:
        return None
    riding = {key: copied(value) for key, value in given.items() if key not in taken}
    if "id" in riding and kind != "reasoning":
        riding["item_id"] = riding.pop("id")
    marks = _marks(given)
    return Message(**fields, **marks, extra={**extra, **riding} or NO_EXTRA)


def _marks(given: Mapping[str, Any]) -> dict[str, Any]:
    """A reasoning item has a `summary` that is no mark but a list."""
    return {mark: given.get(mark) is True for mark in _MARKS}


def _id(given: Mapping[str, Any]) -> str:
    return str(given.get("call_id") or "")


def _text(content: Any) -> str | None:
    if isinstance(content, str):
        return content
    parts = [cast("dict[str, Any]", part) for part in cast("list[Any]", content or ()) if isinstance(part, dict)]
    texts = [part["text"] for part in parts if isinstance(part.get("text"), str)]
    return "".join(texts) if texts else None


def _provider_call(given: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    call_id = str(given.get("id") or "")
    if given["type"] == "web_search_call":
        action = cast("dict[str, Any]", given.get("action") or {})
        name, arguments = (
            SERVER_TOOL,
            dumped({key: value for key, value in action.items() if value != "search" or key != "type"}),
        )
        entry: Any = call_id if given.get("status") == "completed" else None
    else:
        name, arguments = str(given.get("name") or "f"), str(given.get("arguments") or "{}")
        output = given.get("output")
        entry = None if "output" not in given else call_id if output is None else {"call_id": call_id, "text": output}
    call = Call(call_id, name, arguments=arguments, provider_executed=True)
    extra: dict[str, Any] = {} if entry is None else {"inline_results": [entry]}
    return {"role": "assistant", "calls": (call,)}, extra


def _read_loosely(given: Mapping[str, Any]) -> Message:
    """Return what can be said of any item: what it calls, answers or says; the item itself rides along whole."""
    kind = str(given.get("type") or "message")
    marks = _marks(given)
    extra: dict[str, Any] = {"inserted": given["inserted"]} if "inserted" in given else {}
    known = _parsed(given)
    if known is not None:
        kept = {key: known.extra[key] for key in _KEPT if key in known.extra}
        return evolve(known, extra={**extra, **kept} or NO_EXTRA)
    call_id = given.get("call_id")
    if kind.endswith("_output") and isinstance(call_id, str):
        return Message("tool", _text_of(given.get("output")), call_id=call_id, extra=extra, **marks)
    if kind.endswith("_call"):
        by_provider = not isinstance(call_id, str)
        identity = str(given.get("id") or "") if by_provider else str(call_id)
        call = Call(identity, str(given.get("name") or kind.removesuffix("_call")), provider_executed=by_provider)
        done: dict[str, Any] = {"inline_results": [identity]} if by_provider else {}
        return Message("assistant", None, calls=(call,), extra={**extra, **done}, **marks)
    return Message("assistant", None, extra=extra, **marks)


_KEPT = ("item_id", "id", "inline_results", "approval_request", "approval_response")


def _text_of(output: Any) -> str:
    return output if isinstance(output, str) else dumped(output)


_ITEM_TYPES = frozenset({"message", "reasoning", "item_reference", "mcp_list_tools", "compaction"})


def _is_item_type(kind: str) -> bool:
    return kind in _ITEM_TYPES or kind.endswith(("_call", "_output")) or kind.startswith("mcp_")


def _refers(item: Mapping[str, Any]) -> bool:
    return item.get("type") == "item_reference"


FORMAT = Format(
    NAME,
    write,
    read,
    NAME,
    FEATURES,
    missing_features=MISSING,
    shape=shape,
    plain=plain,
    dicts=True,
    signs=Signs(
        request_keys={"input", "previous_response_id", "instructions"},
        list_key="input",
        list_may_be_text=True,
        system_keys=("instructions",),
        anchor_keys=("previous_response_id", "conversation"),
        item_type=_is_item_type,
        refers=_refers,
        block_types={"input_text", "output_text", "input_image"},
    ),
)
