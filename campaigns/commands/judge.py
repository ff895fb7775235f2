"""`trimfuzz judge`: recorded inputs and outputs, without running a trimmer."""

from pathlib import Path

import click

from .options import json_option
from .output import print_document, print_lines

SHIPPED = "the shipped examples"


@click.command(short_help="Judge recorded inputs and outputs, without running a trimmer.")
@click.option(
    "--examples",
    is_flag=False,
    flag_value=SHIPPED,
    metavar="[FILE]",
    help="Entries with a verdict, one JSON object a line; without FILE those that ship with trimfuzz.",
)
@json_option
def judge(examples: str | None, as_json: bool) -> int:
    """Judge recorded cases by the rules, and hold each verdict against the recorded one.

    An entry is a history, what a trimmer made of it, a rule, and its verdict (held or broken). For no-orphan and
    no-input-mutation the reference oracle, which shares no code with the rules, is asked as well.

    \b
    Examples:
      trimfuzz judge --examples
      trimfuzz judge --examples my-cases.jsonl

    Exit code: 0 every verdict agrees, 1 one does not, 2 the file could not be read.
    """
    from ...oracles.entries import read_entries, shipped_entries
    from ...oracles.table import agreement

    entries = shipped_entries() if examples in (None, SHIPPED) else read_entries(Path(examples))
    rows = agreement(entries)
    if as_json:
        from ..agreement_report import agreement_document

        print_document(agreement_document(rows))
    else:
        from ..agreement_report import agreement_table
        from ..console import canvas_of, console

        print_lines(agreement_table(rows, canvas_of(console())))
    return 1 if any(row.disagreements for row in rows) else 0
