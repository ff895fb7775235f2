"""codebuff (freebuff): remove oldest messages until half of the budget is gone; a placeholder for each run of them.

Upstream: CodebuffAI/freebuff, `packages/agent-runtime/src/util/messages.ts`. Before the fix (PR #1292) nothing looks
at pairs; the fix removes results of calls that the trim removed, by id. Two guards that upstream runs later are here
too: `drop_unanswered` and the older `filter_unfinished`. Written from a description of the behaviour, not from the
source.
"""

from collections.abc import Callable, Sequence

from attrs import evolve

from ...messages.formats.neutral import neutral_format
from ...messages.model import Call, Message
from ..trimmer import Trimmer

PLACEHOLDER = Message(
    "user", "<system>Previous message(s) omitted due to length</system>", extra={"inserted": "placeholder"}
)
TERMINAL = "run_terminal_command"
FULL_TERMINALS = 5
SHRINK = 0.5

FORMAT = neutral_format(("keep", "reasoning", "provider_executed"))

Tokens = Callable[[Message], int]


def simplified(message: Message) -> Message:
    """Return a terminal result without its output; one that failed or still runs stays as it is."""
    if message.extra.get("simplified") or "processId" in message.extra or "errorMessage" in message.extra:
        return message
    return evolve(message, text=None, extra={**message.extra, "simplified": True})


def shorten(messages: Sequence[Message]) -> list[Message]:
    """Return the messages with all but the five newest terminal results simplified."""
    kept = 0
    found: list[Message] = []
    for message in reversed(messages):
        if message.role == "tool" and message.name == TERMINAL:
            short = simplified(message)
            if kept < FULL_TERMINALS and short is not message:
                kept += 1
            else:
                message = short
        found.append(message)
    return found[::-1]


def trim_messages(messages: list[Message], limit: int, tokens: Tokens, *, drop_orphans: bool) -> list[Message]:
    """Trim to (about half of) what the kept messages leave of `limit` tokens; below it return the very list given.

    `limit` is upstream's maximum less the tokens of the system prompt. `drop_orphans` is the fix. The result may be
    over the limit: what has to go is measured against the budget, not against the excess.
    """
    if sum(map(tokens, messages)) < limit:
        return messages
    short = shorten(messages)
    must = sum(tokens(message) for message in short if message.keep_during_truncation)
    target = (limit - must) * SHRINK
    removed = 0
    placeholder = evolve(
        PLACEHOLDER
    )  # a new object: one that an earlier trim left in the list is a message like any other
    found: list[Message] = []
    for message in short:
        if removed >= target or message.keep_during_truncation:
            found.append(message)
            continue
        removed += tokens(message)
        if not found or found[-1] is not placeholder:
            found.append(placeholder)
            removed -= tokens(placeholder)
    if not drop_orphans:
        return found
    gone = _client_ids(messages) - _client_ids(found)
    return [message for message in found if not (message.role == "tool" and message.call_id in gone)]


def _client_ids(messages: Sequence[Message]) -> set[str]:
    return {call.id for message in messages for call in message.calls if not call.provider_executed}


def drop_unanswered(messages: list[Message]) -> list[Message]:
    """Remove client calls that no result answers before the next user or system message; results always stay.

    One result answers every pending call of its id. An assistant left with nothing disappears. With nothing to remove
    the very list given is returned. (Upstream: `dropUnansweredToolCalls`.)
    """
    pending: dict[str, list[tuple[int, int]]] = {}
    bad: set[tuple[int, int]] = set()
    for index, message in enumerate(messages):
        if message.role == "assistant":
            for position, call in enumerate(message.calls):
                if not call.provider_executed:
                    pending.setdefault(call.id, []).append((index, position))
        elif message.role == "tool":
            pending.pop(message.call_id or "", None)
        else:
            bad.update(place for places in pending.values() for place in places)
            pending.clear()
    bad.update(place for places in pending.values() for place in places)
    if not bad:
        return messages
    return _without_calls(messages, lambda index, position, _call: (index, position) in bad)


def filter_unfinished(messages: list[Message]) -> list[Message]:
    """Remove calls whose id no result anywhere names, provider-executed ones too.

    An assistant left with nothing disappears. (Upstream: `filterUnfinishedToolCalls`, the guard of an older version.)
    """
    answered = {message.call_id for message in messages if message.role == "tool"}
    return _without_calls(messages, lambda _index, _position, call: call.id not in answered)


def _without_calls(messages: Sequence[Message], bad: Callable[[int, int, Call], bool]) -> list[Message]:
    found: list[Message] = []
    for index, message in enumerate(messages):
        calls = tuple(call for position, call in enumerate(message.calls) if not bad(index, position, call))
        if len(calls) == len(message.calls):
            found.append(message)
        elif calls or message.text or message.reasoning:
            found.append(evolve(message, calls=calls))
    return found


Guard = Callable[[list[Message]], list[Message]]
GUARDS: dict[str, tuple[Guard, str]] = {
    "drop-unanswered": (drop_unanswered, "dropUnansweredToolCalls"),
    "filter-unfinished": (filter_unfinished, "filterUnfinishedToolCalls, the older guard"),
}
_ALWAYS = {"order-preserved": 1.0, "deterministic": 1.0}


def _registered(
    name: str, version: str, story: str, trim: Callable[[list[Message], int, Tokens], list[Message]]
) -> Trimmer:
    return Trimmer(
        name,
        trim,
        format=FORMAT,
        marks=True,
        limits=("tokens",),
        promises={**_ALWAYS, "keeps-pinned": 1.0} if name == "codebuff-pre" else _ALWAYS,
        version=version,
        source="https://github.com/CodebuffAI/freebuff",
        story=f"CodebuffAI/freebuff, packages/agent-runtime/src/util/messages.ts, {story}; licence unknown. "
        "Ported from a description. A result over the limit is upstream's normal case.",
    )


def _variant(version: str, story: str, drop_orphans: bool) -> list[Trimmer]:
    def trim(items: list[Message], limit: int, count: Tokens) -> list[Message]:
        return trim_messages(items, limit, count, drop_orphans=drop_orphans)

    def guarded(guard: Guard) -> Callable[[list[Message], int, Tokens], list[Message]]:
        return lambda items, limit, count: guard(trim(items, limit, count))

    found = [_registered(f"codebuff-{version}", version, f"trimMessagesToFitTokenLimit {story}", trim)]
    for name, (guard, upstream) in GUARDS.items():
        whole = f"trimMessagesToFitTokenLimit {story}, then {upstream}"
        found.append(_registered(f"codebuff-{version}+{name}", version, whole, guarded(guard)))
    return found


def _alone(guard: Guard) -> Callable[[list[Message], int, Tokens], list[Message]]:
    return lambda items, _limit, _count: guard(items)


def trimmers() -> list[Trimmer]:
    """Return the trim before and after the fix, each guard, and the trim followed by each guard."""
    return [
        *_variant("pre", "before the fix", drop_orphans=False),
        *_variant("post", "as fixed in PR #1292, commit bce94345", drop_orphans=True),
        *(
            _registered(f"codebuff-{name}", "guard", f"{upstream}, which takes no limit", _alone(guard))
            for name, (guard, upstream) in GUARDS.items()
        ),
    ]
