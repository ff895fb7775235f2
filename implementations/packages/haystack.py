"""haystack-ai: the compactors of its compaction hook, on its own chat messages.

Called as `compactor.compact(messages, target_tokens=limit, token_counter=...)`, None meaning unchanged, with the
counter in force. `sliding-window` has its default settings; `tool-results` prunes results of any size, with a short
placeholder; `sliding-window-bare` leaves no note and keeps no step (`omission_note=None`, `min_keep_steps=0`);
`summarization` asks a generator that needs no model. Notes, stubs and summaries carry `context_compaction` in their
meta, by which they are known here: a note or summary is declared, and a stub is the result that it stands for.

The docstrings protect "leading system messages and the latest user message" (keeps-system, keeps-latest-user) and
leave a note where messages were removed, with their number (no-silent-loss, truthful-marker: `sliding-window`).
`tool-results` keeps "the conversation's shape intact" and the newest results untouched: both of the former,
keeps-newest and order-preserved. The target is what they "should come in under", not a promise. Telemetry is switched
off before the package is imported. Licence Apache-2.0. Reports: none known.
"""

import os
import warnings
from collections.abc import Callable
from typing import Any

from attrs import evolve

from ...messages.model import Message
from ..trimmer import Traced, TrimCall, Trimmer
from .pieces import MESSAGES, ById, MessagePart, marker, rebuilt, summary
from .shared import about, load, promised, silent


class _Counter:
    """The counter in force: an original costs what its message costs, anything else what it reads as."""

    def __init__(self, count: Callable[[Any], int]) -> None:
        self._count = count
        self.cost: dict[int, int] = {}

    def count(self, messages: list[Any], tools: Any = None) -> int:
        del tools
        return sum([self._one(message) for message in messages])

    def _one(self, message: Any) -> int:
        known = self.cost.get(id(message))
        return self._count(_read(message)) if known is None else known


class _Generator:
    """A chat generator that needs no model."""

    def __init__(self, reply: Any) -> None:
        self._reply = reply

    def run(self, messages: list[Any]) -> dict[str, Any]:
        del messages
        return {"replies": [self._reply]}


def trimmers() -> list[Trimmer]:
    """Return a trimmer for each compactor; raises ImportError without haystack-ai."""
    os.environ.setdefault("HAYSTACK_TELEMETRY_ENABLED", "False")
    package, chat = load("haystack.hooks.compaction"), load("haystack.dataclasses")
    new, new_call = chat.ChatMessage, chat.ToolCall
    silent("haystack")
    make: dict[str, Any] = {"user": new.from_user, "system": new.from_system}

    def written(item: Message) -> Any:
        if item.role == "assistant":
            calls = [new_call(call.name, {}, id=call.id) for call in item.calls]
            return new.from_assistant(item.text, tool_calls=calls or None)
        if item.role == "tool":
            return new.from_tool(item.text or "", origin=new_call(item.name or "f", {}, id=item.call_id or ""))
        return make[item.role](item.text or "")

    def by(compactor: Any, read: Callable[[list[Message], list[Any], ById], Traced]) -> TrimCall:
        def trim(items: list[Message], limit: int, count: Callable[[Any], int]) -> Any:
            known, counter = ById(), _Counter(count)
            messages: list[Any] = []
            for index, item in enumerate(items):
                pieces = [MessagePart(index), *(MessagePart(index, position) for position in range(len(item.calls)))]
                messages.append(known.known(written(item), *pieces))
                counter.cost[id(messages[-1])] = count(item)
            kept = compactor.compact(messages, limit, counter)
            return items if kept is None else read(items, kept, known)

        return trim

    def adapted(name: str, compactor: Any, calls: str, *promises: str, read: Any = _shorter) -> Trimmer:
        return Trimmer(
            f"haystack-{name}",
            by(compactor, read),
            format=MESSAGES,
            limits=("tokens",),
            promises=promised("keeps-system", "keeps-latest-user", *promises),
            source="https://github.com/deepset-ai/haystack",
            **about("haystack-ai", licence="Apache-2.0", seen="3.4.1", calls=calls),
        )

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # each compactor says that it is experimental when it is made
        return [
            adapted(
                "sliding-window",
                package.SlidingWindowCompactor(),
                "SlidingWindowCompactor.compact",
                "no-silent-loss",
                "truthful-marker",
            ),
            adapted(
                "sliding-window-bare",
                package.SlidingWindowCompactor(min_keep_steps=0, omission_note=None),
                "SlidingWindowCompactor.compact with min_keep_steps=0 and no note",
            ),
            adapted(
                "tool-results",
                package.ToolResultPruningCompactor(min_tokens=0, placeholder="[removed]"),
                "ToolResultPruningCompactor.compact with min_tokens=0 and a short placeholder",
                "keeps-newest",
                "order-preserved",
                read=_same_shape,
            ),
            adapted(
                "summarization",
                package.SummarizationCompactor(_Generator(new.from_assistant("earlier messages"))),
                "SummarizationCompactor.compact",
            ),
        ]


def _shorter(items: list[Message], kept: list[Any], known: ById) -> Traced:
    return rebuilt(items, known.pieces(kept, _read))


def _same_shape(items: list[Message], kept: list[Any], _known: ById) -> Traced:
    """One message stands for each that was given; a stub of a result stands where the result stood."""
    messages = [
        evolve(item, text=message.tool_call_result.result) if item.role == "tool" and _is_stub(message) else item
        for item, message in zip(items, kept, strict=True)
    ]
    return Traced(messages, range(len(messages)))


def _is_stub(message: Any) -> bool:
    return "context_compaction" in message.meta


def _read(message: Any) -> Message:
    result = message.tool_call_result
    if result is not None:
        return Message("tool", str(result.result), call_id=result.origin.id)
    if message.meta.get("context_compaction", {}).get("strategy") == "summarization":
        return summary(message.role.value, message.text or "")
    return marker(message.role.value, message.text or "")
