"""Translation: the items of one format as those of another, by way of the plain history.

For trimmers that speak two formats: trimming and then translating should give what translating and then trimming gives.
"""

from collections.abc import Iterable
from typing import Any

from attrs import evolve

from .errors import CannotCarry
from .formats import Format
from .model import History, Message
from .needs import needs
from .wires.entries import entries_of, message_of


def translate(items: Iterable[Any], source: Format, target: Format) -> list[Any]:
    """Write the items of one format in another, with the normalisations that both list.

    Results beside text in a user message become messages of their own. Raises `CannotCarry` for what the target has no
    place for, blocks that only the source knows among it.
    """
    history = source.read_history(items)
    if source.name == target.name:
        return target.write_items(target.shape(history))
    for index, message in enumerate(history):
        missing = needs(message) - target.carries - {"inline_results"}
        if "parts" in message.extra or missing:
            what = ", ".join(sorted(missing)) or f"these blocks of {source.name}"
            raise CannotCarry(f"{target.name} has no place for {what}", "", index)
    return target.write_items(target.shape(_apart(history)))


def _apart(history: History) -> History:
    return tuple(piece for message in history for piece in _pieces(message))


def _pieces(message: Message) -> Iterable[Message]:
    if message.role != "user" or message.extra.get("text_first") or not message.extra.get("inline_results"):
        return (message,)
    keep, summary = message.keep_during_truncation, message.summary
    results = [message_of(entry, keep=keep, summary=summary) for entry in entries_of(message)]
    rest = evolve(message, extra={key: value for key, value in message.extra.items() if key != "inline_results"})
    return (*results, rest) if rest.text is not None else results
