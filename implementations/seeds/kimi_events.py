"""kimi-code: a history that is replayed from events, and compaction by a recorded index.

Upstream: MoonshotAI/kimi-code, `packages/agent-core/src/agent/{context,compaction}` (TypeScript). `pre` (about 0.19.1)
cuts by the recorded number, wherever that falls, and lets results of calls that it dropped arrive later. `pr1054`
strips results that lead what is left. `post` and `head` keep only what the user said; a record of an older version is
still cut by its number. Written from a description of the behaviour, not from the source.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal, TypeAlias

from attrs import define, evolve, field

from ...messages.model import Call, Message
from .kimi_projection import ERROR

Event: TypeAlias = Mapping[str, Any]
"""`type` is user, injection, raw_tool (text, call_id), step (text, calls), result (call_id, text) or compact (count,
summary); `message`, where there is one, is what is stored instead of a new one."""
Variant: TypeAlias = Literal["pre", "pr1054", "post", "head"]
Mode: TypeAlias = Literal["restore", "live"]

INTERRUPTED = (
    "Tool execution was interrupted before its result was recorded. Do not assume the tool completed successfully."
)
KEPT_TOKENS, HEAD_TOKENS, TAIL_TOKENS = 20_000, 2_000, 18_000
ELIDED = "[earlier input left out]"


@define
class _Context:
    """The history while events are applied. `pending` are call ids that wait; `deferred` waits until none does."""

    variant: Variant
    mode: Mode
    history: list[Message] = field(factory=list[Message])
    pending: list[str] = field(factory=list[str])
    deferred: list[Message] = field(factory=list[Message])

    def append(self, message: Message) -> None:
        (self.deferred if self.pending else self.history).append(message)

    def flush(self) -> None:
        if not self.pending:
            self.history.extend(self.deferred)
            self.deferred.clear()

    def step(self, message: Message) -> None:
        self.close()
        self.history.append(message)
        self.pending.extend(call.id for call in message.calls if call.id not in self.pending)

    def result(self, message: Message) -> None:
        if message.call_id in self.pending:
            self.history.append(message)
            self.pending.remove(message.call_id)
            self.flush()

    def close(self) -> None:
        """Answer every pending call with an error that was made up."""
        self.history.extend(map(self._interrupted, self.pending))
        self.pending.clear()
        self.flush()

    def _interrupted(self, call_id: str) -> Message:
        if self.variant == "head":  # the error is rendered when the history is projected
            return Message("tool", INTERRUPTED, call_id=call_id, extra={"is_error": True, "inserted": True})
        return Message("tool", ERROR + INTERRUPTED, call_id=call_id, extra={"inserted": True})

    def compact(self, count: int, summary: str) -> None:
        early = self.variant in ("pre", "pr1054")
        stands_for = Message(
            "assistant" if early else "user", summary, summary=True, extra={"origin": "compaction_summary"}
        )
        if early:
            rest = self.history[count:]
            while self.variant == "pr1054" and rest and rest[0].role == "tool":
                rest = rest[1:]
            self.history = [stands_for, *rest]
            self.flush()
            return
        legacy = self.mode == "restore" and count < len(self.history)
        if legacy:
            self.history = [stands_for, *self.history[count:]]
        else:
            self.history = [*_kept_input(self.history), stands_for]
        self.pending.clear()
        self.deferred.clear()


def _kept_input(history: Iterable[Message]) -> list[Message]:
    """Keep what the user said: all of it, or the oldest and the newest within their tokens, with a marker between."""
    said = [it for it in history if it.role == "user" and it.extra.get("origin", "user") == "user" and not it.summary]
    sizes = [text_tokens(message.text or "") for message in said]
    if sum(sizes) <= KEPT_TOKENS:
        return said
    first = _within(said, sizes, HEAD_TOKENS, from_end=False)
    last = _within(said[::-1], sizes[::-1], TAIL_TOKENS, from_end=True)[::-1]
    return [*first, Message("user", ELIDED, extra={"inserted": True}), *last]


def _within(said: Sequence[Message], sizes: Sequence[int], room: int, *, from_end: bool) -> list[Message]:
    found: list[Message] = []
    for message, size in zip(said, sizes, strict=True):
        text = message.text or ""
        if size > room:
            cut = 4 * room
            if cut:
                found.append(evolve(message, text=text[-cut:] if from_end else text[:cut]))
            break
        found.append(message)
        room -= size
    return found


def text_tokens(text: str) -> int:
    """Estimate tokens as upstream does: four ASCII letters each, any other letter one."""
    plain = sum(letter.isascii() for letter in text)
    return -(-plain // 4) + len(text) - plain


def replay(events: Iterable[Event], variant: Variant, mode: Mode) -> list[Message]:
    """Apply events in order and return the stored history; a restored one has its open calls closed at the end."""
    context = _Context(variant, mode)
    for event in events:
        kind, text = event["type"], event.get("text", "")
        if kind in ("user", "injection"):
            context.append(event.get("message") or Message("user", text, extra={"origin": kind}))
        elif kind == "raw_tool":
            context.append(event.get("message") or Message("tool", text, call_id=event.get("call_id")))
        elif kind == "step":
            calls = tuple(Call(call["id"], call["name"]) for call in event.get("calls", ()))
            context.step(event.get("message") or Message("assistant", text, calls=calls))
        elif kind == "result":
            context.result(event.get("message") or Message("tool", text, call_id=event["call_id"]))
        else:
            context.compact(event["count"], event["summary"])
    if mode == "restore":
        context.close()
    return context.history
