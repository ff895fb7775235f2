"""A bug for people: the rule that broke, a sentence, the timeline, the provider's answer, what else it breaks."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.console import RenderableType
from rich.text import Text

from ...oracles.packs import pack
from ...oracles.provider_answers import ProviderAnswer
from .canvas import SIGNS, Canvas, timeline
from .text_blocks import command, indented, labelled
from .timeline import Row, rows_of_record

if TYPE_CHECKING:
    from ..engine.bugs import Bug
    from ..engine.records import Record
    from ..target.contract_summary import ContractSummary

_CLASSES = ("valid", "pending", "interleaved", "malformed")
CONFIDENCE = {
    "A": "from the provider's documentation or code",
    "B": "quoted in a public report",
    "C": "claimed in a public report",
    "D": "hearsay",
}  # fmt: skip


def finding(
    bug: "Bug", canvas: Canvas, *, contract: "ContractSummary | None" = None, reproduce: str = ""
) -> list[RenderableType]:
    """Draw a bug: its rule, the sentence about its smallest case, the timeline, and what else is known."""
    first = bug.record
    lines: list[RenderableType] = [_title(bug, canvas, contract)]
    if sentence := _sentence(first):
        lines.append(indented(canvas.clean(sentence), canvas))
    rows = rows_of_record(first)
    lines += [Text(), *timeline(rows, canvas), Text()]
    lines.append(labelled("limit", canvas.clean(limit_words(first)), canvas))
    lines.append(labelled("outcome", canvas.clean(_outcome_words(first, rows)), canvas))
    lines += _provider_answer(first, canvas)
    if also := _also_words(bug):
        lines.append(labelled("also", canvas.clean(also), canvas))
    if first.url:
        lines.append(labelled("public case", canvas.clean(first.url), canvas))
    if contract is not None and not first.minimal:
        lines.append(labelled("", "not shrunk to its end: there may be a smaller history", canvas, "dim"))
    if reproduce:
        lines.append(command("reproduce", canvas.clean(reproduce)))
    return lines


def _also_words(bug: "Bug") -> str:
    """Say what else the same bug breaks, and on which other input."""
    rules = dict.fromkeys(record.rule for record in bug.also if record.rule != bug.rule)
    classes = {record.input_class for record in bug.also} - {bug.input_class}
    words = [", ".join(rules)] if rules else []
    if classes:
        *most, last = (name for name in _CLASSES if name in classes)
        words.append(f"on {' and '.join(filter(None, (', '.join(most), last)))} input too")
    return "; ".join(words)


def _title(bug: "Bug", canvas: Canvas, contract: "ContractSummary | None") -> Text:
    """The rule that broke, and why it counts."""
    record = bug.record
    title = Text(" ")
    title.append(f"{bug.number} " if bug.number is not None else "")
    title.append(record.rule, "bold red" if record.fails else "bold yellow")
    why = _why(record, contract) if contract is not None else ""
    about = f"{why}{'  ' if why else ''}on {record.input_class} input"
    rules = canvas.glyphs.rule * 2
    style = "red" if record.fails else "yellow"
    if len(rules) + title.cell_len + len(about) + 3 > canvas.width:  # a narrow terminal gets a second line
        title.truncate(canvas.width - len(rules))
        return Text.assemble((rules, style), title, "\n", indented(about, canvas, "dim"))
    filled = Text.assemble((rules, style), title, (f"  {about}", "dim"), " ")
    filled.append(canvas.glyphs.rule * max(canvas.width - filled.cell_len, 0), "dim")
    return filled


def _why(record: "Record", contract: "ContractSummary") -> str:
    if record.kind == "promise":
        return "an assumed promise" if record.rule in contract.assumed else "a promise"
    return f"enforced by {record.provider}" if record.kind == "pack" else ""


def _sentence(record: "Record") -> str:
    said = record.message
    return f"{said}{'' if said.endswith(('.', '!', '?')) else '.'}" if said else ""


def limit_words(record: "Record") -> str:
    """Render a limit: `2 messages`, `a compaction at 3 of 6, 1 message came later`, `2 (other)`, `unknown`."""
    limit = record.limit
    if limit is None:
        return "unknown"
    if limit.kind == "compaction":
        later = 0 if limit.length is None else len(record.history) - limit.length
        return (
            f"a compaction at {limit.value}"
            + ("" if limit.length is None else f" of {limit.length}")
            + (f", {later} {'message' if later == 1 else 'messages'} came later" if later > 0 else "")
        )
    if limit.kind == "other":
        return f"{limit.value} (other)"
    return f"{limit.value} {limit.kind if limit.value != 1 else limit.kind.removesuffix('s')}"


_ENDINGS = {
    "raised": "it raised",
    "refused": "it refused",
    "hung": "it gave no answer",
    "crashed": "it ended its process",
    "protocol-error": "its answer is no history",
}


def _outcome_words(record: "Record", rows: Sequence[Row]) -> str:
    """Say what came back: how many of the messages, and how many that were not there before."""
    if record.output is None:
        said = _ENDINGS.get(record.status, record.status)
        failure = record.failure.removeprefix(f"{record.status}: ")
        return f"{said}: {failure}" if failure and failure not in record.note else said
    if not record.output:
        return "an empty list came back"
    stayed = sum(row.index is not None and row.mark not in ("dropped", "moved", "copied") for row in rows)
    more = [
        f"{count} {words}"
        for words, count in (
            ("new", sum(row.mark == "inserted" for row in rows)),
            ("twice", sum(row.mark == "copied" for row in rows)),
        )
        if count
    ]
    return ", ".join([f"{stayed} of {len(record.history)} messages came back", *more])


def _provider_answer(record: "Record", canvas: Canvas) -> list[RenderableType]:
    """Say what the provider does about a list that breaks this rule, where that is known, and how sure it is."""
    known = pack(record.provider).answers.get(record.rule)
    if known is None:
        return []
    words = f"{record.provider} {answer_words(known, record.provider_error)}"
    about = f"({CONFIDENCE[known.confidence]}, read {known.date}: {known.source})"
    style = "red" if known.severity == "hard" else "yellow"
    return [
        labelled("provider", canvas.clean(words), canvas, style),
        labelled("", canvas.clean(about), canvas, "dim"),
    ]


def answer_words(known: ProviderAnswer, recorded: str | None = None) -> str:
    """Say what a provider does with a list that breaks a rule: its answer (as it was recorded), or that it takes it."""
    if known.severity != "hard":
        return "takes it without an error" + (f": {known.note}" if known.note else "")
    status = f" HTTP {known.status}" if known.status is not None else ""
    text = recorded or known.text
    return f"answers{status}: {text}" if text else f"rejects it{status and f' with{status}'}; {known.note}"


def in_one_line(record: "Record", canvas: Canvas) -> Text:
    """Say a small trim in one line: its roles, each with the sign of what became of it, and the limit."""
    line = Text()
    rows = rows_of_record(record)
    for position, row in enumerate(rows[:8]):
        style = "dim strike" if row.mark in ("dropped", "moved-away") else ""
        line.append(" " if position else "")
        line.append(SIGNS[row.mark].strip(), "red")
        calls = f"[{len(row.message.calls)}]" if row.message.calls else ""
        line.append(row.message.role + calls, style)
    if len(rows) > 8:
        line.append(f" {canvas.glyphs.ellipsis}", "dim")
    if record.status != "ok":
        line.append(f" {canvas.glyphs.becomes} {record.status}", "yellow")
    if not rows:
        line.append("(an empty history)", "dim")
    return line.append(f"  at {limit_words(record)}" if record.limit is not None else "", "dim")
