"""Trimmers that work in place without saying so: None came back, and the list had changed.

The only way to know is to try, so this runs the trimmer, in the process where trimmers run.
"""

import asyncio
import inspect
from typing import Any

from attrs import evolve

from ..implementations.trimmer import Trimmer
from ..implementations.watch import Hung, Watch
from ..messages.counting import Count
from ..messages.limits import Limit
from ..messages.model import Message


def recognise_in_place(trimmer: Trimmer, count: Count, *, seconds: float = 1.0) -> tuple[Trimmer, tuple[str, ...]]:
    """Try a trimmer on two plain histories: one that answers None and has changed the list works in place.

    This runs the trimmer, so it belongs into the process where trimmers run. Errors and hangs are left for the check.
    """
    if trimmer.in_place:
        return trimmer, ("works in place (declared)",)
    watch = Watch(seconds)
    try:
        with watch.watching():
            for turns in (2, 40):
                items = [trimmer.format.write(message) for message in _plain_history(turns)]
                sizes = [count(item) for item in items] if "tokens" in trimmer.limits else [1] * len(items)
                for share in (2, 4):
                    if _changes_in_place(trimmer, items, sum(sizes) // share, count, watch):
                        note = "works in place (it returned None and changed the list)"
                        return evolve(trimmer, in_place=True), (note,)
    except Hung:
        pass
    return trimmer, ()


def _changes_in_place(trimmer: Trimmer, items: list[Any], room: int, count: Count, watch: Watch) -> bool:
    handed = list(items)
    kind = trimmer.limits[0] if trimmer.limits else "messages"
    value: Any = min(room, len(items)) if kind in ("messages", "turns") else room
    if kind == "compaction":
        value = Limit("compaction", len(items) // 2, len(items))
    try:
        watch.start()
        answer = trimmer.trim(handed, value if trimmer.takes_limit else trimmer.fixed, count)
        if inspect.iscoroutine(answer):
            answer = asyncio.run(answer)
    except (Exception, SystemExit):
        return False
    finally:
        watch.stop()
    return answer is None and (len(handed) != len(items) or any(a is not b for a, b in zip(handed, items, strict=True)))


def _plain_history(turns: int) -> list[Message]:
    pair = (Message("user", "question"), Message("assistant", "answer"))
    return [message for _ in range(turns) for message in pair]
