"""agentic-context-compaction: its four generic strategies, which work on any list of messages; plain OpenAI dicts.

Called as `await Strategy(...).compact(messages, limit, counter)`. `recent` is KeepRecentMessages(keep_count=limit),
`first-last` KeepFirstLast(keep_first=1, keep_last=limit-1), both by messages; `drop-oldest` is DropOldestUntilFits()
and `window` SlidingWindow(), both by tokens with the counter in force and the settings they have.

The docstrings promise "keep only the N most recent messages", "keep first N and last M messages, drop the middle" and
to keep "recent messages within token budget": within-limit for those three. DropOldestUntilFits documents that two
messages always stay. None speaks of tools. Licence MIT. Reports: none known.
"""

from collections.abc import Callable
from typing import Any

from ..trimmer import TrimCall, Trimmer
from .shared import PLAIN_DICTS, about, finished, load, promised, remembering


class _Counter:
    """The counter in force, as the package's TokenCounter."""

    def __init__(self, count: Callable[[Any], int]) -> None:
        self.count_messages = remembering(count)
        self.count_single = count


def trimmers() -> list[Trimmer]:
    """Return a trimmer for each strategy; raises ImportError without agentic-context-compaction."""
    generic = load("context_compactor.strategies.generic")

    def compacted(strategy: Any, items: list[Any], limit: int, count: Callable[[Any], int]) -> Any:
        return finished(strategy.compact(items, limit, _Counter(count)))

    def recent(items: list[Any], limit: int, count: Callable[[Any], int]) -> Any:
        return compacted(generic.KeepRecentMessages(keep_count=limit), items, limit, count)

    def first_last(items: list[Any], limit: int, count: Callable[[Any], int]) -> Any:
        first = min(max(limit, 0), 1)
        return compacted(generic.KeepFirstLast(keep_first=first, keep_last=max(limit - 1, 0)), items, limit, count)

    def drop_oldest(items: list[Any], limit: int, count: Callable[[Any], int]) -> Any:
        return compacted(generic.DropOldestUntilFits(), items, limit, count)

    def window(items: list[Any], limit: int, count: Callable[[Any], int]) -> Any:
        return compacted(generic.SlidingWindow(), items, limit, count)

    def adapted(name: str, kind: Any, trim: TrimCall, calls: str, *promises: str) -> Trimmer:
        return Trimmer(
            f"agentic-context-compaction-{name}",
            trim,
            format=PLAIN_DICTS,
            limits=(kind,),
            promises=promised(*promises),
            source="https://github.com/cm2435/agentic_context_compaction",
            **about("agentic-context-compaction", licence="MIT", seen="0.1.0", calls=calls),
        )

    return [
        adapted("recent", "messages", recent, "KeepRecentMessages(keep_count=limit)", "within-limit"),
        adapted("first-last", "messages", first_last, "KeepFirstLast(1, limit - 1)", "within-limit"),
        adapted("drop-oldest", "tokens", drop_oldest, "DropOldestUntilFits()"),
        adapted("window", "tokens", window, "SlidingWindow()", "within-limit"),
    ]
