"""Call compactors and memories as plain functions, so that one case runs them from start to end.

A compactor plans on the messages that existed when its point was computed, and applies the plan to all messages. A
memory gets one message after another and is asked for its view at the end; each case gets a new memory. The parts of
the call are public, so that `sessions` can run them step by step.
"""

from collections.abc import Callable
from inspect import isawaitable
from typing import Any, TypeAlias

from attrs import frozen

from ..messages.limits import Limit

Plan: TypeAlias = Callable[[list[Any], Any, Any], Any]
Apply: TypeAlias = Callable[[list[Any], Any], Any]
ReadList: TypeAlias = Callable[[], Any]


def seen(items: list[Any], limit: Any) -> list[Any]:
    """Return what a plan is made from: a compaction point may have been computed when the history was shorter."""
    early = isinstance(limit, Limit) and limit.length is not None and limit.length < len(items)
    return items[: limit.length] if early else items


@frozen
class Compacting:
    """The call of a compactor: `make()` returns the `plan(messages, limit, count)` and the `apply(messages, plan)` of a
    new one. With `asynchronous` the call is a coroutine.
    """

    make: Callable[[], tuple[Plan, Apply]]
    asynchronous: bool = False

    def __call__(self, items: list[Any], limit: Any, count: Any) -> Any:
        """Plan on what the limit has seen, and apply the plan to all of it."""
        plan, apply = self.make()
        if self.asynchronous:
            return self._later(plan, apply, items, limit, count)
        return apply(items, plan(seen(items, limit), limit, count))

    async def _later(self, plan: Plan, apply: Apply, items: list[Any], limit: Any, count: Any) -> Any:
        return await finished(apply(items, await finished(plan(seen(items, limit), limit, count))))


@frozen
class Remembering:
    """The call of a memory: `make(limit, count)` returns a new one and its view. With `asynchronous` it is a
    coroutine.
    """

    make: Callable[[Any, Any], tuple[Any, ReadList]]
    asynchronous: bool = False

    def __call__(self, items: list[Any], limit: Any, count: Any) -> Any:
        """Tell a new memory every message, and return its view."""
        memory, view = self.make(limit, count)
        if self.asynchronous:
            return self._later(memory, view, items)
        for item in items:
            memory.add(item)
        return view()

    async def _later(self, memory: Any, view: ReadList, items: list[Any]) -> Any:
        for item in items:
            await finished(memory.add(item))
        return await finished(view())


async def finished(answer: Any) -> Any:
    """Return an answer, waited for where it has to be."""
    return await answer if isawaitable(answer) else answer


def compacting(make: Callable[[], Any]) -> Compacting:
    """Return the call of a compactor whose class is `make`; it plans by `plan(messages, limit)`."""

    def parts() -> tuple[Plan, Apply]:
        compactor = make()
        return lambda items, limit, _count: compactor.plan(items, limit), compactor.apply

    return Compacting(parts)


def remembering(make: Callable[[Any], Any]) -> Remembering:
    """Return the call of a memory whose class is `make`; it takes the limit."""

    def parts(limit: Any, _count: Any) -> tuple[Any, ReadList]:
        memory = make(limit)
        return memory, memory.view

    return Remembering(parts)
