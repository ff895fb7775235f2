"""Mild forms: what a bare function is taken to promise, where nobody declared anything.

A declared promise is held to its full form. What is only assumed leaves room for what honest trimmers do: they keep the
system prompt, the pins and the running turn whatever the limit says, they put system messages first, they rebuild
messages from the keys of the API, they refuse when a note would not fit. All forms ask about input with a conversation;
all but within-limit about valid input alone.

The sets: H, the system and developer messages; F, the first user message; C, everything from the last user message on
(without one, the whole conversation); P, pinned messages, closed over units; N, the newest unit of the conversation.
"""

from collections.abc import Collection, Iterable, Iterator
from typing import Any

from attrs import frozen

from ...messages.cases import Case, Example, Outcome
from ...messages.limits import NO_AMOUNT
from ...messages.model import SYSTEM_ROLES, Message
from ...messages.reading.profile import Profile
from ...messages.reading.units import opens_turn
from ..best.legal import closed
from ..facts.evidence import Evidence, RawFinding
from ..facts.views import frame_of
from .conduct import order_findings
from .limits import cost_of_output, difference, of_limit

_FLOOR = "rules.mild.floor"
_BLANK: tuple[object, ...] = ("", None, (), {}, [])


@frozen
class Floor:
    """The messages that an honest trimmer may keep whatever the limit says, as sets of input indexes."""

    system: frozenset[int]
    first: frozenset[int]
    turn: frozenset[int]
    pinned: frozenset[int]
    newest: frozenset[int]

    @property
    def whole(self) -> frozenset[int]:
        """H, F, P and C together."""
        return self.system | self.first | self.turn | self.pinned


def floor_of(example: Example) -> Floor:
    """Return the floor of an example, made once."""
    if _FLOOR not in example.memo:
        example.memo[_FLOOR] = _floor(example)
    found = example.memo[_FLOOR]
    assert isinstance(found, Floor)
    return found


def _floor(example: Example) -> Floor:
    frame, history, parts = frame_of(example), example.history, example.units
    system = frozenset(at for at, message in enumerate(history) if message.role in SYSTEM_ROLES)
    users = [at for at, message in enumerate(history) if opens_turn(message) and not message.summary]
    conversation = frame.conversation
    turn = frozenset(at for at in range(users[-1], len(history)) if at not in system) if users else conversation
    held = closed({parts.unit_of[at] for at in frame.pinned}, parts)
    pinned = frozenset(at for unit in held for at in parts.members[unit])
    newest = frozenset(parts.members[parts.unit_of[max(conversation)]]) if conversation else frozenset[int]()
    return Floor(system, frozenset(users[:1]), turn, pinned, newest)


def cost_of_messages(example: Example, messages: Iterable[int]) -> int:
    """Return what some messages of an example cost together."""
    if example.measure is not None:
        return example.together(tuple(example.history[at] for at in sorted(messages)))
    return sum(example.costs[at] for at in messages)


def asks_for_a_cut(case: Case) -> bool:
    """Say whether utilisation is measured here: something has to go, and what is always kept fits."""
    limit, example = case.limit, case.example
    if limit is None or limit.kind in NO_AMOUNT or case.input_class != "valid":
        return False
    floor, room = floor_of(example), case.room
    if not floor.newest or room is None or room < 1:
        return False
    return cost_of_messages(example, floor.whole) <= room < example.total


def within_limit(evidence: Evidence) -> Iterator[RawFinding]:
    """The output costs more than the limit and more than the system messages, pins and the turn that is running."""
    case = evidence.case
    room, example = case.room, case.example
    if room is None or evidence.outcome.output is None or case.limit is None:
        return
    if case.input_class not in ("valid", "pending") or not evidence.frame.conversation:
        return
    floor = floor_of(example)
    left_out = floor.system | floor.pinned if case.limit.kind != "tokens" else frozenset[int]()
    cost = _cost_of_survivors(evidence, left_out)
    bound = max(room, cost_of_messages(example, floor.whole - left_out))
    if cost > bound:
        counted = "without system messages and pins, " if left_out else ""
        whole = round(cost + example.base, 2)
        yield RawFinding("over-limit", (), (), f"{counted}the output costs {whole}; the limit is {case.allowed}")


def _cost_of_survivors(evidence: Evidence, left_out: Collection[int]) -> int:
    """Return what the output costs without its new messages, and without some of the input's."""
    example = evidence.case.example
    stayed = [
        (message, source)
        for message, source in zip(evidence.output, evidence.alignment.sources, strict=True)
        if source is not None and source not in left_out
    ]
    if example.measure is not None:
        return example.together(tuple(message for message, _ in stayed))
    return sum(
        example.costs[source] if message is evidence.history[source] else example.cost(message)
        for message, source in stayed
    )


def spared(case: Case, outcome: Outcome) -> str:
    """Say by how much an output is over its limit, and what it was spared for; empty where it is not over.

    This is the sentence about a case in which the mild form holds and the full one would be broken.
    """
    room, example = case.room, case.example
    if room is None or outcome.output is None or case.input_class not in ("valid", "pending"):
        return ""
    over = round(cost_of_output(case, outcome) - room, 2)
    if over <= 0:
        return ""
    floor = floor_of(example)
    if cost_of_messages(example, floor.turn) > room:
        why = "the last turn alone is larger"
    elif cost_of_messages(example, floor.whole) > room:
        why = "what must stay is larger (system messages, pins, the first user message, the last turn)"
    elif case.limit is not None and case.limit.kind != "tokens" and floor.system | floor.pinned:
        why = "system messages and pins are not counted"
    else:
        why = "what it put in is not counted"
    return f"over by {over} where {why}"


def nonempty_history(evidence: Evidence) -> Iterator[RawFinding]:
    """The input has conversation, the output none, and the newest unit fits with the system messages and the pins."""
    case, example = evidence.case, evidence.case.example
    conversation = evidence.frame.conversation
    if case.input_class != "valid" or not conversation or evidence.has_conversation:
        return
    floor, room = floor_of(example), case.room
    if room is not None:
        if not evidence.measured and room < 10 * example.total:
            return
        if cost_of_messages(example, floor.system | floor.pinned | floor.newest) > room:
            return
        if room < 1 and case.limit is not None and case.limit.kind == "turns":
            return
    although = "" if room is None else f", although the newest of it fits ({case.allowed})"
    yield RawFinding("emptied", tuple(sorted(conversation)), (), f"nothing of the conversation came back{although}")


def identity_under_limit(evidence: Evidence) -> Iterator[RawFinding]:
    """A valid input fits, was not refused, and did not come back as the same request."""
    case, outcome = evidence.case, evidence.outcome
    if not case.fits or case.input_class != "valid" or outcome.status != "ok" or not evidence.frame.conversation:
        return
    profile = evidence.profile
    given, back = (
        as_request(messages, merged=profile.merge_items, reasoning=_asks_for_reasoning(profile))
        for messages in (evidence.history, evidence.output)
    )
    if given != back:
        cut, note = difference(evidence)
        yield RawFinding(cut, evidence.gone, (), f"the whole history fits ({of_limit(case)}), but {note}")


def _asks_for_reasoning(profile: Profile) -> bool:
    """Say whether a provider has any use for the thoughts beside a message that come back to it."""
    return profile.reasoning or profile.turn_reasoning or profile.signed or profile.signed_calls


def as_request(history: Iterable[Message], *, merged: bool = False, reasoning: bool = True) -> list[tuple[Any, ...]]:
    """Return a list as a provider reads it: system messages first, without marks, blanks the same as nothing.

    With `merged`, neighbours of one role are one, and white space between their texts does not count. Without
    `reasoning`, the thoughts beside a message are no part of the request.
    """
    messages = list(history)
    ordered = [one for one in messages if one.role in SYSTEM_ROLES]
    ordered += [one for one in messages if one.role not in SYSTEM_ROLES]
    read = [_read(message, reasoning=reasoning) for message in ordered]
    if not merged:
        return read
    joined: list[tuple[Any, ...]] = []
    for role, text, *rest in read:
        text = "".join((text or "").split())
        plain = not any(part not in _BLANK for part in rest)
        if joined and plain and joined[-1][0] == role and all(part in _BLANK for part in joined[-1][2:]):
            joined[-1] = (role, joined[-1][1] + text, *rest)
        else:
            joined.append((role, text, *rest))
    return joined


def _read(message: Message, *, reasoning: bool) -> tuple[Any, ...]:
    extra = {key: value for key, value in message.extra.items() if value not in _BLANK} if message.extra else {}
    calls = tuple((call.id, call.name, call.arguments) for call in message.calls)
    return (
        message.role,
        message.text or "",
        calls,
        message.call_id or "",
        (message.reasoning or "") * reasoning,
        extra,
    )


def refuses_only_when_needed(evidence: Evidence) -> Iterator[RawFinding]:
    """Refused, although the history fits, or what must stay fits with room for a note."""
    case, example = evidence.case, evidence.case.example
    if evidence.outcome.status != "refused" or case.room is None or case.limit is None:
        return
    if case.input_class != "valid" or not evidence.frame.conversation:
        return
    if case.fits:
        yield RawFinding("refused", (), (), f"refused, although the whole history fits ({of_limit(case)})")
        return
    needed = cost_of_messages(example, floor_of(example).whole)
    if needed <= case.room - max(1, case.room / 4):
        costs = round(needed + example.base, 2)
        note = f"refused within {case.allowed}, although what must stay costs {costs}"
        yield RawFinding("refused", tuple(sorted(floor_of(example).whole)), (), note)


def order_preserved(evidence: Evidence) -> Iterator[RawFinding]:
    """A message stands behind one that came later in the input, system messages aside."""
    if evidence.case.input_class == "valid" and evidence.frame.conversation:
        yield from order_findings(evidence, aside=floor_of(evidence.case.example).system)
