"""Shrinking a session: from a failing script to the shortest one with the same cause.

Steps are dropped, in runs and one by one (what can no longer happen without them goes too), calls are cut from their
batch, plans are moved with what was dropped before them; then what is left is made plainer: the way the list is kept,
texts, ids, the limit. A candidate is taken only if it is plainer and the same cause is found in it; what comes behind
the step that shows it is cut off.
"""

from collections.abc import Callable, Iterable, Iterator
from time import monotonic
from typing import TypeAlias

from attrs import define, evolve, frozen

from ...messages.limits import Limit, sweep
from ...messages.session.steps import KEEPS, Script, Step
from ...messages.session.transcript import happened, message_of
from ..defaults import SHRINK_SCRIPT_SECONDS
from .playing import Player, SessionFinding

Candidates: TypeAlias = Callable[[Script], Iterable[Script]]
PAIRS_UP_TO = 16
"""Longest script of which every two steps are dropped together."""


@frozen
class ShrunkScript:
    """The end of a shrink. `complete` is false when time ran out."""

    found: SessionFinding
    limit: Limit | None
    complete: bool


def shrink_script(
    player: Player, found: SessionFinding, limit: Limit | None, *, seconds: float = SHRINK_SCRIPT_SECONDS
) -> ShrunkScript:
    """Shrink a finding of a session within `seconds`; the cause is kept."""
    state = _State(player, found, limit, found.finding.cause, monotonic() + seconds)
    try:
        progress = True
        while progress:
            progress = False
            for candidates in (_shorter, _narrower, _moved, _plainer):
                progress |= state.improve(candidates)
            progress |= state.lower_limit()
    except _OutOfTime:
        return ShrunkScript(state.best, state.limit, False)
    return ShrunkScript(state.best, state.limit, True)


class _OutOfTime(Exception):
    pass


@define
class _State:
    player: Player
    best: SessionFinding
    limit: Limit | None
    cause: str
    deadline: float

    def improve(self, candidates: Candidates) -> bool:
        """Take the first plainer candidate that still fails, and ask again, until none does."""
        improved = False
        while any(self._take(script) for script in candidates(self.best.script)):
            improved = True
        return improved

    def _take(self, script: Script) -> bool:
        script = evolve(script, steps=happened(script.steps))
        if plainness(script) >= plainness(self.best.script):
            return False
        # What a text costs moves the limit at which something shows, as a message that is gone does.
        swept = self.player.contract.kind == "tokens" or len(script.steps) < len(self.best.script.steps)
        return any(self._fails(script, limit) for limit in self._limits(script, swept=swept))

    def _fails(self, script: Script, limit: Limit | None) -> bool:
        if monotonic() > self.deadline:
            raise _OutOfTime
        alone = script.then is None and self.best.script.then is not None
        player = evolve(self.player, then=None) if alone else self.player
        for found in player.play(script, limit):
            if found.finding.cause == self.cause and (self.best.explained_by or not found.explained_by):
                self.best, self.limit, self.player = found, limit, player
                return True
        return False

    def _limits(self, script: Script, *, swept: bool) -> Iterator[Limit | None]:
        """The limit in force, and where it is `swept` the others at which the same thing may show."""
        yield self.limit
        if swept and self.limit is not None and self.player.contract.trimmer.takes_limit:
            yield from (limit for limit in self._swept(script) if limit != self.limit)

    def _swept(self, script: Script) -> list[Limit]:
        contract = self.player.contract
        kind = contract.kind
        history = tuple(message for message in map(message_of, script.steps) if message is not None)
        costs = list(map(contract.cost, history)) if kind == "tokens" else None
        return [limit for limit in sweep(history, kind, costs=costs, base=contract.base) if limit.value >= 1]

    def lower_limit(self) -> bool:
        """Take the smallest limit at which the cause still shows."""
        now = self.limit
        if now is None or not self.player.contract.trimmer.takes_limit:
            return False
        script = self.best.script
        return any(self._fails(script, limit) for limit in self._swept(script) if limit.value < now.value)


def plainness(script: Script) -> tuple[int, ...]:
    """Order scripts: steps, calls and pins, how the list is kept, letters, positions, kinds of steps, plain names."""
    steps = script.steps
    letters = sum(len(step.text or "") + sum(map(len, step.ids)) for step in steps)
    return (
        len(steps),
        sum(len(step.ids) + step.pinned for step in steps),
        (script.then is not None) * 2 + (script.keep == "stored"),
        letters,
        sum(step.at or 0 for step in steps),
        *map(_rank, steps),
        sum(a != b for a, b in zip(steps, _texts(_renamed(steps)), strict=True)),
    )


def _rank(step: Step) -> int:
    """How special a step is."""
    ops = ("user", "call", "result", "assistant", "system", "steer", "interrupt", "plan", "apply", "trim", "save")
    return 0 if step.op == "send" else ops.index(step.op) + 1


def _without(script: Script, first: int, last: int) -> Script:
    """Drop steps first to last - 1; a plan behind them moves with the messages that are gone."""
    gone = sum(message_of(step) is not None for step in script.steps[first:last])
    behind = (_earlier(step, gone) for step in script.steps[last:])
    return evolve(script, steps=(*script.steps[:first], *behind))


def _earlier(step: Step, by: int) -> Step:
    return step if step.at is None else evolve(step, at=max(step.at - by, 0))


def _shorter(script: Script) -> Iterator[Script]:
    """Drop runs of steps, halves down to one, with plans moved and left where they are; then every two steps."""
    count = len(script.steps)
    size = count // 2
    while size >= 1:
        for first in range(0, count, size):
            yield _without(script, first, first + size)
            yield evolve(script, steps=(*script.steps[:first], *script.steps[first + size :]))
        size //= 2
    if count <= PAIRS_UP_TO:
        for last in range(1, count):
            for first in range(last):
                yield _without(_without(script, last, last + 1), first, first + 1)


def _narrower(script: Script) -> Iterator[Script]:
    """Cut one call out of a batch, with its result."""
    for place, step in enumerate(script.steps):
        if step.op == "call" and len(step.ids) > 1:
            for gone in step.ids:
                cut = evolve(step, ids=tuple(known for known in step.ids if known != gone))
                result = next(
                    (at for at in range(place, len(script.steps)) if script.steps[at].ids == (gone,)), len(script.steps)
                )
                steps = (*script.steps[:place], cut, *script.steps[place + 1 :])
                yield _without(evolve(script, steps=steps), result, result + 1)
                yield evolve(script, steps=(*steps[:result], *steps[result + 1 :]))


def _moved(script: Script) -> Iterator[Script]:
    """Plan for an earlier message."""
    for place, step in enumerate(script.steps):
        for at in range(step.at or 0):
            yield evolve(script, steps=(*script.steps[:place], evolve(step, at=at), *script.steps[place + 1 :]))


def _plainer(script: Script) -> Iterator[Script]:
    """Keep the list in the plainer way, then plainer names and texts, then plainer steps."""
    if script.then is not None:
        yield evolve(script, then=None)
    for keep in KEEPS:
        yield evolve(script, keep=keep)
    yield evolve(script, steps=_renamed(script.steps))
    texts = _texts(script.steps)
    yield evolve(script, steps=texts)
    for place, (step, plain) in enumerate(zip(script.steps, texts, strict=True)):
        yield evolve(script, steps=(*script.steps[:place], plain, *script.steps[place + 1 :]))
        if step.pinned:
            free = evolve(step, pinned=False)
            yield evolve(script, steps=(*script.steps[:place], free, *script.steps[place + 1 :]))
        if step.op in ("steer", "assistant", "system"):
            user = evolve(step, op="user")
            yield evolve(script, steps=(*script.steps[:place], user, *script.steps[place + 1 :]))


def _renamed(steps: Iterable[Step]) -> tuple[Step, ...]:
    """Name calls x, y, z in the order in which they are made first."""
    names: dict[str, str] = {}
    for step in steps:
        for known in step.ids:
            names.setdefault(known, "xyz"[len(names)] if len(names) < 3 else f"c{len(names)}")
    return tuple(evolve(step, ids=tuple(names[known] for known in step.ids)) for step in steps)


def _texts(steps: Iterable[Step]) -> tuple[Step, ...]:
    """Give each message the shortest text that no other one has."""
    found: list[Step] = []
    number = 0
    for step in steps:
        if step.text is not None:
            letter, round_ = chr(97 + number % 26), number // 26
            step = evolve(step, text=f"{letter}{round_ or ''}")
            number += 1
        found.append(step)
    return tuple(found)
