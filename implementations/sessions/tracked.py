"""Hold the messages of a program, and run a trimmer on them while tracking where each message came from."""

import json
from collections.abc import Callable, Iterable
from typing import Any, TypeAlias

from attrs import evolve, fields, frozen

from ...messages.cases import Case, Example, Failure, Outcome
from ...messages.formats.format import Format
from ...messages.limits import Limit
from ...messages.model import History, Message
from ...messages.neutral import dump_history, load_history
from ...messages.reading.survivors import same
from ..stateful import finished
from ..trimmer import Trimmer

Run: TypeAlias = Callable[[Trimmer, Case], Outcome]
"""Runs a trimmer on a case, with the counter, the watch and the recorder of whoever drives the loop."""


ONE_EACH = fields(Format).shape.default
"""The shape of a format where each message is one item."""


@frozen
class Held:
    """A list of messages, and the index in the conversation of each; None for one that a trimmer put in or edited."""

    messages: History = ()
    origin: tuple[int | None, ...] = ()

    def plus(self, message: Message, index: int) -> "Held":
        """Return the list with one more message behind it."""
        return Held((*self.messages, message), (*self.origin, index))


def through(run: Run, trimmer: Trimmer, held: Held, limit: Limit | None) -> Outcome:
    """Run a trimmer on a list; the sources of the answer are indexes into the conversation."""
    form = trimmer.format
    if form.shape is not ONE_EACH:
        found = run(trimmer, Case(Example(form.shape(held.messages)), limit))
        changed = found.list_changed or bool(found.mutated)
        return evolve(found, sources=None, mutated=(), list_changed=changed, after=None)
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


def kept(outcome: Outcome, before: Held, form: Format) -> Held:
    """Return the list that takes the place of another one, where a trimmer gave one."""
    if outcome.output is None:
        return before
    if outcome.sources is None:
        messages = form.plain(outcome.output)
        return Held(messages, (None,) * len(messages))
    return Held(outcome.output, outcome.sources)


def as_outcome(held: Held, form: Format) -> Outcome:
    """Return a list as what a trimmer gave."""
    if form.shape is not ONE_EACH:
        return Outcome("ok", form.shape(held.messages))
    return Outcome("ok", held.messages, sources=held.origin)


def reloaded(held: Held, form: Format) -> tuple[Outcome, Outcome, Held]:
    """Write a list as JSON and read it again: returns it before and after, and what is held now.

    A list that cannot be written stays as it is.
    """
    before = as_outcome(held, form)
    shaped = before.output or ()
    try:
        messages = form.read_items(rewritten(form.write_items(shaped), form))
    except Exception as error:
        return before, _failed(error), held
    if before.sources is None:
        after = Outcome("ok", messages)
        return before, after, kept(after, held, form)
    pairs = list(zip(messages, shaped, before.sources, strict=True))
    messages = tuple(old if same(new, old) else new for new, old, _ in pairs)
    after = Outcome("ok", messages, sources=tuple(at if same(new, old) else None for new, old, at in pairs))
    return before, after, kept(after, held, form)


def rewritten(items: Iterable[Any], form: Format) -> list[Any]:
    """Return items as they come back from JSON; what is no plain dict is written as neutral JSON."""
    items = list(items)
    if all(isinstance(item, dict) for item in items):
        return json.loads(json.dumps(items))
    plain = json.loads(json.dumps(dump_history(form.read_items(items))))
    return form.write_items(load_history(plain))


def _failed(error: Exception) -> Outcome:
    return Outcome("raised", failure=Failure(type(error).__name__, str(error)[:500]))


def afterwards(answer: Any, asynchronous: bool, take: Callable[[Any], object], items: list[Any]) -> Any:
    """Take an answer, wait for it first where it has to be waited for, and return the items."""

    async def later() -> list[Any]:
        take(await finished(answer))
        return items

    if asynchronous:
        return later()
    take(answer)
    return items
