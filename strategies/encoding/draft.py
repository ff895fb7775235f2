"""A history while it is being made: what has been said, which calls are open, and what was broken on the way.

Two rules keep every byte meaningful and every shorter string valid. Whatever begins something new first closes what is
open: the open calls of the running batch are answered, in order. And a conversation begins with a user message, which
is put in front where the first byte is something else. Only ops that break these rules on purpose get around them, and
each of those leaves a note (`interleaved`, `malformed`), so that the input class is known without reading the history
again.

Texts are short and all different, and none is the beginning of another: a letter for the role, the number of the
message, a full stop. Messages are made afresh for each history; calls, which nobody can change, are shared between
histories.
"""

from collections.abc import Mapping
from typing import Any

from ...messages.model import NO_EXTRA, Call, Extra, Message
from .fast_message import message
from .features import Features

PADDING = ("", " " + "x" * 96, " " + "x" * 996)
"""What is added to a text of size 0, 1 and 2: with nothing added a message costs about 9 tokens, then 33, then 258."""
LONG_ARGUMENTS = '{"text":"' + "x" * 396 + '"}'


class _Texts(dict[int, str]):
    """The texts of one letter by number, made when first asked for."""

    def __init__(self, letter: str) -> None:
        super().__init__()
        self.letter = letter

    def __missing__(self, number: int) -> str:
        return self.setdefault(number, f"{self.letter}{number}.")


class _Batches(dict[int, tuple[tuple[Call, ...], tuple[str, ...]]]):
    """The calls and ids of a batch of one size, by the number of its first call."""

    def __init__(self, count: int, arguments: str) -> None:
        super().__init__()
        self.count = count
        self.arguments = arguments

    def __missing__(self, number: int) -> tuple[tuple[Call, ...], tuple[str, ...]]:
        ids = tuple(f"c{number + offset}" for offset in range(self.count))
        return self.setdefault(number, (tuple(Call(each, arguments=self.arguments) for each in ids), ids))


LETTERS: Mapping[str, str] = {"system": "s", "developer": "d", "user": "u", "assistant": "a", "tool": "r"}
TEXTS: Mapping[str, _Texts] = {role: _Texts(letter) for role, letter in LETTERS.items()}
USER, ASSISTANT, RESULT = TEXTS["user"], TEXTS["assistant"], TEXTS["tool"]
PLAIN_CALLS = tuple(_Batches(count, "{}") for count in range(6))
LONG_CALLS = tuple(_Batches(count, LONG_ARGUMENTS) for count in range(6))


class Draft:
    """The state of one interpretation. Ops change it; `out` is the history so far."""

    # Class attributes are what most histories never change, so that a new draft costs little.
    begun = False
    """Whether the conversation has begun."""
    open: tuple[str, ...] = ()
    """The ids that open calls of the running batch wait for, in call order."""
    made = 0
    """How many call ids have been used."""
    stepped = False
    """Whether a call was made since the last user message; kept only for guarded drafts."""
    size = 0
    """The size of the results that close the running batch."""
    interleaved = False
    malformed = False
    cut: int | None = None
    """Where a compaction point was placed."""
    cut_length: int | None = None
    """How long the history was when that point was computed, if it grew afterwards."""

    def __init__(self, features: Features, *, auto_user: bool, guarded: bool, name: str | None) -> None:
        self.features = features
        self.auto_user = auto_user
        self.guarded = guarded
        self.name = name
        self.out: list[Message] = []
        self.batches: list[tuple[str, ...]] = []
        """Batches whose ids may be used again: each is answered as soon as it is closed."""
        self.abandoned: list[list[str]] = []
        """Ids of calls that were left open, by batch."""
        self.answers: dict[str, dict[str, Any]] = {}
        """What rides along with the result of an id."""

    def close(self) -> None:
        """Answer what is open, in order."""
        if self.size or self.answers:
            for each in self.open:
                self.answer(each, size=self.size)
        else:
            out, name = self.out, self.name
            number = len(out)
            for each in self.open:
                out.append(message("tool", RESULT[number], (), each, name))
                number += 1
        self.open = ()
        self.size = 0

    def begin(self) -> None:
        """Begin the conversation for an op that is no user message."""
        self.begun = True
        if self.auto_user:
            self.out.append(message("user", USER[len(self.out)]))
        else:
            self.interleaved = True

    def fresh(self) -> None:
        """Make room for something new that is no user message."""
        if self.open:
            self.close()
        if not self.begun:
            self.begin()

    def add(
        self, role: str, *, size: int = 0, keep: bool = False, summary: bool = False, extra: Extra = NO_EXTRA
    ) -> None:
        """Append a message with text, whatever stands before it."""
        number = len(self.out)
        text = TEXTS[role][number] + PADDING[size]
        self.out.append(Message(role, text, keep_during_truncation=keep, summary=summary, extra=extra))

    def answer(self, call_id: str, *, size: int = 0, keep: bool = False, summary: bool = False) -> None:
        """Append the result of a call."""
        number = len(self.out)
        self.out.append(
            Message(
                "tool",
                RESULT[number] + PADDING[size],
                call_id=call_id,
                name=self.name,
                keep_during_truncation=keep,
                summary=summary,
                extra=self.answers.pop(call_id, NO_EXTRA),
            )
        )

    def next_result(self) -> None:
        """Answer the first open call."""
        first, self.open = self.open[0], self.open[1:]
        self.answer(first)
        if not self.open:
            self.size = 0

    def step(self, count: int) -> None:
        """Make a plain batch of calls, which stays open."""
        if self.open:
            self.close()
        if not self.begun:
            self.begin()
        if self.guarded:
            self.before_calls()
            self.call(PLAIN_CALLS[count][self.made][0])
        else:
            self.out.append(message("assistant", None, PLAIN_CALLS[count][self.made][0]))
        self.opened(count)

    def opened(self, count: int) -> None:
        """Note that a batch of fresh ids was made."""
        ids = PLAIN_CALLS[count][self.made][1]
        self.made += count
        self.open = ids
        self.batches.append(ids)

    def call(
        self,
        calls: tuple[Call, ...],
        *,
        text: bool = False,
        keep: bool = False,
        reasoning: bool = False,
        extra: Extra = NO_EXTRA,
    ) -> None:
        """Append a message with these calls. Without `text` it has none, or what the features leave for that."""
        number = len(self.out)
        features = self.features
        said = None if features.null_content else ""
        if features.call_text and (text or said is not None):
            said = ASSISTANT[number]
        self.out.append(
            Message(
                "assistant",
                said,
                calls=calls,
                keep_during_truncation=keep,
                reasoning=f"t{number}." if reasoning else None,
                extra=extra,
            )
        )

    def leave(self) -> list[str]:
        """Take the open calls away from the running batch, unanswered, and return their ids."""
        left = list(self.open)
        self.open = ()
        self.size = 0
        self.batches = [batch for batch in self.batches if not set(left).intersection(batch)]
        return left

    def before_user(self) -> None:
        """Honour the switches that forbid what a user message could stand behind."""
        self.stepped = False
        if not self.features.user_after_result and self.out:
            last = self.out[-1]
            if last.role == "tool" or (last.role == "user" and "inline_results" in last.extra):
                self.add("assistant")

    def before_calls(self) -> None:
        """Honour the switches that forbid what calls could stand behind."""
        if self.stepped and not self.features.tool_steps:
            self.user()
        self.stepped = True

    def user(self, *, size: int = 0, keep: bool = False, summary: bool = False, extra: Extra = NO_EXTRA) -> None:
        """Append a user message, whatever is open."""
        if self.guarded:
            self.before_user()
        self.begun = True
        self.add("user", size=size, keep=keep, summary=summary, extra=extra)
