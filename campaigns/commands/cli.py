"""The command line. Commands stand in `commands/`; here is what they share: how a run ends.

Exit codes: 0 nothing found, 1 something found, 2 could not run, 130 interrupted, 141 nobody reads the output any more.
Whatever goes wrong is one line on standard error, never a traceback, and with `--json` also a document on standard
output. `TRIMFUZZ_TRACEBACK=1` shows where an error of trimfuzz itself comes from.
"""

import os
import signal
import sys
from collections.abc import Sequence
from contextlib import suppress
from errno import EDQUOT, EIO, ENOSPC
from io import TextIOWrapper
from typing import Any, NoReturn, TextIO

import click

from ..defaults import SCHEMA
from .campaign import campaign
from .check import check
from .judge import judge
from .lint import lint
from .listing import listing
from .prove import prove
from .replay import replay
from .sessions import sessions

FOUND_NOTHING, FOUND, COULD_NOT_RUN, INTERRUPTED, UNREAD = 0, 1, 2, 130, 141
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


for _command in (check, sessions, campaign, replay, lint, judge, prove, listing):
    cli.add_command(_command)


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run the command line and exit."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    _open_streams()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
        signal.signal(signal.SIGINT, _interrupt)
    signal.signal(signal.SIGTERM, _interrupt)
    code = run(given)
    for number in (signal.SIGINT, signal.SIGTERM):  # what was to be said is said: nothing comes between it and the end
        signal.signal(number, signal.SIG_IGN)
    sys.exit(_flushed(code))


def _open_streams() -> None:
    """Put nothing in the place of a closed stream; a pipe of our own could get its number otherwise."""
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # takes the lowest free number, which is this one
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "r" if number == 0 else "w", encoding="utf-8"))  # noqa: SIM115


def _flushed(code: int) -> int:
    """Write out what is left, so that the interpreter finds nothing that it could fail on."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError as error:
            _silence(stream)
            if stream is sys.stdout and code != COULD_NOT_RUN:
                code = UNREAD if isinstance(error, BrokenPipeError) else _fail([], _unwritten(error))
    return code


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
    except (BrokenPipeError, SystemExit):  # the second is what click makes of it while it prints help
        _silence(sys.stdout)
        return UNREAD
    except Exception as error:
        return _fail(arguments, _said(error))
    return answer if isinstance(answer, int) else FOUND_NOTHING


def _said(error: Exception) -> str:
    from ...messages.errors import TrimfuzzError

    if isinstance(error, TrimfuzzError):
        return str(error)
    if isinstance(error, OSError) and error.errno in (ENOSPC, EIO, EDQUOT):
        return _unwritten(error)
    if os.environ.get("TRIMFUZZ_TRACEBACK"):
        import traceback

        traceback.print_exception(error)
    words = " ".join(f"{type(error).__name__}: {error}".split())
    return f"an error of trimfuzz itself: {words} (TRIMFUZZ_TRACEBACK=1 shows where; please report it)"


def _fail(arguments: list[str], words: str, code: int = COULD_NOT_RUN) -> int:
    """Say in one line why there is nothing to show."""
    line = " ".join(words.split())
    with suppress(OSError):
        print(f"trimfuzz: {line}", file=sys.stderr)
    if "--json" in arguments:
        import json

        with suppress(OSError):
            print(json.dumps({"schema": SCHEMA, "error": line}), flush=True)
    return code


def _unwritten(error: OSError) -> str:
    return f"cannot write the output: {error.strerror or error}"


def _silence(stream: TextIO) -> None:
    """Lead a stream into nothing, also for the interpreter on its way out."""
    nothing = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nothing, stream.fileno())
    os.close(nothing)


def _interrupt(_signal: int, _frame: Any) -> None:
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, _leave)
    raise KeyboardInterrupt


def _leave(_signal: int, _frame: Any) -> None:
    """Somebody who interrupts a second time does not want to wait for the first; nothing outlives this process."""
    os._exit(INTERRUPTED)
