"""Timelines: what a trim did to a history, decided in rows and drawn in lines."""

from io import StringIO

import pytest
from rich.cells import cell_len
from rich.console import Console

from trimfuzz.campaigns.reports.canvas import Canvas, timeline
from trimfuzz.campaigns.reports.timeline import Gap, Row, rows_of, shortened
from trimfuzz.messages.model import Call, History, Message


def user(text: str = "question", *, pinned: bool = False) -> Message:
    """A user message."""
    return Message("user", text, keep_during_truncation=pinned)


def calls(*ids: str, text: str | None = None) -> Message:
    """An assistant message that calls read_file once for each id."""
    return Message("assistant", text, calls=tuple(Call(one, "read_file") for one in ids))


def result(call_id: str, text: str = "port = 8080") -> Message:
    """A tool message."""
    return Message("tool", text, call_id=call_id)


EXCHANGE = (user(), calls("c1"), result("c1"), user("thanks"))
PARALLEL = (user(), calls("c1", "c2"), result("c1"), user("hurry"), result("c2"), Message("assistant", "done"))


def kept(history: History, *indexes: int) -> tuple[Row, ...]:
    """The rows of a trim that keeps some messages."""
    return rows_of(history, tuple(history[index] for index in indexes))


def marks(rows: tuple[Row, ...]) -> list[tuple[str, int | None]]:
    """What became of each message."""
    return [(row.mark, row.index) for row in rows]


def drawn(rows: tuple[Row, ...], *, width: int = 100, ascii_only: bool = False) -> str:
    """The lines of a timeline, without colour."""
    return "\n".join(line.plain for line in timeline(rows, Canvas(width, ascii=ascii_only)))


class TestRows:
    """What became of every message."""

    def test_kept_and_dropped(self) -> None:
        """Every input message has one row, in input order."""
        assert marks(kept(EXCHANGE, 2, 3)) == [("dropped", 0), ("dropped", 1), ("kept", 2), ("kept", 3)]

    def test_inserted_stands_where_it_came(self) -> None:
        """A new message is shown behind the survivor that it stands behind."""
        summary = Message("user", "so far: a file was read", summary=True)
        rows = rows_of(EXCHANGE, (EXCHANGE[0], summary, EXCHANGE[3]))
        assert marks(rows) == [("kept", 0), ("inserted", None), ("dropped", 1), ("dropped", 2), ("kept", 3)]

    def test_edited(self) -> None:
        """A shortened result is the same message, with what it became."""
        rows = rows_of(EXCHANGE, (*EXCHANGE[:2], result("c1", "port ="), EXCHANGE[3]))
        assert [row.mark for row in rows] == ["kept", "kept", "edited", "kept"]
        assert rows[2].after == result("c1", "port =")

    def test_moved_is_shown_at_both_places(self) -> None:
        """The one message that left its place is marked, not those that it passed."""
        assert marks(kept(EXCHANGE, 1, 2, 3, 0)) == [
            ("moved-away", 0),
            ("kept", 1),
            ("kept", 2),
            ("kept", 3),
            ("moved", 0),
        ]

    def test_second_copy(self) -> None:
        """A message that came back twice is kept once and copied once."""
        assert ("copied", 2) in marks(kept(EXCHANGE, 0, 1, 2, 2, 3))

    def test_no_output(self) -> None:
        """Where nothing came back every message is as given."""
        assert {row.mark for row in rows_of(EXCHANGE)} == {"given"}

    def test_changed_in_place(self) -> None:
        """A message that the trimmer changed in the caller's list shows what it became, kept or dropped."""
        after = (EXCHANGE[0], EXCHANGE[1], result("c1", "cut"), user("than"))
        rows = rows_of(EXCHANGE, (EXCHANGE[0], user("than")), sources=(0, 3), after=after)
        assert [(row.mark, row.after) for row in rows] == [
            ("kept", None),
            ("dropped", None),
            ("dropped", result("c1", "cut")),
            ("changed", user("than")),
        ]

    def test_about(self) -> None:
        """The messages of the finding are marked once, where they stood."""
        rows = rows_of(EXCHANGE, (EXCHANGE[3], EXCHANGE[0]), about=[0])
        assert sum(row.about for row in rows) == 1


class TestRemarks:
    """What is said about broken pairs."""

    def test_result_without_its_call(self) -> None:
        """A result whose call was dropped says so, gravely."""
        rows = kept(EXCHANGE, 2, 3)
        assert (rows[2].remark, rows[2].grave) == ("its call was dropped", True)

    def test_call_without_its_results(self) -> None:
        """A call whose results were dropped names them."""
        assert kept(PARALLEL, 0, 1, 5)[1].remark == "the results of c1, c2 were dropped"
        assert kept(PARALLEL, 0, 1, 2, 5)[1].remark == "the result of c2 was dropped"

    def test_call_cut_from_its_message(self) -> None:
        """A call that was cut out of a message counts as dropped for its result."""
        rows = rows_of(PARALLEL, (PARALLEL[0], calls("c2"), *PARALLEL[2:]))
        assert [row.remark for row in rows if row.grave] == ["its call was dropped"]

    def test_whole_exchange_dropped_is_not_broken(self) -> None:
        """Nothing is said when both ends went."""
        assert not any(row.remark for row in kept(EXCHANGE, 0, 3))

    def test_what_was_given_is_said_as_given(self) -> None:
        """Orphans, second results and open calls of the input are no fault of the trim."""
        history = (user(), result("c9"), calls("c1", "c2"), result("c1"), result("c1"))
        rows = rows_of(history, history)
        assert [row.remark for row in rows if row.remark] == [
            "no call before it, in the input already",
            "c2 was not answered in the input",
            "a second result, in the input already",
        ]
        assert not any(row.grave for row in rows)

    def test_reused_id_pairs_inside_its_turn(self) -> None:
        """Dropping the first exchange of a reused id breaks nothing in the second."""
        history = (*EXCHANGE[:3], *EXCHANGE[:3])
        assert not any(row.remark for row in kept(history, 3, 4, 5))


class TestGutter:
    """The lines that join a call to its results."""

    def test_call_is_joined_to_each_result(self) -> None:
        """The line starts at the call, joins each result and passes what stands between."""
        gutter = [row.gutter[0] for row in rows_of(PARALLEL, PARALLEL)]
        assert gutter == ["", "start", "join", "through", "end", ""]

    def test_overlapping_batches_have_columns_of_their_own(self) -> None:
        """Two batches at once take two columns; one after the other share one."""
        overlapping = (calls("a"), calls("b"), result("a"), result("b"))
        assert [row.gutter for row in rows_of(overlapping)] == [
            ("start", ""),
            ("through", "start"),
            ("end", "through"),
            ("", "end"),
        ]
        assert {len(row.gutter) for row in rows_of((*EXCHANGE, calls("c2"), result("c2")))} == {1}

    def test_broken_batch(self) -> None:
        """A batch that was cut apart is drawn as broken, a whole one is not."""
        assert kept(EXCHANGE, 2, 3)[2].broken == {0}
        assert kept(EXCHANGE, 1, 2)[2].broken == frozenset()


class TestDrawing:
    """Rows as lines."""

    def test_picture_of_an_orphan(self) -> None:
        """The whole picture of the classic bug, as it stands in a file."""
        rows = rows_of(EXCHANGE, EXCHANGE[2:], about=[2])
        assert drawn(rows).splitlines() == [
            '   - 0    user       "question"',
            "   - 1 ┌─ assistant  → c1 read_file",
            ' ▶   2 └─ tool       ← c1 "port = 8080"  its call was dropped',
            '     3    user       "thanks"',
            "",
            "   - dropped   ▶ what this is about   → calls   ← answers",
        ]

    def test_same_picture_in_ascii(self) -> None:
        """A console that knows only ASCII sees the same, in ASCII."""
        picture = drawn(rows_of(EXCHANGE, EXCHANGE[2:], about=[2]), ascii_only=True)
        assert picture.isascii()
        assert ' *   2 `- tool       <- c1 "port = 8080"  its call was dropped' in picture

    @pytest.mark.parametrize("width", [30, 44, 80, 200])
    @pytest.mark.parametrize("ascii_only", [False, True])
    def test_no_line_is_too_wide(self, width: int, ascii_only: bool) -> None:
        """Long texts, wide characters, many calls and long ids are cut to the width of the terminal."""
        history = (
            user("日本語のとても長い文章 " * 30, pinned=True),
            calls(*(f"call_{'x' * 40}{number}" for number in range(5)), text="long " * 50),
            result("call_" + "x" * 40 + "0", "e\u0301" * 200),
            Message("developer", "text", summary=True),
        )
        for line in drawn(rows_of(history, history[2:], about=[2]), width=width, ascii_only=ascii_only).splitlines():
            assert cell_len(line) <= width

    @pytest.mark.parametrize(
        "text", ["\x1b[2J\x1b[31mred", "a\nb\r\x00", "\u202eevil\u2066", "half \ud800 pair", "\u2028"]
    )
    def test_nothing_reaches_the_terminal_raw(self, text: str) -> None:
        """What a terminal would obey, or cannot be encoded, is escaped."""
        history = (Message("user", text), Message("assistant", None, calls=(Call(text, text, arguments=text),)))
        picture = drawn(rows_of(history))
        picture.encode("utf-8")
        assert not set(text) & set("\x1b\r\x00\u202e\u2066\ud800\u2028") & set(picture)
        assert len(picture.splitlines()) <= 5  # two messages, a remark, a blank line, what the signs mean

    def test_empty_texts_are_visible(self) -> None:
        """A message without text, an empty id and an empty history are not invisible."""
        picture = drawn(rows_of((Message("user", ""), Message("tool", "", call_id=""))))
        assert picture.count("(no text)") == 2
        assert '← "" ' in picture
        assert "(an empty history)" in drawn(rows_of(()))

    def test_long_texts_are_cut_inside_their_quotes(self) -> None:
        """Both quotes stay, so that what was cut is seen to be text."""
        line = drawn(rows_of((user("word " * 50),)), width=60)
        assert line.endswith('word word…"')
        assert cell_len(line) <= 60

    def test_lines_run_through_what_stands_below_a_row(self) -> None:
        """The line of a batch is not interrupted by what an edited message became."""
        rows = rows_of(PARALLEL, (*PARALLEL[:2], result("c1", "port"), *PARALLEL[3:]))
        below = next(line for line in drawn(rows).splitlines() if "⇒" in line)
        assert below == '       │             ⇒ "port"'

    def test_no_call_is_cut_off(self) -> None:
        """Many calls are named by their ids alone where their tools do not fit."""
        history = (user(), calls("c1", "c2", "c3", "c4"))
        assert "→ c1 read_file  → c2 read_file" in drawn(rows_of(history), width=100)
        assert "→ c1  → c2  → c3  → c4" in drawn(rows_of(history), width=60)

    def test_marks_of_messages(self) -> None:
        """Pins, summaries and reasoning are said beside the text."""
        history = (
            user(pinned=True),
            Message("user", "so far", summary=True),
            Message("assistant", "x", reasoning="hm"),
        )
        picture = drawn(rows_of(history))
        assert "[pinned]" in picture
        assert "[summary]" in picture
        assert "[reasoning]" in picture

    def test_colour_only_where_there_is_colour(self) -> None:
        """Dropped messages are struck out on a terminal, and marked with a sign everywhere."""
        lines = timeline(kept(EXCHANGE, 2, 3), Canvas(80))
        plain, coloured = StringIO(), StringIO()
        Console(file=plain, width=80).print(*lines, sep="\n")
        Console(file=coloured, width=80, force_terminal=True, color_system="standard").print(*lines, sep="\n")
        assert "\x1b" not in plain.getvalue()
        assert "\x1b[2;9m" in coloured.getvalue()
        assert plain.getvalue().count(" - ") == 3


class TestLongTimelines:
    """Histories that could not be shrunk."""

    HISTORY = tuple(
        message for turn in range(20) for message in (user(f"q{turn}"), calls(f"c{turn}"), result(f"c{turn}"))
    )

    def test_middle_is_left_out(self) -> None:
        """Both ends and the break stay, with how much was left out and how much of it was dropped."""
        rows = rows_of(self.HISTORY, self.HISTORY[29:], about=[29])
        short = shortened(rows, most=20)
        assert len(short) < 20
        assert any(isinstance(row, Row) and row.index == 29 for row in short)
        gaps = [row for row in short if isinstance(row, Gap)]
        assert sum(gap.rows for gap in gaps) + sum(isinstance(row, Row) for row in short) == 60
        assert gaps[0].dropped == gaps[0].rows
        assert "more messages, all dropped" in drawn(rows)

    def test_short_ones_are_whole(self) -> None:
        """Nothing is left out where everything fits."""
        rows = rows_of(self.HISTORY[:9])
        assert shortened(rows, most=9) == list(rows)
