"""What adapters share: a package's version, a trimmer's description, wrappers for functions that differ from ours."""

import logging
from collections.abc import Callable, Coroutine
from importlib import import_module
from importlib.metadata import version
from typing import Any, TypedDict, TypeVar

from attrs import evolve

from ...messages.formats.openai_chat import FORMAT as OPENAI_CHAT
from ..trimmer import Promises, TrimCall

Result = TypeVar("Result")

PLAIN_DICTS = evolve(OPENAI_CHAT, features=frozenset({"developer", "reasoning"}))
"""OpenAI chat dicts for a package that knows none of our marks: neither pins nor summaries are generated for it."""

CLASSIC_DICTS = evolve(OPENAI_CHAT, features=frozenset({"reasoning"}))
"""The same, for a package whose documentation knows the roles system, user, assistant and tool, and no `developer`."""


def promised(*names: str) -> Promises:
    """Return promises by name."""
    return dict.fromkeys(names, 1.0)


def load(module: str) -> Any:
    """Import a module of a package under test; raises ImportError without the package.

    By name, since the adapters are named after the packages and a type checker would find the adapter.
    """
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        if error.name != module.partition(".")[0]:
            raise
        extras = "trimfuzz[adapters] or trimfuzz[adapters-more]"
        raise ModuleNotFoundError(f"{error.name} is not installed; it comes with {extras}", name=error.name) from None


class About(TypedDict):
    """Two keywords of a `Trimmer`."""

    version: str
    story: str


def about(distribution: str, *, licence: str, seen: str, calls: str, reports: str = "none known") -> About:
    """Return the `version` and `story` of a trimmer, as keywords; raises ImportError without the package."""
    story = f"{distribution} ({licence}); versions seen: {seen}. Calls {calls}. Public reports: {reports}."
    return {"version": version(distribution), "story": story}


def positive_limits(trim: TrimCall, *, lowest: int = 1) -> TrimCall:
    """Wrap a function that documents a TypeError for limits below `lowest`: there it is a refusal, as ValueError
    would be.

    An empty history at such a limit has nothing to trim, and is not handed over.
    """

    def call(items: list[Any], limit: int, count: Callable[[Any], int]) -> Any:
        if limit >= lowest:
            return trim(items, limit, count)
        if not items:
            return items
        try:
            return trim(items, limit, count)
        except TypeError as error:
            raise ValueError(str(error)) from error

    return call


def remembering(count: Callable[[Any], int]) -> Callable[[list[Any]], int]:
    """Return a counter of lists that asks `count` once for each object, for trimmers that count the same again.

    Only for one call of a trimmer that edits no message, and makes none, while it counts.
    """
    known: dict[int, int] = {}

    def total(messages: list[Any]) -> int:
        found = 0
        for message in messages:
            size = known.get(id(message))
            if size is None:
                size = known[id(message)] = count(message)
            found += size
        return found

    return total


def finished(coroutine: Coroutine[Any, Any, Result]) -> Result:
    """Run a coroutine that waits for nothing, without an event loop; raises RuntimeError for one that does wait."""
    try:
        coroutine.send(None)
    except StopIteration as done:
        return done.value
    coroutine.close()
    raise RuntimeError("the package waited for something, which needs an event loop")


def silent(logger: str) -> None:
    """Keep a package's warnings off stderr where nobody has set up logging."""
    logging.getLogger(logger).addHandler(logging.NullHandler())
