"""Draw the packages, what they import and the way of the data: `python -m tests.tools.draw_architecture`.

Boxes hold the lines of a package, highest first, as `layers.LINES` has them; grey arrows are the imports between
packages, read from the sources; blue arrows are what flows. The picture is `docs/architecture.svg`.
"""

from collections.abc import Iterable
from html import escape

from attrs import frozen

from .imports import Sources, edges, read_sources
from .layers import LINES

INK, GREY, BLUE, PAPER, BOX, HEAD = "#1b1f24", "#6e7781", "#0a5dc2", "#ffffff", "#f6f8fa", "#d0d7de"
WIDTH = 1330
TITLE, ROW, PAD = 64, 27, 12

WHAT = {
    "front": "the public names, loaded lazily",
    "campaigns": "runs, shrinking, fixtures, reports, commands, pytest",
    "strategies": "what can happen in a history",
    "implementations": "trimmers, and how they are run",
    "oracles": "what must hold of a trim",
    "messages": "messages, limits, pairing, formats, cases, findings",
}
FLOW = (
    ("strategies", "implementations", "case"),
    ("implementations", "oracles", "outcome"),
    ("oracles", "campaigns", "findings"),
)
"""What flows from where to where."""


@frozen
class Box:
    """One package: where it stands, and its lines."""

    name: str
    x: float
    y: float
    width: float
    height: float
    rows: tuple[tuple[str, ...], ...]
    """Each line of the package, as the lines of text that it takes."""

    @property
    def middle(self) -> tuple[float, float]:
        """The middle of the box."""
        return self.x + self.width / 2, self.y + self.height / 2


def package_imports(sources: Sources) -> list[tuple[str, str]]:
    """Return which package imports which, the single exception of the reference trimmer included."""
    return sorted(
        {
            (one.importer.parts[0], one.imported.parts[0])
            for one in edges(sources)
            if one.importer.parts[0] != one.imported.parts[0]
        }
    )


def draw(sources: Sources) -> str:
    """Return the picture as SVG."""
    boxes = _boxes()
    height = boxes["messages"].y + boxes["messages"].height + 78
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height:.0f}" width="{WIDTH}" '
        f'height="{height:.0f}" font-family="DejaVu Sans, Verdana, sans-serif" role="img" '
        'aria-label="The packages of trimfuzz, what they import, and the way of the data">',
        _markers(),
        f'<rect width="{WIDTH}" height="{height:.0f}" fill="{PAPER}"/>',
        *[line for box in boxes.values() for line in _box(box)],
        *[line for pair in package_imports(sources) for line in _import_arrow(boxes, *pair)],
        *[line for step in FLOW for line in _flow_arrow(boxes, *step)],
        *_fixture(boxes["campaigns"]),
        *_legend(height - 34),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def _boxes() -> dict[str, Box]:
    def rows(package: str) -> tuple[tuple[str, ...], ...]:
        broad = 110 if package in ("front", "campaigns", "messages") else 34
        return tuple(tuple(_wrap(row.split(), broad)) for row in reversed(LINES[package]) if row != "*")

    def tall(*packages: str) -> float:
        return TITLE + ROW * max(sum(map(len, rows(package))) for package in packages) + PAD

    left, wide, third, gap = 60, 1120, 310, 95
    found: dict[str, Box] = {}
    y = 24.0
    for package in ("front", "campaigns"):
        found[package] = Box(package, left, y, wide, tall(package), rows(package))
        y += found[package].height + 66
    middle = ("strategies", "implementations", "oracles")
    for number, package in enumerate(middle):
        found[package] = Box(package, left + number * (third + gap), y, third, tall(*middle), rows(package))
    y += tall(*middle) + 66
    found["messages"] = Box("messages", left, y, wide, tall("messages"), rows("messages"))
    return found


def _wrap(names: list[str], broad: int) -> Iterable[str]:
    """Yield the names of one line, in lines of text of no more than `broad` characters."""
    text = ""
    for name in names:
        if text and len(text) + len(name) + 3 > broad:
            yield text + " ·"
            text = name
        else:
            text = f"{text} · {name}" if text else name
    yield text


def _box(box: Box) -> Iterable[str]:
    name = "trimfuzz" if box.name == "front" else f"trimfuzz.{box.name}"
    x, _ = box.middle
    yield (
        f'<rect x="{box.x}" y="{box.y}" width="{box.width}" height="{box.height}" rx="8" fill="{BOX}" '
        f'stroke="{HEAD}" stroke-width="2"/>'
    )
    yield _text(x, box.y + 28, name, 20, INK, "bold")
    yield _text(x, box.y + 50, WHAT[box.name], 15, GREY)
    y = box.y + TITLE
    for row in box.rows:
        yield f'<path d="M{box.x + 14} {y + 2}H{box.x + box.width - 14}" stroke="{HEAD}"/>'
        for line in row:
            yield _text(x, y + 21, line, 16, INK)
            y += ROW


def _import_arrow(boxes: dict[str, Box], importer: str, imported: str) -> Iterable[str]:
    one, other = boxes[importer], boxes[imported]
    style = f'stroke="{GREY}" stroke-width="2" fill="none" marker-end="url(#grey)"'
    if one.y == other.y:
        y = one.y + one.height - 26
        yield f'<path d="M{one.x + one.width} {y}H{other.x - 3}" {style} stroke-dasharray="5 4"/>'
        yield _text((one.x + one.width + other.x) / 2, y - 8, "reference", 14, GREY)
    elif one.y + one.height + 70 < other.y:
        x = one.x - 40
        y = other.y + other.height / 2
        yield f'<path d="M{one.x} {one.y + one.height / 2}H{x}V{y}H{other.x - 3}" {style}/>'
    else:
        x = (one if one.width < other.width else other).middle[0]
        yield f'<path d="M{x} {one.y + one.height}V{other.y - 3}" {style}/>'


def _flow_arrow(boxes: dict[str, Box], source: str, target: str, what: str) -> Iterable[str]:
    one, other = boxes[source], boxes[target]
    style = f'stroke="{BLUE}" stroke-width="4" fill="none" marker-end="url(#blue)"'
    if one.y == other.y:
        y = one.y + 92
        yield f'<path d="M{one.x + one.width} {y}H{other.x - 8}" {style}/>'
        yield _text((one.x + one.width + other.x) / 2 - 3, y - 12, what, 16, BLUE, "bold")
    else:
        x = one.x + one.width - 40
        yield f'<path d="M{x} {one.y}V{other.y + other.height + 8}" {style}/>'
        yield _text(x + 10, (one.y + other.y + other.height) / 2 + 6, what, 16, BLUE, "bold", "start")


def _fixture(box: Box) -> Iterable[str]:
    x, y = box.x + box.width, box.y + box.height / 2
    yield f'<path d="M{x} {y}H{x + 60}" stroke="{BLUE}" stroke-width="4" fill="none" marker-end="url(#blue)"/>'
    yield _text(x + 78, y + 6, "fixture", 16, BLUE, "bold", "start")


def _legend(y: float) -> Iterable[str]:
    yield f'<path d="M90 {y}H140" stroke="{BLUE}" stroke-width="4" marker-end="url(#blue)"/>'
    yield _text(162, y + 5, "what flows", 14, INK, anchor="start")
    yield f'<path d="M290 {y}H345" stroke="{GREY}" stroke-width="2" marker-end="url(#grey)"/>'
    yield _text(362, y + 5, "imports (a line of a box imports the lines below it)", 14, INK, anchor="start")


def _markers() -> str:
    return (
        "<defs>"
        + "".join(
            f'<marker id="{name}" viewBox="0 0 10 10" refX="7" refY="5" markerWidth="{size}" markerHeight="{size}" '
            f'orient="auto"><path d="M0 0L10 5L0 10z" fill="{colour}"/></marker>'
            for name, colour, size in (("grey", GREY, 6), ("blue", BLUE, 4))
        )
        + "</defs>"
    )


def _text(x: float, y: float, text: str, size: int, colour: str, weight: str = "normal", anchor: str = "middle") -> str:
    return (
        f'<text x="{x:g}" y="{y:g}" font-size="{size}" font-weight="{weight}" fill="{colour}" '
        f'text-anchor="{anchor}">{escape(text)}</text>'
    )


if __name__ == "__main__":
    print(draw(read_sources()), end="")
