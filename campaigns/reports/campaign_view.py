"""What a campaign found, for people: a line for each finding as it comes, and a line for each trimmer at the end."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import RenderableType
from rich.text import Text

from ..target.left_out import about_left_out
from ..target.spec import Spec
from .canvas import Canvas
from .check_view import edge_words, known_lines, note_lines
from .finding import in_one_line
from .reproduce import replay_command
from .tables import STATE_STYLES, table
from .text_blocks import command, cut, heading, labelled

if TYPE_CHECKING:
    from ..runs.account import Account, Found
    from ..runs.campaign import Campaign


def found_line(found: "Found", canvas: Canvas, *, path: bool = True) -> Text:
    """Say one finding of a campaign in a line, as soon as it is on file; `path` names the file too."""
    record = found.record
    line = Text.assemble(
        (f"{found.state:<9}", STATE_STYLES[found.state] if record.fails else "dim"),
        ("fails  " if record.fails else "other  ", "bold red" if record.fails else "dim"),
        (canvas.clean(record.trimmer), "bold" if record.fails else ""),
        f"  {record.cause}  ",
    )
    line.append_text(in_one_line(record, canvas))
    if path and found.path is not None:
        return line.append(f"  {canvas.clean(str(found.path))}", "dim")
    return line if path else cut(line, canvas)


def campaign_table(
    run: "Campaign", canvas: Canvas, *, known: Path | None = None, interrupted: bool
) -> list[RenderableType]:
    """Say a campaign: a line for each trimmer, then what could not be run, then the sum; `known` is the file of
    accepted findings.
    """
    about = run.accounts[0].spec if run.accounts else Spec("")
    first = note_lines(about_left_out(about.without, about.system), canvas)
    lines: list[RenderableType] = [*first, Text(), heading("Trimmers", canvas), *_table(run.accounts, canvas)]
    lines += [
        Text("used: what was kept of the most that fits, at the median; kept: promises kept, of those judged;", "dim"),
        Text("other: findings that do not fail; * a promise that was made", "dim"),
    ]
    for account in run.accounts:
        if account.problem:
            said = account.problem.removeprefix(f"{account.spec.target}: ")
            lines.append(Text(canvas.clean(f"{account.spec.target}: {said}"), "magenta"))
    for account in run.accounts:
        if account.alone_at_the_edge:
            said = edge_words(account.alone_at_the_edge, account.spec)
            lines.append(Text(canvas.clean(f"{account.spec.target}: {said}"), "dim"))
    accepted = [found.record for account in run.accounts for found in account.counting if found.state == "accepted"]
    stale = [one for account in run.accounts for one in account.stale]
    if accepted or stale:
        lines += [Text(), *known_lines(accepted, stale, canvas, file=known)]
    return [
        *lines,
        Text(),
        _closing(run, interrupted=interrupted),
        labelled("fixtures", canvas.clean(str(run.directory)), canvas),
        command("again", canvas.clean(replay_command(run.directory))),
    ]


def _closing(run: "Campaign", *, interrupted: bool) -> Text:
    states = Counter(found.state for account in run.accounts for found in account.found)
    fails = sum(len(account.folded.failing) for account in run.accounts)
    gone = sum(len(account.stale) for account in run.accounts)
    stuck = sum(bool(account.problem) for account in run.accounts)
    waiting = sum(not account.judged and not account.problem for account in run.accounts)
    short = [
        said for account in run.accounts if account.judged and not account.problem and (said := run.lacking(account))
    ]
    counted = ", ".join(f"{states[state]} {state}" for state in STATE_STYLES if states[state])
    spent = f"{counted or 'no findings'}  {run.seconds:.0f} s on {run.jobs} processes, seed {run.seed}"
    verdicts = (
        "interrupted" if interrupted else "",
        f"{fails} bug{'s' if fails != 1 else ''} to fix" if fails else "",
        f"{gone} known finding{'s are' if gone != 1 else ' is'} gone" if gone else "",
        "nothing found that fails" if not run.failed and stuck < len(run.accounts) else "",
        f"{stuck} could not be run" if stuck else "",
        f"{waiting} not reached" if waiting else "",
        short[0] if len(run.accounts) == len(short) == 1 else f"too little was judged of {len(short)}" if short else "",
    )
    style = "bold red" if run.failed else "yellow" if stuck or waiting or short else "bold green"
    return Text.assemble((", ".join(filter(None, verdicts)), style), (f"  {spent}", "dim"))


_HEADINGS = ("trimmer", "version", "histories", "used", "kept", "fails", "other", "what fails")
_LONGEST_VERSION = 9
_ROOM_FOR_RULES = 20
"""Columns that the last one has at least, if the terminal is not too narrow for that."""


def _table(accounts: Sequence["Account"], canvas: Canvas) -> list[RenderableType]:
    """A line for each trimmer. Names and versions are cut short where the rules that fail would have no room, and a
    narrow terminal does without the number of histories.
    """
    rows = [_account(account, canvas) for account in accounts]
    wide = [max(row[index].cell_len for row in (*rows, [Text(words) for words in _HEADINGS])) for index in range(8)]
    wide[1] = min(wide[1], _LONGEST_VERSION)
    left_out = {2} if canvas.width < 100 else set[int]()
    others = sum(wide[index] + 2 for index in range(1, 7) if index not in left_out) + 2
    wide[0] = max(min(wide[0], canvas.width - others - _ROOM_FOR_RULES), len("trimmer"))
    room = max(canvas.width - others - wide[0], _LONGEST_VERSION)
    shown: list[tuple[Text, ...]] = []
    for row, account in zip(rows, accounts, strict=True):
        name, version = (Text(canvas.short(row[index].plain, wide[index]), row[index].style) for index in (0, 1))
        cells = (name, version, *row[2:7], _what_fails(account, room))
        shown.append(tuple(cell for index, cell in enumerate(cells) if index not in left_out))
    headings = [words for index, words in enumerate(_HEADINGS) if index not in left_out]
    return [table(headings, shown, right=range(2, len(headings) - 1))]


def _account(account: "Account", canvas: Canvas) -> tuple[Text, ...]:
    fails = len(account.folded.failing)
    used = "" if account.utilisation is None else f"{account.utilisation:.2f}"
    judged = len(account.kept) + len(account.broken)
    style = "bold red" if fails else "magenta" if account.problem else "green"
    return (
        Text(canvas.clean(account.spec.target), style),
        Text(canvas.clean(account.contract.version if account.contract else ""), "dim"),
        Text(f"{account.examples:,}"),
        Text(used),
        Text(f"{len(account.kept)}/{judged}" if judged else "", "yellow" if account.broken else ""),
        Text(str(fails) if fails else "", "bold red"),
        Text(str(len(account.counting) - fails or ""), "yellow"),
        Text(),
    )


def _what_fails(account: "Account", room: int) -> Text:
    """Name as many of the rules that fail as there is room for, the worst first, and count the others."""
    if not account.judged and not account.problem:
        return Text("not reached in time"[:room], "dim")
    ordered = dict.fromkeys(bug.rule for bug in account.folded.failing)
    named = [f"{rule}*" if rule in account.broken else rule for rule in ordered]
    for fit in range(len(named), 0, -1):
        words = ", ".join(named[:fit]) + (f" +{len(named) - fit}" if fit < len(named) else "")
        if len(words) <= room or fit == 1:
            return Text(words)
    return Text()
