"""ctx-compact: drop the middle, oldest first, in groups of a call message and its results; plain OpenAI dicts.

Called as `compact(messages, max_tokens=limit, count_tokens=count).messages`. `ctx-compact` has the default settings
(`keep_head=1`, `keep_tail=4`), `ctx-compact-tight` keeps one message at either end; `ctx-compact-summary` is
`compact_with_summary` with a one-line summary, which is a user message and is marked here as the insertion that it
is.

The README promises that groups are kept or dropped whole, that input within the budget "is returned unchanged"
(identity-under-limit), and that the last `keep_tail` messages are always kept (keeps-newest). It does not promise the
budget: what is protected may exceed it, and `fits` says so. It documents a TypeError for a budget that is not
positive, which counts as a refusal. Its messages have the roles system, user, assistant and tool. Licence MIT.
Reports: none known.
"""

from collections.abc import Callable
from typing import Any

from ..trimmer import TrimCall, Trimmer
from .shared import CLASSIC_DICTS, about, load, positive_limits, promised


def trimmers() -> list[Trimmer]:
    """Return the three settings; raises ImportError without ctx-compact."""
    package = load("ctx_compact")

    def default(items: list[Any], limit: int, count: Callable[[Any], int]) -> Any:
        return package.compact(items, max_tokens=limit, count_tokens=count).messages

    def tight(items: list[Any], limit: int, count: Callable[[Any], int]) -> Any:
        return package.compact(items, max_tokens=limit, count_tokens=count, keep_head=1, keep_tail=1).messages

    def summary(items: list[Any], limit: int, count: Callable[[Any], int]) -> Any:
        given = {id(item) for item in items}
        result = package.compact_with_summary(
            items, max_tokens=limit, count_tokens=count, keep_head=1, keep_tail=1, summarize=_summarize
        )
        return [item if id(item) in given else {**item, "summary": True} for item in result.messages]

    def adapted(name: str, trim: TrimCall, calls: str) -> Trimmer:
        return Trimmer(
            name,
            positive_limits(trim),
            format=CLASSIC_DICTS,
            limits=("tokens",),
            promises=promised("identity-under-limit", "keeps-newest"),
            source="https://github.com/pjdurden/ctx-compact",
            **about("ctx-compact", licence="MIT", seen="0.1.0", calls=calls),
        )

    return [
        adapted("ctx-compact", default, "compact with its default settings"),
        adapted("ctx-compact-tight", tight, "compact with keep_head=1, keep_tail=1"),
        adapted("ctx-compact-summary", summary, "compact_with_summary with keep_head=1, keep_tail=1"),
    ]


def _summarize(dropped: list[Any]) -> str:
    return f"{len(dropped)} earlier messages were removed."
