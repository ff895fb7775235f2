"""ctx-slim: replace old tool results by a stub where that pays off; plain OpenAI dicts.

Called as `apply(messages, plan(messages, horizon=30))`, the calls of its README, and (`ctx-slim-aligned`) through
`CacheAlignedContext`, which never touches the first 1,024 tokens. It takes no limit. A stub keeps role and id, so the
adapter says of which result it is the stub.

The README promises nothing by rule but that no edit splits a call from its result; the presets' documentation that
the two most recent messages are never touched (keeps-newest). Licence MIT. Reports: none known.
"""

from collections.abc import Callable
from typing import Any

from ..trimmer import Traced, TrimCall, Trimmer
from .shared import PLAIN_DICTS, about, load, promised


def trimmers() -> list[Trimmer]:
    """Return both ways; raises ImportError without ctx-slim."""
    package = load("context_slim")

    def traced(items: list[Any], messages: list[Any]) -> Traced:
        # apply() returns a dict for every message, in order.
        kept = [item if item == message else message for item, message in zip(items, messages, strict=True)]
        return Traced(kept, range(len(kept)))

    def plain(items: list[Any], _limit: object, _count: Callable[[Any], int]) -> Traced:
        return traced(items, package.apply(items, package.plan(items, horizon=30))[0])

    def aligned(items: list[Any], _limit: object, _count: Callable[[Any], int]) -> Traced:
        context = package.CacheAlignedContext(items)
        return traced(items, context.apply(context.plan(horizon=30))[0])

    def adapted(name: str, trim: TrimCall, calls: str) -> Trimmer:
        return Trimmer(
            name,
            trim,
            format=PLAIN_DICTS,
            takes_limit=False,
            promises=promised("keeps-newest"),
            source="https://github.com/Ramtin2000/context-slim",
            **about("ctx-slim", licence="MIT", seen="0.1.1", calls=calls),
        )

    return [
        adapted("ctx-slim", plain, "plan(horizon=30) and apply"),
        adapted("ctx-slim-aligned", aligned, "CacheAlignedContext with horizon=30"),
    ]
