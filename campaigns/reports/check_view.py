"""Reports: what a check found, for people.

First what was checked and what was assumed, then every rule at a glance, then each broken one with the smallest history
that breaks it, what a provider would say, and the command that shows it again. What fails comes before what does not.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

from rich.console import RenderableType
from rich.text import Text

from ..engine.bugs import Bug
from ..engine.records import Record
from ..runs.check import Checked, Observed
from ..store.accepted import Accepted
from ..target.contract_summary import ContractSummary
from ..target.spec import Spec
from .canvas import Canvas
from .finding import finding, in_one_line
from .reproduce import check_command, fixture_command
from .rule_grid import rule_grid
from .text_blocks import WORDS_AT, command, cut, heading, indented, labelled

REPORTED = ("marks", "without", "system")
"""Options that are reported in a line of their own, by the first word of a note."""


def check_report(
    result: Checked,
    spec: Spec,
    canvas: Canvas,
    *,
    examples: int | None = None,
    fixtures: Mapping[str, Path] | None = None,
    known: Path | None = None,
    verbose: bool = False,
) -> list[RenderableType]:
    """Say a check. `examples` is what was asked for, for the reproduce command; `fixtures` are files by cause.

    `known` is the file of accepted findings; `verbose` shows what was only observed in full.
    """
    files = fixtures or {}
    again = check_command(spec, seed=result.seed, examples=examples)
    accepted = [bug.record for bug in (*result.found.bugs, *result.found.apart) if bug.record.accepted is not None]
    others = [bug for bug in result.found.apart if bug.record.accepted is None]
    lines: list[RenderableType] = [*first_lines(result.contract, canvas), Text(), *rule_grid(result, canvas)]
    for bug in result.found.failing:
        shown = finding(bug, canvas, contract=result.contract, reproduce=_again(bug, files, again, spec))
        lines += [Text(), *shown]
    if others:
        lines += _not_failing(others, result.contract, canvas, lambda bug: _again(bug, files, again, spec))
    if accepted or result.stale:
        lines += [Text(), *known_lines(accepted, result.stale, canvas, file=known)]
    lines += [Text(), *_promises(result, canvas, again, verbose=verbose)]
    if result.edge:
        lines += [Text(), indented(canvas.clean(edge_words(result.edge, spec)), canvas, "dim")]
    return [*lines, Text(), closing(result, canvas)]


def _again(bug: Bug, files: Mapping[str, Path], command: str, spec: Spec) -> str:
    path = files.get(bug.cause)
    return command if path is None else fixture_command(path, spec)


def edge_words(records: Iterable[Record], spec: Spec) -> str:
    """Say in a line what fails at edge limits alone."""
    said = ", ".join(dict.fromkeys(f"{record.rule} ({record.cut})" for record in records))
    lowest = min((record.limit.value for record in records if record.limit is not None), default=-1)
    return f"at limits below {spec.lowest_limit}: {said}; --lowest-limit {lowest} makes that count"


def _not_failing(
    bugs: Iterable[Bug], contract: ContractSummary, canvas: Canvas, again: Callable[[Bug], str]
) -> list[RenderableType]:
    """Say what was found on interleaved and malformed input alone."""
    title = "On input that most providers would have rejected already"
    note = "This does not fail the trimmer; --fail-on interleaved,malformed makes it fail."
    lines: list[RenderableType] = [Text(), heading(title, canvas), indented(canvas.clean(note), canvas, "dim")]
    for bug in bugs:
        lines += [Text(), *finding(bug, canvas, contract=contract, reproduce=again(bug))]
    return lines


def known_lines(
    records: Sequence[Record], stale: Sequence[Accepted], canvas: Canvas, *, file: Path | None
) -> list[RenderableType]:
    """Say which findings are accepted, with the reason, and which entries match nothing any more."""
    lines: list[RenderableType] = [heading(f"Known findings{f' ({file})' if file else ''}", canvas)]
    for record in records:
        said = Text.assemble("   ", ("accepted  ", "dim"), canvas.clean(f"{record.trimmer}  {record.cause}  "))
        lines.append(cut(said.append(canvas.clean(record.accepted or ""), "dim"), canvas))
    for one in stale:
        said = canvas.clean(f"{one.trimmer}  {one.cause}  is not found any more: delete its entry")
        lines.append(Text.assemble("   ", ("gone      ", "bold red"), said))
    return lines


def first_lines(contract: ContractSummary, canvas: Canvas) -> list[RenderableType]:
    """Say what is checked, and everything that was guessed or assumed."""
    version = f" {contract.version}" if contract.version else ""
    lines: list[RenderableType] = [
        Text.assemble(" ", ("trimfuzz check ", "dim"), (canvas.clean(f"{contract.trimmer}{version}"), "bold")),
        Text(),
    ]
    notes = list(contract.notes)
    for word in ("format", "limit"):
        said = next((note for note in notes if note.startswith(word + " ")), f"{word} {getattr(contract, word)}")
        notes = [note for note in notes if note != said]
        lines.append(labelled(word, canvas.clean(said.removeprefix(word).strip()), canvas))
    lines.append(labelled("provider", canvas.clean(contract.provider), canvas))
    if contract.limit == "turns":
        words = "a user message that is no summary, with what follows it; what is no such message costs nothing"
        lines.append(labelled("a turn is", words, canvas))
    if contract.limit == "tokens" or contract.count != "default":
        counter = "a quarter of the length of a message's JSON" if contract.count == "default" else contract.count
        lines.append(labelled("tokens", canvas.clean(counter), canvas))
    lines.append(labelled("promises", canvas.clean(_promise_words(contract)), canvas))
    return [*lines, *note_lines(notes, canvas)]


def note_lines(notes: Sequence[str], canvas: Canvas) -> list[RenderableType]:
    """Render notes, one of `REPORTED` under its own word, and those first."""
    found: list[RenderableType] = []
    for word in REPORTED:
        found += [
            labelled(word, canvas.clean(note.removeprefix(word).strip()), canvas)
            for note in notes
            if note.startswith(word + " ")
        ]
    others = (note for note in notes if note.partition(" ")[0] not in REPORTED)
    return [*found, *(labelled("note", canvas.clean(note), canvas) for note in others)]


def _promise_words(contract: ContractSummary) -> str:
    if not contract.promises:
        return "none"
    made = [_with_bound(name, contract) for name in contract.promises if name not in contract.assumed]
    assumed = [_with_bound(name, contract) for name in contract.assumed]
    words = ", ".join(made)
    if assumed:
        said = f"assumed: {', '.join(assumed)} (withdraw one with --no-promise)"
        words = f"{words}; {said}" if words else said
    return words


def _with_bound(name: str, contract: ContractSummary) -> str:
    if name == "nonempty-history" and contract.mild:
        return "nonempty-history (mild)"
    bound = contract.promises[name]
    return name if bound == 1.0 else f"{name} ({bound:g})"


def _promises(result: Checked, canvas: Canvas, again: str, *, verbose: bool) -> list[RenderableType]:
    lines: list[RenderableType] = [heading("Promises", canvas)]
    if result.broken:
        lines.append(labelled("broken", ", ".join(result.broken), canvas, "red"))
    if result.kept:
        lines.append(labelled("kept", ", ".join(result.kept), canvas, "green"))
    if result.spared is not None:
        said = f"within-limit, but {result.spared.note}: --promise within-limit makes this fail"
        lines += [labelled("", said, canvas), _small(result.spared, canvas)]
    if result.utilisation is not None:
        said = f"{result.utilisation:.2f} of the most that fits, at the median"
        lines.append(labelled("used", said, canvas))
    if result.refused_small:
        said = f"{result.refused_small:,} times with a ValueError below a limit of 1, which counts as a refusal"
        lines.append(labelled("refused", said, canvas))
    could = [one.name for one in result.observed if one.held]
    if could:
        lines.append(labelled("", f"you could promise: {', '.join(could)}", canvas))
    open_ones = [one for one in result.observed if one.record is not None]
    if open_ones:
        lines.append(labelled("", "not promised, and broken, which does not fail:", canvas))
    for one in open_ones:
        lines += _observed(one, canvas, verbose=verbose)
    if open_ones and not verbose:
        lines.append(labelled("", "--verbose shows these in full", canvas, "dim"))
    if open_ones and verbose:
        lines += [Text(), command("reproduce", canvas.clean(again))]
    return lines


def _small(record: Record, canvas: Canvas) -> RenderableType:
    return cut(Text(" " * WORDS_AT).append_text(in_one_line(record, canvas)), canvas)


def _observed(one: Observed, canvas: Canvas, *, verbose: bool) -> list[RenderableType]:
    assert one.record is not None
    if verbose:
        return [Text(), *finding(Bug(None, one.record), canvas)]
    line = Text(" " * WORDS_AT)
    line.append(f"{one.name:<24} ", "yellow")
    return [cut(line.append_text(in_one_line(one.record, canvas)), canvas)]


def closing(result: Checked, canvas: Canvas) -> RenderableType:
    """Say how much was tried, and what the exit code means."""
    failing = len(result.found.failing)
    counted = (
        f"{result.examples:,} histories, {result.trims:,} trims, {result.seconds:.1f} s, seed {result.seed}"
        + (f", {result.flaky} not found again" if result.flaky else "")
        + (", stopped: it ended its process too often" if result.unstable else "")
        + (f", time for shrinking ran out on {result.cut_short} (--seconds gives more)" if result.cut_short else "")
    )
    if result.interrupted:
        verdict, style = "interrupted (exit code 130)", "yellow"
    elif failing or result.stale:
        causes = f"{failing} bug{'s' if failing > 1 else ''} to fix" if failing else ""
        gone = f"{len(result.stale)} known finding{'s' if len(result.stale) > 1 else ''} gone" if result.stale else ""
        verdict, style = f"{', '.join(filter(None, (causes, gone)))} (exit code 1)", "bold red"
    elif result.unstable:
        verdict, style = "it could not be judged to the end (exit code 2)", "bold yellow"
    elif result.lacking:
        verdict, style = f"{result.lacking} (exit code 2)", "bold yellow"
    else:
        verdict, style = "nothing found that fails (exit code 0)", "bold green"
    if len(verdict) + len(counted) + 3 <= canvas.width:
        return Text.assemble(" ", (verdict, style), (f"  {counted}", "dim"))
    return Text.assemble(" ", (verdict, style), "\n", indented(counted, canvas, "dim"))
