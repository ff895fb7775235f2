"""openai-agents-context-compaction: a session that hands out a window of OpenAI Responses items.

Called as `await LocalCompactionSession(session, window_size=limit).get_items()` (`window`) and with
`token_budget=limit` (`tokens`, in its own tokens: four characters each and four for an item). The session underneath
is an object with a list. Calls and their outputs are items of their own, so a limit counts them apart. Leading system
messages are instructions, which the Agents SDK never stores in a session: they are held back and put in front again.

The README promises that pairs are kept "atomically", and the module's documentation that the "original chronological
ordering is preserved" (order-preserved). Limits are soft by documentation, and a call without an output is dropped. A
ValueError for a token budget below 1 is documented. Licence MIT. Reports: none known; made for
openai/openai-agents-python #2244.
"""

from collections.abc import Callable
from typing import Any

from ...messages.model import SYSTEM_ROLES, Message, head_length
from ..trimmer import Traced, TrimCall, Trimmer
from .pieces import RESPONSES, ById, MessagePart, marker, rebuilt, taken_apart
from .shared import about, finished, load, promised, silent


class _Stored:
    """A session that holds a list of items."""

    session_id = "trimfuzz"

    def __init__(self, items: list[Any]) -> None:
        self._items = items

    async def get_items(self, limit: int | None = None) -> list[Any]:
        return list(self._items if limit is None else self._items[-limit:])


def trimmers() -> list[Trimmer]:
    """Return both limits; raises ImportError without openai-agents-context-compaction."""
    package = load("openai_agents_context_compaction")
    silent("openai_agents_context_compaction")

    def run(items: list[Message], **settings: int) -> Traced:
        known = ById()
        head = head_length(tuple(items))
        stored = [
            known.known(_item(piece, message), piece) for piece, message in taken_apart(items) if piece.source >= head
        ]
        kept = finished(package.LocalCompactionSession(_Stored(stored), **settings).get_items())
        return rebuilt(items, [*map(MessagePart, range(head)), *known.pieces(kept, _new)])

    def window(items: list[Message], limit: int, _count: Callable[[Any], int]) -> Traced:
        return run(items, window_size=limit)

    def tokens(items: list[Message], limit: int, _count: Callable[[Any], int]) -> Traced:
        return run(items, token_budget=limit)

    def adapted(name: str, kind: Any, trim: TrimCall, calls: str) -> Trimmer:
        return Trimmer(
            f"openai-agents-context-compaction-{name}",
            trim,
            format=RESPONSES,
            limits=(kind,),
            promises=promised("order-preserved"),
            source="https://github.com/damianoneill/openai-agents-context-compaction",
            **about("openai-agents-context-compaction", licence="MIT", seen="0.3.0", calls=calls),
        )

    return [
        adapted("window", "messages", window, "LocalCompactionSession(window_size=limit).get_items"),
        adapted("tokens", "tokens", tokens, "LocalCompactionSession(token_budget=limit).get_items"),
    ]


def _item(piece: MessagePart, message: Message) -> dict[str, Any]:
    if piece.call is not None:
        call = message.calls[piece.call]
        return {"type": "function_call", "call_id": call.id, "name": call.name, "arguments": call.arguments}
    text = message.text or ""
    if message.role == "tool":
        return {"type": "function_call_output", "call_id": message.call_id or "", "output": text}
    if message.role == "assistant":
        return {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": text}]}
    return {"role": "system" if message.role in SYSTEM_ROLES else "user", "content": text}


def _new(item: Any) -> Message:
    return marker("user", str(item))
