"""What a provider would reject in a file, for people: a timeline with what it is about, then each fault."""

import re
from collections.abc import Sequence

from attrs import evolve
from rich.console import RenderableType
from rich.text import Text

from ...oracles.facts.list_faults import Fault
from ..runs.lint import Linted
from .canvas import Canvas, timeline
from .finding import CONFIDENCE, answer_words
from .text_blocks import heading, indented, labelled
from .timeline import Row, rows_of

_NUMBER = re.compile(r"\[(\d+)\]")


def lint_report(linted: Linted, canvas: Canvas) -> list[RenderableType]:
    """Say a lint: what was read, the list with the places that are wrong, and what to change about each."""
    request = linted.request
    size = len(request.sent)
    read = f"{request.format}, {size} item{'' if size == 1 else 's'}" + (
        f", for {request.model}" if request.model else ""
    )
    lines: list[RenderableType] = [
        Text.assemble(" ", ("trimfuzz lint ", "dim"), (canvas.clean(linted.file), "bold")),
        Text(),
        labelled("format", canvas.clean(read), canvas),
        labelled("provider", linted.provider.name, canvas),
    ]
    if request.anchored or request.references:
        lines.append(labelled("note", "what came before stands on the server, and is not seen here", canvas))
    about = {index for one in linted.faults for index in one.messages}
    if about:
        rows = (_as_in_the_file(row, request.sent_where) for row in rows_of(request.sent, about=about))
        lines += [Text(), *timeline(list(rows), canvas)]
    for number, one in enumerate(linted.faults, 1):
        lines += [Text(), *_fault(number, one, linted, canvas)]
    return [*lines, Text(), _closing(linted)]


def _as_in_the_file(row: Row, places: Sequence[str]) -> Row:
    """Number a row as the file does; what stands outside of its list has no number. Nothing was trimmed here."""
    number = _NUMBER.search("" if row.index is None else places[row.index])
    remark = row.remark.removesuffix(", in the input already").removesuffix(" in the input")
    return evolve(row, index=int(number[1]) if number else None, remark=remark)


def _fault(number: int, one: Fault, linted: Linted, canvas: Canvas) -> list[RenderableType]:
    where = ", ".join(one.places)
    passes = "not rejected" if one.answer is not None else "not known to be rejected"
    title = f"{number} {one.rule}  {where}" if one.fails else f"{number} {one.rule}  {where}  ({passes})"
    lines: list[RenderableType] = [heading(canvas.clean(title), canvas), indented(canvas.clean(one.note), canvas)]
    if one.answer is not None:
        answer = one.answer
        said = f"{linted.provider.name} {answer_words(answer)}"
        lines.append(labelled("provider", canvas.clean(said), canvas, "red" if one.fails else "yellow"))
        source = f"({CONFIDENCE[answer.confidence]}, {answer.date}: {answer.source})"
        lines.append(labelled("", canvas.clean(source), canvas, "dim"))
    lines.append(labelled("change", canvas.clean(one.advice), canvas))
    return lines


def _closing(linted: Linted) -> Text:
    failing = sum(one.fails for one in linted.faults)
    others = len(linted.faults) - failing
    told = f"  {others} more that {linted.provider.name} takes" if others else ""
    if failing:
        words = f" {failing} violation{'' if failing == 1 else 's'} (exit code 1)"
        return Text.assemble((words, "bold red"), (told, "dim"))
    return Text.assemble((" nothing that would be rejected (exit code 0)", "bold green"), (told, "dim"))
