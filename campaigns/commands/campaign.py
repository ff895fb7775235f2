"""`trimfuzz campaign`: many trimmers, on all cores."""

import os
from typing import TYPE_CHECKING, Any

import click

from .options import drawn_seed, last_options, need_writable, seed_option, spec_of, terms_options
from .output import print_document, print_lines

if TYPE_CHECKING:
    from ..campaign import Campaign, Found

MINUTES = 1.0
DIRECTORY = ".trimfuzz/fixtures"


@click.command(short_help="Fuzz many trimmers on all cores; every new finding becomes a fixture.")
@click.argument("trimmers", nargs=-1)
@click.option("--minutes", type=click.FloatRange(min=0.01), metavar="M", help="How long; default: 1 minute.")
@click.option("--examples", type=click.IntRange(min=1), metavar="N", help="Or how many histories for each trimmer.")
@click.option("--jobs", "-j", type=click.IntRange(min=1), metavar="N", help="Processes; default: one for each core.")
@seed_option
@terms_options
@click.option("--fixtures", default=DIRECTORY, show_default=True, metavar="DIR", help="Where findings are kept.")
@last_options
def campaign(
    trimmers: tuple[str, ...],
    minutes: float | None,
    examples: int | None,
    jobs: int | None,
    seed: int | None,
    fixtures: str,
    timeout: float,
    as_json: bool,
    **options: Any,
) -> int:
    """Fuzz many trimmers by time or count, on all cores, and keep every new finding as a fixture.

    TRIMMERS are registered names or targets as in `check`; none means every registered trimmer that is installed.
    `museum` stands for all of the museum, which is in no campaign unless it is named.

    \b
    Examples:
      trimfuzz campaign --minutes 0.5
      trimfuzz campaign oasis-pre codebuff-pre mybot/history.py:trim --examples 5000
      trimfuzz campaign --minutes 480 --jobs 8 --fixtures nightly

    Fixtures that are there already are run again first: a finding is new, known, fixed, or flaky. Ctrl-C ends a
    campaign early and loses nothing that was found.

    Exit code: 0 nothing that fails was found, 1 something was, 2 it could not be run, 130 it was interrupted.
    """
    from ..campaign import campaign as set_up
    from ..console import progress

    specs = [spec_of(name, options) for name in _named(trimmers)]
    directory = need_writable(fixtures)
    run = set_up(
        specs,
        directory=directory,
        minutes=minutes if minutes is not None else 0.0 if examples is not None else MINUTES,
        examples=examples or 0,
        jobs=jobs or os.cpu_count() or 1,
        seed=drawn_seed(seed),
        timeout=timeout,
        tell=_silent if as_json else _tell,
    )
    interrupted = False
    with progress(f"{len(specs)} trimmers on {run.jobs} processes") as say:
        try:
            run.run(lambda now: say(_shown(now)))
        except KeyboardInterrupt:
            interrupted = True
            run.stop()
    if as_json:
        from ..documents import campaign_document

        print_document(campaign_document(run, interrupted=interrupted))
    else:
        from ..campaign_report import campaign_table
        from ..console import canvas_of, console

        print_lines(campaign_table(run, canvas_of(console()), interrupted=interrupted))
    if interrupted:
        return 130
    return 1 if run.failed else 2 if all(account.problem for account in run.accounts) else 0


def _named(trimmers: tuple[str, ...]) -> list[str]:
    """Return what to run: the registered trimmers when nobody is named, all of the museum for `museum`."""
    from ...implementations.registry import Unavailable, museum, registered

    if not trimmers:
        return [name for name, entry in registered().items() if not isinstance(entry, Unavailable)]
    found: list[str] = []
    for name in trimmers:
        found += list(museum()) if name in ("museum", "museum:") else [name]
    return list(dict.fromkeys(found))


def _tell(found: "Found") -> None:
    from ..campaign_report import found_line
    from ..console import canvas_of, console

    print_lines([found_line(found, canvas_of(console()))])


def _silent(_found: "Found") -> None:
    pass


def _shown(run: "Campaign") -> str:
    examples = sum(account.examples for account in run.accounts)
    trims = sum(account.trims for account in run.accounts)
    causes = sum(len(account.found) for account in run.accounts)
    left = f" of {60 * run.minutes:.0f}" if run.minutes else ""
    return f"{run.seconds:.0f}{left} s: {examples:,} histories, {trims:,} trims, {causes} causes"
