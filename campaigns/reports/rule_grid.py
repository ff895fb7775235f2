"""The rule grid: every rule that had a say, held or broken, at a glance, by what it means for the trimmer."""

from rich.console import RenderableType
from rich.text import Text

from ...oracles.rules.registry import RULES
from ..runs.check import Checked
from .canvas import Canvas
from .text_blocks import cut

_GRID_LABEL = 15


def rule_grid(result: Checked, canvas: Canvas) -> list[RenderableType]:
    """Show every rule that had a say, held or broken, by what it means for the trimmer."""
    contract, broken = result.contract, {record.rule for record in result.records if record.fails}
    known = {record.rule for record in result.records if record.accepted is not None} - broken
    elsewhere = {record.rule for record in result.records} - broken - known
    observed = {one.name: one.held for one in result.observed}
    judged = set(result.kept) | set(result.broken)
    idle = set(result.idle)
    promised = [name for name in contract.rules if name in contract.promises and (name in judged | broken | idle)]
    others = [name for name in contract.rules if name not in contract.promises and name not in observed]
    parts = (
        ("must hold", [name for name in others if RULES[name].kind == "always"]),
        (contract.provider, [name for name in others if RULES[name].kind not in ("always", "promise")]),
        ("promised", promised),
        ("not promised", [name for name in contract.rules if name in observed]),
    )
    said = (("broken", broken), ("known", known), ("elsewhere", elsewhere))
    signs: dict[str, str] = {}
    for name in contract.rules:
        if name in observed:
            signs[name] = "held" if observed[name] else "seen"
        elif name in idle:
            signs[name] = "idle"
        else:
            signs[name] = next((sign for sign, names in said if name in names), "held")
    wide = max((len(name) for _, names in parts for name in names), default=0) + len(_mark("broken", canvas)[0]) + 2
    lines: list[RenderableType] = []
    for label, names in parts:
        cells = [Text.assemble(_mark(signs[name], canvas), _name(name, signs[name])) for name in names]
        lines += _columns(label, cells, wide, canvas)
    shown = {signs[name] for _, names in parts for name in names}
    used = [sign for sign in ("broken", "known", "elsewhere", "seen", "idle") if sign in shown]
    legend = Text(" " * _GRID_LABEL)
    for sign in used:
        piece = Text.assemble(_mark(sign, canvas), (_MEANINGS[sign], "dim"))
        width = len(legend.plain.rpartition("\n")[2])
        if width > _GRID_LABEL and width + piece.cell_len > canvas.width:
            legend.rstrip()
            legend.append("\n" + " " * _GRID_LABEL)
        legend.append_text(piece).append("   ")
    legend.rstrip()
    return [*lines, legend] if used else lines


_MEANINGS = {
    "broken": "broken",
    "known": "broken, a known finding",
    "elsewhere": "broken on rejected input alone",
    "seen": "broken, not promised",
    "idle": "not exercised: no case could have broken it",
}


def _mark(sign: str, canvas: Canvas) -> tuple[str, str]:
    signs = {
        "broken": ("✗ ", "X  "),
        "known": ("≈ ", "~  "),
        "elsewhere": ("○ ", "?  "),
        "seen": ("· ", ".  "),
        "held": ("✓ ", "ok "),
        "idle": ("- ", "-  "),
    }
    styles = {
        "broken": "bold red",
        "known": "yellow",
        "elsewhere": "yellow",
        "seen": "yellow",
        "held": "green",
        "idle": "dim",
    }
    return signs[sign][canvas.ascii], styles[sign]


def _name(name: str, sign: str) -> tuple[str, str]:
    return name, "bold red" if sign == "broken" else "dim" if sign in ("seen", "idle") else ""


def _columns(label: str, cells: list[Text], wide: int, canvas: Canvas) -> list[RenderableType]:
    before = _GRID_LABEL if canvas.width >= _GRID_LABEL + wide - 2 else 3  # a narrow terminal gets a line for the label
    per_line = max((canvas.width - before) // wide, 1)
    lines: list[RenderableType] = []
    if cells and before < _GRID_LABEL:
        lines.append(cut(Text(f" {label}", "dim"), canvas))
    for start in range(0, len(cells), per_line):
        line = Text(" ")
        line.append("" if start or before < _GRID_LABEL else canvas.short(label, _GRID_LABEL - 2), "dim")
        line.pad_right(max(before - line.cell_len, 0))
        for cell in cells[start : start + per_line]:
            line.append_text(cell)
            line.pad_right(max(wide - cell.cell_len, 0))
        line.rstrip()
        lines.append(cut(line, canvas))
    return lines
