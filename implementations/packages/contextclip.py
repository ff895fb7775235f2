"""contextclip: drop half of what is not the tail, then summarise the rest of it; its own messages, role and content
alone.

Called as `await ContextClipper(budget_tokens=limit, tail_messages=2).recover(messages)`, the setting of its README,
with the summarizer it brings (no model). Its Message has no place for calls and ids: a call message gets their JSON
as content, and what comes back is known by identity. The summary is a system message; it is marked here as the
insertion that it is.

Budgets are in its own tokens, four characters each, and it aims at 70 % of them, so that within-limit is not promised
here. The README promises that the result "never touches the last tail_messages of the original list" (keeps-newest),
and nothing about tools. Licence MIT. Reports: none known.
"""

import json
from collections.abc import Callable
from typing import Any

from ..trimmer import Traced, Trimmer
from .pieces import MESSAGES, ById, MessagePart, rebuilt, summary
from .shared import about, finished, load, promised


def trimmers() -> list[Trimmer]:
    """Return the trimmer; raises ImportError without contextclip."""
    package = load("contextclip")

    def trim(items: list[Any], limit: int, _count: Callable[[Any], int]) -> Traced:
        known = ById()
        messages = [
            known.known(package.Message(item.role, _content(item)), MessagePart(index))
            for index, item in enumerate(items)
        ]
        result = finished(package.ContextClipper(budget_tokens=limit, tail_messages=2).recover(messages))
        kept = known.pieces(result.messages, lambda item: summary(item.role, item.content))
        whole = [one for piece in kept for one in _whole(items, piece)]
        return rebuilt(items, whole)

    return [
        Trimmer(
            "contextclip",
            trim,
            format=MESSAGES,
            limits=("tokens",),
            promises=promised("keeps-newest"),
            source="https://github.com/evanyan22/loopengine",
            **about("contextclip", licence="MIT", seen="0.0.3", calls="ContextClipper.recover with tail_messages=2"),
        )
    ]


def _content(item: Any) -> str:
    calls = [{"id": call.id, "name": call.name, "arguments": call.arguments} for call in item.calls]
    return (item.text or "") + (json.dumps(calls) if calls else "")


def _whole(items: list[Any], piece: Any) -> list[Any]:
    """Add its calls to a message that came back."""
    if not isinstance(piece, MessagePart):
        return [piece]
    return [piece, *(MessagePart(piece.source, position) for position in range(len(items[piece.source].calls)))]
