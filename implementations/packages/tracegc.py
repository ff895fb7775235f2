"""tracegc: remove duplicate calls and superseded state, without a budget; plain OpenAI dicts.

Called as `compact(messages, cache=SemanticCache()).messages`: the cache of extracted facts is a fresh one for each
call, since the default one is shared by all calls of a process, grows, and keeps the time of the first message with a
text: an earlier history then decides which of two values of a later one is the newer. It takes no limit.

The README promises a "deterministic" compaction (deterministic), with what is pruned recoverable through receipts,
which a list of messages does not show. Licence Apache-2.0. Reports: none known.
"""

from collections.abc import Callable
from typing import Any

from ..trimmer import Trimmer
from .shared import CLASSIC_DICTS, about, load, promised, silent


def trimmers() -> list[Trimmer]:
    """Return the trimmer; raises ImportError without tracegc."""
    package, new_cache = load("tracegc"), load("tracegc.api").SemanticCache
    silent("tracegc")

    def trim(items: list[Any], _limit: object, _count: Callable[[Any], int]) -> Any:
        return package.compact(items, cache=new_cache()).messages

    return [
        Trimmer(
            "tracegc",
            trim,
            format=CLASSIC_DICTS,
            takes_limit=False,
            promises=promised("deterministic"),
            source="https://github.com/tracegc/tracegc",
            **about("tracegc", licence="Apache-2.0", seen="0.6.0", calls="compact with its default settings"),
        )
    ]
