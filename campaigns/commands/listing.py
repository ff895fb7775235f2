"""`trimfuzz list`: what can be named."""

import click

from .options import json_option
from .output import print_document, print_lines

KINDS = ("trimmers", "rules", "providers", "formats", "promises")


@click.command(name="list", short_help="List what can be named: trimmers, rules, providers, formats, promises.")
@click.argument("kind", type=click.Choice(KINDS))
@click.option("--long", "-l", "long", is_flag=True, help="The whole story of each: source, versions, promises.")
@json_option
def listing(kind: str, long: bool, as_json: bool) -> int:
    """List what can be named on the command line.

    \b
    Examples:
      trimfuzz list trimmers
      trimfuzz list trimmers --long
      trimfuzz list rules --json
    """
    from ..listings import listed

    rows = listed(kind)
    if as_json:
        print_document({"schema": 1, kind: rows})
    else:
        from ..console import canvas_of, console
        from ..tables import list_table, stories

        canvas = canvas_of(console())
        cut = "about" if kind == "trimmers" else ""  # a trimmer's story is long, and --long tells it
        print_lines(stories(rows, canvas) if long else list_table(rows, canvas, cut=cut))
    return 0
