"""Loops: run a trimmer in the middle of a conversation, one step at a time.

A loop holds what a program would hold: the stored list, a memory, a planned compaction. It gets every message as it
happens, and answers with what it would send. Answers are outcomes whose `sources` are indexes into the whole
conversation, so that they can be judged against it.

- A function trims on every send. The trimmed list is stored, or only sent (`keep`).
- A memory gets each message, and shows its view on every send.
- A compactor plans at one step and applies the plan at another, to the list as it is then. With `keep="sent"` the list
  stays whole: the point is recorded, and every request is made from the record and the whole list, as after a resume. A
  trimmer of compactions without a `plan` of its own always runs like that.

In a format where messages and items differ, messages are stored and shaped again for every trim. No message can then
be matched by identity; all are matched by content. There a memory gets all messages again for each request, since a
batch whose results are still arriving is no item yet.
"""

from typing import Any, Protocol

from attrs import define, evolve, field, frozen

from ...messages.cases import Outcome
from ...messages.limits import Limit
from ...messages.model import Message
from ...messages.reading.pairing import read
from ...messages.session.steps import Keep, Step
from ..stateful import Apply, Compacting, Plan, Remembering
from ..trimmer import TrimCall, Trimmer
from .memory import Memory
from .tracked import ONE_EACH, Held, Run, afterwards, as_outcome, kept, reloaded, through


@frozen
class Moment:
    """What one step showed. `sent`: the outcome is a request. `stored`: what was written down, or is there after a
    restart, where it can be compared with the outcome. `limit` is the one that was in force.
    """

    outcome: Outcome
    limit: Limit | None
    sent: bool = False
    stored: Outcome | None = None


class _Keeper(Protocol):
    """What all loops have in common; an answer that is not ok ends the session, but for a refusal."""

    limit: Limit | None

    def add(self, message: Message, index: int) -> Outcome | None: ...
    def request(self) -> Outcome: ...
    def plan(self, at: int) -> Outcome | None: ...
    def apply(self) -> Outcome | None: ...
    def trim(self) -> Outcome: ...
    def held(self) -> Outcome: ...
    def restart(self) -> tuple[Outcome, Outcome]: ...


@define
class Loop:
    """A conversation under way. `do` takes one step that can happen, with the index of the message that it adds."""

    keeper: _Keeper
    run: Run
    then: Trimmer | None = None

    def do(self, step: Step, message: Message | None, index: int) -> Moment | None:
        """Take a step; returns what it showed, None where there is nothing to see."""
        keeper = self.keeper
        if message is not None:
            return self._seen(keeper.add(message, index))
        if step.op == "plan":
            return self._seen(keeper.plan(step.at or 0))
        if step.op == "apply":
            return self._seen(keeper.apply())
        if step.op == "trim":
            return self._seen(keeper.trim())
        if step.op == "save":
            before, after = keeper.restart()
            return Moment(before, keeper.limit, stored=after)
        return self._send() if step.op == "send" else None

    def _seen(self, outcome: Outcome | None) -> Moment | None:
        return None if outcome is None else Moment(outcome, self.keeper.limit)

    def _send(self) -> Moment:
        keeper = self.keeper
        outcome = keeper.request()
        limit = keeper.limit
        if self.then is None or outcome.output is None:
            return Moment(outcome, limit, sent=True)
        known = limit if limit is not None and limit.kind in self.then.limits else None
        sent = through(self.run, self.then, kept(outcome, Held(), self.then.format), known)
        return Moment(sent, limit, sent=True, stored=keeper.held())


def loop_of(trimmer: Trimmer, limit: Limit | None, *, kind: str, keep: Keep, run: Run, then: Trimmer | None) -> Loop:
    """Begin a conversation: `kind` is the kind of limit in force, `then` trims what is sent once more."""
    call = trimmer.trim
    if isinstance(call, Remembering):
        if trimmer.format.shape is not ONE_EACH:
            return Loop(_Lists(run, trimmer, limit, "sent"), run, then)
        return Loop(Memory(run, trimmer, call, limit), run, then)
    if kind == "compaction":
        return Loop(_Compactions(run, trimmer, keep if isinstance(call, Compacting) else "sent"), run, then)
    return Loop(_Lists(run, trimmer, limit, keep), run, then)


# What is stored as a list


@define
class _Lists:
    """A list that a function trims."""

    run: Run
    trimmer: Trimmer
    limit: Limit | None
    keep: Keep
    list: Held = field(factory=Held)

    def add(self, message: Message, index: int) -> None:
        self.list = self.list.plus(message, index)

    def request(self) -> Outcome:
        outcome = through(self.run, self.trimmer, self.list, self.limit)
        if self.keep == "stored":
            self.list = kept(outcome, self.list, self.trimmer.format)
        return outcome

    def trim(self) -> Outcome:
        outcome = through(self.run, self.trimmer, self.list, self.limit)
        self.list = kept(outcome, self.list, self.trimmer.format)
        return outcome

    def plan(self, at: int) -> None:
        """A function plans nothing."""

    def apply(self) -> None:
        """Nothing was planned."""

    def held(self) -> Outcome:
        return as_outcome(self.list, self.trimmer.format)

    def restart(self) -> tuple[Outcome, Outcome]:
        before, after, self.list = reloaded(self.list, self.trimmer.format)
        return before, after


@define
class _Compactions:
    """A list that is compacted at a point: planned now, applied later, and with `keep="sent"` on every request."""

    run: Run
    trimmer: Trimmer
    keep: Keep
    limit: Limit | None = None
    list: Held = field(factory=Held)
    _planned: tuple[Limit, TrimCall] | None = None
    _record: tuple[Limit, TrimCall] | None = None
    _parts: tuple[Plan, Apply] | None = None

    def add(self, message: Message, index: int) -> None:
        self.list = self.list.plus(message, index)

    def request(self) -> Outcome:
        if self._record is None:
            return as_outcome(self.list, self.trimmer.format)
        point, call = self._record
        return through(self.run, evolve(self.trimmer, trim=call), self.list, point)

    def plan(self, at: int) -> Outcome | None:
        if self._record is not None:
            # A second compaction begins with what the first one left; while results are to come, nobody knows that yet.
            if read(self.list.messages).open_batches:
                return None
            shown = self.request()
            if shown.status != "ok":
                return shown
            self.list, self._record = kept(shown, self.list, self.trimmer.format), None
        size = len(self.trimmer.format.shape(self.list.messages))
        point = self.limit = Limit("compaction", min(at, size), size)
        call = self.trimmer.trim
        if not isinstance(call, Compacting):
            self._planned = point, call
            return None
        if self._parts is None:
            self._parts = call.make()
        plan, apply = self._parts
        plans: list[Any] = []

        def planning(items: list[Any], limit: Any, count: Any) -> Any:
            return afterwards(plan(items, limit, count), call.asynchronous, plans.append, items)

        outcome = through(self.run, evolve(self.trimmer, trim=planning), self.list, point)
        if plans:
            self._planned = point, lambda items, _limit, _count: apply(items, plans[0])
        return outcome

    def apply(self) -> Outcome | None:
        if self._planned is None:
            return None
        self._record, self._planned = self._planned, None
        if self.keep == "sent":
            return None
        outcome = self.request()
        self.list, self._record = kept(outcome, self.list, self.trimmer.format), None
        return outcome

    def trim(self) -> Outcome:
        return self.request()

    def held(self) -> Outcome:
        return self.request()

    def restart(self) -> tuple[Outcome, Outcome]:
        before, after, self.list = reloaded(self.list, self.trimmer.format)
        return before, after
