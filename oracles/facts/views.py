"""Views: one list as the rules read it, and what an input says once for all of its trims.

A `View` is a history with its pairing and the roles that shape rules see, each worked out when it is first asked for.
A `Frame` is the view of an input together with its units, kept in the memo of the example: the trims of one history
share it.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from operator import lt
from typing import cast

from attrs import evolve, field, frozen

from ...messages.cases import Example
from ...messages.lazy import lazy
from ...messages.model import SYSTEM_ROLES, History, Message, head_length
from ...messages.reading.pairing import Reading, read
from ...messages.reading.profiles import Profile
from ...messages.reading.survivors import Keys, keys_of
from ...messages.reading.units import Units
from .list_faults import Fault

_FRAME = "oracles.frame"


@frozen(slots=False, eq=False)
class View:
    """A list under a profile. What is known of it already can be handed in; `kept_apart` is that of `pairing.read`."""

    history: History
    profile: Profile
    kept_apart: Callable[[], Sequence[int | None]] | None = field(default=None, kw_only=True)
    known_reading: Reading | None = field(default=None, kw_only=True)
    known_roles: tuple[str, ...] | None = field(default=None, kw_only=True)

    @lazy
    def reading(self) -> Reading:
        """The pairing."""
        if self.known_reading is not None:
            return self.known_reading
        apart = self.kept_apart() if self.kept_apart is not None and self.profile.merge_items else None
        return read(self.history, merge_items=self.profile.merge_items, kept_apart=apart)

    @lazy
    def roles(self) -> tuple[str, ...]:
        """The role of each message as shape rules read it: "" for system messages, "tool" for a bearer of results."""
        return self.known_roles if self.known_roles is not None else tuple(map(shape_role, self.history))

    @lazy
    def turns(self) -> tuple[int, ...]:
        """The messages of the conversation: neither system messages nor reasoning items."""
        return tuple([index for index, role in enumerate(self.roles) if role and role != "reasoning"])


@frozen
class FaultRule:
    """A rule that can be broken by one list alone."""

    name: str
    faults: Callable[[View], Iterable[Fault]] = field(eq=False)


def shape_role(message: Message) -> str:
    """Return the role of a message for shape rules."""
    role = message.role
    if role in SYSTEM_ROLES:
        return ""
    return "tool" if role == "user" and message.extra and message.extra.get("inline_results") else role


def is_user(message: Message) -> bool:
    """Say whether a person speaks: a user message that is no bearer of results."""
    return message.role == "user" and not (message.extra and message.extra.get("inline_results"))


@frozen(slots=False, eq=False)
class Frame:
    """An input, read once for all of its trims."""

    example: Example

    @lazy
    def view(self) -> View:
        """The input as rules read it."""
        example = self.example
        return View(example.history, example.profile, known_reading=example.reading)

    @lazy
    def units(self) -> Units:
        """The units of the input and their needs."""
        return self.example.units

    @lazy
    def _whole(self) -> tuple[Callable[[int], int], Callable[[int], int]]:
        """The unit of a message, and the number of messages in a unit."""
        return self.units.unit_of.__getitem__, tuple(map(len, self.units.members)).__getitem__

    @lazy
    def keys(self) -> Keys:
        """The input's messages as numbers, equal where they are equal to a reader."""
        return keys_of(self.example.history)

    @lazy
    def twins(self) -> frozenset[int]:
        """The messages that are equal to another one."""
        keys = self.keys
        if keys.distinct:
            return frozenset()
        often = Counter(keys.each)
        return frozenset(index for index, key in enumerate(keys.each) if often[key] > 1)

    @lazy
    def conversation(self) -> frozenset[int]:
        """The messages that are neither system messages nor reasoning items."""
        return frozenset(self.view.turns)

    @lazy
    def head(self) -> frozenset[int]:
        """The leading system messages."""
        return frozenset(range(head_length(self.example.history)))

    @lazy
    def pinned(self) -> frozenset[int]:
        """The messages that ask to be kept."""
        return frozenset(index for index, message in enumerate(self.example.history) if message.keep_during_truncation)

    @lazy
    def latest_user(self) -> int | None:
        """The last message in which a person speaks, summaries aside."""
        history = self.example.history
        for index in range(len(history) - 1, -1, -1):
            if is_user(history[index]) and not history[index].summary:
                return index
        return None

    @lazy
    def has_approvals(self) -> bool:
        """Whether any message asks for an approval or gives one."""
        return any(
            message.extra and not message.extra.keys().isdisjoint(("approval_request", "approval_response"))
            for message in self.example.history
        )

    @lazy
    def without_blanks(self) -> Reading:
        """The pairing with the blanks around ids taken off; calls and results keep their numbers."""
        reading = self.example.reading
        ids = [slot.id for slot in reading.slots] + [answer.id for answer in reading.answers]
        if all(known == known.strip() for known in ids):
            return reading
        history = tuple(
            evolve(
                message,
                call_id=message.call_id and message.call_id.strip(),
                calls=tuple(evolve(call, id=call.id.strip()) for call in message.calls),
            )
            for message in self.example.history
        )
        return read(history, merge_items=self.example.profile.merge_items)

    @lazy
    def given(self) -> dict[str, frozenset[tuple[tuple[int, ...], str]]]:
        """The faults of the input by rule, as far as they were asked for."""
        return {}

    def faults(self, rule: FaultRule) -> frozenset[tuple[tuple[int, ...], str]]:
        """The faults that the input has already: what they are about, and their detail."""
        found = self.given.get(rule.name)
        if found is None:
            found = frozenset((fault.subject, fault.detail) for fault in rule.faults(self.view))
            self.given[rule.name] = found
        return found

    def takes_whole_units(self, kept: Sequence[int]) -> bool:
        """Say whether these messages stand in order and are whole units with what they need.

        Then every answer pairs in the output as it did in the input, so that no fault of pairing can be new.
        """
        unit_of, size_of = self._whole
        touched = set(map(unit_of, kept))
        if sum(map(size_of, touched)) != len(kept) or not all(map(lt, kept, kept[1:])):
            return False
        needs = self.units.needs
        return not needs or all(needed <= touched for unit, needed in needs.items() if unit in touched)


def frame_of(example: Example) -> Frame:
    """Return the frame of an example, made once."""
    found = example.memo.get(_FRAME)
    if found is None:
        found = example.memo[_FRAME] = Frame(example)
    return cast(Frame, found)
