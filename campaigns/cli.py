"""The command line. Commands stand in `commands/`; here is what they share: how a run ends.

Exit codes: 0 nothing found, 1 something found, 2 could not run, 130 interrupted. Whatever goes wrong is one line on
standard error, never a traceback, and with `--json` also a document on standard output. `TRIMFUZZ_TRACEBACK=1` shows
where an error of trimfuzz itself comes from.
"""

import os
import signal
import sys
from collections.abc import Sequence
from io import TextIOWrapper
from typing import Any, NoReturn

import click

from .commands.campaign import campaign
from .commands.check import check
from .commands.judge import judge
from .commands.lint import lint
from .commands.listing import listing
from .commands.prove import prove
from .commands.replay import replay

FOUND_NOTHING, FOUND, COULD_NOT_RUN, INTERRUPTED = 0, 1, 2, 130
_WIDTH = {"max_content_width": 100, "help_option_names": ["-h", "--help"]}


class _InOrder(click.Group):
    """A group that lists its commands as they were added: what a newcomer needs first stands first."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.commands)


@click.group(cls=_InOrder, invoke_without_command=True, context_settings=_WIDTH)
@click.version_option(package_name="trimfuzz", message="%(prog)s %(version)s")
@click.pass_context
def cli(context: click.Context) -> int:
    """Find out what a context trimmer breaks, before a provider does.

    A context trimmer drops old chat messages so that a request fits its limit. The classic bug drops an assistant
    message that called a tool and keeps the tool's result: HTTP 400, on this turn and on every later one.

    \b
    Start here:
      trimfuzz check path/to/file.py:trim      validate your own trimmer
      trimfuzz campaign --minutes 0.5          find the published bugs of real ones
      trimfuzz list trimmers                   what else is here by name
    """
    if context.invoked_subcommand is None:
        click.echo(context.get_help())
    return FOUND_NOTHING


for _command in (check, campaign, replay, lint, judge, prove, listing):
    cli.add_command(_command)


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run the command line and exit."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    signal.signal(signal.SIGTERM, _interrupt)
    code = run(given)
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        code = _closed()
    sys.exit(code)


def run(arguments: list[str]) -> int:
    """Run one command and return its exit code; every error is said in one line."""
    try:
        answer = cli.main(arguments, prog_name="trimfuzz", standalone_mode=False)
    except click.exceptions.Exit as error:
        return error.exit_code
    except click.UsageError as error:
        where = error.ctx.command_path if error.ctx else "trimfuzz"
        return _fail(arguments, f"{error.format_message()} ({where} --help)")
    except click.ClickException as error:
        return _fail(arguments, error.format_message())
    except (KeyboardInterrupt, click.Abort):
        return _fail(arguments, "interrupted", INTERRUPTED)
    except BrokenPipeError:
        return _closed()
    except Exception as error:
        return _fail(arguments, _said(error))
    return answer if isinstance(answer, int) else FOUND_NOTHING


def _said(error: Exception) -> str:
    from ..messages.errors import TrimfuzzError

    if isinstance(error, TrimfuzzError):
        return str(error)
    if os.environ.get("TRIMFUZZ_TRACEBACK"):
        import traceback

        traceback.print_exception(error)
    words = " ".join(f"{type(error).__name__}: {error}".split())
    return f"an error of trimfuzz itself: {words} (TRIMFUZZ_TRACEBACK=1 shows where; please report it)"


def _fail(arguments: list[str], words: str, code: int = COULD_NOT_RUN) -> int:
    """Say in one line why there is nothing to show."""
    line = " ".join(words.split())
    print(f"trimfuzz: {line}", file=sys.stderr)
    if "--json" in arguments:
        import json

        print(json.dumps({"schema": 1, "error": line}), flush=True)
    return code


def _closed() -> int:
    """Whoever read the output is gone: nothing more can be said, also not by the interpreter on its way out."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return COULD_NOT_RUN


def _interrupt(_signal: int, _frame: Any) -> None:
    raise KeyboardInterrupt
