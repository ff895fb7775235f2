"""Public cases that run first, before anything is generated: milliseconds, and they find what has been found before.

For now these are the histories of the examples of the rules which no rule faults under the profile they were written
for, but for calls that are still open at the end. `examples.json` holds them as neutral JSON, without sizes, which no
wire format carries; `tests/strategies/test_known.py` makes it.
"""

from functools import lru_cache
from importlib.resources import files
from json import loads

from attrs import frozen

from ...messages.errors import CannotCarry
from ...messages.formats import NEUTRAL_FORMAT, Format, needs
from ...messages.model import History
from ...messages.neutral import load_history
from ...messages.profiles import NEUTRAL


@frozen
class Known:
    """One known history: the example it was first met in, and the provider whose rules it was written for."""

    id: str
    history: History
    provider: str = NEUTRAL.name


def known_histories(form: Format = NEUTRAL_FORMAT, *, marks: bool = True) -> tuple[Known, ...]:
    """Return the known histories that a format can carry, shortest first; without `marks` only those that need none."""
    return tuple(known for known in _all() if _carried(known.history, form) and (marks or not _marked(known.history)))


@lru_cache(maxsize=1)
def _all() -> tuple[Known, ...]:
    text = files(__name__).joinpath("examples.json").read_text(encoding="utf-8")
    found = [
        Known(entry["id"], load_history(entry["history"]), entry.get("provider", NEUTRAL.name))
        for entry in loads(text)["histories"]
    ]
    return tuple(sorted(found, key=lambda known: len(known.history)))


def _carried(history: History, form: Format) -> bool:
    if not all(needs(message) <= form.carries for message in history):
        return False
    try:
        form.write_items(form.shape(history))
    except CannotCarry:
        return False
    return True


def _marked(history: History) -> bool:
    return any(message.keep_during_truncation or message.summary for message in history)
