"""turnsafe: drop the oldest whole turns; plain OpenAI dicts, and a refusal where the newest turn does not fit.

Called as `fit(messages, limit, provider="openai", counter=count)`; `turnsafe-first-turn` with `keep_first_turn=True`.

The README promises the budget ("until the history fits in max_tokens"), that leading system and developer messages
are kept, and an error "if even the latest turn doesn't fit", so that the newest message is always there:
within-limit, keeps-system, keeps-newest. It documents ContextBudgetError, InvalidHistoryError for an input that
breaks the rules ("call repair() first"), and a ValueError for a budget that is not positive and for an empty call id:
all are refusals. Licence MIT. Reports: none known.
"""

from collections.abc import Callable
from functools import partial
from typing import Any

from ..trimmer import Trimmer
from .shared import PLAIN_DICTS, about, load, promised


class UnusableId(Exception):
    """turnsafe's documented ValueError for a call or result without a usable id."""


def trimmers() -> list[Trimmer]:
    """Return both settings; raises ImportError without turnsafe."""
    package = load("turnsafe")

    def trim(items: list[Any], limit: int, count: Callable[[Any], int], *, first: bool) -> Any:
        try:
            return package.fit(items, limit, provider="openai", counter=count, keep_first_turn=first)
        except ValueError as error:
            if "must be a non-empty string" in str(error):
                raise UnusableId(str(error)) from error
            raise

    return [
        Trimmer(
            name,
            partial(trim, first=first),
            format=PLAIN_DICTS,
            limits=("tokens",),
            promises=promised("within-limit", "keeps-system", "keeps-newest"),
            refuses=(package.ContextBudgetError, package.InvalidHistoryError, UnusableId),
            source="https://github.com/Yasir-Khan-7/turnsafe",
            **about("turnsafe", licence="MIT", seen="0.1.0", calls=f"fit with keep_first_turn={first}"),
        )
        for name, first in (("turnsafe", False), ("turnsafe-first-turn", True))
    ]
