"""Shorthand: a whole history in one line, as the definitions write it; for museum pieces, examples and tests.

`S U A[c1,c2] T(c1) T(c2)`: letters are roles (`S D` system and developer, `U A T`, `R` a reasoning item), brackets the
calls of a message (`p*` executed by the provider, `a|b` with a second id), parentheses the ids that are answered
(inline results where it is no tool message; `%` in front: behind its text). Behind that stand `+` text beside calls,
`!` a pin, `=text` (no blanks), `#n` a size in tokens, `~r` reasoning, `^m` an item id, `?a` and `:a` an approval asked
for and given. `SUM` is a declared summary, `MARK` a declared marker. Texts that are not given differ from each other.
"""

import re
from typing import Any

from .errors import BadHistory
from .model import Call, History, Message

_ROLES = {"S": "system", "D": "developer", "U": "user", "A": "assistant", "T": "tool", "R": "reasoning"}
_TOKEN = re.compile(
    r"(?P<role>[SDUATR])(\[(?P<calls>[^\]]*)\])?(?P<plus>\+)?(?P<first>%)?(\((?P<ids>[^)]*)\))?(?P<marks>.*)"
)
_MARK = re.compile(r"(?P<pin>!)|=(?P<text>[^!#~^?:]*)|#(?P<tokens>\d+)|(?P<sign>[~^?:])(?P<word>\w+)")
_KEYS = {"^": "item_id", "?": "approval_request", ":": "approval_response"}


def history(written: str) -> History:
    """Read a history; raises `BadHistory` for a message that is not written like that."""
    return tuple(message(token, index) for index, token in enumerate(written.split()))


def message(token: str, index: int) -> Message:
    """Read one message; `index` is in its text, where none is given."""
    if token in ("SUM", "MARK"):
        marks = {"inserted": True} if token == "MARK" else {}
        return Message("user", f"{token}{index}", summary=token == "SUM", extra=marks)
    found = _TOKEN.fullmatch(token)
    if found is None or _MARK.sub("", found["marks"]):
        raise BadHistory(f"{token!r} is no message in shorthand", "as in U A[c1,c2] T(c1) T(c2)", index)
    named, ids = found["calls"], found["ids"]
    bare = (named is not None and not found["plus"]) or (ids is not None and token[0] == "U" and not found["first"])
    fields: dict[str, Any] = {"text": None if bare else f"{token[0]}{index}"}
    extra: dict[str, Any] = {"text_first": True} if found["first"] else {}
    if token[0] == "T":
        fields["call_id"] = ids
    elif ids is not None:
        extra["inline_results"] = ids.split(",")
    for mark in _MARK.finditer(found["marks"]):
        if mark["pin"]:
            fields["keep_during_truncation"] = True
        elif mark["text"] is not None:
            fields["text"] = mark["text"]
        elif mark["tokens"]:
            fields["tokens"] = int(mark["tokens"])
        elif mark["sign"] == "~":
            fields["reasoning"] = mark["word"]
        else:
            extra[_KEYS[mark["sign"]]] = mark["word"]
    calls = () if named is None else tuple(map(_call, named.split(",")))
    return Message(_ROLES[token[0]], calls=calls, extra=extra, **fields)


def _call(written: str) -> Call:
    name, _, second = written.removesuffix("*").partition("|")
    return Call(name, provider_executed=written.endswith("*"), alt_id=second or None)
