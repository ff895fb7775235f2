"""Public reports: bugs that somebody met and wrote about, each as a minimal history and what was done to it.

A file of reports holds one JSON object a line. A report has `id`, `url`, `family`, `pack` (the profile to judge by),
`history`, `trim` and `claims`. `trim` says what was done (`op`) and what came of it: `kept`, the indexes of the
messages that stayed, or `output`, the list itself. It can have a `limit` of kind and value, where a value of null is a
limit that the history fits in, and an `outcome` where there was no output. Other keys ride along unread.

A claim is a rule and what shows that it was broken: `introduced` (input and output side by side), `lint` (the request
alone), `outcome` (there was no output), or `scenario` (more steps than one trim).
"""

import json
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any, Literal, TypeAlias, cast, get_args

from attrs import frozen

from .cases import STATUSES, Case, Example, Failure, Outcome, Status
from .errors import BadFile, BadHistory, BadName
from .limits import LIMIT_KINDS, Limit, cost_of
from .model import History, Message
from .neutral import load_history
from .reading.profiles import profile

ShownBy: TypeAlias = Literal["introduced", "lint", "outcome", "scenario"]
SHOWN_BY: tuple[ShownBy, ...] = get_args(ShownBy)


FAMILIES = {
    "F1": "orphan results",
    "F2": "unanswered and pending calls",
    "F3": "parallel batches cut",
    "F4": "ids: duplicate, reused, empty",
    "F5": "placement of results",
    "F6": "turn shape and system message",
    "F7": "emptied history or message",
    "F8": "reasoning",
    "F9": "server tools and special items",
    "F10": "mutation and stale state",
    "F11": "budget, termination, counters",
    "F12": "loss, wrong end kept",
    "F13": "repeated compaction",
    "F14": "handoff filters",
    "F15": "pinned and multimodal",
}
"""What the families of the shipped reports are about."""


@frozen
class Claim:
    """One rule that a report says was broken, and what shows it."""

    rule: str
    shown_by: ShownBy


@frozen
class Report:
    """One public report. `case` is what was trimmed, `outcome` what came of it, `done` what was done, in words."""

    id: str
    url: str
    family: str
    done: str
    case: Case
    outcome: Outcome
    claims: tuple[Claim, ...]


def size_of(message: Message) -> int:
    """What a message costs in a recorded case: its tokens, else 1."""
    return 1 if message.tokens is None else message.tokens


def reports_of(text: str, name: str = "reports", *, rules: Collection[str] | None = None) -> list[Report]:
    """Read reports from the text of a file, one a line; blank lines are skipped. Raises `BadFile` with the line.

    `rules` are the names that a claim may have; left out, any.
    """
    found: list[Report] = []
    ids: dict[str, int] = {}
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        where = f"{name}, line {number}"
        try:
            given = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise BadFile(f"{where}: this is no JSON", str(error)) from None
        report = read_report(given, where)
        for claim in report.claims:
            if rules is not None and claim.rule not in rules:
                raise BadFile(f"{where} ({report.id}): unknown rule {claim.rule!r}", "`trimfuzz list rules` names them")
        if report.id in ids:
            raise BadFile(f"{where}: the id {report.id!r} is taken", f"by line {ids[report.id]}")
        ids[report.id] = number
        found.append(report)
    if not found:
        raise BadFile(f"{name}: there are no reports in it", "expected one JSON object a line")
    return found


def read_reports(path: Path, *, rules: Collection[str] | None = None) -> list[Report]:
    """Read a file of reports; raises `BadFile` with what is wrong and where."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is not UTF-8"
        raise BadFile(f"cannot read {path}", reason.lower()) from None
    return reports_of(text, str(path), rules=rules)


def read_report(given: object, where: str = "report") -> Report:
    """Read one report; raises `BadFile` that says where and what is wrong."""
    report = _object(given, "a report", where)
    name = _text(report, "id", where)
    where = f"{where} ({name})"
    history = _history(report, "history", where)
    try:
        pack = profile(_text(report, "pack", where))
    except BadName as error:
        raise BadFile(f"{where}: {error}") from None
    limit = _limit(report.get("limit"), history, where)
    cost = size_of if limit is None else cost_of(limit.kind, size_of)
    trim = _object(report.get("trim"), "trim", where)
    return Report(
        name,
        _text(report, "url", where),
        _text(report, "family", where),
        _text(trim, "op", where),
        Case(Example(history, profile=pack, cost=cost), limit),
        _outcome(report, trim, history, where),
        _claims(report.get("claims"), where),
    )


def _object(value: object, what: str, where: str) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise BadFile(f"{where}: {what} is an object", f"this is {_shown(value)}")
    return cast("Mapping[str, Any]", value)


def _text(given: Mapping[str, Any], key: str, where: str) -> str:
    value = given.get(key)
    if value is None:
        raise BadFile(f"{where}: there is no {key}", "a report has id, url, family, pack, history, trim and claims")
    if not isinstance(value, str):
        raise BadFile(f"{where}: {key} must be a string", f"this is {_shown(value)}")
    return value


def _history(given: Mapping[str, Any], key: str, where: str) -> History:
    if given.get(key) is None:
        raise BadFile(f"{where}: there is no {key}", "a history is a list of messages")
    try:
        return load_history(given[key])
    except BadHistory as error:
        raise BadFile(f"{where}: {key}: {error}") from None


def _limit(given: object, history: History, where: str) -> Limit | None:
    if given is None:
        return None
    limit = _object(given, "a limit", where)
    kind, value = limit.get("kind"), limit.get("value")
    if kind not in LIMIT_KINDS or "value" not in limit:
        hint = "a limit is an object of kind and value; kinds: " + ", ".join(LIMIT_KINDS)
        raise BadFile(f"{where}: unknown limit {_shown(given)}", hint)
    if value is None:
        value = sum(map(cost_of(kind, size_of), history))
    if isinstance(value, bool) or not isinstance(value, int):
        raise BadFile(f"{where}: the limit must be an integer", f"this is {_shown(value)}")
    return Limit(kind, value, len(history) if kind == "compaction" else None)


def _outcome(report: Mapping[str, Any], trim: Mapping[str, Any], history: History, where: str) -> Outcome:
    status = report.get("outcome") or "ok"
    if status not in STATUSES:
        raise BadFile(f"{where}: unknown outcome {_shown(status)}", "known: " + ", ".join(STATUSES))
    if status != "ok":
        ended: Status = status
        return Outcome(ended, failure=Failure(ended))
    if trim.get("output") is not None:
        return Outcome("ok", _history(trim, "output", where))
    kept = _kept(trim.get("kept"), history, where)
    return Outcome("ok", tuple(history[index] for index in kept), sources=kept)


def _kept(given: object, history: History, where: str) -> tuple[int, ...]:
    if not isinstance(given, list):
        raise BadFile(f"{where}: trim has neither kept nor output", "give the indexes kept, or the list that came back")
    kept = cast("list[Any]", given)
    for index in kept:
        if isinstance(index, bool) or not isinstance(index, int) or not 0 <= index < len(history):
            raise BadFile(f"{where}: kept holds {_shown(index)}", f"indexes of the history, 0 to {len(history) - 1}")
    return tuple(kept)


def _claims(given: object, where: str) -> tuple[Claim, ...]:
    if not isinstance(given, list) or not given:
        raise BadFile(f"{where}: there are no claims", "a list of objects of rule and shown_by")
    found: list[Claim] = []
    for item in cast("list[object]", given):
        claim = _object(item, "a claim", where)
        rule, shown_by = _text(claim, "rule", where), claim.get("shown_by")
        if shown_by not in SHOWN_BY:
            raise BadFile(f"{where}: {rule} is shown by {_shown(shown_by)}", "known: " + ", ".join(SHOWN_BY))
        found.append(Claim(rule, shown_by))
    return tuple(found)


def _shown(value: object) -> str:
    return json.dumps(value)[:40]
