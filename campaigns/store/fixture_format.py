"""Fixture format 2: what a fixture says, read from and written to JSON data.

Reading is tolerant of keys that are missing and keeps keys that it does not know, also inside `found_by`; the version
is a strict gate, since a later format may mean something else by the same words. `schemas/fixture.json` is the
published form. Format 1, which had no `also`, no wire JSON and no answer of the provider, is read for ever.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeAlias, cast

from attrs import field, frozen

from ...messages.errors import BadFile, BadHistory
from ...messages.limits import Limit, limit_from_json, limit_to_json
from ...messages.model import History
from ...messages.neutral import dump_history, load_history
from ...messages.session.steps import Script, dump_script, load_script
from .signatures import fingerprint_of, without_class

FORMAT = 2
READ = (1, 2)
"""The formats that are read."""
KEYS = (
    "format", "id", "signature", "rule", "cause", "also", "input_class", "provider", "pack", "provider_answer", "wire",
    "history", "limit", "options", "output", "wire_history", "wire_output", "found_by",
)  # fmt: skip
_REQUIRED = ("rule", "cause", "history")
_TEXTS = ("id", "signature", "rule", "cause", "input_class", "provider", "wire")


JsonItems: TypeAlias = list[Any]


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
    """One bug on file. `options` are the settings of the target, as in a `Spec`: those that say what was tried and what
    counted, and of the others what differs from the defaults.

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
    also: tuple[str, ...] = field(default=(), kw_only=True)
    """The further causes that are the same bug."""
    pack: Mapping[str, Any] = field(factory=dict[str, Any], kw_only=True)
    """Of the provider: the `version` that its name stood for, and when its answers were last `read` up on."""
    provider_answer: Mapping[str, Any] | None = field(default=None, kw_only=True)
    """What the provider is known to do about the broken rule: text, status, confidence, source, date."""
    wire_history: JsonItems | None = field(default=None, kw_only=True)
    """The history as the trimmer was handed it; None where its items are no JSON."""
    wire_output: JsonItems | None = field(default=None, kw_only=True)
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
    who, answer = fixture.found_by, fixture.provider_answer
    values: tuple[Any, ...] = (
        FORMAT, fixture.id, fixture.signature, fixture.rule, fixture.cause, list(fixture.also), fixture.input_class,
        fixture.provider, dict(fixture.pack), None if answer is None else dict(answer),
        fixture.wire, dump_history(fixture.history), limit_to_json(fixture.limit), dict(fixture.options),
        None if fixture.output is None else dump_history(fixture.output), fixture.wire_history, fixture.wire_output,
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
    written = given["format"]
    if not _whole(written) or written not in READ:
        newer = _whole(written) and written > FORMAT
        hint = f"this version of trimfuzz reads {' and '.join(map(str, READ))}"
        raise BadFile(f"fixture format {written!r} is {'newer than this' if newer else 'not known'}", hint)
    for key in _REQUIRED:
        if given.get(key) is None:
            raise BadFile(f"a fixture needs {key!r}", "the file was cut short, or edited by hand")
    for key in _TEXTS:
        if not isinstance(given.get(key), str | None):
            raise BadFile(f"{key} must be a string")
    history = _load_history(given["history"], "history")
    signature = given.get("signature") or given["cause"]
    if written == 1:
        signature = without_class(signature, given["cause"])
    answer = given.get("provider_answer")
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
        also=tuple(map(str, _list(given.get("also"), "also") or ())),
        pack=_object(given.get("pack"), "pack"),
        provider_answer=None if answer is None else _object(answer, "provider_answer"),
        wire_history=_list(given.get("wire_history"), "wire_history"),
        wire_output=_list(given.get("wire_output"), "wire_output"),
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


def _list(value: object, key: str) -> JsonItems | None:
    if not isinstance(value, list | None):
        raise BadFile(f"{key} must be a list")
    return cast("JsonItems | None", value)


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
