"""Loops: a trimmer where it lives, in the middle of a conversation, driven one step at a time.

A loop holds what a program would hold: the list that is stored, a memory, a planned compaction. It is told every
message as it happens, and answers with what it would send. Answers are outcomes whose `sources` are indexes into the
whole conversation, so that they can be judged against it.

- A function trims on every send. The trimmed list is stored, or only sent (`keep`).
- A memory is told each message, and shows its view on every send.
- A compactor plans at one step and applies the plan at another, to what the list is by then. With `keep="sent"` the
  list stays whole: the point is recorded, and every request is made from the record and all there is, as after a
  resume. A trimmer of compactions that has no `plan` of its own is always run like that.
"""

import json
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Protocol, TypeAlias, cast

from attrs import define, evolve, field, frozen

from ..messages.cases import Case, Example, Failure, Outcome
from ..messages.formats import Format
from ..messages.limits import Limit
from ..messages.model import History, Message
from ..messages.neutral import dump_history, load_history
from ..messages.pairing import read
from ..messages.steps import Keep, Step
from ..messages.survivors import same
from .stateful import Apply, Compacting, Plan, Remembering, finished
from .trimmer import TrimCall, Trimmer

Run: TypeAlias = Callable[[Trimmer, Case], Outcome]
"""Runs a trimmer on a case, with the counter, the watch and the recorder of whoever drives the loop."""


@frozen
class Held:
    """A list of messages, and the index in the conversation of each; None for one that a trimmer put in or edited."""

    messages: History = ()
    origin: tuple[int | None, ...] = ()

    def plus(self, message: Message, index: int) -> "Held":
        """Return the list with one more message behind it."""
        return Held((*self.messages, message), (*self.origin, index))

    def outcome(self) -> Outcome:
        """Return this list as what a trimmer gave."""
        return Outcome("ok", self.messages, sources=self.origin)


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
        if self.then is None or outcome.output is None or outcome.sources is None:
            return Moment(outcome, limit, sent=True)
        known = limit if limit is not None and limit.kind in self.then.limits else None
        sent = through(self.run, self.then, Held(outcome.output, outcome.sources), known)
        return Moment(sent, limit, sent=True, stored=keeper.held())


def loop_of(trimmer: Trimmer, limit: Limit | None, *, kind: str, keep: Keep, run: Run, then: Trimmer | None) -> Loop:
    """Begin a conversation: `kind` is the kind of limit in force, `then` trims what is sent once more."""
    call = trimmer.trim
    if isinstance(call, Remembering):
        return Loop(_Memory(run, trimmer, call, limit), run, then)
    if kind == "compaction":
        return Loop(_Compactions(run, trimmer, keep if isinstance(call, Compacting) else "sent"), run, then)
    return Loop(_Lists(run, trimmer, limit, keep), run, then)


def through(run: Run, trimmer: Trimmer, held: Held, limit: Limit | None) -> Outcome:
    """Run a trimmer on a list; the sources of the answer are indexes into the conversation."""
    outcome = run(trimmer, Case(Example(held.messages), limit))
    mutated = tuple(at for at in map(held.origin.__getitem__, outcome.mutated) if at is not None)
    if outcome.output is None or outcome.sources is None:
        return evolve(outcome, mutated=mutated, after=None)
    found = [_traced(*pair, held) for pair in zip(outcome.output, outcome.sources, strict=True)]
    messages, origin = tuple(one for one, _ in found), tuple(at for _, at in found)
    return evolve(outcome, output=messages, sources=origin, mutated=mutated, after=None)


def _traced(message: Message, source: int | None, held: Held) -> tuple[Message, int | None]:
    """Return a message of an answer with its place in the conversation; an edited one has none any more."""
    if source is None or not same(message, held.messages[source]):
        return message, None
    return held.messages[source], held.origin[source]


def _kept(outcome: Outcome, before: Held) -> Held:
    """Return the list that takes the place of another one, where a trimmer gave one."""
    if outcome.output is None or outcome.sources is None:
        return before
    return Held(outcome.output, outcome.sources)


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
            self.list = _kept(outcome, self.list)
        return outcome

    def trim(self) -> Outcome:
        outcome = through(self.run, self.trimmer, self.list, self.limit)
        self.list = _kept(outcome, self.list)
        return outcome

    def plan(self, at: int) -> None:
        """A function plans nothing."""

    def apply(self) -> None:
        """Nothing was planned."""

    def held(self) -> Outcome:
        return self.list.outcome()

    def restart(self) -> tuple[Outcome, Outcome]:
        before = self.list
        after, self.list = reloaded(before, self.trimmer.format)
        return before.outcome(), after


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
            return self.list.outcome()
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
            self.list, self._record = _kept(shown, self.list), None
        size = len(self.list.messages)
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
            return _afterwards(plan(items, limit, count), call.asynchronous, plans.append, items)

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
        self.list, self._record = _kept(outcome, self.list), None
        return outcome

    def trim(self) -> Outcome:
        return self.request()

    def held(self) -> Outcome:
        return self.request() if self._record is not None else self.list.outcome()

    def restart(self) -> tuple[Outcome, Outcome]:
        before = self.list
        after, self.list = reloaded(before, self.trimmer.format)
        return before.outcome(), after


def reloaded(held: Held, form: Format) -> tuple[Outcome, Held]:
    """Write a list as JSON and read it again; a list that cannot be written stays as it is."""
    try:
        messages = form.read_history(_rewritten(form.write_history(held.messages), form))
    except Exception as error:
        return _failed(error), held
    pairs = list(zip(messages, held.messages, held.origin, strict=False))
    whole = len(messages) == len(held.messages)
    again = Held(
        tuple(old if whole and same(new, old) else new for new, old, _ in pairs),
        tuple(at if whole and same(new, old) else None for new, old, at in pairs),
    )
    return again.outcome(), again


def _rewritten(items: Iterable[Any], form: Format) -> list[Any]:
    """Return items as they come back from JSON; what is no plain dict is written as neutral JSON."""
    items = list(items)
    if all(isinstance(item, dict) for item in items):
        return json.loads(json.dumps(items))
    plain = json.loads(json.dumps(dump_history(form.read_history(items))))
    return form.write_history(load_history(plain))


def _failed(error: Exception) -> Outcome:
    return Outcome("raised", failure=Failure(type(error).__name__, str(error)[:500]))


def _afterwards(answer: Any, asynchronous: bool, take: Callable[[Any], object], items: list[Any]) -> Any:
    """Take an answer, wait for it first where it has to be waited for, and return the items."""

    async def later() -> list[Any]:
        take(await finished(answer))
        return items

    if asynchronous:
        return later()
    take(answer)
    return items


# What remembers by itself


@define
class _Memory:
    """A memory, with the items that it was given, as they were and as they are."""

    run: Run
    trimmer: Trimmer
    call: Remembering
    limit: Limit | None
    _messages: dict[int, Message] = field(factory=dict[int, Message])
    _given: list[tuple[int, Any, Any]] = field(factory=list[tuple[int, Any, Any]])
    """Index in the conversation, the item that was handed over, and another one as it was then."""
    _memory: Any = None
    _view: Any = None

    def add(self, message: Message, index: int) -> Outcome:
        write = self.trimmer.format.write
        self._messages[index] = message

        def adding(items: list[Any], limit: Any, count: Any) -> Any:
            if self._view is None:
                self._memory, self._view = self.call.make(limit, count)
            self._given.append((index, items[0], write(message)))
            added = self._memory.add(items[0])
            return _afterwards(added, self.call.asynchronous, lambda _: None, items)

        return self._asked(adding, (message,), (index,))

    def request(self) -> Outcome:
        shown: list[Any] = []

        def showing(_items: list[Any], _limit: Any, _count: Any) -> Any:
            return self._shown(self._view(), shown)

        return self._read(self._asked(showing, (), ()), shown)

    def _asked(self, call: TrimCall, messages: History, origin: tuple[int, ...]) -> Outcome:
        return through(self.run, evolve(self.trimmer, trim=call, in_place=False), Held(messages, origin), self.limit)

    def _shown(self, answer: Any, shown: list[Any]) -> Any:
        """Note the items of a view before they are read."""

        async def later() -> Any:
            return self._shown(await answer, shown)

        if self.call.asynchronous and hasattr(answer, "__await__"):
            return later()
        if not isinstance(answer, list | tuple | Iterator):
            return answer
        shown.extend(cast("Iterable[Any]", answer))
        return shown

    def _read(self, outcome: Outcome, shown: list[Any]) -> Outcome:
        """Say which messages of the conversation a view holds, and which were changed by the memory."""
        mutated = tuple(dict.fromkeys(index for index, item, pristine in self._given if item != pristine))
        if outcome.output is None:
            return evolve(outcome, mutated=mutated)
        index_of = {id(item): index for index, item, _ in self._given}
        output, origin = list(outcome.output), list[int | None]()
        for place, item in enumerate(shown):
            index = index_of.get(id(item))
            if index is not None and same(output[place], self._messages[index]):
                output[place] = self._messages[index]
            else:
                index = None
            origin.append(index)
        return evolve(outcome, output=tuple(output), sources=tuple(origin), mutated=mutated)

    def trim(self) -> Outcome:
        return self.request()

    def plan(self, at: int) -> None:
        """A memory decides by itself."""

    def apply(self) -> None:
        """Nothing was planned."""

    def held(self) -> Outcome:
        return self.request()

    def restart(self) -> tuple[Outcome, Outcome]:
        """Write down what the memory saves by its own `save()`, else all it was told, and tell it to a new one."""
        before = self.request()
        if before.status != "ok":
            return before, before
        old, given, shown = (self._memory, self._view), self._given, list[Any]()
        index_of = {id(item): index for index, item, _ in given}
        own = getattr(self._memory, "save", None)

        def restarting(_items: list[Any], limit: Any, count: Any) -> Any:
            saved = list(cast("Iterable[Any]", own())) if callable(own) else [item for _, item, _ in given]
            loaded, untouched = (_rewritten(saved, self.trimmer.format) for _ in range(2))
            self._memory, self._view = self.call.make(limit, count)
            self._given = [
                (index_of[id(was)], item, copy)
                for was, item, copy in zip(saved, loaded, untouched, strict=True)
                if id(was) in index_of
            ]
            if self.call.asynchronous:
                return self._told(loaded, shown)
            for item in loaded:
                self._memory.add(item)
            return self._shown(self._view(), shown)

        after = self._read(self._asked(restarting, (), ()), shown)
        if after.status != "ok":
            (self._memory, self._view), self._given = old, given
        return before, after

    async def _told(self, loaded: list[Any], shown: list[Any]) -> Any:
        for item in loaded:
            await finished(self._memory.add(item))
        return self._shown(await finished(self._view()), shown)
