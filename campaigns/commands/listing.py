"""`trimfuzz list`: what can be named."""

import click

from .options import json_option
from .output import print_document, print_lines

KINDS = ("trimmers", "rules", "providers", "formats", "promises")


@click.command(name="list", short_help="List what can be named: trimmers, rules, providers, formats, promises.")
@click.argument("kind", type=click.Choice(KINDS))
@json_option
def listing(kind: str, as_json: bool) -> int:
    """List what can be named on the command line.

    \b
    Examples:
      trimfuzz list trimmers
      trimfuzz list rules --json
    """
    from ..listings import listed

    rows = listed(kind)
    if as_json:
        print_document({"schema": 1, kind: rows})
    else:
        from ..console import canvas_of, console
        from ..tables import list_table

        print_lines(list_table(rows, canvas_of(console())))
    return 0
