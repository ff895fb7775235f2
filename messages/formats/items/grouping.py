"""Grouping: results that stand side by side, as one message that bears them all; and back.

Where a provider takes all results of a step in one turn, a trimmer sees one item. Its neutral form is a message with
`inline_results`, so that rules, costs and survivors count items. What stands alone on purpose stays so: a result that
declares itself inserted, and one that gives an approval opens an item.

A mark on one of several results is on the item as well: what a trimmer must keep, it finds at the top.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from attrs import evolve, frozen

from ...model import NO_EXTRA, Call, History, Message
from .inline_results import ENTRY_MARKS, entries_of, entry_of, message_of, tidy
from .values import compact

_ON_TOP = ("approval_response", "approved", "inserted")
_GROUP_KEYS = frozenset({"inline_results", *_ON_TOP})


@frozen
class Grouping:
    """How one format groups. `names`: whether a result carries the tool's name always, never, or as it comes.

    `joins_text`: a user message behind results stands in their item (unless marked); otherwise it is its own.
    `groups` false leaves results alone. `objects`: arguments are parsed, so that their blanks are lost.
    """

    names: str = "free"
    joins_text: bool = False
    groups: bool = True
    objects: bool = True

    def shape(self, history: History) -> History:
        """Return a history with every run of results as one message, names and arguments as the format has them."""
        named = list(self._named(history))
        return tuple(self._grouped(named)) if self.groups else tuple(named)

    def plain(self, history: History) -> History:
        """Return a history with every result that can be one as a tool message of its own."""
        return tuple(message for given in history for message in self._spread(given))

    def _named(self, history: History) -> Iterator[Message]:
        tools: dict[str, str] = {}
        for message in history:
            for call in message.calls:
                tools[call.id] = call.name
                if call.alt_id is not None:
                    tools[call.alt_id] = call.name
            yield self._named_message(message, tools)

    def _named_message(self, message: Message, tools: Mapping[str, str]) -> Message:
        if self.objects and message.calls and any(call.arguments != "{}" for call in message.calls):
            message = evolve(message, calls=tuple(map(_compacted, message.calls)))
        if self.names == "free":
            return message
        if message.role == "tool" and message.call_id is not None:
            name = None if self.names == "never" else message.name or tools.get(message.call_id, "f")
            return message if name == message.name else evolve(message, name=name)
        entries = entries_of(message) if message.role == "user" else []
        if not entries or all(("name" in entry) == (self.names == "always") for entry in entries):
            return message
        renamed = [self._named_entry(entry, tools) for entry in entries]
        return evolve(message, extra={**message.extra, "inline_results": renamed})

    def _named_entry(self, entry: Mapping[str, Any], tools: Mapping[str, str]) -> Any:
        found = {key: value for key, value in entry.items() if key != "name"}
        if self.names == "always":
            found["name"] = entry.get("name") or tools.get(entry["call_id"], "f")
        return tidy(found)

    def _grouped(self, history: list[Message]) -> Iterator[Message]:
        run: list[Message] = []
        for message in history:
            if _is_result(message):
                if run and not _goes_on(run[0], message):
                    yield together(run)
                    run = []
                run.append(message)
                continue
            if run:
                if self.joins_text and _is_plain_user(message) and not any(map(_marked, run)):
                    yield evolve(together(run), text=message.text)
                    run = []
                    continue
                yield together(run)
                run = []
            yield message
        if run:
            yield together(run)

    def _spread(self, message: Message) -> Iterator[Message]:
        entries = entries_of(message) if message.role == "user" else []
        if not entries or not message.extra.keys() <= _GROUP_KEYS or not self._parts(message, len(entries)):
            yield message
            return
        extra = {key: value for key, value in message.extra.items() if key != "inline_results"}
        marks = {mark: getattr(message, mark) for mark in ENTRY_MARKS}
        own = {mark for mark in ENTRY_MARKS if any(mark in entry for entry in entries)}
        for place, entry in enumerate(entries):
            keep, summary = (bool(entry.get(mark)) if mark in own else marks[mark] for mark in ENTRY_MARKS)
            yield message_of(entry, keep=keep, summary=summary, extra=extra if not place else {})
        if message.text is not None:
            yield Message("user", message.text)

    def _parts(self, message: Message, results: int) -> bool:
        """Say whether a message of results comes out the same when it is spread and grouped again."""
        if "inserted" in message.extra and (results > 1 or message.text is not None):
            return False
        return message.text is None or (self.joins_text and not _marked(evolve(message, extra=NO_EXTRA)))


def _compacted(call: Call) -> Call:
    arguments = compact(call.arguments)
    return call if arguments == call.arguments else evolve(call, arguments=arguments)


def _is_result(message: Message) -> bool:
    if message.role != "tool" or (message.call_id is None and "approval_response" in message.extra):
        return False
    return "inline_results" not in message.extra


def _is_plain_user(message: Message) -> bool:
    return message.role == "user" and message.text is not None and not message.extra and not _marked(message)


def _marked(message: Message) -> bool:
    return message.keep_during_truncation or message.summary or bool(message.extra)


def _goes_on(first: Message, message: Message) -> bool:
    """Say whether a result joins the run that another one opened."""
    if not message.extra and not first.extra:
        return True
    return (
        "approval_response" not in message.extra and "inserted" not in message.extra and "inserted" not in first.extra
    )


def together(run: Sequence[Message]) -> Message:
    """Return one message that bears the results of tool messages."""
    first = run[0]
    extra = {key: first.extra[key] for key in _ON_TOP if key in first.extra}
    stripped = [evolve(first, extra={k: v for k, v in first.extra.items() if k not in extra}) if extra else first]
    uneven = {mark for mark in ENTRY_MARKS if len({getattr(message, mark) for message in run}) > 1}
    entries = [
        entry_of(_with_marks(message, uneven) if uneven else message, marked=bool(uneven))
        for message in (*stripped, *run[1:])
    ]
    return Message(
        "user",
        None,
        keep_during_truncation=any(message.keep_during_truncation for message in run),
        summary=any(message.summary for message in run),
        extra={"inline_results": entries, **extra},
    )


def _with_marks(message: Message, uneven: set[str]) -> Message:
    """Return a result that keeps only the marks in which the run is not of one mind."""
    return evolve(message, **{mark: getattr(message, mark) and mark in uneven for mark in ENTRY_MARKS})
