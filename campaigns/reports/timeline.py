"""Timelines: what a trim did to a history, one row a message, ready to be drawn.

The rows are the input in its order, with what the trimmer put in shown where it now stands. A call is joined to its
results by a line in the gutter; where a trim kept one end of that line and dropped the other, the row says so. This
module decides what is shown; `canvas` decides how it looks.
"""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Literal, TypeAlias

from attrs import evolve, field, frozen

from ...messages.model import History, Message
from ...messages.neutral import load_history
from ...messages.reading.pairing import Reading, read
from ...messages.reading.survivors import Alignment, align, same

if TYPE_CHECKING:  # a picture needs no judges
    from ..engine.records import Record

Mark: TypeAlias = Literal["kept", "dropped", "inserted", "edited", "moved", "moved-away", "copied", "changed", "given"]
"""What became of a message: `given` where no history came back, `changed` where the input itself was changed."""
Joint: TypeAlias = Literal["", "start", "through", "join", "end"]


@frozen
class Row:
    """One line: a message, what became of it, and its piece of the gutter.

    `index` is its place in the input (None: it is new). `after` is what an edited or changed message became. `about`
    says that the finding is about it. `remark` is a word about a broken pair, `broken` the gutter columns whose pair
    is broken.
    """

    mark: Mark
    index: int | None
    message: Message
    after: Message | None = field(default=None, kw_only=True)
    about: bool = field(default=False, kw_only=True)
    gutter: tuple[Joint, ...] = field(default=(), kw_only=True)
    broken: frozenset[int] = field(default=frozenset(), kw_only=True)
    remark: str = field(default="", kw_only=True)
    grave: bool = field(default=False, kw_only=True)
    """The remark is about something the trimmer broke, not something that was given."""


@frozen
class Gap:
    """A run of rows that is left out of a long timeline; `dropped` of them did not survive."""

    rows: int
    dropped: int


def rows_of_record(record: "Record") -> tuple[Row, ...]:
    """Return the rows of a finding's timeline."""
    return rows_of(
        load_history(record.history),
        None if record.output is None else load_history(record.output),
        sources=record.sources,
        after=None if record.after is None else load_history(record.after),
        about=record.messages,
    )


def rows_of(
    history: History,
    output: History | None = None,
    *,
    sources: Sequence[int | None] | None = None,
    after: History | None = None,
    about: Iterable[int] = (),
) -> tuple[Row, ...]:
    """Return the rows of a history, and of what a trim made of it when there is an output.

    `sources` are the input indexes of shared objects, `after` the input as the trimmer left it, `about` input indexes.
    """
    reading = read(history)
    named = frozenset(about)
    if output is None:
        rows = [Row("given", index, message) for index, message in enumerate(history)]
    else:
        rows = _merged(history, output, align(history, output, identity=sources))
    rows = [evolve(row, about=row.index in named and row.mark not in ("moved", "copied")) for row in rows]
    if after is not None and len(after) == len(history):
        rows = [_changed(row, after) for row in rows]
    return tuple(_joined(_remarked(rows, reading, output), reading))


def shortened(rows: Sequence[Row], *, most: int) -> list[Row | Gap]:
    """Leave out the middle of a long timeline; what the finding is about, broken pairs and both ends stay."""
    if len(rows) <= most:
        return list(rows)
    ends = 3
    wanted = {*range(ends), *range(len(rows) - ends, len(rows))}
    for place, row in enumerate(rows):
        if row.about or row.grave or row.mark in ("inserted", "moved", "copied", "edited", "changed"):
            wanted.update(range(place - 1, place + 2))
    found: list[Row | Gap] = []
    skipped: list[Row] = []
    for place, row in enumerate(rows):
        if place not in wanted:
            skipped.append(row)
            continue
        found.extend(_gap(skipped))
        skipped = []
        found.append(row)
    return [*found, *_gap(skipped)]


def _gap(skipped: list[Row]) -> list[Row | Gap]:
    if len(skipped) < 3:
        return list(skipped)
    return [Gap(len(skipped), sum(row.mark == "dropped" for row in skipped))]


def _merged(history: History, output: History, alignment: Alignment) -> list[Row]:
    """Put input and output into one list: each new, moved or copied message behind the survivor it stands behind."""
    moved = _moved(alignment)
    behind: dict[int, list[Row]] = {}
    at = -1
    for place, source in enumerate(alignment.sources):
        if source is None:
            behind.setdefault(at, []).append(Row("inserted", None, output[place]))
        elif place in alignment.duplicates:
            behind.setdefault(at, []).append(Row("copied", source, output[place]))
        elif source in moved:
            behind.setdefault(at, []).append(Row("moved", source, output[place]))
        else:
            at = source
    rows = list(behind.get(-1, ()))
    for index, message in enumerate(history):
        place = alignment.place.get(index)
        if place is None:
            rows.append(Row("dropped", index, message))
        elif index in moved:
            rows.append(Row("moved-away", index, message))
        elif same(message, output[place]):
            rows.append(Row("kept", index, message))
        else:
            rows.append(Row("edited", index, message, after=output[place]))
        rows.extend(behind.get(index, ()))
    return rows


def _moved(alignment: Alignment) -> frozenset[int]:
    """Return the survivors that left their place: all but a longest run of them that is still in order."""
    order = list(alignment.place)
    best: list[tuple[int, int | None]] = []
    for position, source in enumerate(order):
        before = max(
            (earlier for earlier in range(position) if order[earlier] < source),
            key=lambda earlier: best[earlier][0],
            default=None,
        )
        best.append((1 if before is None else best[before][0] + 1, before))
    stays: set[int] = set()
    at = max(range(len(order)), key=lambda position: best[position][0], default=None)
    while at is not None:
        stays.add(order[at])
        at = best[at][1]
    return frozenset(order) - stays


def _changed(row: Row, after: History) -> Row:
    """Mark an input message that the trimmer changed in place: that is what became of it, kept or not."""
    if row.index is None or row.mark in ("moved", "copied") or same(row.message, after[row.index]):
        return row
    return evolve(row, mark="changed" if row.mark in ("kept", "edited", "given") else row.mark, after=after[row.index])


def _remarked(rows: list[Row], reading: Reading, output: History | None) -> list[Row]:
    """Say of each message whose partner is missing what became of it."""
    if output is None:
        lost: frozenset[int] = frozenset()
    else:
        lost = frozenset(row.index for row in rows if row.mark == "dropped" and row.index is not None)
    cut = {
        row.index: {call.id for call in row.message.calls} - {call.id for call in row.after.calls}
        for row in rows
        if row.index is not None and row.after is not None
    }
    found: list[Row] = []
    for row in rows:
        if row.index is None or row.mark in ("dropped", "copied", "moved"):
            found.append(row)
            continue
        broken = _broken_pair(row.index, reading, lost, cut)
        given = "" if broken else _given(row.index, reading)
        found.append(evolve(row, remark=broken or given, grave=bool(broken)))
    return found


def _broken_pair(index: int, reading: Reading, lost: frozenset[int], cut: dict[int, set[str]]) -> str:
    for number in reading.answers_of.get(index, ()):
        slot = reading.answers[number].slot
        if slot is not None:
            call = reading.slots[slot]
            if call.message in lost or call.id in cut.get(call.message, ()):
                return "its call was dropped"
    gone = [
        _id(reading.slots[number].id)
        for number in reading.slots_of.get(index, ())
        if (answer := reading.slots[number].answer) is not None
        and reading.answers[answer].message in lost
        and reading.slots[number].id not in cut.get(index, ())
    ]
    if not gone:
        return ""
    return f"{'the results' if len(gone) > 1 else 'the result'} of {', '.join(gone)} {_were(gone)} dropped"


def _given(index: int, reading: Reading) -> str:
    for number in reading.answers_of.get(index, ()):
        answer = reading.answers[number]
        if answer.orphan:
            return "no call before it, in the input already"
        if answer.surplus:
            return "a second result, in the input already"
    free = [
        _id(reading.slots[number].id)
        for number in reading.slots_of.get(index, ())
        if reading.slots[number].answer is None and not reading.slots[number].provider_executed
    ]
    return f"{', '.join(free)} {_were(free)} not answered in the input" if free else ""


def _were(items: Sequence[str]) -> str:
    return "were" if len(items) > 1 else "was"


def _id(call_id: str) -> str:
    return call_id or '""'


def _joined(rows: list[Row], reading: Reading) -> list[Row]:
    """Draw the gutter: one column for each batch while it lasts, shared by batches that do not overlap."""
    place = {
        row.index: at for at, row in enumerate(rows) if row.index is not None and row.mark not in ("moved", "copied")
    }
    spans: list[tuple[list[int], bool]] = []
    for batch in reading.batches:
        members = {*batch.messages, *(reading.answers[answer].message for answer in batch.answers)}
        if len(members) > 1:
            kinds = {rows[place[member]].mark == "dropped" for member in members}
            spans.append((sorted(place[member] for member in members), len(kinds) > 1))
    columns: list[int] = []
    gutters: list[dict[int, Joint]] = [{} for _ in rows]
    broken: list[set[int]] = [set() for _ in rows]
    for members, is_broken in sorted(spans):
        first, last = members[0], members[-1]
        column = next((at for at, end in enumerate(columns) if end < first), len(columns))
        columns[column : column + 1] = [last]
        for at in range(first, last + 1):
            joint: Joint = "start" if at == first else "end" if at == last else "join" if at in members else "through"
            gutters[at][column] = joint
            if is_broken:
                broken[at].add(column)
    width = len(columns)
    return [
        evolve(row, gutter=tuple(gutter.get(at, "") for at in range(width)), broken=frozenset(wrong))
        for row, gutter, wrong in zip(rows, gutters, broken, strict=True)
    ]
