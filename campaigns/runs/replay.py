"""Replay: fixtures again, on the trimmer that they were found on or on another one.

A fixture has *failed* when its own cause is found again. It is *changed* when that is gone and the case shows another
cause of the same rule, or of the kind that always fails, on whatever class of input: a trimmer that raises has mended
nothing. Else it is *fixed*. *error* means that it could not be run, or that the file is no fixture. As in `check`, a
finding on interleaved or malformed input is told and fails nobody.

Fixtures of one trimmer share one child process, several trimmers run side by side, and nothing is generated:
thousands take seconds.
"""

import os
import threading
from collections.abc import Generator, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import SimpleQueue
from typing import Any, Literal, TypeAlias, get_args

from attrs import evolve, field, frozen

from ...messages.errors import BadFile, BadName, TrimfuzzError
from ...messages.neutral import dump_history
from ...messages.session.steps import dump_script
from ...oracles.rules.registry import RULES
from ..defaults import TIMEOUT
from ..engine.records import Record
from ..store.fixture_format import Fixture
from ..store.fixtures import read_all
from ..target.spec import Spec, check_options, is_registered_name
from ..workers.supervisor import Died, Supervisor

State: TypeAlias = Literal["failed", "fixed", "changed", "error"]
STATES: tuple[State, ...] = get_args(State)
TRIES_OF_A_FLAKY_RULE = 3
"""A trimmer that is not deterministic may be so by chance."""


@frozen
class Replayed:
    """What became of one fixture. `record` is the finding to show: of its cause when it failed, of another one when it
    changed. `trimmer` is what ran; `problem` says why it could not, in one line.
    """

    fixture: Fixture
    state: State
    trimmer: str
    record: Record | None = None
    problem: str = ""
    spec: Spec | None = field(default=None, kw_only=True)
    """How it was run; None where it was not."""

    @property
    def fails(self) -> bool:
        """Whether what was found fails the trimmer."""
        return self.record is not None and self.record.fails


def replay(
    paths: Iterable[Path | str],
    *,
    with_target: Spec | str | None = None,
    timeout: float | None = None,
    jobs: int | None = None,
) -> Generator[Replayed]:
    """Replay files and folders; rows come as they are done. Closing the generator ends every process at once.

    `with_target` runs another trimmer on the same cases. `timeout` bounds one trim in seconds, by default as when the
    fixture was found; `jobs` are the processes side by side. All files are read first. One that is no fixture is a row
    of its own; raises `BadFile` when there is nothing else, and `BadName` for a `with_target` that makes no sense.
    """
    problems: list[tuple[Path, BadFile]] = []
    fixtures = list(read_all(paths, bad=lambda path, error: problems.append((path, error))))
    if not fixtures and not problems:
        raise BadFile("there are no fixtures here", "a fixture is what `campaign` or `check --fixtures` wrote")
    if not fixtures and len(problems) == 1:
        raise problems[0][1]
    instead = Spec(with_target) if isinstance(with_target, str) else with_target
    if instead is not None:
        check_options(instead)
    unread = [_failing(_unread(path), "", error) for path, error in problems]
    return _replayed([*unread, *_grouped(fixtures, instead, timeout)], jobs or os.cpu_count() or 1)


def _unread(path: Path) -> Fixture:
    return Fixture("", "", "", "", "", "", "", (), None, path=path)


def exit_code(rows: Iterable[Replayed]) -> int:
    """Return 1 if what was found in a row fails its trimmer, else 2 if one could not be run, else 0."""
    told = list(rows)
    return 1 if any(row.fails for row in told) else 2 if any(row.state == "error" for row in told) else 0


def spec_of(fixture: Fixture, instead: Spec | None = None) -> Spec:
    """Return what to run for a fixture: the trimmer that it was found on, or `instead` on the same conditions.

    What `instead` leaves open (provider, kind of limit, counter, marks, time) is as in the fixture, and what failed
    there fails here. Raises `TrimfuzzError` for options that cannot be meant.
    """
    if instead is None and not fixture.found_by.trimmer:
        raise BadFile("the fixture does not say which trimmer failed", "name one with --with")
    own = Spec.of(fixture.found_by.trimmer, **_options(fixture))
    if instead is None:
        return own
    promised = {fixture.rule: own.promises[fixture.rule]} if fixture.rule in own.promises else {}
    return evolve(
        instead,
        limit=instead.limit or own.limit,
        provider=instead.provider or own.provider,
        count=instead.count or own.count,
        marks=own.marks if instead.marks == "auto" else instead.marks,
        timeout=own.timeout if instead.timeout == TIMEOUT else instead.timeout,
        fail_on=tuple(dict.fromkeys((*instead.fail_on, *own.fail_on))),
        promises=promised | instead.promises,
    )


_KEPT_OPTIONS = ("count", "fail_on", "inputs", "lowest_limit", "marks", "without", "system", "timeout")
_SHAPE_OPTIONS = ("call", "in_place", "refuses")


def _options(fixture: Fixture) -> dict[str, Any]:
    """Return the options of a fixture as `Spec.of` takes them; those of later versions are passed over."""
    given, limit = fixture.options, fixture.limit
    promises = "promises" if given.get("only_promised") else "promise"
    options = {key: given[key] for key in _KEPT_OPTIONS if key in given}
    options |= {promises: given.get("promises") or {}, "no_promise": given.get("withdrawn")}
    if "marks" not in given and any(one.keep_during_truncation or one.summary for one in fixture.history):
        options["marks"] = "on"  # it was handed out, whatever the default was then
    options |= {"provider": fixture.provider, "limit": None if limit is None else limit.kind}
    if is_registered_name(fixture.found_by.trimmer):
        return options
    if given.get("fixed") is not None:
        options["limit"] = f"{options['limit'] or 'messages'}={given['fixed']}"
    return options | {key: given[key] for key in _SHAPE_OPTIONS if key in given} | {"format": fixture.wire}


_Group: TypeAlias = tuple[Spec, list[Fixture]]


def _grouped(fixtures: list[Fixture], instead: Spec | None, timeout: float | None) -> list[_Group | Replayed]:
    """Put together what one process can run; a fixture that says nothing runnable is a row already."""
    groups: dict[str, _Group] = {}
    rows: list[Replayed] = []
    for fixture in fixtures:
        try:
            if fixture.rule not in RULES:
                raise BadFile(f"unknown rule {fixture.rule!r}", "it was written by another version of trimfuzz")
            spec = spec_of(fixture, instead)
            spec = spec if timeout is None else evolve(spec, timeout=timeout)
        except TrimfuzzError as error:
            rows.append(_failing(fixture, instead.target if instead else fixture.found_by.trimmer, error))
            continue
        groups.setdefault(repr(spec), (spec, []))[1].append(fixture)
    return [*rows, *groups.values()]


def _replayed(work: list[_Group | Replayed], jobs: int) -> Generator[Replayed]:
    groups: list[_Group] = []
    for item in work:
        if isinstance(item, Replayed):
            yield item
        else:
            groups.append(item)
    if not groups:
        return
    told: SimpleQueue[Replayed | None] = SimpleQueue()
    workers: list[Supervisor] = []
    stopped = threading.Event()

    def run(spec: Spec, fixtures: list[Fixture]) -> None:
        try:
            with Supervisor(spec) as worker:
                workers.append(worker)
                for row in () if stopped.is_set() else _run_group(worker, fixtures):
                    told.put(row)
        finally:
            told.put(None)

    with ThreadPoolExecutor(min(jobs, len(groups))) as pool:
        waiting = [pool.submit(run, spec, fixtures) for spec, fixtures in groups]
        left = len(groups)
        try:
            while left:
                row = told.get()
                if row is not None:
                    yield row
                left -= row is None
            for future in waiting:
                future.result()
        finally:
            stopped.set()
            for future in waiting:
                future.cancel()
            for worker in workers:
                worker.close()


def _run_group(worker: Supervisor, fixtures: list[Fixture]) -> Iterator[Replayed]:
    target = worker.spec.target
    try:
        worker.start()
    except TrimfuzzError as error:
        yield from (_failing(fixture, target, error) for fixture in fixtures)
        return
    for fixture in fixtures:
        try:
            row = _run(worker, fixture)
        except TrimfuzzError as error:
            row = _failing(fixture, target, error)
        except Died as died:
            problem = BadFile(f"the process ended while the case was judged ({died.status})")
            row = _failing(fixture, target, problem)
            worker.start()
        yield row


def _run(worker: Supervisor, fixture: Fixture) -> Replayed:
    contract = worker.contract
    if contract is not None and fixture.rule not in contract.rules:
        raise BadName(f"{fixture.rule} is not judged under {contract.provider}", "--with TARGET, or another --provider")
    subject = dump_history(fixture.history) if fixture.script is None else dump_script(fixture.script)
    records: list[Record] = []
    for _ in range(TRIES_OF_A_FLAKY_RULE if fixture.rule == "deterministic" else 1):
        records = worker.judge(subject, fixture.limit)
        same = next((record for record in records if record.cause == fixture.cause), None)
        if same is not None:
            found = evolve(same, url=fixture.found_by.url or None)
            return Replayed(fixture, "failed", worker.spec.target, found, spec=worker.spec)
    others = sorted((record for record in records if concerns(record, fixture)), key=lambda record: not record.fails)
    other = others[0] if others else None
    return Replayed(fixture, "fixed" if other is None else "changed", worker.spec.target, other, spec=worker.spec)


def concerns(record: Record, fixture: Fixture) -> bool:
    """Say whether a fixture whose own cause is gone is changed by this finding, not fixed.

    A pack rule or a promise of another name is another matter: the fault that the fixture tells of is mended.
    """
    return record.kind == "always" or record.rule == fixture.rule


def _failing(fixture: Fixture, target: str, error: TrimfuzzError) -> Replayed:
    return Replayed(fixture, "error", target, problem=str(error))


def row_as_json(row: Replayed) -> dict[str, Any]:
    """Write a row as JSON data."""
    record = row.record
    return {
        "path": None if row.fixture.path is None else str(row.fixture.path),
        "id": row.fixture.id or None,
        "rule": row.fixture.rule or None,
        "cause": row.fixture.cause or None,
        "trimmer": row.trimmer,
        "state": row.state,
        "fails": row.fails,
        "found": None if record is None else record.cause,
        "message": row.problem or (record.note if record is not None else ""),
        "url": row.fixture.found_by.url or None,
    }
