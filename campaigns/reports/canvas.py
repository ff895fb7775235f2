"""Drawing: rows of a timeline as lines of text, at the width of the terminal they go to.

Colours are styles that a console without them leaves out, so every mark is also a sign. What a console cannot show
(characters beyond its encoding, control characters, halves of surrogate pairs) is escaped, never printed.
"""

import unicodedata
from collections.abc import Iterable, Sequence

from attrs import evolve, field, frozen
from rich.cells import cell_len, set_cell_size
from rich.text import Text

from ...messages.formats.items.inline_results import entries_of
from ...messages.model import Call, Message
from .timeline import Gap, Mark, Row, shortened

LONGEST_TIMELINE = 40
_NARROWEST_BODY = 24

SIGNS: dict[Mark, str] = {
    "kept": " ", "given": " ", "dropped": "-", "inserted": "+", "edited": "~", "changed": "!", "moved": ">",
    "moved-away": "<", "copied": "=",
}  # fmt: skip
WORDS: dict[Mark, str] = {
    "dropped": "dropped", "inserted": "put in", "edited": "edited", "changed": "changed in your own list",
    "moved-away": "moved away", "moved": "moved to here", "copied": "a second copy",
}  # fmt: skip
_STYLES: dict[Mark, str] = {
    "dropped": "dim strike", "inserted": "green", "edited": "yellow", "changed": "bold yellow", "moved": "cyan",
    "moved-away": "dim strike", "copied": "magenta",
}  # fmt: skip
_SIGN_STYLES: dict[Mark, str] = {**_STYLES, "dropped": "bold red", "moved-away": "cyan"}
_ROLES = {"system": "magenta", "developer": "magenta", "user": "cyan", "assistant": "green", "tool": "yellow"}


@frozen
class Glyphs:
    """The characters that lines are drawn with."""

    pointer: str
    call: str
    result: str
    becomes: str
    ellipsis: str
    rule: str
    start: str
    through: str
    join: str
    end: str
    cross: str
    across: str


UNICODE = Glyphs("▶", "→", "←", "⇒", "…", "─", "┌", "│", "├", "└", "┼", "─")
ASCII = Glyphs("*", "->", "<-", "=>", "...", "-", ",", "|", "|", "`", "+", "-")


@frozen
class Canvas:
    """Where lines go: how wide it is, and whether it can show more than ASCII."""

    width: int = 100
    ascii: bool = field(default=False, kw_only=True)

    @property
    def glyphs(self) -> Glyphs:
        """The characters that this canvas can show."""
        return ASCII if self.ascii else UNICODE

    def clean(self, text: str) -> str:
        """Return a text that is safe to print in one line: what a terminal would obey or cannot show is escaped."""
        return "".join(self._shown(letter) for letter in text)

    def _shown(self, letter: str) -> str:
        if letter == " " or (letter.isascii() and letter.isprintable()):
            return letter
        if not self.ascii and unicodedata.category(letter) not in ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"):
            return letter
        return letter.encode("unicode_escape", "surrogatepass").decode("ascii")

    def short(self, text: str, width: int) -> str:
        """Cut a clean text to a number of cells, with an ellipsis and without splitting a wide character."""
        if cell_len(text) <= width:
            return text
        dots = self.glyphs.ellipsis
        return set_cell_size(text, max(width - len(dots), 0)).rstrip() + dots if width > len(dots) else dots[:width]


def timeline(rows: Sequence[Row], canvas: Canvas, *, most: int = LONGEST_TIMELINE) -> list[Text]:
    """Draw a timeline, and under it what its signs mean; no line is wider than the canvas."""
    digits = max((len(str(row.index)) for row in rows if row.index is not None), default=1)
    roles = max((len(row.message.role) for row in rows), default=4)
    lines: list[Text] = []
    if not rows:
        lines.append(Text("   (an empty history)", "dim"))
    for row in shortened(rows, most=most):
        if isinstance(row, Gap):
            lines.append(Text(f"   {canvas.glyphs.ellipsis} {_left_out(row)}", "dim"))
        else:
            lines.extend(_row(row, canvas, digits, roles))
    legend = _legend(rows, canvas)
    return [*lines, Text(), legend] if legend else lines


def _left_out(gap: Gap) -> str:
    if not gap.dropped:
        return f"{gap.rows} more messages"
    return f"{gap.rows} more messages, {'all' if gap.dropped == gap.rows else gap.dropped} dropped"


def _row(row: Row, canvas: Canvas, digits: int, roles: int) -> list[Text]:
    style = _STYLES.get(row.mark, "")
    line = Text(no_wrap=True)
    line.append(f" {canvas.glyphs.pointer if row.about else ' '} ", "bold red")
    line.append(f"{SIGNS[row.mark]} ", _SIGN_STYLES.get(row.mark, ""))
    line.append(f"{'' if row.index is None else row.index:>{digits}} ", "bold red" if row.about else "dim")
    line.append_text(_gutter(row, canvas))
    line.append(row.message.role, style or _ROLES.get(row.message.role, ""))
    line.append(" " * (roles - len(row.message.role) + 2))
    room = canvas.width - line.cell_len
    remark = canvas.clean(row.remark)
    left = room - cell_len(remark) - 2
    body = _body(row.message, canvas, room, style)
    # A text may be cut to leave room for the remark; calls are not.
    beside = remark and (body.cell_len <= left or (left >= _NARROWEST_BODY and not row.message.calls))
    if beside and body.cell_len > left:
        body = _body(row.message, canvas, left, style)
    indent = _below(row, canvas, line.cell_len, digits)
    line.append_text(body)
    lines = [line]
    if row.after is not None:
        under = indent.copy()
        under.append(f"{canvas.glyphs.becomes} ", style)
        shown = evolve(row.after, call_id=None) if row.after.call_id == row.message.call_id else row.after
        body = _body(shown, canvas, canvas.width - under.cell_len, _SIGN_STYLES.get(row.mark, ""))
        lines.append(under.append_text(body))
    if remark:
        style = "bold red" if row.grave else "dim"
        if beside:
            line.append(f"  {remark}", style)
        else:
            lines.append(indent.copy().append(canvas.short(remark, canvas.width - indent.cell_len), style))
    return lines


def _below(row: Row, canvas: Canvas, column: int, digits: int) -> Text:
    """Begin a line that goes on below a row: its joining lines run through, unless there is no room to indent it."""
    if column > canvas.width - _NARROWEST_BODY:
        return Text(" " * max(canvas.width - _NARROWEST_BODY, 0), no_wrap=True)
    found = Text(" " * (6 + digits), no_wrap=True)
    for at, joint in enumerate(row.gutter):
        style = "bold red" if at in row.broken else "dim"
        found.append(canvas.glyphs.through if joint in ("start", "join", "through") else " ", style)
    found.pad_right(column - found.cell_len)
    return found


def _gutter(row: Row, canvas: Canvas) -> Text:
    """Draw the row's piece of the joining lines; a line that reaches the message crosses those to its right."""
    glyphs = canvas.glyphs
    shapes = {"start": glyphs.start, "through": glyphs.through, "join": glyphs.join, "end": glyphs.end, "": " "}
    found = Text(no_wrap=True)
    reaching: str | None = None
    for column, joint in enumerate(row.gutter):
        style = "bold red" if column in row.broken else "dim"
        if reaching is None:
            found.append(shapes[joint], style)
        else:
            crossing = {"through": glyphs.cross, "": glyphs.across}
            found.append(crossing.get(joint, shapes[joint]), reaching)
        if joint in ("start", "join", "end"):
            reaching = style
    if row.gutter:
        found.append(f"{glyphs.across} " if reaching is not None else "  ", reaching or "")
    return found


def _body(message: Message, canvas: Canvas, width: int, style: str) -> Text:
    """Draw what a message says: its text, its calls, the call that it answers, its marks."""
    marks = _marks(message)
    pieces: list[tuple[str, str]] = []
    if message.call_id is not None:
        pieces.append((f"{canvas.glyphs.result} {_name(message.call_id, canvas)} ", "bold"))
    for found, said in _inline(message):
        pieces.append((f"{canvas.glyphs.result} {_name(found, canvas)} ", "bold"))
        if said:
            pieces.append((_quoted(f'"{canvas.clean(said)}"', canvas, 24) + " ", ""))
    calls = _calls(message, canvas, width)
    tail = "  ".join(calls) + (("  " if calls else "") + " ".join(f"[{mark}]" for mark in marks) if marks else "")
    head = sum(cell_len(piece) for piece, _ in pieces)
    silent = bool(message.calls) or any(said for _, said in _inline(message))
    text = f'"{canvas.clean(message.text)}"' if message.text else "" if silent else "(no text)"
    room = width - head - (cell_len(tail) + 2 if tail else 0)
    found = Text(style=style, no_wrap=True)
    for piece, weight in pieces:
        found.append(canvas.short(piece, width - found.cell_len), weight)
    if text:
        found.append(_quoted(text, canvas, max(room, min(12, width - head))), "" if message.text else "dim")
    if tail:
        left = width - found.cell_len
        found.append(canvas.short(("  " if text else "") + tail, left), "bold" if calls else "dim")
    return found


def _quoted(text: str, canvas: Canvas, width: int) -> str:
    """Cut a quoted text inside its quotes."""
    if cell_len(text) <= width or width < 8:
        return canvas.short(text, width)
    return canvas.short(text[:-1], width - 1) + '"'


def _calls(message: Message, canvas: Canvas, width: int) -> list[str]:
    """Name each call with its tool; where that is too much for the line, by its id alone, so that none is cut off."""
    arrow = canvas.glyphs.call
    named = [f"{arrow} {_call(call, canvas)}" for call in message.calls]
    if sum(map(cell_len, named)) + 2 * len(named) <= width or len(named) < 2:
        return named
    return [f"{arrow} {_name(call.id, canvas)}" for call in message.calls]


def _call(call: Call, canvas: Canvas) -> str:
    given = "" if call.arguments == "{}" else f"({canvas.short(canvas.clean(call.arguments), 30)})"
    second = f"|{canvas.clean(call.alt_id)}" if call.alt_id is not None else ""
    server = " [run by the provider]" if call.provider_executed else ""
    return f"{_name(call.id, canvas)}{second} {canvas.short(canvas.clean(call.name), 24)}{given}{server}"


def _name(call_id: str | None, canvas: Canvas) -> str:
    return canvas.short(canvas.clean(call_id), 24) if call_id else '""'


def _inline(message: Message) -> Iterable[tuple[str, str]]:
    """Return the results that stand inside a message: the ids that they answer, and what they say."""
    return [(str(entry["call_id"]), str(entry.get("text") or "")) for entry in entries_of(message)]


def _marks(message: Message) -> list[str]:
    found = ["pinned"] if message.keep_during_truncation else []
    if message.summary:
        found.append("summary")
    elif message.extra.get("inserted"):
        found.append("placeholder")
    if message.reasoning:
        found.append("reasoning")
    found.extend(key.replace("_", " ") for key in ("approval_request", "approval_response") if key in message.extra)
    return found


def _legend(rows: Sequence[Row], canvas: Canvas) -> Text:
    used: list[Mark] = [mark for mark in WORDS if any(row.mark == mark for row in rows)]
    found = Text(no_wrap=True)
    pieces = [(SIGNS[mark], WORDS[mark], _SIGN_STYLES[mark]) for mark in used]
    if any(row.about for row in rows):
        pieces.append((canvas.glyphs.pointer, "what this is about", "bold red"))
    if any(row.message.calls for row in rows):
        pieces.append((canvas.glyphs.call, "calls", "bold"))
    if any(row.message.call_id is not None for row in rows):
        pieces.append((canvas.glyphs.result, "answers", "bold"))
    for sign, word, style in pieces:
        if found.cell_len + len(word) + 6 > canvas.width:
            break
        found.append("   ").append(sign, style).append(f" {word}", "dim")
    return found
