"""Compactors and memories as plain calls: what has two steps, or a life of its own, run on one case.

A compactor plans on what was there when its point was computed, and applies the plan to all there is by now. A memory
is told every message as it comes, and is asked for its view at the end; each case gets a new one.
"""

from collections.abc import Callable
from typing import Any

from ..messages.limits import Limit
from .trimmer import TrimCall


def seen(items: list[Any], limit: Any) -> list[Any]:
    """Return what a plan is made from: a compaction point may have been computed when the history was shorter."""
    early = isinstance(limit, Limit) and limit.length is not None and limit.length < len(items)
    return items[: limit.length] if early else items


def compacting(make: Callable[[], Any]) -> TrimCall:
    """Return the call of a compactor: `apply(messages, plan(messages seen, limit))`, on a new object each time."""

    def trim(items: list[Any], limit: Any, _count: Any) -> Any:
        compactor = make()
        return compactor.apply(items, compactor.plan(seen(items, limit), limit))

    return trim


def remembering(make: Callable[[Any], Any]) -> TrimCall:
    """Return the call of a memory: one new `make(limit)`, `add` for each message, then `view`."""

    def trim(items: list[Any], limit: Any, _count: Any) -> Any:
        memory = make(limit)
        for item in items:
            memory.add(item)
        return memory.view()

    return trim
