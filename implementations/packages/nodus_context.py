"""nodus-context: drop old tool traffic, or the middle; its own messages, where each call is a message.

Called as `DropToolInternalsStrategy(keep_last_pairs=limit).compact(messages)` (`drop-internals`), as
`ContextWindow.guard_tool_results(keep_last=limit)` (`guard`), where the limit counts results, and as
`SummarizeStrategy(keep_first=1, keep_last=limit-2)` (`summarize`), where it counts messages with the placeholder it
inserts.

The docstrings of the first two promise to preserve all user and assistant turns (keeps-latest-user), the first also
system messages (keeps-system). `summarize` promises nothing about tools: "keep head + tail, replace middle". It knows
the roles user, assistant, system. With tiktoken installed only `count_tokens` would fetch a vocabulary; it is not
called here. Licence MIT. Reports: none known.
"""

from collections.abc import Callable
from typing import Any

from ..trimmer import Traced, TrimCall, Trimmer
from .pieces import MESSAGES, ById, rebuilt, summary, taken_apart
from .shared import about, load, promised


def trimmers() -> list[Trimmer]:
    """Return a trimmer for each strategy; raises ImportError without nodus-context."""
    package = load("nodus_context")

    def run(items: list[Any], compact: Callable[[list[Any]], list[Any]]) -> Traced:
        known = ById()
        messages: list[Any] = []
        for piece, message in taken_apart(items):
            if piece.call is not None:
                call = message.calls[piece.call]
                made = package.ContextMessage("tool_use", {"name": call.name, "input": call.arguments}, 1, call.id)
            elif message.role == "tool":
                made = package.ContextMessage("tool_result", message.text or "", 1, message.call_id)
            else:
                made = package.ContextMessage(message.role, message.text or "", 1)
            messages.append(known.known(made, piece))
        return rebuilt(items, known.pieces(compact(messages), lambda item: summary(item.role, item.content)))

    def drop_internals(items: list[Any], limit: int, _count: Callable[[Any], int]) -> Traced:
        return run(items, package.DropToolInternalsStrategy(keep_last_pairs=limit).compact)

    def summarize(items: list[Any], limit: int, _count: Callable[[Any], int]) -> Traced:
        return run(items, package.SummarizeStrategy(keep_first=1, keep_last=limit - 2).compact)

    def guard(items: list[Any], limit: int, _count: Callable[[Any], int]) -> Traced:
        def guarded(messages: list[Any]) -> list[Any]:
            window = package.ContextWindow(package.ContextBudget(max_tokens=1_000_000))
            for message in messages:
                window.add_force(message)
            window.guard_tool_results(keep_last=max(limit, 0))
            return window.messages()

        return run(items, guarded)

    def adapted(name: str, trim: TrimCall, calls: str, *promises: str) -> Trimmer:
        return Trimmer(
            f"nodus-context-{name}",
            trim,
            format=MESSAGES,
            limits=("messages",),
            promises=promised(*promises),
            source="https://github.com/Masterplanner25/nodus-context",
            **about("nodus-context", licence="MIT", seen="0.1.0", calls=calls),
        )

    return [
        adapted("drop-internals", drop_internals, "DropToolInternalsStrategy", "keeps-system", "keeps-latest-user"),
        adapted("guard", guard, "ContextWindow.guard_tool_results", "keeps-latest-user"),
        adapted("summarize", summarize, "SummarizeStrategy without a summary function"),
    ]
