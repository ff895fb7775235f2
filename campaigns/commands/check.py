"""`trimfuzz check`: validate one trimmer."""

from time import monotonic
from typing import Any

import click

from ..defaults import EXAMPLES, SHRINK_SECONDS
from .options import (
    drawn_seed,
    known_findings,
    known_option,
    last_options,
    need_writable,
    search_options,
    spec_of,
    written_fixtures,
)
from .output import print_document, print_lines, share_done, shown_progress


@click.command(short_help="Validate one trimmer: what it breaks, and the smallest history that shows it.")
@click.argument("target")
@search_options(
    examples=EXAMPLES,
    what="Histories to generate; each is trimmed at every limit that matters.",
    shrink=SHRINK_SECONDS,
    more=" Shrinking comes on top: at most twice this time for all that counts, or a minute if that is more.",
)
@known_option
@click.option("--verbose", "-v", is_flag=True, help="Show in full what was broken without having been promised.")
@last_options
def check(
    target: str,
    examples: int,
    seconds: float,
    shrink: float,
    seed: int | None,
    fixtures: str | None,
    known: str | None,
    verbose: bool,
    as_json: bool,
    **options: Any,
) -> int:
    """Validate one trimmer, and show the smallest history that breaks each rule.

    TARGET is package.module:name, path/to/file.py:name, or a registered name (`trimfuzz list trimmers`). It is a
    function (messages, limit) or (messages, limit, count), a class with add and view, or an object with plan and
    apply; --call says any other signature.

    \b
    Examples:
      trimfuzz check mybot/history.py:trim
      trimfuzz check mybot.history:trim --limit tokens --provider anthropic
      trimfuzz check mybot.history:fit --call 'f(messages, max_tokens=limit, token_counter=count)'
      trimfuzz check mybot.history:window --limit messages=40
      trimfuzz check oasis-pre --seed 7 --fixtures tests/fixtures

    A trim is blamed only for what it introduced. A bare function is taken to promise a few things more (the first
    lines of the report say which); --promise and --no-promise change that.

    Exit code: 0 nothing that fails was found, 1 something was, 2 it could not be run, or too little could be judged,
    130 interrupted.
    """
    from ..reports.console import progress
    from ..runs.check import check as run_check

    spec = spec_of(target, options)
    file, accepted = known_findings(known)
    directory = need_writable(fixtures) if fixtures is not None else None
    asked = None if examples == EXAMPLES else examples
    began = monotonic()
    with progress(f"checking {target}") as line:

        def tell(phase: str, done: int, trims: int, causes: int) -> None:
            share = share_done(phase, done, trims, asked=examples, spent=monotonic() - began, seconds=seconds)
            line.say(shown_progress(phase, done, trims, causes), share)

        result = run_check(
            spec,
            examples=examples,
            seconds=seconds,
            seed=drawn_seed(seed),
            shrink_seconds=shrink,
            accepted=accepted,
            progress=tell,
        )
    files = written_fixtures(result, directory, spec)
    if as_json:
        from ..reports.documents import check_document

        print_document(check_document(result, spec, examples=asked, fixtures=files))
    else:
        from ..reports.check_view import check_report
        from ..reports.console import canvas_of, console

        canvas = canvas_of(console())
        print_lines(check_report(result, spec, canvas, examples=asked, fixtures=files, known=file, verbose=verbose))
    return result.exit_code
