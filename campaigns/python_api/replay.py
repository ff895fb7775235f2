"""`trimfuzz.replay`: recorded findings again, on the trimmer that they were found on or on another one."""

from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from attrs import frozen

from ...implementations.trimmer import Trimmer
from ..reports.documents import replay_document
from ..runs.replay import STATES, Replayed, State, exit_code
from ..runs.replay import replay as run_again
from ..target.options import read_timeout
from ..target.spec import Spec
from .naming import need_parent_process, target_text


@frozen
class ReplayResult:
    """What became of the fixtures: a row for each, ordered by file."""

    rows: tuple[Replayed, ...]

    @property
    def states(self) -> dict[State, int]:
        """How many fixtures failed, are fixed, changed, or could not be run (error)."""
        counted = Counter(row.state for row in self.rows)
        return {state: counted[state] for state in STATES}

    @property
    def exit_code(self) -> int:
        """What the command would exit with: 0 nothing that fails, 1 something, 2 one could not be run."""
        return exit_code(self.rows)

    def to_json(self) -> dict[str, Any]:
        """Return the document that `trimfuzz replay --json` prints."""
        return replay_document(self.rows)


def replay(
    paths: Iterable[Path | str] | Path | str,
    target: Callable[..., Any] | Trimmer | type | str | None = None,
    *,
    timeout: float | str | None = None,
    jobs: int | None = None,
    **options: Any,
) -> ReplayResult:
    """Run fixtures again, from files and folders, and return what became of each.

    `target` runs another trimmer on the same cases; `options` say how it is called, as in `check` (format, limit,
    count, call, in_place, refuses). `timeout` bounds one trim, by default as when the fixture was found; `jobs` are the
    processes side by side. Raises `TrimfuzzError` where there is nothing to run.
    """
    need_parent_process()
    instead = None if target is None else Spec.of(target_text(target), **options)
    rows = run_again(
        [paths] if isinstance(paths, Path | str) else paths,
        with_target=instead,
        timeout=None if timeout is None else read_timeout(timeout),
        jobs=jobs,
    )
    return ReplayResult(tuple(sorted(rows, key=lambda row: str(row.fixture.path))))
