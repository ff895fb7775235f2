"""The transcript: every message that happened so far, untrimmed, and which steps can happen next.

It is what a request is judged against: a trimmer is blamed for what the transcript does not have. A call is `waiting`
until its result is there; `interrupt` gives it up, so that somebody can go on, but its result may still come. A request
is sent when nothing is waited for, and after an interruption not before somebody has said something.
"""

from collections.abc import Iterable

from attrs import field, frozen

from ..model import Call, History, Message
from .steps import Step


@frozen
class Transcript:
    """What happened. `waiting` and `given_up` are ids of calls without a result; `planned`: a compaction is planned."""

    history: History = ()
    waiting: tuple[str, ...] = field(default=(), kw_only=True)
    given_up: tuple[str, ...] = field(default=(), kw_only=True)
    halted: bool = field(default=False, kw_only=True)
    """An interruption, and nobody has said anything since."""
    planned: bool = field(default=False, kw_only=True)

    def after(self, step: Step) -> "Transcript | None":
        """Return what is after a step; None where it cannot happen now."""
        if not self._can(step):
            return None
        message = message_of(step)
        history = self.history if message is None else (*self.history, message)
        waiting, given_up, halted, planned = self.waiting, self.given_up, self.halted, self.planned
        if step.op == "call":
            waiting += step.ids
        elif step.op == "result":
            waiting = _without(waiting, step.ids[0])
            given_up = _without(given_up, step.ids[0])
        elif step.op == "interrupt":
            waiting, given_up, halted = (), given_up + waiting, True
        elif step.op == "user":
            halted = False
        elif step.op in ("plan", "apply"):
            planned = step.op == "plan"
        return Transcript(history, waiting=waiting, given_up=given_up, halted=halted, planned=planned)

    def _can(self, step: Step) -> bool:
        op, free = step.op, not self.waiting
        if op == "system":
            return not self.history
        if op == "user":
            return free
        if op == "call":
            known = {*self.waiting, *self.given_up}
            return self._model_speaks and len(set(step.ids)) == len(step.ids) and known.isdisjoint(step.ids)
        if op == "assistant":
            return self._model_speaks
        if op == "result":
            return step.ids[0] in self.waiting or step.ids[0] in self.given_up
        if op in ("steer", "interrupt"):
            return not free
        if op == "send":
            return free and not self.halted and bool(self.history)
        return self.planned if op == "apply" else bool(self.history)

    @property
    def _model_speaks(self) -> bool:
        """The model's turn: somebody or a tool spoke last."""
        spoke = bool(self.history) and self.history[-1].role in ("user", "tool")
        return spoke and not self.waiting and not self.halted


def _without(ids: tuple[str, ...], gone: str) -> tuple[str, ...]:
    return tuple(known for known in ids if known != gone)


def message_of(step: Step) -> Message | None:
    """Return the message that a step adds; None for one that adds none."""
    if step.op == "call":
        calls = tuple(map(Call, step.ids))
        return Message("assistant", calls=calls, keep_during_truncation=step.pinned)
    if step.op == "result":
        return Message("tool", step.text, call_id=step.ids[0], keep_during_truncation=step.pinned)
    role = {"system": "system", "user": "user", "steer": "user", "assistant": "assistant"}.get(step.op)
    return None if role is None else Message(role, step.text, keep_during_truncation=step.pinned)


def happened(steps: Iterable[Step]) -> tuple[Step, ...]:
    """Return the steps that can happen, in order; the others are left out, and nothing else is changed."""
    transcript, found = Transcript(), list[Step]()
    for step in steps:
        following = transcript.after(step)
        if following is not None:
            transcript = following
            found.append(step)
    return tuple(found)
