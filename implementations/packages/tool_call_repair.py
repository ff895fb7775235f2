"""tool-call-repair: `safe_trim`, which moves its cut back to a legal place, and `repair` after a plain slice.

Called as `safe_trim(messages, keep=limit, format="openai")` (`tool-call-repair`) and as `repair(messages[-limit:],
format="openai")` (`tool-call-repair-slice`), the two ways that its README shows.

The README promises "a trim that cannot orphan anything", and that `repair` gives a history its own `validate`
accepts: `repairs` for the second way. `keep` is a floor, not a ceiling, so within-limit is not promised by the first.
Neither mutates its input, which always counts. A negative `keep` is a ToolRepairError, which is a ValueError. Licence
MIT. Reports: none known.
"""

from collections.abc import Callable
from typing import Any

from ..trimmer import Trimmer
from .shared import CLASSIC_DICTS, about, load, promised


def trimmers() -> list[Trimmer]:
    """Return both ways; raises ImportError without tool-call-repair."""
    package = load("toolrepair")

    def trim(items: list[Any], limit: int, _count: Callable[[Any], int]) -> Any:
        return package.safe_trim(items, keep=limit, format="openai")

    def slice_then_repair(items: list[Any], limit: int, _count: Callable[[Any], int]) -> Any:
        return package.repair(items[-limit:] if limit > 0 else [], format="openai")

    return [
        Trimmer(
            "tool-call-repair",
            trim,
            format=CLASSIC_DICTS,
            limits=("messages",),
            source=SOURCE,
            **about("tool-call-repair", licence="MIT", seen="0.1.0", calls="safe_trim with its default settings"),
        ),
        Trimmer(
            "tool-call-repair-slice",
            slice_then_repair,
            format=CLASSIC_DICTS,
            limits=("messages",),
            promises=promised("repairs"),
            source=SOURCE,
            **about("tool-call-repair", licence="MIT", seen="0.1.0", calls="repair on the last messages"),
        ),
    ]


SOURCE = "https://github.com/Umaraslam66/tool-call-repair"
