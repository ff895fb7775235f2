"""Sessions: what can happen next in a conversation with tools, drawn step by step.

Both lanes use the same moves: `choose(n)` gives a number below n, from a plain generator or from Hypothesis, and 0 is
the plainest choice. Nothing malformed happens here; what a session has beyond a plain history is time: a result that
comes after a trim, a steer inside a batch, a plan that is applied to a longer list, a restart.
"""

from collections.abc import Callable, Iterator
from random import Random
from typing import TypeAlias

from attrs import field, frozen

from ..messages.model import History
from ..messages.session.steps import Op, Script, Step
from ..messages.session.transcript import Transcript

Choose: TypeAlias = Callable[[int], int]
MOST_CALLS = 4
LONG = 60
"""Letters of a long text; most texts are one letter."""

_WEIGHTS: dict[Op, int] = {
    "user": 6, "call": 10, "result": 14, "steer": 2, "interrupt": 1, "assistant": 5, "send": 6, "trim": 3, "plan": 4,
    "apply": 5, "save": 1,
}  # fmt: skip
ADDING: frozenset[Op] = frozenset({"user", "call", "result", "steer", "assistant"})
"""What adds a message that may be pinned."""
LISTS: frozenset[Op] = frozenset({"user", "call", "result", "steer", "interrupt", "assistant", "send", "save"})
"""What can happen in the life of any trimmer."""
COMPACTIONS: frozenset[Op] = frozenset({*LISTS, "plan", "apply"})
IN_FLIGHT: frozenset[Op] = frozenset({*LISTS, "trim"})
"""For a trimmer that says that it may run while results are still to come."""


def _anything(_history: History) -> bool:
    return True


@frozen
class Moves:
    """What can happen in a session of one trimmer: its ops, and whether messages may be pinned.

    `parallel`: a batch may have several calls; `reused`: ids of answered calls come again; `system`: a session begins
    with a system message (None: some do); `allowed`: whether something may have happened at all.
    """

    ops: frozenset[Op] = LISTS
    pins: bool = False
    parallel: bool = field(default=True, kw_only=True)
    reused: bool = field(default=True, kw_only=True)
    system: bool | None = field(default=None, kw_only=True)
    allowed: Callable[[History], bool] = field(default=_anything, kw_only=True)

    def after(self, transcript: Transcript, step: Step) -> Transcript | None:
        """Return what is after a step; None where it cannot happen now, or never happens."""
        following = transcript.after(step)
        return following if following is not None and self.allowed(following.history) else None

    def possible(self, transcript: Transcript) -> tuple[Op, ...]:
        """Return the ops that can happen now, in a fixed order."""
        if not transcript.history:
            return ("user",)
        return tuple(op for op in _WEIGHTS if op in self.ops and transcript.after(_sample(op, transcript)) is not None)

    def draw(self, transcript: Transcript, choose: Choose) -> Step:
        """Draw what happens next; calls and results are likelier than what stands around them."""
        ops = self.possible(transcript)
        number = choose(sum(_WEIGHTS[op] for op in ops))
        for op in ops:
            number -= _WEIGHTS[op]
            if number < 0:
                return self.step(op, transcript, choose)
        raise AssertionError("choose(n) gives a number below n")

    def step(self, op: Op, transcript: Transcript, choose: Choose) -> Step:
        """Draw the rest of a step whose op can happen now."""
        size = len(transcript.history)
        if op == "plan":
            return Step(op, at=choose(size + 1))
        if op not in ADDING:
            return Step(op)
        pinned = self.pins and choose(8) == 7
        if op == "call":
            return Step(op, ids=self._ids(transcript, choose), pinned=pinned)
        ids: tuple[str, ...] = ()
        if op == "result":
            known = transcript.waiting + transcript.given_up
            ids = (known[choose(len(known))],)
        return Step(op, text=_text(size, choose), ids=ids, pinned=pinned)

    def _ids(self, transcript: Transcript, choose: Choose) -> tuple[str, ...]:
        """Draw call ids: new ones, now and then the ids of a batch that was answered long ago."""
        made = [call.id for message in transcript.history for call in message.calls]
        free = [known for known in dict.fromkeys(made) if known not in transcript.given_up]
        if self.reused and free and choose(6) == 5:
            return (free[choose(len(free))],)
        first = len(set(made))
        count = 1 + choose(MOST_CALLS) if self.parallel else 1
        return tuple(_name(number) for number in range(first, first + count))


def _sample(op: Op, transcript: Transcript) -> Step:
    """A step of this op as good as any other, to ask whether it can happen."""
    if op == "result":
        ids = transcript.waiting + transcript.given_up
        return Step(op, text="", ids=ids[:1] or ("",))
    return Step(op, ids=("",)) if op == "call" else Step(op, text="", at=0)


def _name(number: int) -> str:
    letter, round_ = chr(97 + number % 26), number // 26
    return f"{letter}{round_}" if round_ else letter


def _text(number: int, choose: Choose) -> str:
    """A text that no other message of the conversation has; one in six is long."""
    name = _name(number)
    return f"{name} {'.' * LONG}" if choose(6) == 5 else name


def random_script(rng: Random, moves: Moves, *, steps: int) -> tuple[Step, ...]:
    """Draw a script of up to `steps` steps; then what is open is answered, and a request is sent."""
    transcript, found = Transcript(), list[Step]()

    def take(step: Step) -> None:
        nonlocal transcript
        following = moves.after(transcript, step)
        if following is not None:
            transcript = following
            found.append(step)

    some = rng.random() < 0.3
    if some if moves.system is None else moves.system:
        take(Step("system", text="s"))
    for _ in range(1 + int(rng.random() * steps)):
        take(moves.draw(transcript, lambda count: int(rng.random() * count)))
    for step in ending(transcript):
        take(step)
    return tuple(found)


def ending(transcript: Transcript) -> Iterator[Step]:
    """Yield what ends a session decently: results that are waited for, a planned compaction, and a request."""
    for number, call_id in enumerate(transcript.waiting):
        yield Step("result", text=_name(len(transcript.history) + number), ids=(call_id,))
    yield Step("apply")
    if transcript.halted:
        yield Step("user", text=_name(len(transcript.history)))
    yield Step("send")


def random_scripts(seed: int, moves: Moves, *, steps: int, start: int = 0) -> Iterator[tuple[Random, Script]]:
    """Yield endless scripts, each with the generator it was drawn from, from which its limit may be drawn too.

    Number `start` of a seed can be made without those before it.
    """
    number = start
    while True:
        rng = Random((seed << 40) + number)
        yield rng, Script(random_script(rng, moves, steps=steps))
        number += 1
