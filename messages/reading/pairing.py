"""Pairing: which result answers which call, read once from left to right.

Every assistant message with calls opens a batch. An answer looks only at the latest batch that has a call of its id: a
free slot there is answered, none left makes the answer surplus, no such batch makes it an orphan. Nothing closes a
batch; a later call of the same id shadows it. So an id that is used again in a later turn pairs inside its own turn,
which a set of ids over the whole history can not see.

Rules read slots and answers, never the two spellings of a result (a tool message, or `inline_results` in another one).
Both are plain named tuples: a reading is made for every trim, and they are made in half the time of an attrs class.
"""

from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple, TypeAlias, cast

from attrs import frozen

from ..lazy import lazy
from ..model import SYSTEM_ROLES, History, Message

InputClass: TypeAlias = Literal["valid", "pending", "interleaved", "malformed"]
INPUT_CLASSES: tuple[InputClass, ...] = ("valid", "pending", "interleaved", "malformed")


class Slot(NamedTuple):
    """One call: the index of its message, its position there, and the answer that fills it (None while open)."""

    message: int
    position: int
    id: str
    alt_id: str | None
    provider_executed: bool
    batch: int
    answer: int | None


class Answer(NamedTuple):
    """One result. Without a batch it is an orphan; with a batch but without a slot it is surplus."""

    message: int
    position: int
    id: str
    role: str
    batch: int | None
    slot: int | None

    @property
    def orphan(self) -> bool:
        """No call of this id stands before it."""
        return self.batch is None

    @property
    def surplus(self) -> bool:
        """Its batch has no open call of this id left."""
        return self.batch is not None and self.slot is None


class Batch(NamedTuple):
    """The calls made in one turn: their messages (indexes), slots and answers (indexes into the reading)."""

    messages: tuple[int, ...]
    slots: tuple[int, ...]
    answers: tuple[int, ...]


@frozen(slots=False)
class Reading:
    """A history with its pairing. `shadows` are pairs of slots (earlier, later) that share an id while it is in use."""

    history: History
    slots: tuple[Slot, ...]
    answers: tuple[Answer, ...]
    batches: tuple[Batch, ...]
    shadows: tuple[tuple[int, int], ...]
    one_response: bool = False

    @lazy
    def ends(self) -> tuple[int, ...]:
        """Where the calls of each batch end: its last call message.

        In one response that is the last call item of the response, which may be one that the provider runs.
        """
        found = [batch.messages[-1] for batch in self.batches]
        if self.one_response:
            for number, last in enumerate(found):
                for index in range(last + 1, len(self.history)):
                    message = self.history[index]
                    if message.role not in _OF_THE_MODEL or any(not call.provider_executed for call in message.calls):
                        break
                    if message.calls:
                        found[number] = index
        return tuple(found)

    @lazy
    def results_of(self) -> dict[int, set[int]]:
        """For each message that holds results, the batches that they belong to."""
        found: dict[int, set[int]] = {}
        for answer in self.answers:
            if answer.batch is not None:
                found.setdefault(answer.message, set()).add(answer.batch)
        return found

    @lazy
    def interposers(self) -> tuple[tuple[int, int], ...]:
        """Pairs (answer, message): a message between an answer and its call that is no result of the same batch."""
        return tuple(
            (index, between)
            for index, answer in enumerate(self.answers)
            if answer.batch is not None
            for between in range(self.ends[answer.batch] + 1, answer.message)
            if answer.batch not in self.results_of.get(between, ())
        )

    @lazy
    def open_batches(self) -> dict[int, bool]:
        """Batches with a free slot; True if pending (behind it stand only its own results), False if abandoned."""
        size = len(self.history)
        return {
            index: all(index in self.results_of.get(behind, ()) for behind in range(self.ends[index] + 1, size))
            for index, batch in enumerate(self.batches)
            if any(self.slots[slot].answer is None for slot in batch.slots)
        }

    @lazy
    def conversation(self) -> tuple[int, ...]:
        """Indexes of the messages that are neither system nor reasoning items."""
        return tuple(
            index
            for index, message in enumerate(self.history)
            if message.role not in SYSTEM_ROLES and message.role != "reasoning"
        )

    @lazy
    def batch_of(self) -> dict[int, int]:
        """The batch of each call message."""
        return {message: index for index, batch in enumerate(self.batches) for message in batch.messages}

    @lazy
    def answers_of(self) -> dict[int, list[int]]:
        """The answers that each message holds."""
        found: dict[int, list[int]] = {}
        for index, answer in enumerate(self.answers):
            found.setdefault(answer.message, []).append(index)
        return found

    @lazy
    def slots_of(self) -> dict[int, list[int]]:
        """The slots that each message holds, in call order."""
        found: dict[int, list[int]] = {}
        for index, slot in enumerate(self.slots):
            found.setdefault(slot.message, []).append(index)
        return found

    @lazy
    def input_class(self) -> InputClass:
        """How a provider would take this history: valid, pending, interleaved or malformed."""
        if (
            self.shadows
            or any(answer.slot is None for answer in self.answers)
            or any(not slot.id for slot in self.slots)
        ):
            return "malformed"
        opens_on_user = not self.conversation or self.history[self.conversation[0]].role == "user"
        if not opens_on_user or self.interposers or not all(self.open_batches.values()):
            return "interleaved"
        return "pending" if self.open_batches else "valid"


_OF_THE_MODEL = ("assistant", "reasoning")
_NO_BATCH: tuple[int, list[int]] = (-1, [])


def result_ids(message: Message) -> tuple[str, ...]:
    """Return the call ids that a message answers: one for a tool message, one for each entry of `inline_results`."""
    if not message.extra:
        return (message.call_id or "",) if message.role == "tool" else ()
    ids: list[str] = []
    if message.role == "tool" and (message.call_id or "approval_response" not in message.extra):
        ids.append(message.call_id or "")
    ids.extend(map(_inline_id, message.extra.get("inline_results") or ()))
    return tuple(ids)


def result_texts(message: Message) -> tuple[str, ...]:
    """Return the texts of the results that a message bears, in the order of `result_ids`; "" for one without."""
    texts: list[str] = []
    if message.role == "tool" and (message.call_id or "approval_response" not in message.extra):
        texts.append(message.text or "")
    texts.extend(map(_inline_text, message.extra.get("inline_results") or ()))
    return tuple(texts)


def _inline_text(entry: object) -> str:
    return str(cast("Mapping[str, object]", entry).get("text") or "") if isinstance(entry, Mapping) else ""


def _inline_id(entry: object) -> str:
    if isinstance(entry, str):
        return entry
    if isinstance(entry, Mapping):
        known = cast("Mapping[str, object]", entry)
        return str(known.get("call_id") or known.get("id") or "")
    return ""


def read(
    history: History,
    *,
    merge_items: bool = False,
    one_response: bool = False,
    kept_apart: Sequence[int | None] | None = None,
) -> Reading:
    """Pair the calls and results of a history, in one pass.

    With `merge_items` a call message without text that directly follows another one joins its batch. In `one_response`
    so does one that follows with nothing but messages of the model between them: it wrote both calls before it saw a
    result. A provider's own call in between does not part them, and is a batch of its own. For a trimmed list
    `kept_apart` gives the input batch of each message (None where there is none): survivors of different input batches
    are never merged, since a cut that makes two call messages neighbours does not make them one batch.
    """
    batches: list[tuple[list[int], list[int], list[int]]] = []
    current: dict[str, tuple[int, list[int]]] = {}
    made: list[tuple[int, int, str, str | None, bool, int]] = []
    filled: dict[int, int] = {}
    answers: list[Answer] = []
    shadows: list[tuple[int, int]] = []
    previous: Message | None = None
    latest = -1  # the batch of the latest call message
    response = -1  # the batch of the latest client call in the response that is being written
    origins: list[int | None] = []
    for index, message in enumerate(history):
        if message.calls and message.role == "assistant":
            mine = None if kept_apart is None else kept_apart[index]
            number = -1
            if merge_items and _continues(previous, message):
                number = latest
            elif one_response and response >= 0 and not message.text and _by_client(message):
                number = response
            if number < 0 or not _together(origins[number], mine):
                number = len(batches)
                batches.append(([], [], []))
                origins.append(None)
            origins[number] = mine if origins[number] is None else origins[number]
            latest = number
            messages, slots, _ = batches[number]
            messages.append(index)
            for position, call in enumerate(message.calls):
                slot = len(made)
                made.append((index, position, call.id, call.alt_id, call.provider_executed, number))
                slots.append(slot)
                for key in (call.id,) if call.alt_id in (None, call.id) else (call.id, call.alt_id):
                    batch, held = current.get(key, _NO_BATCH)
                    shadows.extend((other, slot) for other in held if other not in filled)
                    if batch == number:
                        held.append(slot)
                    else:
                        current[key] = (number, [slot])
        if message.role == "tool" or message.extra:
            for position, answered in enumerate(result_ids(message)):
                batch: int | None = None
                chosen: int | None = None
                if answered in current:
                    batch, held = current[answered]
                    free = [slot for slot in held if slot not in filled]
                    if free:
                        chosen = free[0] if len(free) == 1 else min(free, key=lambda slot: (-made[slot][0], slot))
                        filled[chosen] = len(answers)
                    batches[batch][2].append(len(answers))
                answers.append(Answer(index, position, answered, message.role, batch, chosen))
        previous = message
        if one_response:
            if message.role not in _OF_THE_MODEL:
                response = -1
            elif message.calls and _by_client(message) and not message.extra.get("inline_results"):
                response = latest
    return Reading(
        history,
        tuple([Slot(*parts, filled.get(slot)) for slot, parts in enumerate(made)]),
        tuple(answers),
        tuple([Batch(*map(tuple, parts)) for parts in batches]),
        tuple(dict.fromkeys(shadows)),
        one_response,
    )


def _by_client(message: Message) -> bool:
    """Say whether the client is to run one of the calls."""
    return any(not call.provider_executed for call in message.calls)


def _continues(previous: Message | None, message: Message) -> bool:
    """Say whether a call message is one more item of the batch that the message right before it began."""
    return (
        previous is not None
        and previous.role == "assistant"
        and bool(previous.calls)
        and not message.text
        and not previous.extra.get("inline_results")
    )


def _together(origin: int | None, mine: int | None) -> bool:
    return origin is None or mine is None or origin == mine
