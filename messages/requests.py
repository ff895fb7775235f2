"""Requests: what goes with a history, and is no part of it: the tools that are declared, and a filter to apply.

Two rules can only be judged where the request is known: `tools-declared` and `filter-complete`.
"""

from collections.abc import Mapping
from typing import Any, cast

from attrs import field, frozen
from attrs.converters import optional

from .errors import BadHistory


@frozen
class Filter:
    """Traffic that a trimmer was told to remove: all calls and results of these tools; None means of every tool.

    A handoff to an agent without tools says `Filter()`; one that hides a single tool says `Filter({"search"})`.
    """

    tools: frozenset[str] | None = field(default=None, converter=optional(frozenset))

    def takes(self, tool: str) -> bool:
        """Say whether the traffic of a tool must go."""
        return self.tools is None or tool in self.tools


@frozen
class Request:
    """What is known of a request beside its history; None means not known, or not asked for.

    `tools` are the names that it declares: an empty set declares none. `remove` is the filter that the trimmer was told
    to apply. The request of a case is what the trimmer was given; that of an outcome, if it has one, what was sent.
    """

    tools: frozenset[str] | None = field(default=None, converter=optional(frozenset))
    remove: Filter | None = None


def load_request(given: object) -> Request:
    """Read a request from JSON: `tools` a list of names, `remove` a list of tool names, or true for every tool."""
    if not isinstance(given, Mapping):
        raise BadHistory("a request is an object", "with tools, remove or both")
    request = cast("Mapping[str, Any]", given)
    remove = request.get("remove")
    return Request(
        None if request.get("tools") is None else _names(request["tools"], "tools"),
        None if remove is None else Filter(None if remove is True else _names(remove, "remove")),
    )


def _names(given: object, key: str) -> frozenset[str]:
    names = cast("list[object]", given) if isinstance(given, list) else [None]
    if not all(isinstance(name, str) for name in names):
        raise BadHistory(f"a request's {key} must be a list of tool names", "each a string")
    return frozenset(cast("list[str]", names))
