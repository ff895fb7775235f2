"""Fixtures: a finding as a self-contained file that can be committed, replayed and sent upstream.

A fixture holds the history itself: a seed is noted for convenience, the history is the promise. There is one fixture
for each signature: a finding that is already on file is left alone, unless the new history is smaller; then the new
file takes the place of the old one, with what somebody had added to it. Files are written whole or not at all, and
are named `TRIMMER--RULE--FINGERPRINT.json`.

A generated history is generated text and nothing else. What could hold more stays out: messages of errors, and
folders: a file is named from the working directory, and by its name alone where it lies elsewhere.
"""

import json
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from glob import escape
from importlib.metadata import PackageNotFoundError
from importlib.metadata import version as installed_version
from pathlib import Path
from typing import Any, cast

from attrs import evolve

from ...messages.errors import BadFile, TrimfuzzError
from ...messages.formats.registry import format_named
from ...messages.neutral import load_history
from ...messages.session.steps import Script, load_script
from ...oracles.packs import pack
from ..engine.bugs import Bug
from ..engine.records import JsonHistory, Record
from ..target.spec import Spec, spec_to_json
from .fixture_format import Fixture, FoundBy, dump_fixture, load_fixture
from .signatures import fingerprint_of, signature_of

_SAID_ELSEWHERE = ("target", "format", "limit", "provider")
"""Fields of a spec that a fixture says in keys of its own."""
_IN_FORCE = ("without", "system", "marks", "lowest_limit")
"""Fields of a spec that a fixture has in any case: a later version may have other defaults."""


def fixture_of(
    found: Bug | Record,
    *,
    spec: Spec,
    wire: str,
    version: str = "",
    seed: int | None = None,
    date: str | None = None,
) -> Fixture:
    """Make the fixture of what was found with `spec`; `wire` is the trimmer's format, `version` its version."""
    bug = found if isinstance(found, Bug) else Bug(None, found)
    record = bug.record
    signature = signature_on_file(record)
    given, default = spec_to_json(spec), spec_to_json(Spec(spec.target))
    return Fixture(
        fingerprint_of(signature, record.history),
        signature,
        record.rule,
        record.cause,
        record.input_class,
        record.provider,
        wire,
        load_history(record.history),
        record.limit,
        {
            key: _portable_option(key, value)
            for key, value in given.items()
            if key in _IN_FORCE or (key not in _SAID_ELSEWHERE and value != default.get(key))
        },
        None if record.output is None else load_history(record.output),
        FoundBy(
            portable(spec.target),
            version,
            suite_version(),
            date or datetime.now(UTC).date().isoformat(),
            seed,
            record.url or "",
        ),
        also=tuple(one.cause for one in bug.also),
        pack=_pack(record),
        provider_answer=_provider_answer(record),
        wire_history=_items(wire, record.history),
        wire_output=None if record.output is None else _items(wire, record.output),
        script=None if record.script is None else _portable_script(load_script(record.script)),
    )


def _pack(record: Record) -> dict[str, str]:
    """Say which version of a provider its name stood for, and when its answers were last read up on."""
    known = pack(record.provider)
    version = record.provider.partition("@")[2] or (known.versions[-1].partition("@")[2] if known.versions else "")
    return {"version": version, "read": max((answer.date for answer in known.answers.values()), default="")}


def _provider_answer(record: Record) -> dict[str, Any] | None:
    """Say what the provider is known to do about the broken rule, and how sure that is (A to D)."""
    known = pack(record.provider).answers.get(record.rule)
    if known is None:
        return None
    return {
        "severity": known.severity,
        "status": known.status,
        "text": record.provider_error or known.text,
        "confidence": known.confidence,
        "source": known.source,
        "date": known.date,
    }


def _items(wire: str, history: JsonHistory) -> list[Any] | None:
    """Write a history as the trimmer is handed it; None for what its format cannot carry, or what is no JSON."""
    try:
        items = format_named(wire).write_items(load_history(history))
        json.dumps(items)
    except (TrimfuzzError, TypeError, ValueError):
        return None
    return items


def _portable_script(script: Script) -> Script:
    return script if script.then is None else evolve(script, then=portable(script.then))


def portable(target: str) -> str:
    """Return a target whose file is named from the working directory, or by its name alone: no home in a fixture."""
    file, colon, name = target.rpartition(":") if ":" in target else (target, "", "")
    if not (file.endswith(".py") or "/" in file or os.sep in file):
        return target
    below = _below_here(file)
    return (Path(file).name if below is None else below) + colon + name


def found_from_here(target: str) -> bool:
    """Say whether the portable form of a target still leads to it from the working directory."""
    file = target.rpartition(":")[0] if ":" in target else target
    return portable(target) == target or _below_here(file) is not None


def _below_here(file: str) -> str | None:
    absolute, here = Path(os.path.abspath(file)), Path.cwd()
    for path, folder in ((absolute, here), (absolute.resolve(), here.resolve())):  # either may be a link
        if path.is_relative_to(folder):
            return path.relative_to(folder).as_posix()
    return None


def _portable_option(key: str, value: Any) -> Any:
    if key == "count":
        return portable(value)
    return [portable(one) for one in value] if key == "refuses" else value


def signature_on_file(record: Record) -> str:
    """Return the signature of a record as fixtures have it: it names no folder."""
    return signature_of(evolve(record, trimmer=portable(record.trimmer)))


def suite_version() -> str:
    """Return the installed version of trimfuzz; empty where it runs from a bare checkout."""
    try:
        return installed_version("trimfuzz")
    except PackageNotFoundError:
        return ""


def write_fixture(
    found: Bug | Record,
    directory: Path | str,
    *,
    spec: Spec,
    wire: str,
    version: str = "",
    seed: int | None = None,
    date: str | None = None,
) -> Path:
    """Put a bug, or a single finding, on file and return the path of its signature's fixture.

    A fixture of the same signature that is no larger stays as it is. Raises `BadFile` where nothing can be written.
    """
    record = found.record if isinstance(found, Bug) else found
    made = fixture_of(found, spec=spec, wire=wire, version=version, seed=seed, date=date)
    folder = Path(directory)
    known = find_fixture(record, folder)
    old = known.path if known is not None else None
    if known is not None and old is not None:
        if known.size <= made.size:
            return old
        url = made.found_by.url or known.found_by.url
        made = evolve(made, extra=known.extra, found_by=evolve(made.found_by, url=url))
    path = folder / f"{_stem(record)}{made.id}.json"
    save_fixture(made, path)
    if old is not None and old != path:
        with suppress(OSError):
            old.unlink()
    return path


def find_fixture(record: Record, directory: Path | str) -> Fixture | None:
    """Return the fixture of a record's signature, if there is one; a file that cannot be read is none."""
    signature = signature_on_file(record)
    for path in sorted(Path(directory).glob(f"{escape(_stem(record))}*.json")):
        with suppress(BadFile):
            found = read_fixture(path)
            if found.signature == signature:
                return found
    return None


def _stem(record: Record) -> str:
    return f"{beginning(record.trimmer)}{record.rule}--"


def beginning(target: str) -> str:
    """Return how the files of a target begin, in letters that every file system takes."""
    trimmer = re.sub("[^A-Za-z0-9._-]+", "-", portable(target)).strip(".-")[-60:]
    return f"{trimmer or 'trimmer'}--"


def save_fixture(fixture: Fixture, path: Path) -> None:
    """Write a fixture, whole or not at all; raises `BadFile`."""
    save_text(layout(dump_fixture(fixture)), path)


def save_text(text: str, path: Path) -> None:
    """Write a file, whole or not at all; raises `BadFile`."""
    spare = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with spare.open("w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        os.replace(spare, path)
    except OSError as error:
        raise BadFile(f"cannot write {path}: {error.strerror or error}", "name another directory") from None
    finally:
        with suppress(OSError):
            spare.unlink(missing_ok=True)


def layout(data: Mapping[str, Any]) -> str:
    """Return JSON text with a line for each key, message and step, so that one change is one line of a diff."""
    return _laid_out(data, "") + "\n"


def _laid_out(data: Mapping[str, Any], before: str) -> str:
    inner = before + "  "
    lines: list[str] = []
    for key, value in data.items():
        if key in ("history", "output", "wire_history", "wire_output", "steps") and value:
            items = ",\n".join(f"{inner}  {_written(item)}" for item in cast("list[object]", value))
            lines.append(f"{inner}{_written(key)}: [\n{items}\n{inner}]")
        elif key == "script" and isinstance(value, Mapping):
            lines.append(f"{inner}{_written(key)}: {_laid_out(cast('Mapping[str, Any]', value), inner)}")
        else:
            lines.append(f"{inner}{_written(key)}: {_written(value)}")
    return "{\n" + ",\n".join(lines) + f"\n{before}}}"


def _written(value: object) -> str:
    """Write JSON that reads well; half a surrogate pair, which UTF-8 cannot hold, is escaped."""
    text = json.dumps(value, ensure_ascii=False, default=repr)
    try:
        text.encode()
    except UnicodeEncodeError:
        return json.dumps(value, default=repr)
    return text


def read_all(paths: Iterable[Path | str], *, bad: Callable[[Path, BadFile], None] | None = None) -> Iterator[Fixture]:
    """Read files, and every `.json` below a folder, by name.

    `bad` is told of a file that is no fixture, and the others are read; without it the first one raises `BadFile`.
    """
    for path in _files(paths):
        try:
            found = read_fixture(path)
        except BadFile as error:
            if bad is None:
                raise
            bad(path, error)
        else:
            yield found


def _files(paths: Iterable[Path | str]) -> Iterator[Path]:
    for given in map(Path, paths):
        if given.is_dir():
            yield from (path for path in sorted(given.rglob("*.json")) if not path.name.startswith("."))
        else:
            yield given


def read_fixture(path: Path | str) -> Fixture:
    """Read one fixture; raises `BadFile` with the path, what is wrong and what to do."""
    path = Path(path)
    try:
        data: object = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise BadFile(f"cannot read {path}: {error.strerror or error}") from None
    except UnicodeDecodeError:
        raise BadFile(f"{path} is not UTF-8 text", "a fixture is a JSON file") from None
    except (ValueError, RecursionError) as error:
        raise BadFile(f"{path} is not JSON: {error}", "a fixture is a JSON file") from None
    try:
        return evolve(load_fixture(data), path=path)
    except BadFile as error:
        raise BadFile(f"{path}: {error.problem}", error.hint) from None
