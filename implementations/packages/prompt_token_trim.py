"""prompt-token-trim-py: accept each message that still fits, by priority; plain OpenAI dicts.

Called as `trim(messages, limit).messages`. Messages carry no priority here, so they are accepted oldest first, and
one that does not fit is skipped. The output holds copies.

Budgets are in its own tokens, four characters of text each (`content: null` reads as none), so that within-limit is
not promised here. The README promises that kept messages come "in their original order" (order-preserved) and that
system messages are kept even if they do not fit (keeps-system; it knows no developer messages). A TypeError for a
negative budget, with its message, is a refusal. Licence MIT. Reports: none known.
"""

from collections.abc import Callable
from typing import Any

from ..trimmer import Trimmer
from .shared import CLASSIC_DICTS, about, load, positive_limits, promised


def trimmers() -> list[Trimmer]:
    """Return the trimmer; raises ImportError without prompt-token-trim-py."""
    package = load("prompt_token_trim")

    def trim(items: list[Any], limit: int, _count: Callable[[Any], int]) -> Any:
        return package.trim(items, limit).messages

    return [
        Trimmer(
            "prompt-token-trim-py",
            positive_limits(trim, lowest=0),
            format=CLASSIC_DICTS,
            limits=("tokens",),
            promises=promised("keeps-system", "order-preserved"),
            source="https://github.com/MukundaKatta/prompt-token-trim-py",
            **about("prompt-token-trim-py", licence="MIT", seen="0.1.0", calls="trim with its default settings"),
        )
    ]
