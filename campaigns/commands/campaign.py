"""`trimfuzz campaign`: many trimmers, on all cores."""

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..defaults import MINUTES
from .options import (
    contract_options,
    drawn_seed,
    finite,
    known_findings,
    known_option,
    last_options,
    need_writable,
    seed_option,
    spec_of,
)
from .output import print_document, print_lines

if TYPE_CHECKING:
    from ..runs.account import Found
    from ..runs.campaign import Campaign
    from ..target.spec import Spec

DIRECTORY = ".trimfuzz/fixtures"


@click.command(short_help="Fuzz many trimmers on all cores; every new finding becomes a fixture.")
@click.argument("trimmers", nargs=-1)
@click.option(
    "--minutes", type=click.FloatRange(min=0.01), callback=finite, metavar="M", help="How long; default: 1 minute."
)
@click.option("--examples", type=click.IntRange(min=1), metavar="N", help="Or how many histories for each trimmer.")
@click.option("--jobs", "-j", type=click.IntRange(min=1), metavar="N", help="Processes; default: one for each core.")
@seed_option
@contract_options
@click.option("--fixtures", default=DIRECTORY, show_default=True, metavar="DIR", help="Where findings are kept.")
@known_option
@click.option("--accept", is_flag=True, help="Write what fails into that file, and take out of it what is gone.")
@click.option("--reason", metavar="TEXT", help="Why it is accepted; else that is left to be written by hand.")
@last_options
def campaign(
    trimmers: tuple[str, ...],
    minutes: float | None,
    examples: int | None,
    jobs: int | None,
    seed: int | None,
    fixtures: str,
    known: str | None,
    accept: bool,
    reason: str | None,
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
      trimfuzz campaign --minutes 5 --accept --reason "legacy, see #123"

    Fixtures that are there already are run again first: a finding is new, known, fixed, or flaky. Ctrl-C ends a
    campaign early and loses nothing that was found.

    A trimmer of old standing: --accept writes what fails into a file of known findings, and from then on only what
    is new fails, and an entry whose finding is gone.

    Exit code: 0 nothing that fails was found, 1 something was, 2 nothing was, but one could not be run or judged (of
    those that were named also: not reached, or too little judged), 130 it was interrupted.
    """
    from rich.text import Text

    from ...messages.errors import BadName
    from ..reports.campaign_view import campaign_table, found_line
    from ..reports.console import canvas_of, console, progress
    from ..runs.campaign import campaign as set_up

    if reason is not None and not accept:
        raise BadName("--reason says why findings are accepted, and nothing is", "add --accept")
    file, accepted = known_findings(known, may_be_missing=accept)
    specs = [spec_of(name, options) for name in _named(trimmers)]
    directory = need_writable(fixtures)
    canvas = canvas_of(console())
    interrupted = closed = False
    with progress(f"{len(specs)} trimmers") as line:

        def tell(found: "Found") -> None:
            nonlocal closed
            if as_json or closed:
                return
            try:
                with line.aside():
                    print_lines([found_line(found, canvas, path=not console().is_terminal)])
            except BrokenPipeError:  # this is not the main thread: it can only ask for the end
                closed = True
                run.stopped.set()

        run = set_up(
            specs,
            directory=directory,
            minutes=minutes if minutes is not None else 0.0 if examples is not None else MINUTES,
            examples=examples or 0,
            jobs=jobs or os.cpu_count() or 1,
            seed=drawn_seed(seed),
            accepted=accepted,
            tell=tell,
        )
        try:
            run.run(lambda now: line.say(_shown(now), _share(now)))
        except KeyboardInterrupt:
            interrupted = True
            run.stop()
    if closed:
        raise BrokenPipeError
    if not interrupted:
        _need_judged(run)
    if as_json:
        from ..reports.documents import campaign_document

        print_document(campaign_document(run, interrupted=interrupted))
    else:
        print_lines(campaign_table(run, canvas, known=file, interrupted=interrupted))
    if accept:
        said = _accept(run, file, reason, _about_histories(specs[0]) if specs else {})
        if not as_json:
            print_lines([Text(canvas.clean(said))])
    if interrupted:
        return 130
    # Whoever names a trimmer wants to hear of it; of all that are registered a short run reaches as many as it can.
    stuck = any(
        account.problem or (trimmers and (not account.judged or run.lacking(account))) for account in run.accounts
    )
    if accept:
        return 2 if stuck else 0
    return 1 if run.failed else 2 if stuck else 0


def _need_judged(run: "Campaign") -> None:
    """A campaign in which nothing was judged has no table to show, and passes nobody."""
    from ...messages.errors import BadTarget

    if any(account.judged for account in run.accounts):
        return
    said = [
        f"{one.spec.target}: {one.problem.removeprefix(f'{one.spec.target}: ') or 'not reached'}"
        for one in run.accounts
    ]
    more = f", and {len(said) - 3} more" if len(said) > 3 else ""
    raise BadTarget(f"nothing could be judged: {'; '.join(said[:3])}{more}")


def _accept(run: "Campaign", file: Path, reason: str | None, options: dict[str, Any]) -> str:
    from ..store.accepted import accept

    records = [bug.record for account in run.accounts for bug in account.folded.failing]
    stale = [one for account in run.accounts for one in account.stale]
    if records or stale:
        accept(file, records, stale, reason=reason, options=options)
    gone = f", {len(stale)} taken out" if stale else ""
    many = "" if len(records) == 1 else "s"
    return f"accepted: {len(records)} bug{many} written to {file}{gone}"


def _about_histories(spec: "Spec") -> dict[str, Any]:
    """Return the options that say what histories there are, where they were given; all trimmers have the same."""
    from ..store.accepted import OPTIONS
    from ..target.spec import Spec

    default = Spec("")
    given: dict[str, Any] = {"without": list(spec.without), "system": spec.system, "marks": spec.marks}
    usual: dict[str, Any] = {"without": list(default.without), "system": default.system, "marks": default.marks}
    return {key: given[key] for key in OPTIONS if given[key] != usual[key]}


def _named(trimmers: tuple[str, ...]) -> list[str]:
    """Return what to run: the registered trimmers when nobody is named, all of the museum for `museum`.

    A name that is not known is said at once, not after an hour.
    """
    from ...implementations.registry import Unavailable, find, museum, registered
    from ..target.spec import is_registered_name

    if not trimmers:
        return [name for name, entry in registered().items() if not isinstance(entry, Unavailable)]
    found: list[str] = []
    for name in trimmers:
        if name in ("museum", "museum:"):
            found += list(museum())
        else:
            if is_registered_name(name):
                find(name)
            found.append(name)
    return list(dict.fromkeys(found))


def _shown(run: "Campaign") -> str:
    examples = sum(account.examples for account in run.accounts)
    trims = sum(account.trims for account in run.accounts)
    causes = sum(len(account.records) for account in run.accounts)
    left = f" of {60 * run.minutes:.0f}" if run.minutes else ""
    return f"{run.seconds:.0f}{left} s: {examples:,} histories, {trims:,} trims, {causes} causes"


def _share(run: "Campaign") -> float:
    """Return how much of a campaign is done, by time or by count."""
    if run.minutes > 0:
        return run.seconds / (60 * run.minutes)
    return sum(min(account.generated.examples, run.examples) for account in run.accounts) / (
        run.examples * len(run.accounts)
    )
