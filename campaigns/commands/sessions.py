"""`trimfuzz sessions`: a trimmer in the middle of conversations."""

from time import monotonic
from typing import Any

import click

from ..defaults import SESSIONS, SHRINK_SCRIPT_SECONDS, STEPS
from .options import drawn_seed, last_options, need_writable, search_options, spec_of, written_fixtures
from .output import print_document, print_lines, share_done, shown_progress


@click.command(short_help="Drive a trimmer through whole conversations: late results, steers, restarts.")
@click.argument("target")
@click.option("--then", metavar="TARGET", help="Another trimmer, which trims what is sent once more.")
@click.option(
    "--steps",
    type=click.IntRange(min=1),
    default=STEPS,
    show_default=True,
    metavar="N",
    help="The most steps of one session, before its end.",
)
@search_options(examples=SESSIONS, what="Sessions to play.", shrink=SHRINK_SCRIPT_SECONDS)
@last_options
def sessions(
    target: str,
    then: str | None,
    steps: int,
    examples: int,
    seconds: float,
    shrink: float,
    seed: int | None,
    fixtures: str | None,
    as_json: bool,
    **options: Any,
) -> int:
    """Play conversations with TARGET in them, and judge every request that it would send.

    A session is a script: somebody speaks, the model makes calls, results come in any order, somebody steers in
    between, a run is interrupted, a compaction is planned now and applied later, everything is saved and read again, a
    result comes after the trim. A trimmer is blamed for what it introduced into the conversation as it happened. What
    fails is shrunk to a script of a few steps.

    \b
    Examples:
      trimfuzz sessions mybot/history.py:trim --limit messages
      trimfuzz sessions mybot.memory:Memory --promise state-consistent
      trimfuzz sessions kimi-pre --seed 1 --fixtures tests/fixtures
      trimfuzz sessions codebuff-post --then codebuff-drop-unanswered

    Exit code: 0 nothing that fails was found, 1 something was, 2 it could not be run, or too little could be
    played, 130 interrupted.
    """
    from ..reports.console import progress
    from ..runs.session_check import check_sessions

    spec = spec_of(target, options)
    directory = need_writable(fixtures) if fixtures is not None else None
    began = monotonic()
    with progress(f"sessions with {target}") as line:

        def tell(phase: str, done: int, of: int, causes: int) -> None:
            share = share_done(phase, done, of, asked=examples, spent=monotonic() - began, seconds=seconds)
            line.say(shown_progress(phase, done, of, causes), share)

        result = check_sessions(
            spec,
            then=then,
            examples=examples,
            steps=steps,
            seconds=seconds,
            seed=drawn_seed(seed),
            shrink_seconds=shrink,
            progress=tell,
        )
    files = written_fixtures(result, directory, spec)
    from ..reports.sessions_view import sessions_document, sessions_report

    asked: dict[str, Any] = {
        "then": then,
        "examples": None if examples == SESSIONS else examples,
        "steps": None if steps == STEPS else steps,
        "fixtures": files,
    }
    if as_json:
        print_document(sessions_document(result, spec, **asked))
    else:
        from ..reports.console import canvas_of, console

        print_lines(sessions_report(result, spec, canvas_of(console()), **asked))
    return result.exit_code
