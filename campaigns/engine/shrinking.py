"""Shrinking: from a failing case to the smallest one with the same cause.

A delta-debugging pass that knows what belongs together: it drops units, runs of messages, messages, pairs of units,
calls with their results; then it makes what is left plainer (texts, marks, roles, ids) and the limit smaller. A
candidate that lost messages is tried at all its own limits, since dropping a message moves the limit at which a fault
shows. A candidate is taken only if it is smaller and the same cause is found in it.

The order is fewest messages, then least cost, then the plainest content, then the smallest limit.
"""

from collections.abc import Callable, Iterable, Iterator
from time import monotonic
from typing import TypeAlias

from attrs import define, evolve, field, frozen

from ...messages.cases import Case, Finding
from ...messages.errors import BadCounter
from ...messages.limits import Limit
from ...messages.model import NO_EXTRA, Call, History, Message
from ...messages.reading.pairing import read
from ...messages.reading.profiles import NEUTRAL
from ...messages.reading.units import units
from ..defaults import SHRINK_SECONDS
from .compaction_points import moved_points, plainer_points, points_worth_trying
from .engine import Engine
from .tally import explained_findings

Find: TypeAlias = Callable[[Case], Finding | None]
_LETTERS = "abcdefghijklmnopqrstuvwxyz"
PAIRS_UP_TO = 14
"""Longest history, in units, of which every two are dropped together."""


@frozen
class Shrunk:
    """The end of a shrink. `complete` is false when time ran out; `tries` counts candidate histories."""

    finding: Finding
    complete: bool
    tries: int


def finder(engine: Engine, cause: str, *, by_itself: bool = False) -> Find:
    """Return what looks for one cause in a case; relations get the runs that they need.

    With `by_itself` a finding that another one of its case explains is not taken.
    """

    def find(case: Case) -> Finding | None:
        findings = engine.judge_case(case)
        found = next((found for found in findings if found.cause == cause), None)
        if found is None or not by_itself:
            return found
        causes = next(causes for one, causes in explained_findings(findings, engine.contract) if one is found)
        return None if causes else found

    return find


def shrink(
    engine: Engine,
    finding: Finding,
    *,
    seconds: float = SHRINK_SECONDS,
    find: Find | None = None,
    by_size: bool = False,
) -> Shrunk:
    """Shrink a finding within `seconds` of wall time; the cause is kept.

    `by_size` only drops messages: for a hang or a crash, of which every try is dear.
    """
    state = _State(engine, find or finder(engine, finding.cause), finding, monotonic() + seconds)
    progress = True
    try:
        while progress:
            progress = False
            for candidates in _BY_SIZE if by_size else _PASSES:
                progress |= state.improve(candidates)
        state.lower_limit()
    except _OutOfTime:
        return Shrunk(state.best, False, state.tries)
    return Shrunk(state.best, True, state.tries)


class _OutOfTime(Exception):
    pass


@define
class _State:
    engine: Engine
    find: Find
    best: Finding
    deadline: float
    tries: int = 0
    seen: set[tuple[object, ...]] = field(factory=set[tuple[object, ...]])

    @property
    def history(self) -> History:
        """The best history so far, with every result as a message of its own: what can be dropped apart, is."""
        return self.engine.contract.trimmer.format.plain(self.best.case.history)

    def improve(self, candidates: Callable[[History], Iterable[History]]) -> bool:
        """Take the first smaller candidate that still fails, and ask again, until none does."""
        improved = False
        while any(self._take(candidate) for candidate in candidates(self.history)):
            improved = True
        return improved

    def _take(self, history: History) -> bool:
        if history == self.history:
            return False
        key = tuple(map(repr, history))
        if key in self.seen:
            return False
        self.seen.add(key)
        self.tries += 1
        try:
            return self._take_new(history)
        except BadCounter:
            return False  # without a price it is no candidate

    def _take_new(self, history: History) -> bool:
        contract = self.engine.contract
        example = contract.example(history)
        if plainness(history, example.total) >= plainness(self.history, self.best.case.example.total):
            return False
        if not contract.left_out_in(history) <= contract.left_out_in(self.history):
            return False
        for limit in self._limits(history):
            if monotonic() > self.deadline:
                raise _OutOfTime
            found = self.find(Case(example, limit)) if contract.may_have(example, limit) else None
            if found is not None:
                self.best = found
                return True
        return False

    def _limits(self, history: History) -> Iterator[Limit | None]:
        """The limits of a candidate: first those that stand to it as the present one stands to the present history."""
        example = self.engine.contract.example(history)
        swept = self.engine.counting_limits(example, self.best.case.limit)
        now = self.best.case.limit
        if now is None or None in swept or not self.engine.contract.trimmer.takes_limit:
            yield from swept
            return
        lost = len(self.history) - len(history)
        if now.kind == "compaction":
            before, after = self.best.case.history, example.history  # a point counts what the trimmer sees
            yield from (moved := moved_points(now, before, after))
            if lost:
                yield from (limit for limit in points_worth_trying(now, before, after) if limit not in moved)
            return
        gone = self.best.case.example.total - example.total
        known = {limit for limit in swept if limit is not None}
        likely = (now.value, now.value - gone, now.value - lost)
        first = [limit for limit in (Limit(now.kind, value) for value in dict.fromkeys(likely)) if limit in known]
        yield from first
        if lost:  # where no message went, the limit can only have moved with the cost
            yield from sorted(known - set(first), key=_limit_order)

    def lower_limit(self) -> None:
        """Take the smallest limit at which the cause still shows, 0 and above before anything negative."""
        case = self.best.case
        if case.limit is None or not self.engine.contract.trimmer.takes_limit:
            return
        if case.limit.kind == "compaction":
            order = plainer_points(case.limit, len(case.history))
        else:
            swept = {limit for limit in self.engine.counting_limits(case.example, case.limit) if limit is not None}
            order = sorted((it for it in swept if _limit_order(it) < _limit_order(case.limit)), key=_limit_order)
        for limit in order:
            allowed = self.engine.contract.may_have(case.example, limit)
            found = self.find(Case(case.example, limit)) if allowed else None
            if found is not None:
                self.best = found
                return


def _limit_order(limit: Limit) -> tuple[bool, int]:
    return (limit.value < 0, abs(limit.value))


def plainness(history: History, cost: int) -> tuple[int, int, int, tuple[int, ...]]:
    """Order histories: messages, cost, everything beside role and text, then what roles and texts there are."""
    marks = sum(_marks(message) for message in history)
    return (
        len(history),
        cost,
        marks,
        tuple(_role_rank(message) * 1000 + len(message.text or "") for message in history),
    )


def _marks(message: Message) -> int:
    calls = sum(
        2 + len(call.id) + len(call.name) + len(call.arguments) + 4 * call.provider_executed for call in message.calls
    )
    extras = 5 * (message.keep_during_truncation + message.summary) + 3 * len(message.extra)
    other = sum(len(value) + 1 for value in (message.reasoning, message.name, message.call_id) if value is not None)
    return calls + extras + other + (message.tokens is not None)


def _role_rank(message: Message) -> int:
    return ("user", "assistant", "tool", "system", "developer", "reasoning").index(message.role)


def _without(history: History, dropped: Iterable[int]) -> History:
    gone = frozenset(dropped)
    return tuple(message for index, message in enumerate(history) if index not in gone)


def _runs_of_messages(history: History) -> Iterator[History]:
    """Drop runs of neighbours: halves, quarters, ... down to one message."""
    size = len(history) // 2
    while size >= 1:
        for start in range(0, len(history), size):
            yield history[:start] + history[start + size :]
        size //= 2


def _units(history: History) -> Iterator[History]:
    """Drop runs of units, then every unit alone."""
    members = units(read(history), NEUTRAL).members
    size = len(members) // 2
    while size >= 1:
        for start in range(0, len(members), size):
            yield _without(history, (index for unit in members[start : start + size] for index in unit))
        size //= 2


def _pairs_of_units(history: History) -> Iterator[History]:
    """Drop every two units together: what keeps each of them alive may be the other."""
    members = units(read(history), NEUTRAL).members
    if len(members) <= PAIRS_UP_TO:
        for last in range(1, len(members)):
            for first in range(last):
                yield _without(history, (*members[first], *members[last]))


def _pairs_of_messages(history: History) -> Iterator[History]:
    if len(history) <= PAIRS_UP_TO:
        for last in range(1, len(history)):
            for first in range(last):
                yield _without(history, (first, last))


def _calls(history: History) -> Iterator[History]:
    """Cut one call with its result, then one call alone."""
    reading = read(history)
    for slot in reading.slots:
        message = history[slot.message]
        calls = message.calls[: slot.position] + message.calls[slot.position + 1 :]
        shell = evolve(message, calls=calls, text=message.text if calls or message.text else "a")
        cut = (*history[: slot.message], shell, *history[slot.message + 1 :])
        if slot.answer is not None:
            answer = reading.answers[slot.answer].message
            if answer != slot.message:
                yield _without(cut, (answer,))
        yield cut


def _plain_messages(history: History) -> Iterator[History]:
    """Put a plain message where something special stands; strip marks, reasoning and extras one at a time."""
    for index, message in enumerate(history):
        for plainer in _plainer(message, index):
            if plainer != message:
                yield (*history[:index], plainer, *history[index + 1 :])


def _plainer(message: Message, index: int) -> Iterator[Message]:
    letter = _LETTERS[index % 26]
    if message.role != "user":
        yield Message("user", letter)
    if message.role not in ("user", "assistant"):
        yield Message("assistant", letter)
    if message.role in ("developer", "reasoning"):
        yield evolve(message, role="system")
    yield evolve(message, keep_during_truncation=False, summary=False, reasoning=None, tokens=None, extra=NO_EXTRA)
    if message.keep_during_truncation:
        yield evolve(message, keep_during_truncation=False)
    if message.summary:
        yield evolve(message, summary=False)
    if message.reasoning is not None:
        yield evolve(message, reasoning=None)
    if message.name is not None:
        yield evolve(message, name=None)
    for key in message.extra:
        yield evolve(message, extra={name: value for name, value in message.extra.items() if name != key})
    if message.calls and message.text:
        yield evolve(message, text=None)
    text = message.text or ""
    if len(text) > 1:
        yield evolve(message, text=letter)
        yield evolve(message, text=text[: len(text) // 2])
        yield evolve(message, text=text[:-1])
    if message.calls:
        yield evolve(message, calls=tuple(Call(call.id, "f") for call in message.calls))
        yield evolve(message, calls=tuple(evolve(call, name="f", arguments="{}") for call in message.calls))


def _spoken_by_users(history: History) -> Iterator[History]:
    """Move the marks, or the long text, of a message to a user message in its place; drop the rest of its unit."""
    reading = read(history)
    found = units(reading, NEUTRAL)
    for index, message in enumerate(history):
        long = len(message.text or "") > 1
        if message.role != "user" and (message.keep_during_truncation or message.summary or long):
            pinned, summary = message.keep_during_truncation, message.summary
            text = message.text if long else _LETTERS[index % 26]
            plain = Message("user", text, keep_during_truncation=pinned, summary=summary)
            rest = [member for member in found.members[found.unit_of[index]] if member != index]
            yield _without((*history[:index], plain, *history[index + 1 :]), rest)


def _short_ids(history: History) -> Iterator[History]:
    """Rename call ids to a, b, ... in order of appearance, and tools to f."""
    names: dict[str, str] = {}
    for message in history:
        for call in message.calls:
            for known in (call.id, call.alt_id):
                if known:
                    names.setdefault(known, _short_name(len(names)))
        if message.call_id:
            names.setdefault(message.call_id, _short_name(len(names)))
    yield tuple(
        evolve(
            message,
            calls=tuple(
                evolve(call, id=names.get(call.id, call.id), alt_id=call.alt_id and names[call.alt_id])
                for call in message.calls
            ),
            call_id=names.get(message.call_id or "", message.call_id),
            name="f" if message.name is not None and message.role == "tool" else message.name,
        )
        for message in history
    )


def _short_name(number: int) -> str:
    return _LETTERS[number] if number < len(_LETTERS) else f"c{number}"


def _all_texts(history: History) -> Iterator[History]:
    """Give every message the shortest distinct text at once."""
    yield tuple(
        evolve(message, text=_LETTERS[index % 26]) if message.text else message for index, message in enumerate(history)
    )


_BY_SIZE: tuple[Callable[[History], Iterable[History]], ...] = (_units, _runs_of_messages)
_PASSES: tuple[Callable[[History], Iterable[History]], ...] = (
    _units,
    _runs_of_messages,
    _pairs_of_units,
    _pairs_of_messages,
    _calls,
    _spoken_by_users,
    _short_ids,
    _all_texts,
    _plain_messages,
)
