"""Reports: what a check found, for people.

First what was checked and what was assumed, then every rule at a glance, then each broken one with the smallest history
that breaks it, what a provider would say, and the command that shows it again. What fails comes before what does not.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path

from rich.console import RenderableType
from rich.text import Text

from ..engine.records import Record
from ..runs.check import CheckResult, Observed
from ..store.accepted import Accepted
from ..target.contract_summary import ContractSummary
from ..target.spec import Spec
from .canvas import Canvas
from .finding import finding, grouped, in_one_line
from .reproduce import check_command, fixture_command
from .rule_grid import rule_grid
from .text_blocks import WORDS_AT, command, cut, heading, indented, labelled


def check_report(
    result: CheckResult,
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
    failing = [record for record in result.records if record.fails]
    accepted = [record for record in result.records if record.accepted is not None]
    others = [record for record in result.records if not record.fails and record.accepted is None]
    lines: list[RenderableType] = [*first_lines(result.contract, canvas), Text(), *rule_grid(result, canvas)]
    for number, group in enumerate(grouped(failing), 1):
        command = _again(group, files, again, spec)
        lines += [Text(), *finding(group, canvas, contract=result.contract, number=number, reproduce=command)]
    if others:
        shown = set[tuple[str, str]]() if verbose else {(record.rule, record.cut) for record in failing}
        lines += _not_failing(others, shown, result.contract, canvas, again)
    if accepted or result.stale:
        lines += [Text(), *known_lines(accepted, result.stale, canvas, file=known)]
    lines += [Text(), *_promises(result, canvas, again, verbose=verbose)]
    return [*lines, Text(), closing(result, canvas)]


def _again(group: Sequence[Record], files: Mapping[str, Path], command: str, spec: Spec) -> str:
    path = next((files[record.cause] for record in group if record.cause in files), None)
    return command if path is None else fixture_command(path, spec)


def _not_failing(
    records: list[Record], shown: set[tuple[str, str]], contract: ContractSummary, canvas: Canvas, again: str
) -> list[RenderableType]:
    """Findings on interleaved and malformed input: in full where they are something new, else in a line."""
    title = "On input that most providers would have rejected already"
    note = "This does not fail the trimmer; --fail-on interleaved,malformed makes it fail."
    lines: list[RenderableType] = [Text(), heading(title, canvas), indented(canvas.clean(note), canvas, "dim")]
    groups = grouped(records)
    known = [group for group in groups if {(record.rule, record.cut) for record in group} <= shown]
    for group in (group for group in groups if group not in known):
        lines += [Text(), *finding(group, canvas, contract=contract)]
    if known:
        lines += [Text(), indented("the same as above, on such input too:", canvas, "dim")]
    for group in known:
        line = Text.assemble("   ", (", ".join(record.rule for record in group), "yellow"), "  ")
        lines.append(cut(line.append_text(in_one_line(group[0], canvas)), canvas))
    return [*lines, Text(), command("reproduce", canvas.clean(again))]


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
    return [*lines, *(labelled("note", canvas.clean(note), canvas) for note in notes)]


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


def _promises(result: CheckResult, canvas: Canvas, again: str, *, verbose: bool) -> list[RenderableType]:
    lines: list[RenderableType] = [heading("Promises", canvas)]
    if result.broken:
        lines.append(labelled("broken", ", ".join(result.broken), canvas, "red"))
    if result.kept:
        lines.append(labelled("kept", ", ".join(result.kept), canvas, "green"))
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


def _observed(one: Observed, canvas: Canvas, *, verbose: bool) -> list[RenderableType]:
    assert one.record is not None
    if verbose:
        return [Text(), *finding([one.record], canvas)]
    line = Text(" " * WORDS_AT)
    line.append(f"{one.name:<24} ", "yellow")
    return [cut(line.append_text(in_one_line(one.record, canvas)), canvas)]


def closing(result: CheckResult, canvas: Canvas) -> RenderableType:
    """Say how much was tried, and what the exit code means."""
    failing = sum(record.fails for record in result.records)
    counted = (
        f"{result.examples:,} histories, {result.trims:,} trims, {result.seconds:.1f} s, seed {result.seed}"
        + (f", {result.flaky} not found again" if result.flaky else "")
        + (", stopped: it ended its process too often" if result.unstable else "")
        + (f", time for shrinking ran out on {result.cut_short} (--seconds gives more)" if result.cut_short else "")
    )
    if result.interrupted:
        verdict, style = "interrupted (exit code 130)", "yellow"
    elif failing or result.stale:
        causes = f"{failing} cause{'s' if failing > 1 else ''} to fix" if failing else ""
        gone = f"{len(result.stale)} known finding{'s' if len(result.stale) > 1 else ''} gone" if result.stale else ""
        verdict, style = f"{', '.join(filter(None, (causes, gone)))} (exit code 1)", "bold red"
    elif result.unstable:
        verdict, style = "it could not be judged to the end (exit code 2)", "bold yellow"
    else:
        verdict, style = "nothing found that fails (exit code 0)", "bold green"
    if len(verdict) + len(counted) + 3 <= canvas.width:
        return Text.assemble(" ", (verdict, style), (f"  {counted}", "dim"))
    return Text.assemble(" ", (verdict, style), "\n", indented(counted, canvas, "dim"))
