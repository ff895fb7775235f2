"""Packages with messages of their own: take a history apart for them, and put the trimmed list together again.

Such packages cut messages differently: a call is an item of its own, or all results of a round are one message. An
adapter takes a history apart into pieces (the text of a message, one of its calls), hands the package its own objects,
and says for every object that comes back which piece it was. `rebuilt` joins neighbouring pieces of one message, and
so knows which input message each output message comes from.

The package gets copies of our immutable messages. If it edits its objects, that is not seen.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeAlias

from attrs import evolve, frozen

from ...messages.formats.neutral import FORMAT as NEUTRAL_FORMAT
from ...messages.model import Message
from ..trimmer import Traced

MESSAGES = evolve(NEUTRAL_FORMAT, provider="openai-chat", features=frozenset[str]())
"""Our own messages, without marks, developer messages, reasoning or anything that a provider runs itself."""

RESPONSES = evolve(MESSAGES, provider="openai-responses")
"""The same, judged as OpenAI Responses items, where calls that follow each other are one batch."""


@frozen
class MessagePart:
    """A part of an input message: one of its calls, or without `call` all the rest of it.

    `text` is what a package made of its text, where it rewrote it.
    """

    source: int
    call: int | None = None
    text: str | None = None


Returned: TypeAlias = Iterable[MessagePart | Message]


def taken_apart(history: Sequence[Message]) -> list[tuple[MessagePart, Message]]:
    """Return every piece of a history with its message, in the order in which they are sent: text, then calls."""
    pieces: list[tuple[MessagePart, Message]] = []
    for source, message in enumerate(history):
        if message.text or not message.calls:
            pieces.append((MessagePart(source), message))
        pieces.extend((MessagePart(source, position), message) for position in range(len(message.calls)))
    return pieces


def rebuilt(history: Sequence[Message], found: Returned) -> Traced:
    """Join pieces that came back into messages; a `Message` among them is new.

    A message whose pieces are all there comes back as the very object; one that lost calls or its text as a copy of
    what is left; a piece that comes twice makes a second message.
    """
    items: list[Message] = []
    sources: list[int | None] = []
    run: list[MessagePart] = []

    def close() -> None:
        if run:
            items.append(_joined(history[run[0].source], run))
            sources.append(run[0].source)
            run.clear()

    for one in found:
        if isinstance(one, Message):
            close()
            items.append(one)
            sources.append(None)
            continue
        if run and (run[0].source != one.source or any(other.call == one.call for other in run)):
            close()
        run.append(one)
    close()
    return Traced(items, sources)


def _joined(message: Message, run: Sequence[MessagePart]) -> Message:
    texts = [piece for piece in run if piece.call is None]
    positions = [piece.call for piece in run if piece.call is not None]
    rewritten = next((piece.text for piece in texts if piece.text is not None), None)
    if rewritten is None and positions == [*range(len(message.calls))] and (texts or not message.text):
        return message
    text = rewritten if rewritten is not None else message.text if texts else None
    return evolve(message, text=text, calls=tuple([message.calls[position] for position in positions]))


def summary(role: str, text: str) -> Message:
    """Return a summary that a package wrote, declared as the insertion that it is."""
    return Message(role, text, summary=True)


def marker(role: str, text: str, **given: Any) -> Message:
    """Return a note or stand-in that a package inserted and names as such."""
    return Message(role, text, extra={"inserted": True}, **given)


def rounds(history: Sequence[Message]) -> Iterable[tuple[int, Sequence[Message]]]:
    """Yield (index of the first, messages), with results that follow each other together and all others alone."""
    start = 0
    while start < len(history):
        end = start + 1
        while history[start].role == "tool" and end < len(history) and history[end].role == "tool":
            end += 1
        yield start, history[start:end]
        start = end


class ById:
    """Remembers objects by identity, and keeps them alive so that no identity is used twice."""

    def __init__(self) -> None:
        self._kept: list[Any] = []
        self._of: dict[int, tuple[MessagePart, ...]] = {}

    def known(self, item: Any, *pieces: MessagePart) -> Any:
        """Remember which pieces an object stands for; returns the object."""
        self._kept.append(item)
        self._of[id(item)] = pieces
        return item

    def pieces(self, items: Iterable[Any], new: Callable[[Any], Message]) -> Iterable[MessagePart | Message]:
        """Yield the pieces of objects; one that is not known becomes a message by `new`."""
        for item in items:
            pieces = self._of.get(id(item))
            if pieces is None:
                yield new(item)
            else:
                yield from pieces
