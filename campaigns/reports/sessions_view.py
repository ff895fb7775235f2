"""Reports of sessions: for people the script that fails, then the last request as a timeline; for programs the data."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from rich.console import RenderableType
from rich.text import Text

from ..engine.records import Record
from ..runs.session_check import SessionsResult
from ..target.spec import Spec
from .canvas import Canvas
from .documents import SCHEMA, finding_document
from .finding import finding, grouped, in_one_line
from .reproduce import fixture_command, sessions_command
from .text_blocks import command, cut, heading, indented, labelled

_KEPT = {
    "stored": "the trimmed list is stored, and goes on from there",
    "sent": "the trimmed list is only sent; what is stored stays whole",
    "recorded": "the compaction is recorded, and every request is made from the record and all that happened",
}


def sessions_report(
    result: SessionsResult,
    spec: Spec,
    canvas: Canvas,
    *,
    then: str | None = None,
    examples: int | None = None,
    steps: int | None = None,
    fixtures: Mapping[str, Path] | None = None,
) -> list[RenderableType]:
    """Say what sessions found; `examples` and `steps` are what was asked for, `fixtures` files by cause."""
    files = fixtures or {}
    again = sessions_command(spec, seed=result.seed, examples=examples, steps=steps, then=then)
    lines: list[RenderableType] = [*_first_lines(result, canvas, then)]
    failing = [record for record in result.records if record.fails]
    for number, group in enumerate(grouped(failing), 1):
        path = next((files[record.cause] for record in group if record.cause in files), None)
        reproduce = again if path is None else fixture_command(path, spec)
        lines += [Text(), *_session(group, result, canvas, number=number, reproduce=reproduce)]
    others = [record for record in result.records if not record.fails]
    if others:
        lines += _not_failing(others, {(record.rule, record.cut) for record in failing}, result, canvas, again)
    return [*lines, Text(), _closing(result, canvas)]


def _first_lines(result: SessionsResult, canvas: Canvas, then: str | None) -> list[RenderableType]:
    contract = result.contract
    version = f" {contract.version}" if contract.version else ""
    lines: list[RenderableType] = [
        Text.assemble(" ", ("trimfuzz sessions ", "dim"), (canvas.clean(f"{contract.trimmer}{version}"), "bold")),
        Text(),
    ]
    promised = [name for name in ("state-consistent", "late-result-safe") if name in contract.promises]
    judged = "every request, by what always fails and by what the provider enforces"
    for label, words in (
        ("format", contract.format),
        ("limit", contract.limit),
        ("provider", contract.provider),
        ("then", then or ""),
        ("judged", judged + (f"; {' and '.join(promised)}, as promised" if promised else "")),
    ):
        if words:
            lines.append(labelled(label, canvas.clean(words), canvas))
    return lines


def _session(
    group: Sequence[Record], result: SessionsResult, canvas: Canvas, *, number: int | None = None, reproduce: str = ""
) -> list[RenderableType]:
    """Draw a finding: the title, the script, then the request as it was sent."""
    title, *rest = finding(group, canvas, contract=result.contract, number=number, reproduce=reproduce)
    script: Mapping[str, Any] = group[0].script or {}
    lines: list[RenderableType] = [title, Text()]
    for place, step in enumerate(script.get("steps", ())):
        lines.append(cut(Text.assemble(f"   {place + 1:>3}  ", (canvas.clean(step), "bold")), canvas))
    kept = "recorded" if script.get("keep") == "sent" and result.contract.limit == "compaction" else script.get("keep")
    return [*lines, Text(), indented(_KEPT[kept or "stored"], canvas, "dim"), *rest]


def _not_failing(
    records: Sequence[Record], known: set[tuple[str, str]], result: SessionsResult, canvas: Canvas, again: str
) -> list[RenderableType]:
    """Findings in conversations that most providers would have rejected as they stand: new ones in full."""
    title = "In conversations that most providers would have rejected already"
    note = "A steer inside a batch, an open call: this fails only with --fail-on interleaved."
    lines: list[RenderableType] = [Text(), heading(title, canvas), indented(note, canvas, "dim")]
    groups = grouped(records)
    same = [group for group in groups if {(record.rule, record.cut) for record in group} <= known]
    for group in (group for group in groups if group not in same):
        lines += [Text(), *_session(group, result, canvas)]
    if same:
        lines += [Text(), indented("the same as above, there too:", canvas, "dim")]
    for group in same:
        line = Text.assemble("   ", (", ".join(record.rule for record in group), "yellow"), "  ")
        lines.append(cut(line.append_text(in_one_line(group[0], canvas)), canvas))
    return [*lines, Text(), command("reproduce", canvas.clean(again))]


def _closing(result: SessionsResult, canvas: Canvas) -> RenderableType:
    failing = sum(record.fails for record in result.records)
    counted = (
        f"{result.sessions:,} sessions, {result.seconds:.1f} s, seed {result.seed}"
        + (f", {result.flaky} not found again" if result.flaky else "")
        + (", stopped: it ended its process too often" if result.unstable else "")
    )
    if result.interrupted:
        verdict, style = "interrupted (exit code 130)", "yellow"
    elif failing:
        verdict, style = f"{failing} cause{'s' if failing > 1 else ''} to fix (exit code 1)", "bold red"
    else:
        verdict, style = "nothing found that fails (exit code 0)", "bold green"
    return Text.assemble(" ", (verdict, style), (f"  {counted}", "dim"))


def sessions_document(
    result: SessionsResult,
    spec: Spec,
    *,
    then: str | None = None,
    examples: int | None = None,
    steps: int | None = None,
    fixtures: Mapping[str, Path] | None = None,
) -> dict[str, Any]:
    """Say the same as JSON data: `check`'s findings, each with its script."""
    contract, files = result.contract, fixtures or {}
    again = sessions_command(spec, seed=result.seed, examples=examples, steps=steps, then=then)
    return {
        "schema": SCHEMA,
        "trimmer": contract.trimmer,
        "version": contract.version,
        "format": contract.format,
        "limit": contract.limit,
        "provider": contract.provider,
        "then": then,
        "seed": result.seed,
        "sessions": result.sessions,
        "seconds": round(result.seconds, 3),
        "interrupted": result.interrupted,
        "findings": [
            {"script": record.script, **finding_document(record, files.get(record.cause), again, spec)}
            for record in result.records
        ],
    }
