"""Options that several commands share, and how they become a `Spec`."""

from collections.abc import Callable
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from ..defaults import LEAST_TIMEOUT, SECONDS, TIMEOUT

if TYPE_CHECKING:
    from ..runs.check import Checked
    from ..runs.session_check import SessionsResult
    from ..store.accepted import Accepted
    from ..target.spec import Spec

F = TypeVar("F", bound=Callable[..., Any])


def finite(_context: click.Context, parameter: click.Parameter, value: float | None) -> float | None:
    """Refuse what is a number by name alone: nan is in no range, and above none."""
    if value is not None and not isfinite(value):
        raise click.BadParameter(f"{value:g} is not a number of {parameter.human_readable_name}")
    return value


_SHAPE = (
    click.option("--format", metavar="NAME", help="Format of its messages; default: guessed, and shown in the report."),
    click.option(
        "--limit",
        metavar="KIND[=N]",
        help="messages, tokens, turns, compaction, or other (rounds, shares, anything: 1 to the number of messages, "
        "and nothing is measured); N is a fixed window.",
    ),
    click.option("--count", metavar="MODULE:FUNCTION", help="Token counter, of one message or a list of them."),
    click.option("--call", metavar="EXPRESSION", help="How it is called: 'f(messages, max_tokens=limit)'."),
    click.option("--in-place", is_flag=True, help="Its output is the list that it was given, changed."),
    click.option("--refuses", multiple=True, metavar="MODULE:ERROR", help="An error that means: nothing fits."),
)
_CONTRACT = (
    click.option(
        "--provider",
        metavar="NAME",
        help="Whose rules apply (anthropic, anthropic@4.5); default: that of the format. Alone it also says the "
        "format, where it has one.",
    ),
    click.option("--promise", multiple=True, metavar="NAME", help="Hold it to this too; utilisation=0.5 sets a bound."),
    click.option("--no-promise", multiple=True, metavar="NAME", help="Do not hold it to this."),
)
_INPUTS = (
    click.option(
        "--without",
        multiple=True,
        metavar="FEATURE,...",
        help="What your program never sends: parallel, reused-ids, steer-user, ... It is not generated, and public "
        "cases that have it are not run. `trimfuzz list features` shows all, with examples.",
    ),
    click.option(
        "--system",
        metavar="[inside|outside]",
        help="outside: the request has its system prompt outside of the list (anthropic, bedrock, gemini), so the list "
        "has no system message; default: inside, it leads the list.",
    ),
    click.option("--inputs", metavar="CLASS,...", help="Input classes to generate; default: all four."),
    click.option("--fail-on", metavar="CLASS,...", help="Input classes that fail it too: interleaved, malformed."),
    click.option(
        "--lowest-limit",
        metavar="N",
        help="The smallest limit that counts; what happens below it alone fails nobody. Default: 1; -1 counts all.",
    ),
    click.option(
        "--marks",
        metavar="[auto|on|off]",
        help="Hand out messages marked keep_during_truncation or summary; default: auto, if it promises keeps-pinned, "
        "declares marks, or its code reads them.",
    ),
)
_TIMEOUT = click.option(
    "--timeout", metavar="SECONDS",
    help=f"A trim that takes longer hangs; default: {TIMEOUT:g}, and for a fixture what it was found with."
         f"  [x>={LEAST_TIMEOUT:g}]",
)  # fmt: skip
_LAST = (
    _TIMEOUT,
    click.option("--json", "as_json", is_flag=True, help="One JSON document on standard output, nothing else."),
)  # fmt: skip


def _all(options: tuple[Callable[[Any], Any], ...]) -> Callable[[F], F]:
    def add(command: F) -> F:
        for option in reversed(options):
            command = option(command)
        return command

    return add


shape_options = _all(_SHAPE)
"""What a target is, without the rules it is judged by."""
contract_options = _all((_CONTRACT[0], *_INPUTS))
"""By what many targets can be judged alike."""
last_options = _all(_LAST)
"""The end of every list of options."""
json_option = _all((_LAST[1],))
"""`--json` alone."""
seed_option = click.option(
    "--seed", type=int, metavar="N", help="Fixes the stream of cases; default: drawn, and shown."
)


_FIXTURES = click.option(
    "--fixtures", metavar="DIR", help="Write each finding there as a fixture, to commit and to replay."
)


def search_options(*, examples: int, what: str, shrink: float, more: str = "") -> Callable[[F], F]:
    """Return the options of a command that searches one target: how much, how long, and all about the target.

    `what` is said of the examples, `more` of the time.
    """
    seconds = "Time for them, whichever ends first; 0: no bound." + more
    return _all((
        click.option("--examples", type=click.IntRange(min=1), default=examples, show_default=True, metavar="N",
                     help=what),
        click.option("--seconds", type=click.FloatRange(min=0), callback=finite, default=SECONDS, show_default=True,
                     metavar="S", help=seconds),
        click.option("--shrink", type=click.FloatRange(min=0), callback=finite, default=shrink, show_default=True,
                     metavar="S", help="Then at most so many seconds to shrink each cause."),
        seed_option,
        *_SHAPE,
        *_CONTRACT,
        *_INPUTS,
        _FIXTURES,
    ))  # fmt: skip


known_option = click.option(
    "--known",
    metavar="FILE",
    help="Accepted findings, which do not fail; default: trimfuzz-known.toml, if it is there.",
)


def known_findings(file: str | None, *, may_be_missing: bool = False) -> "tuple[Path, tuple[Accepted, ...]]":
    """Return the file of accepted findings and what it holds; raises `BadFile`."""
    from ..store.accepted import FILE, read_accepted

    path = Path(file or FILE)
    if not path.exists() and (file is None or may_be_missing):
        return path, ()
    return path, read_accepted(path)


def spec_of(target: str, options: dict[str, Any]) -> "Spec":
    """Build the spec of a target from command line options; one that a command does not have counts as left out."""
    from ..target.spec import Spec

    return Spec.of(target, **options)


def drawn_seed(seed: int | None) -> int:
    """Return the seed that was asked for, else a fresh one; it is printed at the end of every report."""
    from ..runs.search import drawn_seed as drawn

    return drawn(seed)


def need_writable(directory: str) -> Path:
    """Make a directory before a long run, so that what it finds has a place; raises `BadFile`."""
    import os

    from ...messages.errors import BadFile

    path = Path(directory)
    try:
        path.mkdir(parents=True, exist_ok=True)
        probe = path / f".{os.getpid()}.tmp"
        probe.touch()
        probe.unlink()
    except OSError as error:
        raise BadFile(f"cannot write to {path}: {error.strerror or error}", "name another directory") from None
    return path


def written_fixtures(result: "Checked | SessionsResult", directory: Path | None, spec: "Spec") -> dict[str, Path]:
    """Store every bug of a search, and where a directory was named write it there as a fixture.

    Returns the files by cause: those of the directory, if there is one.
    """
    from ..store.fixtures import write_fixture
    from ..store.last import store_last

    contract = result.contract
    files = store_last(result.stored, spec=spec, contract=contract, seed=result.seed)
    if directory is None:
        return files
    about: dict[str, Any] = {"wire": contract.format, "version": contract.version, "seed": result.seed}
    for bug in (*result.found.bugs, *result.found.apart):
        path = write_fixture(bug, directory, spec=spec, **about)
        files |= {record.cause: path for record in bug.records}
    return files
