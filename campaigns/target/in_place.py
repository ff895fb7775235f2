"""Trimmers that work in place without saying so: None came back, and the list had changed.

The only way to know is to try. The trial is made in a forked copy of the process: a trimmer that hangs or ends its
process here is no problem yet, the check itself will find it out.
"""

import inspect
from typing import Any

from attrs import evolve

from ...implementations.trimmer import Trimmer
from ...messages.formats.counting import Count
from ...messages.limits import Limit
from ...messages.model import Message
from ..defaults import TIMEOUT
from ..process.isolation import isolated


def recognise_in_place(trimmer: Trimmer, count: Count, *, seconds: float = TIMEOUT) -> tuple[Trimmer, tuple[str, ...]]:
    """Try a trimmer on two plain histories: one that answers None and has changed the list works in place."""
    if trimmer.in_place:
        return trimmer, ("works in place (declared)",)
    if isolated(lambda: _works_in_place(trimmer, count), seconds=seconds).value is True:
        return evolve(trimmer, in_place=True), ("works in place (it returned None and changed the list)",)
    return trimmer, ()


def _works_in_place(trimmer: Trimmer, count: Count) -> bool:
    for turns in (2, 40):
        items = [trimmer.format.write(message) for message in _plain_history(turns)]
        sizes = [count(item) for item in items] if "tokens" in trimmer.limits else [1] * len(items)
        if any(_changes_in_place(trimmer, items, sum(sizes) // share, count) for share in (2, 4)):
            return True
    return False


def _changes_in_place(trimmer: Trimmer, items: list[Any], room: int, count: Count) -> bool:
    handed = list(items)
    kind = trimmer.limits[0] if trimmer.limits else "messages"
    value: Any = min(room, len(items)) if kind in ("messages", "turns", "other") else room
    if kind == "compaction":
        value = Limit("compaction", len(items) // 2, len(items))
    try:
        answer = trimmer.trim(handed, value if trimmer.takes_limit else trimmer.fixed, count)
        if inspect.iscoroutine(answer):
            from asyncio import run  # few trimmers need it, and it takes long to import

            answer = run(answer)
    except (Exception, SystemExit):
        return False
    return answer is None and (len(handed) != len(items) or any(a is not b for a, b in zip(handed, items, strict=True)))


def _plain_history(turns: int) -> list[Message]:
    pair = (Message("user", "question"), Message("assistant", "answer"))
    return [message for _ in range(turns) for message in pair]
