"""Public cases that run first, before anything is generated: milliseconds, and they find what has been found before.

For now these are the histories of the examples of the rules (`examples.json`, neutral JSON) which no rule faults: each
is valid or pending under the profile it was written for. Sizes are left out, since no wire format carries them.
"""

from collections.abc import Iterable
from functools import lru_cache
from importlib.resources import files
from json import loads
from typing import Any

from attrs import evolve, frozen

from ...messages.errors import CannotCarry
from ...messages.formats import NEUTRAL_FORMAT, Format
from ...messages.model import History, Message
from ...messages.neutral import dump_history, load_history
from ...messages.pairing import read
from ...messages.profiles import NEUTRAL, profile


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
    try:
        form.write_history(history)
    except CannotCarry:
        return False
    return True


def _marked(history: History) -> bool:
    return any(message.keep_during_truncation or message.summary for message in history)


def unfaulted(examples: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return what `examples.json` holds of these examples: each distinct history once, with its first id."""
    found: list[dict[str, Any]] = []
    seen: list[tuple[str, History]] = []
    for example in examples:
        provider = example.get("provider", NEUTRAL.name)
        history = tuple(_without_size(message) for message in load_history(example["history"]))
        reading = read(history, merge_items=profile(provider).merge_items)
        if reading.input_class not in ("valid", "pending") or (provider, history) in seen:
            continue
        seen.append((provider, history))
        named = {} if provider == NEUTRAL.name else {"provider": provider}
        found.append({"id": example["id"], **named, "history": dump_history(history)})
    return found


def _without_size(message: Message) -> Message:
    return evolve(message, tokens=None)
