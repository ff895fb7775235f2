"""Accepted findings: a TOML file of what is known, so that only what is new fails a trimmer of old standing.

An entry holds the smallest history of its cause, so that the file needs no other, and a reason, which is written by
hand. It is strict both ways: a cause that has no entry fails, and so does an entry that matches nothing any more.
"""

import json
import tomllib
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, cast

from attrs import evolve, field, frozen

from ...messages.errors import BadFile, BadHistory
from ...messages.limits import Limit, limit_from_json, limit_to_json
from ...messages.neutral import load_history
from ...oracles.judging.folding import bug_key
from ..engine.bugs import Bug, Folded, numbered
from ..engine.records import JsonHistory, Record
from .fixtures import portable, save_text

FILE = "trimfuzz-known.toml"
"""Where accepted findings are looked for when no file is named."""
HEADER = """\
Findings that are known and accepted: they do not fail, whatever else is found does. Each has a reason.
An entry whose finding is gone is an error: delete it, or let `trimfuzz campaign --accept` do it."""
OPTIONS = ("without", "system", "marks")
"""Options of a run that an entry holds, where they were given."""
_HINT = "`trimfuzz campaign --accept` writes this file"


@frozen
class Accepted:
    """One accepted finding: whose it is (a target, as fixtures name it), its cause, why it is accepted, and its
    smallest case.

    The cause is `rule/cut`, with the input class between them where that is interleaved or malformed. Files of earlier
    versions have the class in any case; it counts for nothing there.
    """

    trimmer: str
    cause: str
    reason: str
    history: JsonHistory
    limit: Limit | None = None
    options: Mapping[str, Any] = field(factory=dict[str, Any], kw_only=True)
    """What histories it was found in, where that was said: `without`, `system` and `marks`, as in a `Spec`."""

    @property
    def key(self) -> str:
        """What it shares with the findings that it accepts."""
        return bug_key(self.cause)


def read_accepted(path: Path) -> tuple[Accepted, ...]:
    """Read a file; raises `BadFile` that names the entry and what is wrong with it."""
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise BadFile(f"cannot read {path}: {error.strerror or error}", _HINT) from None
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise BadFile(f"{path} is not TOML: {error}", _HINT) from None
    entries: Any = data.get("finding", [])
    if not isinstance(entries, list) or set(data) - {"finding"}:
        raise BadFile(f"{path} holds something else than [[finding]] entries", _HINT)
    found = tuple(
        _read(entry, f"{path}: finding {number}") for number, entry in enumerate(cast("list[Any]", entries), 1)
    )
    names = [(one.trimmer, one.cause) for one in found]
    for number, name in enumerate(names, 1):
        if names.index(name) < number - 1:
            raise BadFile(f"{path}: finding {number}: {name[0]} {name[1]} stands there twice", "delete one of them")
    return found


def _read(entry: Any, place: str) -> Accepted:
    if not isinstance(entry, dict):
        raise BadFile(f"{place} is not a table", _HINT)
    data = cast("dict[str, Any]", entry)
    for key in ("trimmer", "cause", "reason", "history"):
        if not isinstance(data.get(key), str) or not data[key].strip():
            raise BadFile(f"{place} has no {key}", "say why it is accepted" if key == "reason" else _HINT)
    try:
        lines = [json.loads(line) for line in data["history"].splitlines() if line.strip()]
        load_history(lines)
    except (ValueError, BadHistory) as error:
        raise BadFile(f"{place}: its history cannot be read: {error}", "one message a line, in neutral JSON") from None
    limit, options = _limit(data.get("limit"), place), {key: data[key] for key in OPTIONS if key in data}
    return Accepted(data["trimmer"], data["cause"], data["reason"], lines, limit, options=options)


def _limit(data: Any, place: str) -> Limit | None:
    try:
        return limit_from_json(data)
    except BadHistory:
        raise BadFile(f"{place}: its limit is no limit", 'for example {kind = "messages", value = 3}') from None


def accept(
    path: Path,
    records: Iterable[Record],
    stale: Iterable[Accepted],
    *,
    reason: str | None = None,
    options: Mapping[str, Any] | None = None,
) -> None:
    """Add findings to a file, and take stale entries out; comments and reasons that stand there stay.

    `options` are those that were given of `OPTIONS`.
    Raises `BadFile` where it cannot be written. The file is written whole or not at all.
    """
    import tomlkit

    document: Any = tomlkit.parse(path.read_text(encoding="utf-8")) if path.exists() else tomlkit.document()
    if not path.exists():
        for line in HEADER.splitlines():
            document.add(tomlkit.comment(line))
    gone = {(one.trimmer, one.cause) for one in stale}
    entries: Any = document.get("finding") or tomlkit.aot()
    for index in range(len(entries) - 1, -1, -1):
        if (entries[index]["trimmer"], entries[index]["cause"]) in gone:
            del entries[index]
    for record in records:
        why = reason or f"not looked at yet (accepted on {datetime.now(UTC):%Y-%m-%d})"
        entries.append(_entry(record, why, options or {}))
    if "finding" not in document and len(entries):
        document["finding"] = entries
    elif "finding" in document and not len(entries):
        del document["finding"]
    save_text(tomlkit.dumps(document), path)


def _entry(record: Record, reason: str, options: Mapping[str, Any]) -> Any:
    import tomlkit

    entry: Any = tomlkit.table()
    entry.update({"trimmer": portable(record.trimmer), "cause": bug_key(record.cause), "reason": reason, **options})
    if record.limit is not None:
        limit: Any = tomlkit.inline_table()
        limit.update(limit_to_json(record.limit))
        entry["limit"] = limit
    # One message a line; ASCII, since TOML has no place for half a surrogate pair.
    lines = "".join(f"{json.dumps(message)}\n" for message in record.history)
    if "'''" in lines:
        entry["history"] = tomlkit.string(lines, multiline=True)
    else:
        entry["history"] = tomlkit.parse(f"history = '''\n{lines}'''")["history"]
    entry.add(tomlkit.nl())
    return entry


def settled(found: Folded, accepted: Iterable[Accepted]) -> tuple[Folded, list[Accepted]]:
    """Say which bugs of one trimmer are accepted, and return all with the entries that match none of them.

    A bug is accepted if one of its causes is on file; it does not fail then.
    """
    entries = list(accepted)
    matched: set[tuple[str, str]] = set()

    def settle(bug: Bug) -> Bug:
        names = [(portable(record.trimmer), bug_key(record.cause)) for record in bug.records]
        matched.update(names)
        reason = next((one.reason for name in names for one in entries if (one.trimmer, one.key) == name), None)
        if reason is None:
            return bug
        first, *also = (evolve(record, fails=False, accepted=reason) for record in bug.records)
        return Bug(bug.number, first, tuple(also))

    bugs, apart = numbered(map(settle, found.bugs)), tuple(map(settle, found.apart))
    return Folded(bugs, apart), [one for one in entries if (one.trimmer, one.key) not in matched]
