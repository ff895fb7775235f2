"""Evidence: what a rule may look at when it judges a trim, worked out when it is first asked for.

Everything follows from one question: which input message is each output message? Shared objects answer it. From there
calls and results of the output are traced to those of the input, so that a rule can ask of a fault whether it was
given.

Messages that are equal cannot be told apart. A finding that rests on which of them was kept is only upheld if it also
stands when they are matched by looks, newest first: `second_look` is the evidence seen that way.
"""

from collections.abc import Sequence
from enum import Enum
from typing import Any, cast

from attrs import evolve, field, frozen

from ...messages.cases import Case, Cut, Outcome, Runs
from ...messages.lazy import lazy
from ...messages.model import History
from ...messages.reading.pairing import Reading
from ...messages.reading.profile import Profile
from ...messages.reading.survivors import Alignment, align, same
from .list_faults import Fault
from .tracing import traced_calls, traced_results
from .views import FaultRule, Frame, View, frame_of

NO_RUNS = Runs()


class NonemptyForm(Enum):
    """How nonempty-history is asked. A mild form asks only where the newest unit fits.

    `LEGAL`: some conversation comes back if any of it is legal; `REJECTED`: what comes back is not what the provider
    rejects as empty.
    """

    LEGAL = "legal"
    MILD = "mild"
    REJECTED = "rejected"
    REJECTED_MILD = "rejected, mild"

    @property
    def mild(self) -> bool:
        """Whether it asks only where the newest unit fits."""
        return self in (NonemptyForm.MILD, NonemptyForm.REJECTED_MILD)

    @property
    def rejected(self) -> bool:
        """Whether it asks what the provider does."""
        return self in (NonemptyForm.REJECTED, NonemptyForm.REJECTED_MILD)


@frozen
class RawFinding:
    """What a check yields, before it has a rule and a case: the cut, the input messages and ids, and a sentence."""

    cut: Cut
    messages: tuple[int, ...] = ()
    ids: tuple[str, ...] = ()
    note: str = ""


@frozen(slots=False, eq=False)
class Evidence:
    """A case and its outcome, as rules read them.

    `by_looks` matches equal messages by looks where shared objects would tell them apart. Without `short_way` a clean
    trim is not recognised as one.
    """

    case: Case
    outcome: Outcome
    runs: Runs = field(default=NO_RUNS, kw_only=True)
    nonempty: NonemptyForm = field(default=NonemptyForm.LEGAL, kw_only=True)
    promises: frozenset[str] = field(default=frozenset(), kw_only=True)
    """What the trimmer promised, as far as it decides what is legal for it."""
    measured: bool = field(default=True, kw_only=True)
    by_looks: bool = field(default=False, kw_only=True)
    short_way: bool = field(default=True, kw_only=True)

    @lazy
    def frame(self) -> Frame:
        """The input, read once for all its trims."""
        return frame_of(self.case.example)

    @property
    def profile(self) -> Profile:
        """The profile to judge under."""
        return self.case.example.profile

    @property
    def history(self) -> History:
        """The input."""
        return self.case.example.history

    @property
    def output(self) -> History:
        """What the trimmer returned; empty when it returned nothing."""
        return self.outcome.output or ()

    @property
    def before(self) -> Reading:
        """The pairing of the input."""
        return self.case.example.reading

    @property
    def after(self) -> Reading:
        """The pairing of the output."""
        return self.out.reading

    # Survivors

    @lazy
    def exact(self) -> tuple[int, ...] | None:
        """The input index of each output message where every one of them is an untouched input message; else None."""
        if self.outcome.mutated or self.outcome.output is None:
            return None
        sources = self.outcome.sources
        if sources is None or None in sources or self.by_looks:
            alignment = self.alignment
            if alignment.duplicates or alignment.new:
                return None
            sources = alignment.sources
        known = cast("tuple[int, ...]", sources)
        return known if self.output == tuple(map(self.history.__getitem__, known)) else None

    @lazy
    def clean(self) -> bool:
        """Whether the output is whole units of the input, untouched and in order: what pairs there pairs here."""
        if self.outcome.status != "ok" or self.outcome.list_changed or not self.short_way:
            return False
        exact = self.exact
        return exact is not None and self.frame.takes_whole_units(exact)

    @lazy
    def alignment(self) -> Alignment:
        """Which input message each output message is."""
        sources = self.outcome.sources
        if sources is not None and None not in sources and not self.by_looks:
            return _taken_at_its_word(cast("tuple[int, ...]", sources))
        pinned = not self.by_looks
        return align(self.history, self.output, identity=sources, keys=self.frame.keys, pinned=pinned)

    @lazy
    def place(self) -> dict[int, int]:
        """Where each surviving input message stands in the output."""
        if self.clean:
            exact = cast("tuple[int, ...]", self.exact)
            return dict(zip(exact, range(len(exact)), strict=True))
        return self.alignment.place

    @lazy
    def origin(self) -> tuple[int | None, ...]:
        """The input index of each output message; None for new messages and second copies."""
        alignment = self.alignment
        if not alignment.duplicates:
            return alignment.sources
        return tuple(
            [None if index in alignment.duplicates else source for index, source in enumerate(alignment.sources)]
        )

    @lazy
    def has_conversation(self) -> bool:
        """Whether the output has a message that is neither a system message nor a reasoning item."""
        if self.clean:
            return not self.frame.conversation.isdisjoint(self.place)
        return bool(self.out.turns)

    @lazy
    def gone(self) -> tuple[int, ...]:
        """The input messages that did not survive."""
        place = self.place
        return tuple([index for index in range(len(self.history)) if index not in place])

    @lazy
    def edited(self) -> tuple[int, ...]:
        """The output messages that survived and are not what they were."""
        history, output = self.history, self.output
        return tuple(
            index
            for index, source in enumerate(self.origin)
            if source is not None and output[index] is not history[source] and not same(history[source], output[index])
        )

    def second_look(self) -> "Evidence | None":
        """Return the evidence with equal messages matched by looks; None where that changes nothing."""
        sources = self.outcome.sources
        twins = self.frame.twins
        if self.by_looks or sources is None or not twins:
            return None
        if self.exact is not None and self.alignment.ordered and twins.intersection(self.place) in (twins, frozenset()):
            return None  # all of them stayed, or none did: there is nothing to confuse
        other = evolve(self, by_looks=True)
        return None if other.alignment == self.alignment else other

    # Pairing

    @lazy
    def out(self) -> View:
        """The output as rules read it."""
        if self.clean:
            exact = cast("tuple[int, ...]", self.exact)
            roles = tuple(map(self.frame.view.roles.__getitem__, exact))
            return View(self.output, self.profile, kept_apart=self._input_batches, known_roles=roles)
        return View(self.output, self.profile, kept_apart=self._input_batches)

    def _input_batches(self) -> Sequence[int | None]:
        batch_of = self.before.batch_of
        return [None if source is None else batch_of.get(source) for source in self.origin]

    @lazy
    def slot_origin(self) -> tuple[int | None, ...]:
        """The call of the input that each call of the output is; None for one that is new, or was renamed."""
        return traced_calls(self.before, self.after, self.origin)

    @lazy
    def answer_origin(self) -> tuple[int | None, ...]:
        """The result of the input that each result of the output is; None if it is new, or answers another id."""
        return traced_results(self.before, self.after, self.origin)

    @lazy
    def stand_ins(self) -> dict[int, int]:
        """Results of the output that come from none of the input, by what they stand in the place of there.

        That is the result which the same call had in the input, and which did not come back.
        """
        before, gone, found = self.before, set(self.answer_place), dict[int, int]()
        for index, answer in enumerate(self.after.answers):
            if self.answer_origin[index] is None and answer.slot is not None:
                call = self.slot_origin[answer.slot]
                result = None if call is None else before.slots[call].answer
                if result is not None and result not in gone and answer.message not in self.alignment.duplicates:
                    gone.add(result)
                    found[index] = result
        return found

    @lazy
    def slot_place(self) -> dict[int, int]:
        """Where each surviving call of the input is found in the output's reading."""
        return {source: index for index, source in enumerate(self.slot_origin) if source is not None}

    @lazy
    def answer_place(self) -> dict[int, int]:
        """Where each surviving result of the input is found in the output's reading."""
        return {source: index for index, source in enumerate(self.answer_origin) if source is not None}

    # Faults

    def introduced(self, rule: FaultRule) -> list[Fault]:
        """Return the faults of the output that the input did not have."""
        found = list(rule.faults(self.out))
        if not found:
            return found
        given = self.frame.faults(rule)
        return [fault for fault in found if (self.translated(fault), fault.detail) not in given]

    def translated(self, fault: Fault) -> tuple[int | None, ...]:
        """Return what a fault of the output is about, in terms of the input; None for what is not of the input."""
        subject = fault.subject
        match fault.kind:
            case "list":
                return ()
            case "message":
                return (self.origin[subject[0]],)
            case "slot" | "slots":
                return tuple(self.slot_origin[slot] for slot in subject)
            case "answer":
                return (self.answer_origin[subject[0]],)
            case "between":
                return (self.answer_origin[subject[0]], self.origin[subject[1]])

    # Words

    def name(self, index: int) -> str:
        """Name an output message for a person: by its place in the input where it has one."""
        source = self.alignment.sources[index]
        if source is None:
            return f"output[{index}] (new)"
        return f"a second copy of messages[{source}]" if self.origin[index] is None else f"messages[{source}]"

    def retold(self, fault: Fault) -> str:
        """Return the sentence of a fault of the output, with its messages by the names that they have in the input."""
        note = fault.note
        for at in fault.messages:
            note = note.replace(f"messages[{at}]", f"\0{at}\0")
        for at in fault.messages:
            note = note.replace(f"\0{at}\0", self.name(at))
        return note

    def inputs(self, *indexes: int) -> tuple[int, ...]:
        """Return the input indexes of output messages, without those that have none; a copy has its original's."""
        sources = (self.alignment.sources[index] for index in indexes)
        return tuple(sorted({source for source in sources if source is not None}))

    def arrival(self, index: int) -> Cut | None:
        """Return the cut by which an output message came in: duplicated or invented; None for a survivor."""
        if self.origin[index] is not None:
            return None
        return "invented" if self.alignment.sources[index] is None else "duplicated"

    def put_there(self, index: int) -> Cut:
        """Return the cut by which an output message came to stand where it is."""
        arrival = self.arrival(index)
        return "reordered" if arrival is None else "inserted-between" if arrival == "invented" else arrival

    @lazy
    def memo(self) -> dict[str, Any]:
        """Room for what one rule works out and another reads."""
        return {}


def _taken_at_its_word(sources: tuple[int, ...]) -> Alignment:
    if len(set(sources)) == len(sources):
        return Alignment(sources, frozenset())
    seen: set[int] = set()
    duplicates: set[int] = set()
    for index, source in enumerate(sources):
        if source in seen:
            duplicates.add(index)
        seen.add(source)
    return Alignment(sources, frozenset(duplicates))
