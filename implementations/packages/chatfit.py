"""chatfit: keep the newest turns, condense the rest into a summary; plain OpenAI dicts.

Called as `fit(messages, limit).messages` with the summarizer it brings (no model). The summary is a system message
that chatfit puts behind the pinned ones; it is marked here as the insertion that it is.

Budgets are in chatfit's own tokens, 1.3 a word and some for each message, so that limits do not mean what they mean
elsewhere and within-limit is not promised here ("guaranteed to fit" is, in its README, in its own count). With
tiktoken installed it would count with that, and fetch a vocabulary from the network; it is kept from doing so while
it runs, which also saves an attempt to import it for every text. The README promises that the system prompt is "never
dropped" (keeps-system; it knows no developer messages), and nothing about tools. A ValueError for a budget below 1 is
documented. Licence MIT. Reports: none known.
"""

from collections.abc import Callable
from typing import Any

from ..trimmer import Trimmer
from .shared import CLASSIC_DICTS, about, load, promised


def trimmers() -> list[Trimmer]:
    """Return the trimmer; raises ImportError without chatfit."""
    package, tokens = load("chatfit"), load("chatfit.tokens")

    def trim(items: list[Any], limit: int, _count: Callable[[Any], int]) -> Any:
        given = {id(item) for item in items}
        before = tokens._tiktoken_encoder
        tokens._tiktoken_encoder = _no_encoder
        try:
            messages = package.fit(items, limit).messages
        finally:
            tokens._tiktoken_encoder = before
        return [item if id(item) in given else {**item, "summary": True} for item in messages]

    return [
        Trimmer(
            "chatfit",
            trim,
            format=CLASSIC_DICTS,
            limits=("tokens",),
            promises=promised("keeps-system"),
            source="https://github.com/ananditasinghh/chatfit",
            **about("chatfit", licence="MIT", seen="0.4.0", calls="fit with its default settings, counting words"),
        )
    ]


def _no_encoder(_model: str) -> None:
    return None
