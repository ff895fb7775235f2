"""Fixture format 1: what a fixture says, read from and written to JSON data.

Reading is tolerant of keys that are missing and keeps keys that it does not know, also inside `found_by`; the version
is a strict gate, since a later format may mean something else by the same words. `schemas/fixture.json` is the
published form.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

from attrs import field, frozen

from ...messages.errors import BadFile, BadHistory
from ...messages.limits import Limit, limit_from_json, limit_to_json
from ...messages.model import History
from ...messages.neutral import dump_history, load_history
from ...messages.session.steps import Script, dump_script, load_script
from .signatures import fingerprint_of

FORMAT = 1
KEYS = (
    "format", "id", "signature", "rule", "cause", "input_class", "provider", "wire", "history", "limit", "options",
    "output", "found_by",
)  # fmt: skip
_REQUIRED = ("rule", "cause", "history")
_TEXTS = ("id", "signature", "rule", "cause", "input_class", "provider", "wire")


@frozen
class FoundBy:
    """Who found it: the trimmer's target and version, this suite's version, the day (UTC) and the seed of the run.

    `url` is the public report on whose history it was first found; empty for a generated one.
    """

    trimmer: str = ""
    version: str = ""
    suite: str = ""
    date: str = ""
    seed: int | None = None
    url: str = ""
    extra: Mapping[str, Any] = field(factory=dict[str, Any], kw_only=True)


@frozen
class Fixture:
    """One finding on file. `options` are the settings of the target that differ from the defaults, as in a `Spec`.

    `output` is None where the trimmer gave none. `extra` are keys that this version does not know, kept when it is
    written; `path` is the file that it was read from.
    """

    id: str
    signature: str
    rule: str
    cause: str
    input_class: str
    provider: str
    wire: str
    history: History
    limit: Limit | None
    options: Mapping[str, Any] = field(factory=dict[str, Any])
    output: History | None = None
    found_by: FoundBy = FoundBy()
    script: Script | None = field(default=None, kw_only=True)
    """The session that it was found in: a replay plays it again. The history is then all that happened in it."""
    extra: Mapping[str, Any] = field(factory=dict[str, Any], kw_only=True)
    path: Path | None = field(default=None, kw_only=True, eq=False)

    @property
    def size(self) -> tuple[int, int, int]:
        """What makes one fixture of a signature smaller than another: messages, then text, then the limit."""
        text = json.dumps(dump_history(self.history), default=repr)
        return len(self.history), len(text), abs(self.limit.value) if self.limit else 0


def dump_fixture(fixture: Fixture) -> dict[str, Any]:
    """Write a fixture as JSON data, known keys first and in the order of the format."""
    who = fixture.found_by
    values: tuple[Any, ...] = (
        FORMAT, fixture.id, fixture.signature, fixture.rule, fixture.cause, fixture.input_class, fixture.provider,
        fixture.wire, dump_history(fixture.history), limit_to_json(fixture.limit), dict(fixture.options),
        None if fixture.output is None else dump_history(fixture.output),
        {"trimmer": who.trimmer, "version": who.version, "suite": who.suite, "date": who.date, "seed": who.seed}
        | ({"url": who.url} if who.url else {})
        | dict(who.extra),
    )  # fmt: skip
    script = {} if fixture.script is None else {"script": dump_script(fixture.script)}
    return {**dict(zip(KEYS, values, strict=True)), **script, **fixture.extra}


def load_fixture(data: object) -> Fixture:
    """Read a fixture from JSON data; raises `BadFile` with one line, without a path."""
    if not isinstance(data, Mapping) or "format" not in data:
        raise BadFile(
            'this is no fixture: it has no "format"', "a fixture is what `campaign` or `check --fixtures` wrote"
        )
    given = cast("Mapping[str, Any]", data)
    if not _whole(given["format"]) or given["format"] != FORMAT:
        raise BadFile(f"fixture format {given['format']!r} is not known", f"this version of trimfuzz reads {FORMAT}")
    for key in _REQUIRED:
        if given.get(key) is None:
            raise BadFile(f"a fixture needs {key!r}", "the file was cut short, or edited by hand")
    for key in _TEXTS:
        if not isinstance(given.get(key), str | None):
            raise BadFile(f"{key} must be a string")
    history = _load_history(given["history"], "history")
    signature = given.get("signature") or given["cause"]
    return Fixture(
        given.get("id") or fingerprint_of(signature, dump_history(history)),
        signature,
        given["rule"],
        given["cause"],
        given.get("input_class") or "",
        given.get("provider") or "neutral",
        given.get("wire") or "neutral",
        history,
        _load_limit(given.get("limit")),
        _object(given.get("options"), "options"),
        None if given.get("output") is None else _load_history(given["output"], "output"),
        _load_found_by(_object(given.get("found_by"), "found_by")),
        script=_load_script(given.get("script")),
        extra={key: value for key, value in given.items() if key not in (*KEYS, "script")},
    )


def _load_history(value: object, key: str) -> History:
    try:
        return load_history(value)
    except BadHistory as error:
        place = "" if error.index is None else f"[{error.index}]"
        raise BadFile(f"{key}{place}: {error.problem}", error.hint) from None


def _load_script(value: object) -> Script | None:
    try:
        return None if value is None else load_script(value)
    except BadHistory as error:
        raise BadFile(f"script: {error.problem}", error.hint) from None


def _object(value: object, key: str) -> dict[str, Any]:
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        raise BadFile(f"{key} must be an object")
    return dict(cast("Mapping[str, Any]", value))


def _load_limit(value: object) -> Limit | None:
    try:
        return limit_from_json(value)
    except BadHistory as error:
        raise BadFile(error.problem, error.hint) from None


def _whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _load_found_by(given: Mapping[str, Any]) -> FoundBy:
    texts = ("trimmer", "version", "suite", "date")
    seed = given.get("seed")
    return FoundBy(
        *(str(given.get(key) or "") for key in texts),
        seed=cast("int", seed) if _whole(seed) else None,
        url=str(given.get("url") or ""),
        extra={key: value for key, value in given.items() if key not in (*texts, "seed", "url")},
    )
