"""`trimfuzz prove`: the museum against the rules."""

from typing import TYPE_CHECKING

import click

from .options import json_option
from .output import print_document, print_lines

if TYPE_CHECKING:
    from ..runs.prove import Row


@click.command(short_help="Show that the rules catch every broken trimmer of the museum, and blame no correct one.")
@click.argument("pieces", nargs=-1)
@click.option(
    "--seeds",
    type=click.IntRange(min=1),
    default=20,
    show_default=True,
    metavar="N",
    help="How often each piece is hunted.",
)
@click.option(
    "--cases",
    type=click.IntRange(min=1),
    default=20_000,
    show_default=True,
    metavar="N",
    help="Cases for each correct trimmer.",
)
@click.option("--jobs", "-j", type=click.IntRange(min=1), metavar="N", help="Processes; default: one for each core.")
@json_option
def prove(pieces: tuple[str, ...], seeds: int, cases: int, jobs: int | None, as_json: bool) -> int:
    """Hunt every broken trimmer of the museum, and try every correct one.

    A piece is killed when the rule that is named for it is broken; the table shows after how many examples, and how
    small the history became. A correct trimmer must break no rule that always fails.

    \b
    Examples:
      trimfuzz prove
      trimfuzz prove tail-slice --seeds 5

    Ctrl-C ends it with the rows that are complete. Where nobody sees a bar, each row is also a line as soon as it is.

    Exit code: 0 every target was met, 1 one was missed, 130 it was interrupted.
    """
    from ...implementations.museum import CORRECT, PIECES
    from ..reports.console import canvas_of, console, progress
    from ..reports.proof_view import proof_table, row_line
    from ..runs.prove import proof_as_json
    from ..runs.prove import prove as run_proof

    out = console()
    canvas = canvas_of(out)
    done, rows = 0, len(pieces) or len(PIECES) + len(CORRECT)
    with progress("hunting") as line:

        def count(row: "Row") -> None:
            nonlocal done
            done += 1
            if not as_json and not out.is_terminal:
                print_lines([row_line(row, canvas)])
            line.say(f"hunting: {done} of {rows} trimmers", done / rows)

        proof = run_proof(pieces, seeds=seeds, cases=cases, jobs=jobs, tell=count)
    if as_json:
        print_document(proof_as_json(proof))
    else:
        print_lines(proof_table(proof, canvas))
    return 130 if proof.interrupted else 1 if proof.failed else 0
