"""`trimfuzz replay`: fixtures again."""

from contextlib import closing
from typing import Any

import click

from .options import last_options, shape_options, spec_of
from .output import print_document, print_lines


@click.command(short_help="Run fixtures again: failed, fixed, changed, or error.")
@click.argument("paths", nargs=-1, required=True, metavar="PATH...")
@click.option("--with", "with_target", metavar="TARGET", help="Run this trimmer on the same cases instead.")
@shape_options
@click.option("--jobs", "-j", type=click.IntRange(min=1), metavar="N", help="Processes; default: one for each core.")
@click.option("--verbose", "-v", is_flag=True, help="Show a picture of everything that failed or changed.")
@last_options
def replay(
    paths: tuple[str, ...],
    with_target: str | None,
    jobs: int | None,
    verbose: bool,
    timeout: str | None,
    as_json: bool,
    **options: Any,
) -> int:
    """Run recorded findings again, on the trimmer that they were found on or on another one.

    PATH is a fixture or a folder of them. A fixture has failed when its own cause is found again; changed: another
    cause of the same rule, or of the kind that always fails, is found; error: it could not be run, or is no fixture;
    else it is fixed. A finding on interleaved or malformed input is shown and does not count, as in check.

    \b
    Examples:
      trimfuzz replay tests/fixtures
      trimfuzz replay .trimfuzz/fixtures --with oasis-post
      trimfuzz replay finding.json --with mybot/history.py:trim --verbose

    Exit code: 0 nothing that fails was found, 1 something was (failed or changed), 2 nothing was, but one could not be
    run or read, 130 it was interrupted.
    """
    from ..reports.console import canvas_of, console
    from ..reports.replay_view import replayed_lines, replayed_summary
    from ..runs.replay import Replayed, exit_code, row_as_json
    from ..runs.replay import replay as run_again
    from ..target.options import read_timeout

    said = [name for name, value in options.items() if value]
    if with_target is None and said:
        raise click.UsageError(f"--{said[0].replace('_', '-')} says something about --with TARGET")
    seconds = None if timeout is None else read_timeout(timeout)
    instead = None if with_target is None else spec_of(with_target, options)
    canvas = canvas_of(console())
    rows: list[Replayed] = []
    interrupted = False
    try:
        with closing(run_again(paths, with_target=instead, timeout=seconds, jobs=jobs)) as told:
            for row in told:
                rows.append(row)
                if not as_json:
                    print_lines(replayed_lines(row, canvas, verbose=verbose))
    except KeyboardInterrupt:
        interrupted = True
    if as_json:
        rows.sort(key=lambda row: str(row.fixture.path))
        fixtures = [row_as_json(row) for row in rows]
        print_document({"schema": 1, "interrupted": interrupted, "fixtures": fixtures})
    else:
        print_lines(replayed_summary(rows, canvas, interrupted=interrupted))
    return 130 if interrupted else exit_code(rows)
