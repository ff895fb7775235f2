"""Ops that break a history on purpose: what stands inside a batch, what is never answered, and what no provider
accepts.

The first half makes a history interleaved, and only that: ids stay unique while they are in use, so nothing is
malformed by accident. The second half makes it malformed. Like all ops they bring along what they need: a steer with no
open call makes its own call, so that one byte is a whole steered exchange.
"""

from ...messages.model import Call, Message, head_length
from .draft import RESULT, Draft


def steer(
    draft: Draft,
    *,
    role: str = "user",
    between: bool = False,
    size: int = 0,
    keep: bool = False,
    summary: bool = False,
) -> None:
    """A message between a call and its results; with `between` one result, at least, stands before it."""
    if not draft.open:
        draft.step(2 if between else 1)
    if between and len(draft.open) > 1:
        draft.next_result()
    if role == "user":
        draft.user(size=size, keep=keep, summary=summary)
    else:
        draft.add(role, size=size, keep=keep, summary=summary)
    draft.interleaved = True


def abandon(draft: Draft, count: int = 1, *, answered: bool = False, role: str = "user") -> None:
    """A batch that is left open, perhaps answered in part: the conversation goes on without its results."""
    if not draft.open:
        draft.step(count)
    if answered and len(draft.open) > 1:
        draft.next_result()
    draft.abandoned.append(draft.leave())
    if role == "user":
        draft.user()
    else:
        draft.add(role)
    draft.interleaved = True


def late_result(draft: Draft, *, inside: bool = False) -> None:
    """The results of a batch that was left open before; with `inside` they stand in the batch that is open now."""
    if not inside or not draft.abandoned:
        draft.close()
    if not draft.abandoned:
        draft.step(1)
        draft.abandoned.append(draft.leave())
        draft.user()
    for each in draft.abandoned.pop(0):
        draft.answer(each)
    draft.interleaved = True


def nested_calls(draft: Draft, *, inner_first: bool = False) -> None:
    """A call inside an open batch; then come the results of both."""
    if not draft.open:
        draft.step(1)
    outer, draft.open = draft.open, ()
    draft.step(1)
    draft.open = draft.open + outer if inner_first else outer + draft.open
    draft.interleaved = True


def approval_apart(draft: Draft) -> None:
    """A call that asks for approval, the response in a message of its own, and then the result."""
    draft.fresh()
    if draft.guarded:
        draft.before_calls()
    request = f"q{draft.made}"
    draft.call((Call(f"c{draft.made}"),), extra={"approval_request": request})
    draft.opened(1)
    draft.add("tool", extra={"approval_response": request})
    draft.interleaved = True


def open_on_assistant(draft: Draft) -> None:
    """An assistant text in front of the conversation."""
    place = head_length(tuple(draft.out))
    draft.out.insert(place, Message("assistant", f"a{len(draft.out)}."))
    if draft.cut is not None and draft.cut > place:
        draft.cut += 1
    if draft.cut_length is not None:
        draft.cut_length += 1
    draft.begun = True
    draft.interleaved = True


def orphan(draft: Draft, *, inside: bool = False) -> None:
    """A result without a call; with `inside` it stands in an open batch."""
    if inside and not draft.open:
        draft.step(2 if draft.features.parallel else 1)
    elif not inside:
        draft.fresh()
    number = len(draft.out)
    draft.out.append(Message("tool", RESULT[number], call_id=f"x{number}", name=draft.name))
    draft.malformed = True


def duplicate_result(draft: Draft, *, oldest: bool = False) -> None:
    """A second result for a call that has one."""
    draft.close()
    if not draft.batches:
        draft.step(1)
        draft.close()
    draft.answer(draft.batches[0][0] if oldest else draft.batches[-1][-1])
    draft.malformed = True


def duplicate_inside(draft: Draft) -> None:
    """A second result for a call, while the other calls of its batch are open."""
    draft.step(2)
    first = draft.open[0]
    draft.next_result()
    draft.answer(first)
    draft.malformed = True


def displaced_result(draft: Draft, *, answered: bool = False) -> None:
    """A result in front of its call; with `answered` the call is answered once more where it should be."""
    draft.fresh()
    made = f"c{draft.made}"
    draft.answer(made)
    draft.step(1)
    if not answered:
        draft.leave()
    draft.malformed = True


def empty_ids(draft: Draft, count: int = 1, *, mixed: bool = False) -> None:
    """Calls with empty ids; with `mixed` a call with a proper id stands in front of them."""
    ids = ("",) * count
    if mixed:
        ids = (f"c{draft.made}", *ids)
        draft.made += 1
    _calls_with(draft, ids)


def duplicate_ids(draft: Draft, *, apart: bool = False) -> None:
    """Two calls of one id in one batch; with `apart` another call stands between them."""
    same = f"c{draft.made}"
    draft.made += 2 if apart else 1
    _calls_with(draft, (same, f"c{draft.made - 1}", same) if apart else (same, same))


def reopened_id(draft: Draft) -> None:
    """The id of a call that was left open, used again."""
    draft.close()
    if not draft.abandoned:
        abandon(draft)
    ids = draft.abandoned[0]
    again = ids.pop(0)
    if not ids:
        del draft.abandoned[0]
    _calls_with(draft, (again,))


def _calls_with(draft: Draft, ids: tuple[str, ...]) -> None:
    draft.fresh()
    if draft.guarded:
        draft.before_calls()
    draft.call(tuple(Call(each) for each in ids))
    draft.open = ids
    draft.malformed = True
