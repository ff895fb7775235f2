"""Ops that keep a history valid. Each is a function of the draft, and closes what is open before it says something new.

An op that needs something first makes it: a result with no open call makes its own call, an id can be used again only
when there is one. So every byte does what it stands for, wherever it stands, and survives when its neighbours are
deleted.
"""

from typing import Any

from ...messages.model import NO_EXTRA, Call, Extra, Message
from .draft import ASSISTANT, LONG_CALLS, PADDING, PLAIN_CALLS, USER, Draft
from .fast_message import message

SERVER_TOOL = "web_search"
"""The tool that the provider runs: one that providers know by this name."""


def user(draft: Draft) -> None:
    """A plain user message."""
    if draft.open:
        draft.close()
    if draft.guarded:
        draft.before_user()
    draft.begun = True
    out = draft.out
    out.append(message("user", USER[len(out)]))


def assistant(draft: Draft) -> None:
    """A plain assistant text."""
    if draft.open:
        draft.close()
    if not draft.begun:
        draft.begin()
    out = draft.out
    out.append(message("assistant", ASSISTANT[len(out)]))


def marked_user(draft: Draft, *, size: int = 0, keep: bool = False, summary: bool = False, item: bool = False) -> None:
    """A user message with something special about it."""
    draft.close()
    draft.user(size=size, keep=keep, summary=summary, extra=item_id(draft) if item else NO_EXTRA)


def marked_assistant(
    draft: Draft,
    *,
    size: int = 0,
    keep: bool = False,
    summary: bool = False,
    reasoning: bool = False,
    signed: bool = False,
    item: bool = False,
) -> None:
    """An assistant text with something special about it."""
    draft.fresh()
    number = len(draft.out)
    draft.out.append(
        Message(
            "assistant",
            ASSISTANT[number] + PADDING[size],
            keep_during_truncation=keep,
            summary=summary,
            reasoning=f"t{number}." if reasoning else None,
            extra=item_id(draft) if item else signature(draft) if signed else NO_EXTRA,
        )
    )


def item_id(draft: Draft) -> dict[str, Any]:
    """Return the extra of the next message with an item id of its own."""
    return {"item_id": f"m{len(draft.out)}"}


def signature(draft: Draft) -> dict[str, Any]:
    """Return the extra of the next message with a signature of its own; it is base64, as signatures are."""
    return {"signature": f"g{len(draft.out):03}"}


def system(draft: Draft, *, role: str = "system", size: int = 0, keep: bool = False, summary: bool = False) -> None:
    """A system message: leading while the conversation has not begun, else inside it."""
    draft.close()
    features = draft.features
    if draft.begun:
        if not features.system_midway:
            assistant(draft)
            return
    elif (draft.out and not features.several_systems) or (role == "system" and not features.system):
        user(draft)
        return
    draft.add(role, size=size, keep=keep, summary=summary)


def calls(
    draft: Draft,
    count: int,
    *,
    text: bool = False,
    keep: bool = False,
    reasoning: bool = False,
    signed: bool = False,
    arguments: bool = False,
    item: bool = False,
    size: int = 0,
) -> None:
    """A batch of calls; `size` is that of the results which close it."""
    draft.fresh()
    if draft.guarded:
        draft.before_calls()
    extra: Extra = item_id(draft) if item else signature(draft) if signed else NO_EXTRA
    made = (LONG_CALLS if arguments else PLAIN_CALLS)[count][draft.made][0]
    draft.call(made, text=text, keep=keep, reasoning=reasoning, extra=extra)
    draft.opened(count)
    draft.size = size


def result(draft: Draft, *, size: int = 0, keep: bool = False, summary: bool = False) -> None:
    """The next result in call order."""
    if not draft.open:
        draft.step(1)
    first, draft.open = draft.open[0], draft.open[1:]
    draft.answer(first, size=size, keep=keep, summary=summary)
    if not draft.open:
        draft.size = 0


def result_out_of_order(draft: Draft, *, second: bool = False, size: int = 0, keep: bool = False) -> None:
    """The last result of the open batch (or the second), before the others."""
    if len(draft.open) < 2:
        draft.step(2)
    place = 1 if second else len(draft.open) - 1
    chosen = draft.open[place]
    draft.open = draft.open[:place] + draft.open[place + 1 :]
    draft.answer(chosen, size=size, keep=keep)


def calls_with_old_ids(
    draft: Draft, count: int = 1, *, oldest: bool = False, equal: bool = False, text: bool = False
) -> None:
    """A batch with the ids of an earlier, answered one. Its arguments differ, unless `equal`."""
    draft.fresh()
    if not draft.batches:
        draft.step(count)
        draft.close()
    earlier = draft.batches[0 if oldest else -1][:count]
    if draft.guarded:
        draft.before_calls()
    arguments = "{}" if equal else f'{{"n":{len(draft.out)}}}'
    draft.call(tuple(Call(each, arguments=arguments) for each in earlier), text=text)
    draft.open = earlier


def reasoning_item(draft: Draft, *, count: int = 0, items: int = 1) -> None:
    """One or more reasoning items, and what they led to: an assistant text, or a batch of calls."""
    draft.fresh()
    if count and draft.guarded:
        draft.before_calls()
    for _ in range(items):
        number = len(draft.out)
        draft.out.append(Message("reasoning", f"t{number}.", extra={"id": f"i{number}"}))
    if count:
        draft.call(PLAIN_CALLS[count][draft.made][0])
        draft.opened(count)
    else:
        draft.add("assistant")


def provider_executed(draft: Draft, *, where: str = "same", mixed: bool = False) -> None:
    """A call that the provider executes. Its result stands in the same message, in a later one, or is a tool message.

    With `mixed` a call of the client stands behind it.
    """
    draft.fresh()
    if draft.guarded:
        draft.before_calls()
    number = draft.made
    mine = f"p{number}"
    beside = PLAIN_CALLS[1][number + 1][0] if mixed else ()
    draft.made = number + 1
    inline = {"inline_results": [mine]}
    extra = inline if where == "same" else NO_EXTRA
    draft.call((Call(mine, SERVER_TOOL, provider_executed=True), *beside), extra=extra)
    if mixed:
        draft.opened(1)
    if where == "later":
        draft.add("assistant", extra=inline)
    elif where == "tool":
        draft.open = (mine, *draft.open)


def inline_user(draft: Draft, count: int = 1, *, split: bool = False, text_first: bool = False) -> None:
    """A batch whose results stand in one user message (`split`: in one each)."""
    draft.step(count)
    ids, draft.open = draft.open, ()
    groups = [[each] for each in ids] if split else [list(ids)]
    for group in groups:
        first = {"text_first": True} if text_first else {}
        draft.add("user", extra={"inline_results": group, **first})


def approval(draft: Draft, count: int = 1) -> None:
    """A batch that asks for approval; its first result says that it was given."""
    draft.fresh()
    if draft.guarded:
        draft.before_calls()
    request = f"q{draft.made}"
    made, ids = PLAIN_CALLS[count][draft.made]
    draft.call(made, extra={"approval_request": request})
    draft.answers[ids[0]] = {"approval_response": request}
    draft.opened(count)


def calls_with_second_ids(draft: Draft, count: int = 1, *, answered_by_first: bool = False) -> None:
    """A batch whose calls have a second id, by which results name them (or by the first)."""
    draft.fresh()
    if draft.guarded:
        draft.before_calls()
    ids = PLAIN_CALLS[count][draft.made][1]
    draft.call(tuple(Call(f"f{each[1:]}", alt_id=each) for each in ids))
    draft.made += count
    draft.open = tuple(f"f{each[1:]}" for each in ids) if answered_by_first else ids


def mark(draft: Draft, *, answered: int = 0, now: bool = False) -> None:
    """A compaction point: the first mark is where it lies, the second when it was computed; `now` makes one both.

    `answered` results of the open batch are given first.
    """
    for _ in range(min(answered, len(draft.open))):
        draft.next_result()
    if draft.cut is None:
        draft.cut = len(draft.out)
        if now:
            draft.cut_length = draft.cut
    elif draft.cut_length is None:
        draft.cut_length = len(draft.out)
