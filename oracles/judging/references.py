"""References: items of a request that stand for one that the server holds, and what each of them can excuse.

An item that is not seen may be the call of a result behind it, the request of an approval behind it, or the result of a
call in front of it: one of these, and only of the kind that its id says, where it says one.
"""

from collections.abc import Iterable, Sequence
from typing import Any, cast

from ...messages.formats.detect import ReadRequest
from ..facts.list_faults import Fault

_CALLS = frozenset({"fc", "ctc", "cu", "sh", "lsh", "apc"})
_RESULTS = frozenset({"fco", "ctco", "cuo", "sho", "lsho", "apco"})
_REQUESTS = frozenset({"mcpr"})
_OTHERS = frozenset({"rs", "msg", "ws", "fs", "ci", "ig", "mcp", "mcpl", "cmp"})
_KNOWN = _CALLS | _RESULTS | _REQUESTS | _OTHERS
"""The kinds of item by the beginnings of their ids. What begins otherwise can be anything."""


def stood_for(faults: Iterable[Fault], request: ReadRequest) -> list[Fault]:
    """Return the faults about something that a reference of the request can stand for, each reference once."""
    free = list(request.references)
    excused: list[Fault] = []
    for one in sorted(faults, key=lambda one: one.messages) if free else ():
        found = _reference_for(one, free, request.items)
        if found is not None:
            free.remove(found)
            excused.append(one)
    return excused


def _reference_for(one: Fault, free: Sequence[int], items: Sequence[Any]) -> int | None:
    at, missing = one.messages[0] if one.messages else 0, _missing(one)
    if missing is None:
        return None
    where = [index for index in free if (index > at if missing is _RESULTS else index < at)]
    kinds = {index: _kind(items[index]) for index in where}
    said = [index for index in where if kinds[index] in missing]
    unsaid = [index for index in where if kinds[index] not in _KNOWN]
    return next(reversed(said or unsaid), None)


def _missing(one: Fault) -> frozenset[str] | None:
    """Return the kinds of item that would make up for a fault."""
    if one.rule == "no-orphan":
        return _CALLS
    if one.rule == "call-answered":
        return _RESULTS
    return _REQUESTS if one.rule == "approval-pair" and "which does not stand before it" in one.note else None


def _kind(item: Any) -> str:
    return str(cast("dict[str, Any]", item).get("id") or "").partition("_")[0]
