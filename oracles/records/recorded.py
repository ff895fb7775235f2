"""Entries: recorded cases with a verdict, one JSON object each, as in `examples.jsonl`.

An entry holds a history, what a trimmer made of it, and what one rule says of that. Beside `id`, `history`, `rule` and
`verdict` it can have: `output` (left out where there is none), `why`, `provider` (neutral if none), `limit`, `outcome`
(ok if none), `late` (ids whose results come after the trim), `request` and
`sent` (what goes with the history, as the trimmer was given it and as it was sent, in the form of
`messages.requests.load_request`), `input_after` (the input as the trimmer left it), `again`
(a second output: trimmed again, run again, or reloaded), `at_larger_limit` (an output) and `at_least` (the demanded
utilisation).

A limit is a number, or an object of `kind` and `value`, where a value of null is a limit that the history fits in.
Without one it is unknown. Under a bare number a message costs its `tokens`, else 1.
"""

import json
from collections.abc import Mapping, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any, Literal, TypeAlias, cast

from attrs import field, frozen

from ...messages.cases import STATUSES, Case, Example, Failure, Outcome, Status
from ...messages.errors import BadFile, TrimfuzzError, a_kind
from ...messages.limits import LIMIT_KINDS, Cost, Limit, LimitKind, cost_of
from ...messages.model import History
from ...messages.neutral import load_history
from ...messages.reading.profiles import NEUTRAL, Profile, profile
from ...messages.reports import size_of
from ...messages.requests import Request, load_request

Answer: TypeAlias = Literal["held", "broken"]


@frozen
class Entry:
    """One recorded case: what was trimmed, to what, and what a rule says of it."""

    id: str
    rule: str
    verdict: Answer
    case: Case
    outcome: Outcome
    why: str = field(default="", kw_only=True)
    late: tuple[str, ...] | None = field(default=None, kw_only=True)
    again: History | None = field(default=None, kw_only=True)
    at_larger_limit: History | None = field(default=None, kw_only=True)
    at_least: float | None = field(default=None, kw_only=True)


def read_entry(given: object, where: str = "entry") -> Entry:
    """Read one entry; raises `BadFile` that says where and what is wrong."""
    if not isinstance(given, Mapping):
        raise BadFile(f"{where}: an entry is an object", f"this is {a_kind(given)}")
    entry = cast("Mapping[str, Any]", given)
    name = _text(entry, "id", where)
    where = f"{where} ({name})"
    rule, verdict = _text(entry, "rule", where), _text(entry, "verdict", where)
    if verdict not in ("held", "broken"):
        raise BadFile(f"{where}: unknown verdict {verdict!r}", "known: held, broken")
    history = _history(entry, "history", where)
    if history is None:
        raise BadFile(f"{where}: there is no history", "give the list of messages that was trimmed")
    limit, cost = _limit(entry, history, where)
    example = Example(history, profile=_profile(entry, where), cost=cost)
    return Entry(
        name,
        rule,
        verdict,
        Case(example, limit, request=_request(entry, "request", where)),
        _outcome(entry, history, where),
        why=_text(entry, "why", where, ""),
        late=_late(entry, where),
        again=_history(entry, "again", where),
        at_larger_limit=_history(entry, "at_larger_limit", where),
        at_least=_number(entry, "at_least", where),
    )


def read_entries(path: Path) -> list[Entry]:
    """Read a file of entries, one a line; blank lines are skipped. Raises `BadFile` with the line."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is not UTF-8"
        raise BadFile(f"cannot read {path}", reason.lower()) from None
    return entries_of(text, str(path))


def shipped_entries() -> list[Entry]:
    """Read the examples that ship with the suite."""
    return entries_of(files(__package__ or "").joinpath("examples.jsonl").read_text(encoding="utf-8"), "examples.jsonl")


def entries_of(text: str, name: str = "examples") -> list[Entry]:
    """Read entries from the text of a file, one a line."""
    found: list[Entry] = []
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip():
            where = f"{name}, line {number}"
            try:
                given = json.loads(line)
            except ValueError as error:
                raise BadFile(f"{where}: this is no JSON", str(error)) from None
            found.append(read_entry(given, where))
    if not found:
        raise BadFile(f"{name}: there are no entries in it", "expected one JSON object a line")
    return found


_NOTHING: Any = object()


def _text(entry: Mapping[str, Any], key: str, where: str, default: Any = _NOTHING) -> str:
    value = entry.get(key, default)
    if value is _NOTHING:
        raise BadFile(f"{where}: there is no {key}", "every entry has id, history, rule and verdict")
    if not isinstance(value, str):
        raise BadFile(f"{where}: {key} must be a string", f"this is {json.dumps(value)[:40]}")
    return value


def _history(entry: Mapping[str, Any], key: str, where: str) -> History | None:
    value = entry.get(key)
    if value is None:
        return None
    try:
        return load_history(value)
    except TrimfuzzError as error:
        raise BadFile(f"{where}: {key}: {error}") from None


def _request(entry: Mapping[str, Any], key: str, where: str) -> Request | None:
    if entry.get(key) is None:
        return None
    try:
        return load_request(entry[key])
    except TrimfuzzError as error:
        raise BadFile(f"{where}: {key}: {error}") from None


def _profile(entry: Mapping[str, Any], where: str) -> Profile:
    if entry.get("provider") is None:
        return NEUTRAL
    try:
        return profile(_text(entry, "provider", where))
    except TrimfuzzError as error:
        raise BadFile(f"{where}: {error}") from None


def _number(entry: Mapping[str, Any], key: str, where: str) -> float | None:
    value = entry.get(key)
    if value is not None and (isinstance(value, bool) or not isinstance(value, int | float)):
        raise BadFile(f"{where}: {key} must be a number", f"this is {json.dumps(value)[:40]}")
    return value


def _limit(entry: Mapping[str, Any], history: History, where: str) -> tuple[Limit | None, Cost]:
    value = entry.get("limit")
    kind: LimitKind = "tokens"
    cost: Cost = size_of
    if isinstance(value, Mapping):
        given = cast("Mapping[str, Any]", value)
        named = given.get("kind", "tokens")
        if named not in LIMIT_KINDS or "value" not in given:
            hint = "a limit is a number, or an object of kind and value; kinds: " + ", ".join(LIMIT_KINDS)
            raise BadFile(f"{where}: unknown limit {json.dumps(given)[:80]}", hint)
        kind, value = named, given["value"]
        cost = cost_of(kind, size_of)
        if value is None:
            value = sum(map(cost, history))
    elif value is None:
        return None, cost
    if isinstance(value, bool) or not isinstance(value, int):
        raise BadFile(f"{where}: the limit must be an integer", f"this is {json.dumps(value)[:40]}")
    return Limit(kind, value, len(history) if kind == "compaction" else None), cost


def _late(entry: Mapping[str, Any], where: str) -> tuple[str, ...] | None:
    value = entry.get("late")
    if value is None:
        return None
    if not isinstance(value, Sequence) or isinstance(value, str):
        raise BadFile(f"{where}: late must be a list of call ids", f"this is {json.dumps(value)[:40]}")
    ids = cast("Sequence[Any]", value)
    if not all(isinstance(call_id, str) for call_id in ids):
        raise BadFile(f"{where}: late must be a list of call ids", "each a string")
    return tuple(ids)


def _outcome(entry: Mapping[str, Any], history: History, where: str) -> Outcome:
    status = entry.get("outcome") or "ok"
    if status not in STATUSES:
        raise BadFile(f"{where}: unknown outcome {status!r}", "known: " + ", ".join(STATUSES))
    after = _history(entry, "input_after", where)
    changed = after is not None and len(after) != len(history)
    mutated: tuple[int, ...] = ()
    if after is not None and not changed:
        mutated = tuple(index for index, one in enumerate(history) if one != after[index])
    if status == "ok":
        output = _history(entry, "output", where)
        if output is None:
            raise BadFile(f"{where}: there is no output", "give the list that came back, or an outcome that is not ok")
        sent = _request(entry, "sent", where)
        return Outcome("ok", output, mutated=mutated, list_changed=changed, after=after, request=sent)
    known: Status = status
    return Outcome(known, failure=Failure(known), mutated=mutated, list_changed=changed, after=after)
