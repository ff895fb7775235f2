"""ag2: middleware, policies and compactors that keep the last events of a conversation.

Called as `HistoryLimiter(limit)`, `TokenLimiter(limit)` (middleware: what reaches the model call is read),
`SlidingWindowPolicy(limit).apply(...)`, `TokenBudgetPolicy(limit).apply(...)` and
`TailWindowCompact(limit).compact(...)`. Its events are grouped: all results of a round are one event. Leading system
messages are the agent's prompt, which is no event: they are held back and put in front again; other system messages
have no place there and are user turns here.

The documentation of `_replay` promises a tail that "has to stand on its own", results with the calls they answer;
sizes are "a target, not a guarantee", and tokens are its own (four characters). So nothing is promised that does not
always count. A ValueError for limits below 1 is documented of the middleware. Licence Apache-2.0. Reports: none
known.
"""

from collections.abc import Callable, Sequence
from typing import Any

from ...messages.model import Message, head_length
from ..trimmer import Traced, TrimCall, Trimmer
from .pieces import MESSAGES, ById, MessagePart, marker, rebuilt, rounds
from .shared import about, finished, load


def trimmers() -> list[Trimmer]:
    """Return a trimmer for each; raises ImportError without ag2."""
    events_of, new_result = load("ag2.events"), load("ag2.events.tool_events").ToolResult
    builtin, policies, compactors = load("ag2.middleware.builtin"), load("ag2.policies"), load("ag2.compact")
    nothing: Any = None

    def written(members: Sequence[Message]) -> Any:
        message = members[0]
        if message.role == "tool":
            return events_of.ToolResultsEvent(
                [
                    events_of.ToolResultEvent(
                        parent_id=one.call_id or "", name=one.name, result=new_result(one.text or "")
                    )
                    for one in members
                ]
            )
        if message.role != "assistant":
            return events_of.ModelRequest.ensure_request([message.text or ""])
        text = events_of.ModelMessage(message.text or "") if message.text or not message.calls else None
        calls = [events_of.ToolCallEvent(call.name, id=call.id, arguments=call.arguments) for call in message.calls]
        return events_of.ModelResponse(text, tool_calls=events_of.ToolCallsEvent(calls))

    def run(items: list[Message], trim: Callable[[list[Any]], Any]) -> Traced:
        known = ById()
        head = head_length(tuple(items))
        events = [
            known.known(written(members), *_pieces(head + first, members)) for first, members in rounds(items[head:])
        ]
        kept = trim(events) if events else events
        return rebuilt(items, [*map(MessagePart, range(head)), *known.pieces(kept, _new)])

    def middleware(make: Callable[[int], Any]) -> TrimCall:
        def trim(items: list[Message], limit: int, _count: Callable[[Any], int]) -> Traced:
            seen: list[Any] = []

            async def model(events: Sequence[Any], _context: Any) -> Any:
                seen.extend(events)

            def through(events: list[Any]) -> list[Any]:
                finished(make(limit)(nothing, nothing).on_llm_call(model, events, nothing))
                return seen

            return run(items, through)

        return trim

    def policy(make: Callable[[int], Any]) -> TrimCall:
        return lambda items, limit, _count: run(
            items, lambda events: finished(make(limit).apply([], events, nothing))[1]
        )

    def tail_window(items: list[Message], limit: int, _count: Callable[[Any], int]) -> Traced:
        return run(items, lambda events: finished(compactors.TailWindowCompact(limit).compact(events, nothing, None)))

    def adapted(name: str, kind: Any, trim: TrimCall, calls: str) -> Trimmer:
        return Trimmer(
            f"ag2-{name}",
            trim,
            format=MESSAGES,
            limits=(kind,),
            source="https://github.com/ag2ai/ag2",
            **about("ag2", licence="Apache-2.0", seen="1.2.1", calls=calls),
        )

    return [
        adapted("history-limiter", "messages", middleware(builtin.HistoryLimiter), "HistoryLimiter.on_llm_call"),
        adapted("token-limiter", "tokens", middleware(builtin.TokenLimiter), "TokenLimiter.on_llm_call"),
        adapted("sliding-window", "messages", policy(policies.SlidingWindowPolicy), "SlidingWindowPolicy.apply"),
        adapted("token-budget", "tokens", policy(policies.TokenBudgetPolicy), "TokenBudgetPolicy.apply"),
        adapted("tail-window", "messages", tail_window, "TailWindowCompact.compact"),
    ]


def _pieces(first: int, members: Sequence[Message]) -> list[MessagePart]:
    if members[0].role == "tool":
        return [MessagePart(first + offset) for offset in range(len(members))]
    calls = [MessagePart(first, position) for position in range(len(members[0].calls))]
    return [MessagePart(first), *calls] if members[0].text or not calls else calls


def _new(event: Any) -> Message:
    return marker("user", str(event))
