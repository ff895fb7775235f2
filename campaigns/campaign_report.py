"""What a campaign found, for people: a line for each finding as it comes, and a line for each trimmer at the end."""

from collections import Counter
from typing import TYPE_CHECKING

from rich.console import RenderableType
from rich.text import Text

from .drawing import Canvas
from .paragraphs import command, cut, heading, labelled
from .picture import in_one_line
from .reproduce import replay_command
from .tables import STATE_STYLES, table

if TYPE_CHECKING:
    from .campaign import Account, Campaign, Found


def found_line(found: "Found", canvas: Canvas, *, path: bool = True) -> Text:
    """Say one finding of a campaign in a line, as soon as it is on file; `path` names the file too."""
    record = found.record
    line = Text.assemble(
        (f"{found.state:<6}", STATE_STYLES[found.state] if record.fails else "dim"),
        (canvas.clean(record.trimmer), "bold" if record.fails else ""),
        f"  {record.cause}  ",
    )
    line.append_text(in_one_line(record, canvas))
    if path and found.path is not None:
        return line.append(f"  {canvas.clean(str(found.path))}", "dim")
    return line if path else cut(line, canvas)


def campaign_table(run: "Campaign", canvas: Canvas, *, interrupted: bool) -> list[RenderableType]:
    """Say a campaign: a line for each trimmer, then what could not be run, then the sum."""
    rows = [_account(account, canvas) for account in run.accounts]
    headings = ("trimmer", "histories", "trims", "used", "fails", "other", "worst")
    lines: list[RenderableType] = [Text(), heading("Trimmers", canvas), table(headings, rows, right=(1, 2, 3, 4, 5))]
    words = "used: what was kept of the most that fits, at the median; other: findings that do not fail"
    lines.append(Text(words, "dim"))
    for account in run.accounts:
        if account.problem:
            said = account.problem.removeprefix(f"{account.spec.target}: ")
            lines.append(Text(canvas.clean(f"{account.spec.target}: {said}"), "magenta"))
    states = Counter(found.state for account in run.accounts for found in account.found.values())
    fails = sum(found.record.fails for account in run.accounts for found in account.found.values())
    counted = ", ".join(f"{states[state]} {state}" for state in ("new", "known", "fixed", "flaky") if states[state])
    spent = f"{counted or 'no findings'}  {run.seconds:.0f} s on {run.jobs} processes, seed {run.seed}"
    stuck = sum(bool(account.problem) for account in run.accounts)
    verdict = f"{fails} causes fail" if run.failed else "nothing found that fails" if stuck < len(run.accounts) else ""
    parts = ("interrupted" if interrupted else "", verdict, f"{stuck} could not be run" if stuck else "")
    verdict, style = ", ".join(filter(None, parts)), "bold red" if run.failed else "yellow" if stuck else "bold green"
    return [
        *lines,
        Text(),
        Text.assemble((verdict, style), (f"  {spent}", "dim")),
        labelled("fixtures", canvas.clean(str(run.directory)), canvas),
        command("again", canvas.clean(replay_command(run.directory))),
    ]


def _account(account: "Account", canvas: Canvas) -> tuple[Text, ...]:
    counting = [found for found in account.found.values() if found.state in ("new", "known")]
    fails = [found.record for found in counting if found.record.fails]
    rules = list(dict.fromkeys(record.rule for record in sorted(fails, key=lambda record: (record.kind, record.size))))
    used = "" if account.utilisation is None else f"{account.utilisation:.2f}"
    return (
        Text(canvas.clean(account.spec.target), "bold red" if fails else "magenta" if account.problem else "green"),
        Text(f"{account.examples:,}"),
        Text(f"{account.trims:,}"),
        Text(used),
        Text(str(len(fails)) if fails else "", "bold red"),
        Text(str(len(counting) - len(fails) or ""), "yellow"),
        _worst(rules, reached=account.examples > 0 or bool(account.problem)),
    )


def _worst(rules: list[str], *, reached: bool) -> Text:
    if not reached:
        return Text("not reached in this time", "dim")
    return Text(", ".join(rules[:3]) + (f" and {len(rules) - 3} more" if len(rules) > 3 else ""))
