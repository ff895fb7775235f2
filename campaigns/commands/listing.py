"""`trimfuzz list`: what can be named."""

import click

from ..defaults import SCHEMA
from .options import json_option
from .output import print_document, print_lines

KINDS = ("trimmers", "rules", "providers", "formats", "promises", "features")


@click.command(
    name="list", short_help="List what can be named: trimmers, rules, providers, formats, promises, features."
)
@click.argument("kind", type=click.Choice(KINDS))
@click.option("--long", "-l", "long", is_flag=True, help="The whole story of each: source, versions, promises.")
@click.option("--provider", metavar="NAME", help="With rules: what this provider does about each, and what fails.")
@json_option
def listing(kind: str, long: bool, provider: str | None, as_json: bool) -> int:
    """List what can be named on the command line.

    \b
    Examples:
      trimfuzz list trimmers
      trimfuzz list trimmers --long
      trimfuzz list rules --json
      trimfuzz list rules --provider anthropic@4.5
      trimfuzz list features

    A feature is something that histories may have, with an example in shorthand; `check --without NAME` leaves it out.
    """
    from ...messages.errors import BadName
    from ..reports.listings import listed

    if provider is not None and kind != "rules":
        raise BadName(f"--provider says nothing about {kind}", "it goes with rules")
    rows = listed(kind) if provider is None else listed(kind, provider=provider)
    if as_json:
        print_document({"schema": SCHEMA, **({} if provider is None else {"provider": provider}), kind: rows})
    else:
        from ..reports.console import canvas_of, console
        from ..reports.tables import feature_words, list_table, provider_rules, stories

        canvas = canvas_of(console())
        cut = "about" if kind == "trimmers" else ""  # a trimmer's story is long, and --long tells it
        if provider is not None:
            print_lines(provider_rules(rows, canvas))
        else:
            print_lines(stories(rows, canvas) if long else list_table(rows, canvas, cut=cut))
        if kind == "features":
            print_lines(feature_words(canvas))
    return 0
