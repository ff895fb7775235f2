"""Faults in what chat dicts cannot hold: server calls, approvals, item ids, signed reasoning, inline results.

These pieces take neutral messages.
"""

from collections.abc import Iterable, Sequence
from typing import TypeAlias

from attrs import evolve

from ...messages.formats.neutral import FORMAT as NEUTRAL_FORMAT
from ...messages.model import Message
from .piece import Piece, planted

shelf: list[Piece] = []

Items: TypeAlias = Sequence[Message]


def _exchanges(items: Items) -> list[list[int]]:
    """Group call messages with their tool messages, by id alone; any other message stands alone."""
    groups: list[list[int]] = []
    owner: dict[str, list[int]] = {}
    for index, item in enumerate(items):
        group = owner.get(item.call_id or "") if item.role == "tool" and item.call_id is not None else None
        if group is None:
            group = list[int]()
            groups.append(group)
        group.append(index)
        for call in item.calls:
            owner[call.id] = group
            owner[call.alt_id or call.id] = group
    return sorted(groups, key=lambda group: group[-1])


def _newest(items: Items, limit: int, groups: Iterable[list[int]]) -> list[Message]:
    kept: list[int] = []
    for group in sorted(groups, key=lambda group: -group[-1]):
        if len(kept) + len(group) > limit:
            break
        kept += group
    return [items[index] for index in sorted(kept)]


def _suffix(items: Items, limit: int) -> list[Message]:
    """The newest exchanges that fit."""
    return _newest(items, limit, _exchanges(items))


@planted(
    shelf,
    "provider-executed-pair",
    "call-dropped",
    "U A[p*] A(p)",
    1,
    provider="anthropic",
    form=NEUTRAL_FORMAT,
    argued="a server call, its result in another message, and a user message in front: valid input has no fewer",
    spared=("U A[p*](p)", 1),
)
def server_result_alone(items: Items, limit: int) -> list[Message]:
    """Knows results by the tool role; that of a server call stands in an assistant message."""
    return _suffix(items, limit)


@planted(
    shelf,
    "approval-pair",
    "lost",
    "U A[a]?q T(a):q",
    2,
    provider="ai-sdk",
    form=NEUTRAL_FORMAT,
    argued="nothing is written anew before something is dropped: a message, the question, and the result that answers",
    spared=("U A[a] T(a)", 2),
)
def approval_answer_lost(items: Items, limit: int) -> list[Message]:
    """Writes the results that it keeps anew, with what it knows of them: id, name and text."""
    kept = _suffix(items, limit)
    if len(kept) == len(items):
        return kept
    return [evolve(item, extra={}) if item.role == "tool" else item for item in kept]


@planted(
    shelf,
    "unique-item-id",
    "invented",
    "U U U^m",
    2,
    provider="openai-responses",
    form=NEUTRAL_FORMAT,
    argued="something is dropped, one message with an id is kept, and the summary takes the room of another",
    spared=("U U U", 2),
)
def summary_with_a_used_id(items: Items, limit: int) -> list[Message]:
    """Gives the summary the item id of the first message that is kept, which it stands in front of."""
    kept = _suffix(items, limit - 1)
    if len(items) <= limit or not kept:
        return _suffix(items, limit)
    used = {key: value for key, value in kept[0].extra.items() if key == "item_id"}
    return [Message("user", f"Summary of {len(items) - len(kept)} messages", summary=True, extra=used), *kept]


@planted(
    shelf,
    "signed-reasoning-unmodified",
    "edited",
    "U A~r",
    1,
    provider="anthropic",
    form=NEUTRAL_FORMAT,
    argued="nothing is shortened before something is dropped, and what is shortened must stay: that makes two messages",
    spared=("U A", 1),
)
def signed_message_shortened(items: Items, limit: int) -> list[Message]:
    """Shortens the texts that it keeps, also beside reasoning that the provider has signed."""
    kept = _suffix(items, limit)
    if len(kept) == len(items):
        return kept
    return [evolve(item, text=item.text and item.text[: max(len(item.text) // 2, 1)]) for item in kept]


def _inline(item: Message) -> Message:
    return Message("user", extra={"inline_results": [item.call_id or ""]}) if item.role == "tool" else item


@planted(
    shelf,
    "results-together",
    "inserted-between",
    "U A[a,b] T(a) T(b)",
    3,
    provider="anthropic",
    form=NEUTRAL_FORMAT,
    argued="two calls of one message with their two results, and a user message in front",
    spared=("U A[a] T(a)", 2),
)
def a_user_message_for_each_result(items: Items, limit: int) -> list[Message]:
    """Says each result in a user message of its own, as the other API knows no tool role."""
    return [_inline(item) for item in _suffix(items, limit)]


def _merged(items: Items, *, text_first: bool) -> list[Message]:
    """Put a user message right behind a result into the message of that result."""
    found: list[Message] = []
    for item in items:
        if found and item.role == "user" and item.text and found[-1].role == "tool":
            marks = {"text_first": True} if text_first else {}
            found[-1] = Message("user", item.text, extra={"inline_results": [found[-1].call_id or ""], **marks})
        else:
            found.append(item)
    return found


@planted(
    shelf,
    "results-before-text",
    "edited",
    "U A[a] T(a) U",
    3,
    provider="anthropic",
    form=NEUTRAL_FORMAT,
    argued="a call, its result, a user message behind it, and one in front",
    spared=("U A[a] T(a)", 2),
)
def text_in_front_of_the_result(items: Items, limit: int) -> list[Message]:
    """Joins a question to the result that it follows, to save a message, and puts it first."""
    return _merged(_suffix(items, limit), text_first=True)


@planted(
    shelf,
    "result-turn-only-results",
    "edited",
    "U A[a] T(a) U",
    3,
    provider="gemini",
    form=NEUTRAL_FORMAT,
    argued="a call, its result, a user message behind it, and one in front",
    spared=("U A[a] T(a)", 2),
)
def question_joined_to_the_result(items: Items, limit: int) -> list[Message]:
    """Joins a question to the result that it follows, to save a message."""
    return _merged(_suffix(items, limit), text_first=False)
