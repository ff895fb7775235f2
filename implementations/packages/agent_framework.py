"""agent-framework-core: its compaction strategies, each through `apply_compaction`.

Its messages are grouped: all results of a round are one tool message. Strategies work on groups and write annotations
into the messages they are given, "in place" by contract; the projection that `apply_compaction` returns is what is
sent, and what is read here. Tokens are counted by its own CharacterEstimatorTokenizer over its own JSON, so limits in
tokens do not mean what they mean elsewhere. `summarization` calls a client that needs no model; summaries are marked
here as insertions.

The docstrings promise "never partial tool-call groups" and keep "system groups" (keeps-system: truncation,
sliding-window), say that SelectiveToolCall "does not change non-tool-call groups" (keeps-system, keeps-latest-user),
and that the token budget keeps "the minimum group needed for a non-empty projection" (nonempty-history). What must
stay may exceed any limit. A ValueError for limits that are too small is documented. It knows no developer messages.
Licence MIT. Reports: none known.
"""

from collections.abc import Callable, Sequence
from typing import Any

from ...messages.model import Message
from ..trimmer import Traced, TrimCall, Trimmer
from .pieces import MESSAGES, ById, MessagePart, rebuilt, rounds, summary
from .shared import about, finished, load, promised, silent


class _Client:
    """A chat client that answers with a summary, and counts nothing."""

    def __init__(self, response: Any) -> None:
        self._response = response

    async def get_response(self, _messages: Any, **_options: Any) -> Any:
        return self._response


def trimmers() -> list[Trimmer]:
    """Return a trimmer for each strategy; raises ImportError without agent-framework-core."""
    package = load("agent_framework")
    silent("agent_framework")
    tokenizer = package.CharacterEstimatorTokenizer()
    client = _Client(package.ChatResponse(messages=[package.Message("assistant", ["earlier messages"])]))

    def run(items: list[Message], strategy: Any, tokens: Any = None) -> Traced:
        known = ById()
        messages = [
            known.known(_written(package, members), *_pieces(first, members)) for first, members in rounds(items)
        ]
        kept = finished(package.apply_compaction(messages, strategy=strategy, tokenizer=tokens))
        return rebuilt(items, known.pieces(kept, lambda message: summary(message.role, message.text)))

    def by_messages(make: Callable[[int], Any]) -> TrimCall:
        return lambda items, limit, _count: run(items, make(limit))

    def by_tokens(make: Callable[[int], Any]) -> TrimCall:
        return lambda items, limit, _count: run(items, make(limit), tokenizer)

    def token_budget(limit: int) -> Any:
        strategies = [package.SlidingWindowStrategy(keep_last_groups=4)]
        return package.TokenBudgetComposedStrategy(token_budget=limit, tokenizer=tokenizer, strategies=strategies)

    def adapted(name: str, trim: TrimCall, calls: str, *promises: str, **given: Any) -> Trimmer:
        return Trimmer(
            f"agent-framework-{name}",
            trim,
            format=MESSAGES,
            promises=promised(*promises),
            source="https://github.com/microsoft/agent-framework",
            **about("agent-framework-core", licence="MIT", seen="1.23.0", calls=calls),
            **given,
        )

    return [
        adapted(
            "truncation",
            by_messages(lambda limit: package.TruncationStrategy(max_n=limit, compact_to=limit)),
            "TruncationStrategy",
            "keeps-system",
            limits=("messages", "tokens"),
            per_kind={
                "tokens": by_tokens(
                    lambda limit: package.TruncationStrategy(max_n=limit, compact_to=limit, tokenizer=tokenizer)
                )
            },
        ),
        adapted(
            "sliding-window",
            by_messages(lambda limit: package.SlidingWindowStrategy(keep_last_groups=limit)),
            "SlidingWindowStrategy, whose limit counts groups",
            "keeps-system",
        ),
        adapted(
            "selective-tools",
            by_messages(lambda limit: package.SelectiveToolCallCompactionStrategy(keep_last_tool_call_groups=limit)),
            "SelectiveToolCallCompactionStrategy, whose limit counts tool groups",
            "keeps-system",
            "keeps-latest-user",
        ),
        adapted(
            "tool-results",
            by_messages(lambda limit: package.ToolResultCompactionStrategy(keep_last_tool_call_groups=limit)),
            "ToolResultCompactionStrategy, whose limit counts tool groups",
        ),
        adapted(
            "summarization",
            by_messages(lambda limit: package.SummarizationStrategy(client=client, target_count=limit, threshold=0)),
            "SummarizationStrategy with threshold=0",
        ),
        adapted(
            "token-budget",
            by_tokens(token_budget),
            "TokenBudgetComposedStrategy over SlidingWindowStrategy(keep_last_groups=4)",
            "nonempty-history",
            limits=("tokens",),
        ),
    ]


def _written(package: Any, members: Sequence[Message]) -> Any:
    content, native = package.Content, package.Message
    message = members[0]
    if message.role == "tool":
        return native(
            "tool", [content.from_function_result(one.call_id or "", result=one.text or "") for one in members]
        )
    contents = [content.from_text(message.text or "")] if message.text or not message.calls else []
    contents += [content.from_function_call(call.id, call.name, arguments=call.arguments) for call in message.calls]
    return native(message.role, contents)


def _pieces(first: int, members: Sequence[Message]) -> list[MessagePart]:
    if members[0].role == "tool":
        return [MessagePart(first + offset) for offset in range(len(members))]
    message = members[0]
    calls = [MessagePart(first, position) for position in range(len(message.calls))]
    return [MessagePart(first), *calls] if message.text or not calls else calls
