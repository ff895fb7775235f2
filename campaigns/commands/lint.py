"""`trimfuzz lint`: a request or a transcript against a provider's rules."""

import click

from .options import json_option
from .output import print_document, print_lines


@click.command(short_help="Say what a provider would reject in a request or a transcript, and what to change.")
@click.argument("file")
@click.option("--provider", metavar="NAME", help="Whose rules apply; default: that of the file's format.")
@click.option("--format", "format_", metavar="NAME", help="Format of the file; default: read off the file, and said.")
@json_option
def lint(file: str, provider: str | None, format_: str | None, as_json: bool) -> int:
    """Say what a provider would reject in a request body or a transcript: where, with which text, and what to change.

    FILE is JSON (a request body, or a list of messages) or JSON lines, in any known format (`trimfuzz list formats`);
    - is standard input. Nothing is sent anywhere.

    \b
    Examples:
      trimfuzz lint request.json
      trimfuzz lint session.jsonl --provider anthropic
      jq .body failed.json | trimfuzz lint - --provider openai-chat --json

    Exit code: 0 nothing that would be rejected, 1 something, 2 the file could not be read.
    """
    from ..runs.lint import lint_document, lint_file

    found = lint_file(file, provider=provider, format=format_)
    if as_json:
        print_document(lint_document(found))
    else:
        from ..reports.console import canvas_of, console
        from ..reports.lint_view import lint_report

        print_lines(lint_report(found, canvas_of(console())))
    return 1 if found.failed else 0
