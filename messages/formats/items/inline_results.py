"""Entries: the results inside a message, as `inline_results` lists them.

An entry is a mapping with `call_id`, `text` (where there is any), `name` (of the tool), marks, and what else rides
along; one that has nothing but its id is the bare id. A tool message and an entry hold the same things.
"""

from collections.abc import Iterable, Mapping
from typing import Any, TypeAlias, cast

from attrs import evolve

from ...model import NO_EXTRA, History, Message

InlineResult: TypeAlias = str | Mapping[str, Any]
ENTRY_MARKS = ("keep_during_truncation", "summary")
OWN = frozenset({"call_id", "text", "name", "tokens", *ENTRY_MARKS})


def entry_of(message: Message, *, marked: bool) -> InlineResult:
    """Return a tool message as an entry; `marked` writes its marks, which otherwise ride on the whole message."""
    found: dict[str, Any] = {"call_id": message.call_id or ""}
    if message.text is not None:
        found["text"] = message.text
    if message.name is not None:
        found["name"] = message.name
    if marked:
        found.update({mark: True for mark in ENTRY_MARKS if getattr(message, mark)})
    found.update(message.extra)
    return tidy(found)


def tidy(found: Mapping[str, Any]) -> InlineResult:
    """Return an entry in its shortest form."""
    return str(found["call_id"]) if len(found) == 1 else found


def fields(entry: InlineResult) -> Mapping[str, Any]:
    """Return an entry as a mapping that has a `call_id`."""
    if isinstance(entry, str):
        return {"call_id": entry}
    return entry if "call_id" in entry else {**entry, "call_id": str(entry.get("id") or "")}


def entries_of(message: Message) -> list[Mapping[str, Any]]:
    """Return the results inside a message as mappings."""
    given = cast("Iterable[Any]", message.extra.get("inline_results") or ()) if message.extra else ()
    return [fields(entry) for entry in given]


def message_of(entry: InlineResult, *, keep: bool, summary: bool, extra: Mapping[str, Any] = NO_EXTRA) -> Message:
    """Return an entry as a tool message; marks and `extra` of the message it stood in are given along."""
    found = fields(entry)
    riding = {key: value for key, value in found.items() if key not in OWN}
    return Message(
        "tool",
        found.get("text"),
        call_id=found["call_id"],
        name=found.get("name"),
        keep_during_truncation=keep,
        summary=summary,
        extra={**riding, **extra} if riding or extra else NO_EXTRA,
    )


def apart(history: History) -> History:
    """Return a history with every result in a user message as a tool message of its own, and the text behind them.

    Results behind a text stay where they are: apart they would answer too late.
    """
    if not any(message.extra for message in history):
        return history
    return tuple(piece for message in history for piece in _pieces(message))


def _pieces(message: Message) -> Iterable[Message]:
    if message.role != "user" or message.extra.get("text_first") or not message.extra.get("inline_results"):
        return (message,)
    keep, summary = message.keep_during_truncation, message.summary
    results = [message_of(entry, keep=keep, summary=summary) for entry in entries_of(message)]
    rest = evolve(message, extra={key: value for key, value in message.extra.items() if key != "inline_results"})
    return results if rest.text is None and not rest.extra else (*results, rest)
