"""Public cases that run first, before anything is generated: milliseconds, and they find what has been found before.

First come the public reports, `reports.jsonl`: bugs that somebody met and wrote about, each with its URL, as a minimal
history and what was done to it. Only the history is run here; what a report claims is judged elsewhere. Many of these
histories were damaged before a trimmer saw them, as their input class says.

Then come the histories of the examples of the rules which no rule faults under the profile they were written for, but
for calls that are still open at the end. `examples.json` holds them as neutral JSON; `tests/strategies/test_known.py`
makes it. Neither has sizes, which no wire format carries.
"""

from collections.abc import Iterator
from functools import lru_cache
from importlib.resources import files
from json import loads
from typing import Any

from attrs import frozen

from ...messages.errors import CannotCarry
from ...messages.formats.features import message_features
from ...messages.formats.format import Format
from ...messages.formats.neutral import FORMAT as NEUTRAL_FORMAT
from ...messages.model import History
from ...messages.neutral import load_history
from ...messages.reading.profiles import NEUTRAL

REPORTS = "reports.jsonl"
_ON_NO_WIRE = frozenset({"images", "same_turn_as"})
"""Keys by which reports say more than an API's items do: a trimmer of such items would have to know them."""


@frozen
class Known:
    """One known history: its id, the provider whose rules it was written for, and the public report it comes from.

    `about` are the rules that the report says were broken.
    """

    id: str
    history: History
    provider: str = NEUTRAL.name
    url: str | None = None
    about: frozenset[str] = frozenset()

    def url_about(self, rule: str) -> str | None:
        """Return the public report if it is about this rule; what else its history breaks, it does not tell."""
        return self.url if rule in self.about else None


def known_histories(form: Format = NEUTRAL_FORMAT, *, marks: bool = True) -> tuple[Known, ...]:
    """Return the known histories that a format can carry; without `marks` only those that need none.

    Those of public reports come first, so that what breaks one of them is known from there; of each kind the shortest
    come first.
    """
    return tuple(known for known in _all() if _carried(known.history, form) and (marks or not _marked(known.history)))


def reports_text() -> str:
    """Return the public reports as they ship, one JSON object a line."""
    return files(__name__).joinpath(REPORTS).read_text(encoding="utf-8")


@lru_cache(maxsize=1)
def _all() -> tuple[Known, ...]:
    return tuple(sorted((*_reports(), *_examples()), key=lambda known: (known.url is None, len(known.history))))


def _reports() -> Iterator[Known]:
    for line in reports_text().splitlines():
        report = loads(line)
        about = frozenset(claim["rule"] for claim in report["claims"])
        messages = [_spelled_out(message) for message in report["history"]]
        yield Known(report["id"], load_history(messages), report["pack"], report["url"], about)


def _spelled_out(message: dict[str, Any]) -> dict[str, Any]:
    """Return a message of a report with its content parts, of which a report only names the types, written out.

    Two of them: formats take one text part and a string for the same, and a copy of it would come back as a string.
    """
    text: str = message.get("text") or ""
    halves = [text[: len(text) // 2], text[len(text) // 2 :]]
    parts = [{"type": kind, "text": half} for kind in message.get("parts", ()) if kind == "text" for half in halves]
    return {**message, "parts": parts} if parts else message


def _examples() -> Iterator[Known]:
    text = files(__name__).joinpath("examples.json").read_text(encoding="utf-8")
    for entry in loads(text)["histories"]:
        yield Known(entry["id"], load_history(entry["history"]), entry.get("provider", NEUTRAL.name))


def _carried(history: History, form: Format) -> bool:
    if not all(message_features(message) <= form.features for message in history):
        return False
    if form.dicts and any(not _ON_NO_WIRE.isdisjoint(message.extra) for message in history):
        return False
    try:
        form.write_items(form.shape(history))
    except CannotCarry:
        return False
    return True


def _marked(history: History) -> bool:
    return any(message.keep_during_truncation or message.summary for message in history)
