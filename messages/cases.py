"""What flows through the suite: an example and its cases, the outcome of a trim, and the findings about both.

A strategy makes a `Case`, an implementation turns it into an `Outcome`, the oracles turn both into `Finding`s.
All three are plain frozen data. An `Example` is one history read once, shared by the cases of all its limits.
"""

from collections.abc import Callable
from typing import Any, Literal, TypeAlias, get_args

from attrs import field, frozen

from .lazy import lazy
from .limits import NO_AMOUNT, Cost, Limit, one_each
from .model import History
from .reading.pairing import InputClass, Reading, read
from .reading.profile import Profile
from .reading.profiles import NEUTRAL
from .reading.survivors import Keys, keys_of
from .reading.units import Units
from .reading.units import units as units_of
from .requests import Request

Status: TypeAlias = Literal["ok", "refused", "raised", "hung", "crashed", "protocol-error", "skipped"]
STATUSES: tuple[Status, ...] = get_args(Status)

Cut: TypeAlias = str
CUTS = (
    "call-dropped", "result-dropped", "inserted-between", "reordered", "duplicated", "invented", "mutated",
    "over-limit", "emptied", "lost", "edited", "refused", "raised", "hung", "crashed",
)  # fmt: skip


@frozen(slots=False)
class Example:
    """One history under one profile, with what its messages cost; everything derived is computed once.

    `cost` says what a message costs under the kind of limit in force; it is also asked about new output messages.
    `base` is the constant that a list costs beyond its messages, and no other number of this suite holds it: `room` is
    what a limit leaves for messages. `measure` is there where lists are measured as a whole, and not by a sum.
    """

    history: History
    profile: Profile = field(default=NEUTRAL, kw_only=True)
    cost: Cost = field(default=one_each, kw_only=True, eq=False)
    base: int = field(default=0, kw_only=True)
    measure: Callable[[History], int] | None = field(default=None, kw_only=True, eq=False)

    def __getstate__(self) -> dict[str, Any]:
        """Travel without what is derived: it is made again where it is asked for."""
        return {name: getattr(self, name) for name in ("history", "profile", "cost", "base", "measure")}

    def together(self, messages: History) -> int:
        """Return what messages cost in one list, without the constant."""
        return sum(map(self.cost, messages)) if self.measure is None else self.measure(messages)

    @lazy
    def reading(self) -> Reading:
        """The history's pairing."""
        profile = self.profile
        return read(self.history, merge_items=profile.merge_items, one_response=profile.one_response)

    @lazy
    def keys(self) -> Keys:
        """What makes its messages recognisable in an output, for `survivors.align`."""
        return keys_of(self.history)

    @lazy
    def units(self) -> Units:
        """The sets of messages that must stand or fall together."""
        return units_of(self.reading, self.profile)

    @lazy
    def costs(self) -> tuple[int, ...]:
        """The cost of each message."""
        return tuple(map(self.cost, self.history))

    @lazy
    def total(self) -> int:
        """The cost of the whole history, without the constant."""
        return sum(self.costs) if self.measure is None else self.measure(self.history)

    @lazy
    def memo(self) -> dict[object, object]:
        """Room for what other rooms derive from this example alone (the best legal trim of each limit)."""
        return {}


@frozen
class Case:
    """An example and one limit; no limit means that it is unknown.

    `request` is what is known of the request that the trimmer was handed the history of. `judged_as` is the input class
    where that is not the one of the history as it stands.
    """

    example: Example
    limit: Limit | None = None
    request: Request | None = field(default=None, kw_only=True)
    judged_as: InputClass | None = field(default=None, kw_only=True)

    @property
    def history(self) -> History:
        """The history handed to the trimmer."""
        return self.example.history

    @property
    def profile(self) -> Profile:
        """The profile to judge under."""
        return self.example.profile

    @property
    def input_class(self) -> str:
        """valid, pending, interleaved or malformed."""
        return self.judged_as or self.example.reading.input_class

    @property
    def allowed(self) -> int | None:
        """The limit as an amount, at least 0; None when it is unknown or is none."""
        if self.limit is None or self.limit.kind in NO_AMOUNT:
            return None
        return max(self.limit.value, 0)

    @property
    def room(self) -> int | None:
        """What may be kept, at least 0: the limit without the constant of a list; None when there is no amount."""
        allowed = self.allowed
        return allowed if allowed is None else max(allowed - self.example.base, 0)

    @property
    def fits(self) -> bool:
        """Whether the whole history is within a known limit."""
        room = self.room
        return room is not None and self.example.total <= room


@frozen
class Failure:
    """Why an outcome is not `ok`: the error's type and message, and what else is known."""

    type: str
    message: str = ""
    detail: str = field(default="", kw_only=True)


@frozen
class Outcome:
    """What a trimmer did with one case.

    `output` is there when the status is `ok`. `sources` gives for each output message the index of the input message
    that it *is* (the same object), None where no object is shared; it is None as a whole where objects cannot be
    compared. `mutated` are the indexes of input messages that were changed in place; `list_changed` says that the
    caller's list no longer holds the same objects in the same order; `after` is the input as the trimmer left it,
    where it could be read. `request` is what was sent with the output, where that is not what the case says; `stored`
    is what was stored beside what was sent, where the trimmer told.
    """

    status: Status
    output: History | None = None
    sources: tuple[int | None, ...] | None = field(default=None, kw_only=True)
    mutated: tuple[int, ...] = field(default=(), kw_only=True)
    list_changed: bool = field(default=False, kw_only=True)
    after: History | None = field(default=None, kw_only=True)
    failure: Failure | None = field(default=None, kw_only=True)
    request: Request | None = field(default=None, kw_only=True)
    stored: History | None = field(default=None, kw_only=True)


@frozen
class Runs:
    """The further runs that relations are judged by; None where a run was not made.

    `again`: the same case once more. `twice`: the trimmer on its own output, same limit. `larger`: the same history at
    a larger limit. `stored`: what a system wrote down or reloads, where that is not what it sent.
    """

    again: Outcome | None = None
    twice: Outcome | None = None
    larger: tuple[Case, Outcome] | None = None
    stored: Outcome | None = None


@frozen
class Finding:
    """One broken rule: the cut that broke it, the input messages it is about, and a sentence for a person.

    `messages` are input indexes, `ids` call ids. `cut` is one of `CUTS`, for an exception `raised:TYPE`.
    """

    rule: str
    cut: Cut
    case: Case = field(repr=False)
    outcome: Outcome = field(repr=False)
    messages: tuple[int, ...] = field(default=(), kw_only=True)
    ids: tuple[str, ...] = field(default=(), kw_only=True)
    note: str = field(default="", kw_only=True)
    places: tuple[tuple[tuple[int, ...], tuple[str, ...]], ...] = field(factory=tuple, kw_only=True, repr=False)
    """Messages and ids of every place at which the rule was broken by this cut; `messages` and `ids` are the first."""

    @property
    def cause(self) -> str:
        """What a shrink must keep: rule, input class and cut."""
        return f"{self.rule}/{self.case.input_class}/{self.cut}"
