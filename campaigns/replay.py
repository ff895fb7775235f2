"""Replay: fixtures again, on the trimmer that they were found on or on another one.

A fixture has *failed* when its own cause is found again. It is *changed* when that is gone and the case fails by
another cause of the same rule, or of the kind that always fails; else it is *fixed*. *error* means that it could not be
run. Fixtures of one trimmer share one child process, several trimmers run side by side, and nothing is generated:
thousands take seconds.
"""

import os
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path
from typing import Any, Literal, TypeAlias

from attrs import evolve, fields_dict, frozen
from cattrs import BaseValidationError

from ..messages.errors import BadFile, TrimfuzzError
from ..messages.neutral import dump_history
from ..oracles.rules import RULES
from .fixture_format import Fixture
from .fixtures import read_all
from .records import Record
from .specs import Spec, check_options, spec_from_json, spec_to_json
from .supervisor import Died, Supervisor

State: TypeAlias = Literal["failed", "fixed", "changed", "error"]
STATES: tuple[State, ...] = ("failed", "fixed", "changed", "error")
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


def replay(
    paths: Iterable[Path | str], *, with_target: Spec | str | None = None, timeout: float = 2.0, jobs: int | None = None
) -> Iterator[Replayed]:
    """Replay files and folders; rows come as they are done, fixtures of one trimmer together.

    `with_target` runs another trimmer on the same cases. `timeout` bounds one trim in seconds, `jobs` the processes
    side by side. All files are read first: raises `BadFile` for the first that is no fixture, and when there is none.
    """
    fixtures = list(read_all(paths))
    if not fixtures:
        raise BadFile("there are no fixtures here", "a fixture is what `campaign` or `check --fixtures` wrote")
    instead = Spec(with_target) if isinstance(with_target, str) else with_target
    if instead is not None:
        check_options(instead)
    return _replayed(_grouped(fixtures, instead), timeout, jobs or os.cpu_count() or 1)


def exit_code(rows: Iterable[Replayed]) -> int:
    """Return 1 if a fixture failed, else 2 if one could not be run, else 0."""
    states = {row.state for row in rows}
    return 1 if "failed" in states else 2 if "error" in states else 0


def spec_of(fixture: Fixture, instead: Spec | None = None) -> Spec:
    """Return what to run for a fixture: the trimmer that it was found on, or `instead` on the same terms.

    What `instead` leaves open (provider, kind of limit, counter, marks) is as in the fixture. Raises `BadFile`.
    """
    known = {key: value for key, value in fixture.options.items() if key in fields_dict(Spec)}
    kind = None if fixture.limit is None else fixture.limit.kind
    said = {"target": fixture.found_by.trimmer, "format": fixture.wire, "limit": kind, "provider": fixture.provider}
    if instead is None and not fixture.found_by.trimmer:
        raise BadFile("the fixture does not say which trimmer failed", "name one with --with")
    try:
        own = spec_from_json(spec_to_json(Spec("")) | known | said)
    except (BaseValidationError, ValueError, TypeError, KeyError):
        raise BadFile("the fixture's options cannot be read", "they are as on the command line of `check`") from None
    if instead is None:
        return own
    promised = {fixture.rule: own.promises[fixture.rule]} if fixture.rule in own.promises else {}
    return evolve(
        instead,
        limit=instead.limit or own.limit,
        provider=instead.provider or own.provider,
        count=instead.count or own.count,
        marks=instead.marks and own.marks,
        promises=promised | instead.promises,
    )


_Group: TypeAlias = tuple[Spec, list[Fixture]]


def _grouped(fixtures: list[Fixture], instead: Spec | None) -> list[_Group | Replayed]:
    """Put together what one process can run; a fixture that says nothing runnable is a row already."""
    groups: dict[str, _Group] = {}
    rows: list[Replayed] = []
    for fixture in fixtures:
        try:
            if fixture.rule not in RULES:
                raise BadFile(f"unknown rule {fixture.rule!r}", "it was written by another version of trimfuzz")
            spec = spec_of(fixture, instead)
        except TrimfuzzError as error:
            rows.append(_failing(fixture, instead.target if instead else fixture.found_by.trimmer, error))
            continue
        groups.setdefault(repr(spec), (spec, []))[1].append(fixture)
    return [*rows, *groups.values()]


def _replayed(work: list[_Group | Replayed], timeout: float, jobs: int) -> Iterator[Replayed]:
    groups: list[_Group] = []
    for item in work:
        if isinstance(item, Replayed):
            yield item
        else:
            groups.append(item)
    if not groups:
        return
    with ThreadPoolExecutor(min(jobs, len(groups))) as pool:
        waiting = [pool.submit(_run_group, spec, fixtures, timeout) for spec, fixtures in groups]
        try:
            for done in as_completed(waiting):
                yield from done.result()
        finally:
            for future in waiting:
                future.cancel()


def _run_group(spec: Spec, fixtures: list[Fixture], timeout: float) -> list[Replayed]:
    rows: list[Replayed] = []
    with Supervisor(spec, timeout) as worker:
        try:
            worker.start()
        except TrimfuzzError as error:
            return [_failing(fixture, spec.target, error) for fixture in fixtures]
        for fixture in fixtures:
            try:
                rows.append(_run(worker, fixture))
            except TrimfuzzError as error:
                rows.append(_failing(fixture, spec.target, error))
            except Died as died:
                problem = BadFile(f"the process ended while the case was judged ({died.status})")
                rows.append(_failing(fixture, spec.target, problem))
                worker.start()
    return rows


def _run(worker: Supervisor, fixture: Fixture) -> Replayed:
    history = dump_history(fixture.history)
    records: list[Record] = []
    for _ in range(TRIES_OF_A_FLAKY_RULE if fixture.rule == "deterministic" else 1):
        records = worker.judge(history, fixture.limit)
        same = next((record for record in records if record.cause == fixture.cause), None)
        if same is not None:
            return Replayed(fixture, "failed", worker.spec.target, evolve(same, url=fixture.found_by.url or None))
    other = next((record for record in records if record.fails and _concerns(record, fixture)), None)
    return Replayed(fixture, "fixed" if other is None else "changed", worker.spec.target, other)


def _concerns(record: Record, fixture: Fixture) -> bool:
    """A pack rule or a promise of another name is another matter: the fault that the fixture tells of is mended."""
    return record.kind == "always" or record.rule == fixture.rule


def _failing(fixture: Fixture, target: str, error: TrimfuzzError) -> Replayed:
    return Replayed(fixture, "error", target, problem=str(error))


def row_as_json(row: Replayed) -> dict[str, Any]:
    """Write a row as JSON data."""
    record = row.record
    return {
        "path": None if row.fixture.path is None else str(row.fixture.path),
        "id": row.fixture.id,
        "rule": row.fixture.rule,
        "cause": row.fixture.cause,
        "trimmer": row.trimmer,
        "state": row.state,
        "found": None if record is None else record.cause,
        "message": row.problem or (record.note if record is not None else ""),
        "url": row.fixture.found_by.url or None,
    }
