"""What adapters share: a package's version, a trimmer's story, and the ways in which plain functions differ from
ours.
"""

from collections.abc import Callable
from importlib.metadata import version
from typing import Any, TypedDict

from attrs import evolve

from ...messages.formats import OPENAI_CHAT
from ..trimmer import Promises, TrimCall

PLAIN_DICTS = evolve(OPENAI_CHAT, carries=frozenset({"developer", "reasoning"}))
"""OpenAI chat dicts for a package that knows none of our marks: neither pins nor summaries are generated for it."""

CLASSIC_DICTS = evolve(OPENAI_CHAT, carries=frozenset({"reasoning"}))
"""The same, for a package whose documentation knows the roles system, user, assistant and tool, and no `developer`."""


def promised(*names: str) -> Promises:
    """Return promises by name."""
    return dict.fromkeys(names, 1.0)


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
