"""Trims in the notation of the examples: `U A[c1,c2] T(c1) T(c2)` trimmed to `0 3 +SUM`.

In an output a number is an input message, which can be followed by `=text`, `[c2]` its calls cut to these, `@a,b` its
ids renamed, `-` its reasoning stripped; `+U` and the like is a new message, `SUM` a declared summary, `MARK=text` a
declared marker.
"""

import re
from typing import Any

from attrs import evolve

from trimfuzz.messages import shorthand
from trimfuzz.messages.cases import Case, Example, Finding, Outcome
from trimfuzz.messages.limits import Limit
from trimfuzz.messages.model import History, Message
from trimfuzz.messages.reading.profiles import profile
from trimfuzz.messages.shorthand import history
from trimfuzz.oracles.judging.judging import judge


def trimmed(given: History, text: str) -> tuple[History, tuple[int | None, ...]]:
    """Read an output, with the input index of each message that is the very object of the input."""
    output: list[Message] = []
    sources: list[int | None] = []
    for place, token in enumerate(text.split()):
        if token[0].isdigit():
            index = int(re.match(r"\d+", token)[0])  # pyright: ignore[reportOptionalSubscript]
            change = token[len(str(index)) :]
            output.append(_changed(given[index], change))
            sources.append(None if change else index)
        else:
            output.append(_new(token.lstrip("+"), place))
            sources.append(None)
    return tuple(output), tuple(sources)


def _changed(one: Message, change: str) -> Message:
    if change.startswith("="):
        return evolve(one, text=change[1:])
    if change.startswith("["):
        wanted = change[1:-1].split(",")
        return evolve(one, calls=tuple(call for call in one.calls if call.id in wanted))
    if change.startswith("@"):
        names = change[1:].split(",")
        if one.role == "tool":
            return evolve(one, call_id=names[0])
        return evolve(one, calls=tuple(evolve(call, id=name) for call, name in zip(one.calls, names, strict=True)))
    return evolve(one, reasoning=None) if change == "-" else one


def _new(token: str, place: int) -> Message:
    if token.startswith("MARK"):
        return Message("user", token[5:] or "left out some", extra={"inserted": True})
    return shorthand.message(token, 100 + place)


def size_of(one: Message) -> int:
    """What a message costs: its size, else 1."""
    return 1 if one.tokens is None else one.tokens


def case_of(given: str | History, *, provider: str = "neutral", limit: int | None = None) -> Case:
    """Return a case; without a limit it is unknown."""
    read = history(given) if isinstance(given, str) else given
    example = Example(read, profile=profile(provider), cost=size_of)
    return Case(example, None if limit is None else Limit("tokens", limit))


def findings(
    rule: str | None,
    given: str | History,
    output: str,
    *,
    provider: str = "neutral",
    limit: int | None = None,
    identity: bool = True,
    in_place: bool = False,
    **options: Any,
) -> list[Finding]:
    """Judge a trim by a rule (None: by all).

    Without `identity` the output shares no object with the input; `in_place` says that what was changed still is the
    object that it was.
    """
    case = case_of(given, provider=provider, limit=limit)
    outcome = in_place_outcome(case.history, output) if in_place else ok(case.history, output)
    if not identity:
        outcome = evolve(outcome, sources=None)
    return judge(case, outcome, rules=None if rule is None else (rule,), **options)


def cuts(rule: str, given: str | History, output: str, **options: Any) -> list[str]:
    """Return the cuts by which a trim broke a rule; empty when it held."""
    return [finding.cut for finding in findings(rule, given, output, **options)]


def note(rule: str, given: str | History, output: str, **options: Any) -> str:
    """Return what the one finding of a trim says."""
    (finding,) = findings(rule, given, output, **options)
    return finding.note


def ok(given: History, text: str) -> Outcome:
    """Return an outcome whose output is written in shorthand."""
    output, sources = trimmed(given, text)
    return Outcome("ok", output, sources=sources)


def in_place_outcome(given: History, text: str) -> Outcome:
    """Return an outcome in which the changed messages of the output are the objects of the input, changed."""
    output, sources = trimmed(given, text)
    numbers = [re.match(r"\d+", token) for token in text.split()]
    known = tuple(None if number is None else int(number[0]) for number in numbers)
    changed = tuple(
        sorted({one for one, other in zip(known, sources, strict=True) if one is not None and other is None})
    )
    return Outcome("ok", output, sources=known, mutated=changed)
