"""Histories in one line, and running a package's trimmer on them as the suite does."""

import re
from importlib import import_module

import pytest

from trimfuzz.implementations.running import run
from trimfuzz.messages.cases import Case, Example, Outcome
from trimfuzz.messages.formats.counting import cost_in, native_count
from trimfuzz.messages.limits import Limit, LimitKind, cost_of
from trimfuzz.messages.model import Call, History, Message

ROLES = {"S": "system", "D": "developer", "U": "user", "A": "assistant", "T": "tool"}
LETTERS = {role: letter for letter, role in ROLES.items()}


def parse(line: str) -> History:
    """Read `S U A[c0,c1] T(c0)`; `=text` gives a text (a call message has none, others one of their own); `_` is a
    blank.
    """
    found: list[Message] = []
    for index, token in enumerate(line.split()):
        match = re.fullmatch(r"([SDUAT])(?:\[(.*?)\])?(?:\((.*?)\))?(?:=(.*))?", token)
        assert match, token
        letter, calls, call_id, text = match.groups()
        if text is None and calls is None:
            text = f"{letter.lower()}{index} text"
        found.append(
            Message(
                ROLES[letter],
                text.replace("_", " ") if text is not None else None,
                calls=tuple(Call(one) for one in calls.split(",")) if calls is not None else (),
                call_id=call_id,
            )
        )
    return tuple(found)


def shown(history: History) -> str:
    """Write roles and ids; a declared insertion is `SUM`."""
    parts: list[str] = []
    for message in history:
        part = "SUM" if message.summary or message.extra.get("inserted") else LETTERS[message.role]
        if message.calls:
            part += f"[{','.join(call.id for call in message.calls)}]"
        if message.call_id is not None:
            part += f"({message.call_id})"
        parts.append(part)
    return " ".join(parts)


def trimmer_of(module: str, name: str):
    """Return one trimmer of a module by its name."""
    found = {one.name: one for one in import_module(f"trimfuzz.implementations.packages.{module}").trimmers()}
    return found[name]


def outcome_of(module: str, name: str, history: str | History, kind: LimitKind, value: int) -> Outcome:
    """Run a trimmer on one case."""
    trimmer = trimmer_of(module, name)
    count = native_count(trimmer.format)
    read = parse(history) if isinstance(history, str) else history
    cost = cost_of(kind, cost_in(trimmer.format, count))
    return run(trimmer, Case(Example(read, cost=cost), Limit(kind, value)), count=count)


@pytest.fixture
def outcome():
    """A function `(module, name, history, kind, value)` to an outcome."""
    return outcome_of


@pytest.fixture
def kept():
    """The same, to the roles and ids that came back."""

    def kept_of(module: str, name: str, history: str | History, kind: LimitKind, value: int) -> str:
        outcome = outcome_of(module, name, history, kind, value)
        assert outcome.status == "ok", outcome.failure
        assert outcome.output is not None
        assert not outcome.mutated
        assert not outcome.list_changed
        return shown(outcome.output)

    return kept_of


@pytest.fixture
def history_of():
    """The reader of one-line histories."""
    return parse
