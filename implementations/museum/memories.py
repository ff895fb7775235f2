"""Broken and correct memories: they receive one message after another, and trim each time.

A memory decides about a call before its results exist. The results of a dropped call still arrive later.
"""

from typing import Any

from ..trimmer import Trimmer
from .correct import ALL, SAFE, correct
from .parts import call_ids, newest, only, suffix, summary_of
from .piece import Messages, Piece, planted

shelf: list[Piece] = []
correct_shelf: list[Trimmer] = []


class _Memory:
    """What all of them have: messages, and a limit."""

    def __init__(self, limit: int) -> None:
        self.limit = max(limit, 0)
        self.messages: Messages = []

    def view(self) -> Messages:
        return self.messages


@planted(shelf, "no-orphan", "call-dropped", "U A[a] T(a)", 1)
class PopsTheOldest(_Memory):
    """Pops the oldest message while there are too many."""

    def add(self, message: dict[str, Any]) -> None:
        self.messages.append(message)
        while len(self.messages) > self.limit:
            self.messages.pop(0)


@planted(shelf, "no-orphan", "call-dropped", "U A[a,b] T(a) T(b)", 1)
class ForgetsTheCallItWaitsFor(_Memory):
    """Drops whole exchanges, also one whose results are still coming; the late ones find no call."""

    def add(self, message: dict[str, Any]) -> None:
        self.messages = suffix([*self.messages, message], self.limit)


@planted(shelf, "no-orphan", "call-dropped", "U A[a] T(a)", 1)
class FoldsAllButTheNewest(_Memory):
    """Folds everything but the newest message into a summary as soon as there is too much."""

    def add(self, message: dict[str, Any]) -> None:
        self.messages.append(message)
        if len(self.messages) > self.limit:
            self.messages = [summary_of(len(self.messages) - 1), message]


@planted(shelf, "keeps-system", "lost", "S", 0, promise=1)
class EvictsTheSystemPrompt(_Memory):
    """Counts the system prompt as the oldest message, which it is."""

    def add(self, message: dict[str, Any]) -> None:
        if message["role"] == "tool" and message["tool_call_id"] not in _made(self.messages):
            return
        self.messages = suffix([*self.messages, message], self.limit)


@planted(
    shelf,
    "no-input-mutation",
    "mutated",
    "U=abcdefghi",
    -1,
    spared=("U=abcdefgh", 1),
    argued="one message is needed, and nothing of it counts under a limit of messages",
)
class ShortensWhatItShows(_Memory):
    """Shortens long texts when it is asked for its view, in the messages that it was given."""

    def add(self, message: dict[str, Any]) -> None:
        self.messages.append(message)

    def view(self) -> Messages:
        for message in self.messages:
            if len(message["content"] or "") > 8:
                message["content"] = message["content"][:8]
        return suffix(self.messages, self.limit)


@planted(shelf, "order-preserved", "reordered", "U! U", 1, promise=1)
class BringsPinsBack(_Memory):
    """Evicts the oldest, and puts what was pinned among it behind the rest when it is asked for its view."""

    def add(self, message: dict[str, Any]) -> None:
        self.messages.append(message)

    def view(self) -> Messages:
        kept = suffix(self.messages, self.limit)
        gone = self.messages[: len(self.messages) - len(kept)]
        pinned = [it for it in gone if "keep_during_truncation" in it and it["role"] == "user"]
        return [*kept, *pinned]


@correct(correct_shelf, {**SAFE, "content-intact": 1.0, "nothing-invented": 1.0})
class RemembersWholeExchanges(_Memory):
    """Trims by exchanges on every message, and takes no result whose call it has let go."""

    def add(self, message: dict[str, Any]) -> None:
        if message["role"] != "tool" or message["tool_call_id"] in _made(self.messages):
            self.messages = suffix([*self.messages, message], self.limit)


@correct(correct_shelf, ALL)
class TrimsWhatItShows(_Memory):
    """Remembers everything, and shows the newest exchanges that fit."""

    def add(self, message: dict[str, Any]) -> None:
        self.messages.append(message)

    def view(self) -> Messages:
        return only(self.messages, newest(self.messages, self.limit))


def _made(messages: Messages) -> set[str]:
    return {known for message in messages for known in call_ids(message)}
