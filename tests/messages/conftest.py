"""Histories in the shorthand of the definitions, so that a test reads like an example.

`U A[c1] T(c1)`: user, assistant with a call, its result. `S D` system, developer; `R` a reasoning item; `!` pinned;
`*` provider-executed; `A[..](x)`, `U(x)` inline results; `~r` reasoning; `+` behind a bracket: text beside calls;
`[a|b]` second id b; `?a` `:a` approval request and response; `#n` size; `^m` item id; `=t` text; `SUM` a declared
summary, `MARK` a declared marker. All texts differ, except that call messages without `+` have none.
"""

import re
from collections.abc import Callable
from typing import Any

import pytest

from trimfuzz.messages.model import Call, History, Message

ROLES = {"U": "user", "A": "assistant", "T": "tool", "S": "system", "D": "developer", "R": "reasoning"}
PIECE = re.compile(
    r"\[(?P<calls>[^\]]*)\]|\((?P<ids>[^)]*)\)|(?P<plus>\+)|(?P<pin>!)|#(?P<size>\d+)|=(?P<text>\S*)"
    r"|~(?P<reasoning>\w+)|\^(?P<item>\w+)|\?(?P<request>\w+)|:(?P<response>\w+)"
)


def parse(shorthand: str) -> History:
    """Read a whole history in shorthand."""
    return tuple(parse_message(token, index) for index, token in enumerate(shorthand.split()))


def parse_message(token: str, index: int) -> Message:
    """Read one message."""
    if token in ("SUM", "MARK"):
        extra = {"inserted": True} if token == "MARK" else {}
        return Message("user", f"{token}{index}", summary=token == "SUM", extra=extra)
    role = ROLES[token[0]]
    pieces = [match.groupdict() for match in PIECE.finditer(token, 1)]
    assert "".join(match.group() for match in PIECE.finditer(token, 1)) == token[1:], f"cannot read {token!r}"
    found: dict[str, Any] = {}
    extra: dict[str, Any] = {}
    has_text = True
    for piece in pieces:
        if (calls := piece["calls"]) is not None:
            found["calls"] = tuple(parse_call(call) for call in calls.split(","))
            has_text = False
        if (ids := piece["ids"]) is not None:
            if role == "tool":
                found["call_id"] = ids
            else:
                extra["inline_results"] = ids.split(",")
        has_text = has_text or bool(piece["plus"])
        if piece["text"] is not None:
            found["text"] = piece["text"]
        if piece["pin"]:
            found["keep_during_truncation"] = True
        if piece["size"]:
            found["tokens"] = int(piece["size"])
        if piece["reasoning"]:
            found["reasoning"] = piece["reasoning"]
        for name, key in (("item", "item_id"), ("request", "approval_request"), ("response", "approval_response")):
            if piece[name]:
                extra[key] = piece[name]
    if has_text:
        found.setdefault("text", f"{token[0]}{index}")
    return Message(role, **found, extra=extra)


def parse_call(call: str) -> Call:
    """Read one call: its id, `*` if the provider runs it, `|b` for a second id."""
    name, _, second = call.removesuffix("*").partition("|")
    return Call(name, provider_executed=call.endswith("*"), alt_id=second or None)


@pytest.fixture
def h() -> Callable[[str], History]:
    """Read a history in shorthand."""
    return parse
