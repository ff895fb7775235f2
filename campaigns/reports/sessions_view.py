"""Reports of sessions: for people the script that fails, then the last request as a timeline; for programs the data."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rich.console import RenderableType
from rich.text import Text

from ..defaults import SCHEMA
from ..engine.bugs import Bug
from ..runs.session_check import SessionsResult
from ..target.spec import Spec
from .canvas import Canvas
from .check_view import REPORTED, note_lines
from .documents import bugs_document
from .finding import finding
from .reproduce import fixture_command, sessions_command
from .text_blocks import cut, heading, indented, labelled

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

    def shown(bug: Bug) -> list[RenderableType]:
        path = files.get(bug.cause)
        reproduce = again if path is None else fixture_command(path, spec)
        return [Text(), *_session(bug, result, canvas, reproduce=reproduce)]

    for bug in result.found.failing:
        lines += shown(bug)
    if result.found.apart:
        title = "In conversations that most providers would have rejected already"
        note = "A steer inside a batch, an open call: this fails only with --fail-on interleaved."
        lines += [Text(), heading(title, canvas), indented(note, canvas, "dim")]
    for bug in result.found.apart:
        lines += shown(bug)
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
    told = [note for note in contract.notes if note.partition(" ")[0] in REPORTED]
    return [*lines, *note_lines(told, canvas)]


def _session(bug: Bug, result: SessionsResult, canvas: Canvas, *, reproduce: str = "") -> list[RenderableType]:
    """Draw a bug: the title, the script, then the request as it was sent."""
    title, *rest = finding(bug, canvas, contract=result.contract, reproduce=reproduce)
    script: Mapping[str, Any] = bug.record.script or {}
    lines: list[RenderableType] = [title, Text()]
    for place, step in enumerate(script.get("steps", ())):
        lines.append(cut(Text.assemble(f"   {place + 1:>3}  ", (canvas.clean(step), "bold")), canvas))
    kept = "recorded" if script.get("keep") == "sent" and result.contract.limit == "compaction" else script.get("keep")
    return [*lines, Text(), indented(_KEPT[kept or "stored"], canvas, "dim"), *rest]


def _closing(result: SessionsResult, canvas: Canvas) -> RenderableType:
    failing = len(result.found.failing)
    counted = (
        f"{result.sessions:,} sessions, {result.seconds:.1f} s, seed {result.seed}"
        + (f", {result.flaky} not found again" if result.flaky else "")
        + (", stopped: it ended its process too often" if result.unstable else "")
    )
    if result.interrupted:
        verdict, style = "interrupted (exit code 130)", "yellow"
    elif failing:
        verdict, style = f"{failing} bug{'s' if failing > 1 else ''} to fix (exit code 1)", "bold red"
    elif result.unstable:
        verdict, style = "it could not be judged to the end (exit code 2)", "bold yellow"
    elif result.lacking:
        verdict, style = f"{result.lacking} (exit code 2)", "bold yellow"
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
    """Say the same as JSON data: bugs and causes as those of `check`, each with its script."""
    contract, files = result.contract, fixtures or {}
    again = sessions_command(spec, seed=result.seed, examples=examples, steps=steps, then=then)
    return {
        "schema": SCHEMA,
        "trimmer": contract.trimmer,
        "version": contract.version,
        "format": contract.format,
        "limit": contract.limit,
        "notes": contract.notes,
        "provider": contract.provider,
        "then": then,
        "seed": result.seed,
        "sessions": result.sessions,
        "seconds": round(result.seconds, 3),
        "interrupted": result.interrupted,
        "lacking": result.lacking or None,
        **bugs_document(result.found, files, again, spec),
    }
