"""A memory in a session: it gets every message as it happens, shows its view on every send, and is restarted at times.

The items that it got are matched by identity, and compared with what they were.
"""

from collections.abc import Iterable, Iterator
from typing import Any, cast

from attrs import define, evolve, field

from ...messages.cases import Outcome
from ...messages.limits import Limit
from ...messages.model import History, Message
from ...messages.reading.survivors import same
from ..stateful import Remembering, finished
from ..trimmer import TrimCall, Trimmer
from .tracked import Held, Run, rewritten, through


@define
class Memory:
    """A memory, with the items that it was given, as they were and as they are; `limit` is what it was made with."""

    run: Run
    trimmer: Trimmer
    call: Remembering
    limit: Limit | None
    _messages: dict[int, Message] = field(factory=dict[int, Message])
    _given: list[tuple[int | None, Any, Any]] = field(factory=list[tuple[int | None, Any, Any]])
    """Index in the conversation (None where it is not known), the item that was handed over, and another one as
    it was then."""
    _memory: Any = None
    _view: Any = None

    def add(self, message: Message, index: int) -> Outcome:
        """Tell the memory one more message."""
        self._messages[index] = message

        def adding(items: list[Any], limit: Any, count: Any) -> Any:
            if self._view is None:
                self._memory, self._view = self.call.make(limit, count)
            self._given.append((index, items[0], self.trimmer.format.write(message)))
            return self._adding(items)

        return self._asked(adding, (message,), (index,))

    def _adding(self, items: list[Any]) -> Any:
        async def later() -> list[Any]:
            for item in items:
                await finished(self._memory.add(item))
            return items

        if self.call.asynchronous:
            return later()
        for item in items:
            self._memory.add(item)
        return items

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
        changed = (index for index, item, pristine in self._given if item != pristine)
        mutated = tuple(dict.fromkeys(index for index in changed if index is not None))
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
            loaded, untouched = (rewritten(saved, self.trimmer.format) for _ in range(2))
            self._memory, self._view = self.call.make(limit, count)
            self._given = [
                (index_of.get(id(was)), item, copy) for was, item, copy in zip(saved, loaded, untouched, strict=True)
            ]
            return self._adding_and_showing(loaded, shown)

        after = self._read(self._asked(restarting, (), ()), shown)
        if after.status != "ok":
            (self._memory, self._view), self._given = old, given
        return before, after

    def _adding_and_showing(self, items: list[Any], shown: list[Any]) -> Any:
        async def later() -> Any:
            await self._adding(items)
            return self._shown(await finished(self._view()), shown)

        if self.call.asynchronous:
            return later()
        self._adding(items)
        return self._shown(self._view(), shown)
