"""Reports: what is said about a check, in which order, and that it fits where it is printed."""

from pathlib import Path
from typing import Any

import pytest
from attrs import evolve
from rich.cells import cell_len
from rich.console import Console, RenderableType
from rich.text import Text

from trimfuzz.campaigns.engine.bugs import Bug, fold
from trimfuzz.campaigns.engine.records import Record
from trimfuzz.campaigns.reports.canvas import Canvas
from trimfuzz.campaigns.reports.check_view import check_report
from trimfuzz.campaigns.reports.finding import finding, in_one_line, limit_words
from trimfuzz.campaigns.runs.check import Checked, Observed
from trimfuzz.campaigns.target.contract_summary import ContractSummary
from trimfuzz.campaigns.target.spec import Spec
from trimfuzz.messages.limits import Limit

HISTORY = [
    {"role": "user", "text": "read it"},
    {"role": "assistant", "calls": [{"id": "c1", "name": "read_file"}]},
    {"role": "tool", "call_id": "c1", "text": "port = 8080"},
]
ORPHAN = Record(
    "mine.py:trim", "no-orphan", "no-orphan/valid/call-dropped", "call-dropped", "always", True, "valid",
    HISTORY, Limit("messages", 1), "ok", HISTORY[2:],
    messages=[2], note="messages[2] answers c1; its call at messages[1] was dropped",
    provider_error="Invalid parameter: ...", provider="openai-chat", size=[3, 3, 1], minimal=True,
)  # fmt: skip
HALF = evolve(
    ORPHAN, rule="batch-atomic", cause="batch-atomic/valid/call-dropped", note="messages[2] stayed",
    provider_error="An assistant message with 'tool_calls' must be followed by ...", key="batch-atomic/call-dropped",
    explained_by=["no-orphan/call-dropped"],
)  # fmt: skip
GIVEN = evolve(
    ORPHAN, cause="no-orphan/malformed/call-dropped", input_class="malformed", fails=False,
    key="no-orphan/malformed/call-dropped",
)  # fmt: skip
OVER = evolve(
    ORPHAN, rule="within-limit", cause="within-limit/valid/over-limit", cut="over-limit", kind="promise", messages=[],
    note="the output costs 3; the limit is 0", output=HISTORY, limit=Limit("messages", 0), provider_error=None,
    key="within-limit/over-limit",
)  # fmt: skip
RAISED = evolve(
    ORPHAN, rule="total-no-raise", cause="total-no-raise/valid/raised:KeyError", cut="raised:KeyError", output=None,
    status="raised", note="", failure="KeyError: 'content'", messages=[], provider_error=None,
    key="total-no-raise/raised:KeyError",
)  # fmt: skip
CONTRACT = ContractSummary(
    "mine.py:trim", "1.2", "", "openai-chat", "messages", "openai-chat", "default",
    {"within-limit": 1.0, "utilisation": 0.25, "nonempty-history": 1.0}, ["within-limit", "utilisation"], True,
    ["format openai-chat (assumed)", "limit messages (from the parameter name n)", "works in place (declared)"],
    ["no-orphan", "call-answered", "batch-atomic", "total-no-raise", "nonempty-history", "keeps-newest", "keeps-system",
     "within-limit", "utilisation"],
)  # fmt: skip


def result(*records: Record, **changes: Any) -> Checked:
    """A check with these findings."""
    broken = tuple({record.rule: None for record in records if record.fails and record.rule in CONTRACT.promises})
    kept = tuple(name for name in CONTRACT.promises if name not in broken)
    seen = evolve(OVER, rule="keeps-newest", fails=False, output=HISTORY[:2], limit=Limit("messages", 2))
    observed = (Observed("keeps-newest", False, seen), Observed("keeps-system", True))
    found = fold(records, ("valid", "pending"))
    made = Checked(CONTRACT, 7, 2000, 41234, 12.34, found, kept, broken, observed, 0.81)
    return evolve(made, **changes)


def said(lines: list[RenderableType]) -> str:
    """The lines as they are printed in a file."""
    out = Console(width=100, color_system=None, highlight=False, markup=False, emoji=False)
    with out.capture() as capture:
        for line in lines:
            out.print(line, soft_wrap=isinstance(line, Text))
    return capture.get()


def report(*records: Record, width: int = 100, ascii_only: bool = False, **options: Any) -> str:
    """The whole report of a check with these findings."""
    changes = {
        name: options.pop(name) for name in ("interrupted", "unstable", "flaky", "lacking", "edge") if name in options
    }
    return said(
        check_report(result(*records, **changes), Spec("mine.py:trim"), Canvas(width, ascii=ascii_only), **options)
    )


class TestFirstLines:
    """What is checked, and what was guessed."""

    def test_everything_guessed_is_said(self) -> None:
        """Format, limit, provider, assumed promises with their bounds, and every other note."""
        lines = report().splitlines()
        assert lines[0] == " trimfuzz check mine.py:trim 1.2"
        assert "   format       openai-chat (assumed)" in lines
        assert "   limit        messages (from the parameter name n)" in lines
        assert "   note         works in place (declared)" in lines
        promises = "nonempty-history (mild); assumed: within-limit, utilisation (0.25) (withdraw one with --no-promise)"
        assert " ".join("".join(lines[5:7]).split()).removeprefix("promises ") in promises

    def test_counter_is_said_for_tokens(self) -> None:
        """A token limit says how tokens are counted."""
        contract = evolve(CONTRACT, limit="tokens", count="mine.py:words")
        lines = check_report(evolve(result(), contract=contract), Spec("mine.py:trim"), Canvas(100))
        assert "tokens       mine.py:words" in said(lines)


def one(record: Record) -> Bug:
    """A bug of one cause, without a number."""
    return Bug(None, record)


class TestRules:
    """Every rule at a glance."""

    def test_marks(self) -> None:
        """Broken, held, broken on rejected input alone, and broken without having been promised."""
        grid = report(evolve(HALF, fails=False, input_class="malformed"), OVER).partition("──")[0]
        for cell in (
            "✓ no-orphan",
            "○ batch-atomic",
            "✗ within-limit",
            "✓ utilisation",
            "· keeps-newest",
            "✓ keeps-system",
        ):
            assert cell in grid
        assert "✗ broken   ○ broken on rejected input alone   · broken, not promised" in grid

    def test_groups(self) -> None:
        """Rules stand under what they mean for this trimmer."""
        rows = [" ".join(line.split()) for line in report(HALF).partition("── 1")[0].splitlines()[-5:-1]]
        assert rows == [
            "must hold ✓ no-orphan ✓ call-answered ✗ batch-atomic ✓ total-no-raise",
            "promised ✓ nonempty-history ✓ within-limit ✓ utilisation",
            "not promised · keeps-newest ✓ keeps-system",
            "✗ broken · broken, not promised",
        ]


class TestFindings:
    """One picture for one bug."""

    def test_what_a_bug_explains_is_named_without_its_sentence(self) -> None:
        """The sentence and the provider's words are of the case that is shown; the other rules are named."""
        lines = said(finding(Bug(1, ORPHAN, (HALF,)), Canvas(100)))
        assert "openai-chat answers HTTP 400: Invalid parameter: ..." in lines
        assert "An assistant message" not in lines
        assert "messages[2] stayed" not in lines
        assert "(quoted in a public report, read 2026-11:" in lines
        assert "   also         batch-atomic\n" in lines
        assert "An assistant message with 'tool_calls'" in said(finding(one(HALF), Canvas(100)))

    def test_other_classes_of_input_are_named(self) -> None:
        """The same bug on pending and malformed input has no picture of its own."""
        pending = evolve(ORPHAN, input_class="pending", cause="no-orphan/pending/call-dropped")
        lines = said(finding(Bug(1, ORPHAN, (HALF, GIVEN, pending)), Canvas(100)))
        assert "   also         batch-atomic; on pending and malformed input too\n" in lines

    def test_sentence_and_outcome(self) -> None:
        """The sentence of the rule, the limit, and what came back."""
        lines = said(finding(Bug(1, ORPHAN), Canvas(100), contract=CONTRACT, reproduce="trimfuzz check mine.py:trim"))
        assert "── 1 no-orphan  on valid input ───" in lines
        assert "   messages[2] answers c1; its call at messages[1] was dropped.\n" in lines
        assert "   limit        1 message\n" in lines
        assert "   outcome      1 of 3 messages came back\n" in lines
        assert lines.endswith("   reproduce    trimfuzz check mine.py:trim\n")

    def test_no_history_came_back(self) -> None:
        """An error is said in the words of the error."""
        lines = said(finding(one(RAISED), Canvas(100)))
        assert "outcome      it raised: KeyError: 'content'" in lines
        hung = evolve(RAISED, status="hung", cut="hung", failure="hung: no answer in 2 s", note="no answer in 2 s")
        assert "outcome      it gave no answer\n" in said(finding(one(hung), Canvas(100)))
        assert "an empty list came back" in said(finding(one(evolve(ORPHAN, output=[])), Canvas(100)))

    def test_what_came_back_is_counted(self) -> None:
        """Messages that are new, or came twice, are not counted as those that came back."""
        summary = {"role": "user", "text": "so far", "summary": True}
        twice = evolve(ORPHAN, output=[summary, HISTORY[0], HISTORY[0]])
        assert "outcome      1 of 3 messages came back, 1 new, 1 twice\n" in said(finding(one(twice), Canvas(100)))

    def test_why_it_counts(self) -> None:
        """A promise is said to be one, and whether it was assumed; a pack rule names its provider."""
        assert "within-limit  an assumed promise  on valid input" in said(
            finding(one(OVER), Canvas(100), contract=CONTRACT)
        )
        made = evolve(CONTRACT, assumed=[])
        assert "within-limit  a promise  on valid input" in said(finding(one(OVER), Canvas(100), contract=made))
        pack = evolve(ORPHAN, rule="first-is-user", kind="pack", provider="bedrock", provider_error=None)
        assert "first-is-user  enforced by bedrock  on valid input" in said(
            finding(one(pack), Canvas(100), contract=CONTRACT)
        )

    def test_unfinished_shrink_is_said(self) -> None:
        """A history that may not be the smallest says so."""
        words = "not shrunk to its end"
        assert words in said(finding(one(evolve(ORPHAN, minimal=False)), Canvas(100), contract=CONTRACT))
        assert words not in said(finding(one(ORPHAN), Canvas(100), contract=CONTRACT))

    def test_known_report_is_named(self) -> None:
        """A finding on a public case names the report."""
        assert "public case  https://example.org/1" in said(
            finding(one(evolve(ORPHAN, url="https://example.org/1")), Canvas(100))
        )

    @pytest.mark.parametrize(
        ("limit", "words"),
        [
            (None, "unknown"),
            (Limit("messages", 1), "1 message"),
            (Limit("tokens", 120), "120 tokens"),
            (Limit("compaction", 3, 6), "a compaction at 3 of 6"),
        ],
    )
    def test_limits(self, limit: Limit | None, words: str) -> None:
        """A limit in words."""
        assert limit_words(evolve(ORPHAN, limit=limit)) == words

    def test_one_line(self) -> None:
        """A small trim in a line: roles with the sign of what became of them, and the limit."""
        assert in_one_line(ORPHAN, Canvas(100)).plain == "-user -assistant[1] tool  at 1 message"
        assert in_one_line(RAISED, Canvas(100)).plain == "user assistant[1] tool ⇒ raised  at 1 message"


class TestWhole:
    """The whole report."""

    def test_one_bug_has_one_picture(self) -> None:
        """What it explains, and the same on rejected input, is in its lines alone."""
        text = report(ORPHAN, HALF, GIVEN)
        assert text.count("its call was dropped\n") == 1
        assert "also         batch-atomic; on malformed input too" in text
        assert "On input that most providers would have rejected already" not in text
        assert "1 bug to fix" in text

    def test_what_occurs_on_rejected_input_alone_stays_apart(self) -> None:
        """It has its picture, no number, and does not fail."""
        text = report(GIVEN)
        after = text.partition("On input that most providers would have rejected already")[2]
        assert "── no-orphan  on malformed input" in after
        assert "its call was dropped\n" in after
        assert "--fail-on interleaved,malformed" in after

    def test_edge_limits_are_one_line(self) -> None:
        """What happens there alone is named once, with the option that makes it count; it fails nobody."""
        text = report(edge=(evolve(OVER, limit=Limit("messages", -1)), RAISED))
        said = "at limits below 1: within-limit (over-limit), total-no-raise (raised:KeyError);"
        assert f"{said} --lowest-limit -1 makes that count" in " ".join(text.split())
        assert "nothing found that fails (exit code 0)" in text
        assert "at limits below" not in report()

    def test_promises(self) -> None:
        """Kept, broken, what could be promised, and what could not with its smallest case."""
        text = report(OVER).partition("── Promises")[2]
        assert "broken       within-limit" in text
        assert "kept         utilisation, nonempty-history" in text
        assert "used         0.81 of the most that fits" in text
        assert "you could promise: keeps-system" in text
        assert "keeps-newest             user assistant[1] -tool  at 2 messages" in text
        assert "--verbose shows these in full" in text

    def test_a_promise_that_held_only_mildly_is_said(self) -> None:
        """With the case, and the option under which it would fail."""
        spared = evolve(OVER, note="over by 3 where the last turn alone is larger", limit=Limit("messages", 2))
        text = " ".join(said(check_report(evolve(result(), spared=spared), Spec("mine.py:trim"), Canvas(100))).split())
        words = (
            "within-limit, but over by 3 where the last turn alone is larger: --promise within-limit makes this fail"
        )
        assert f"{words} user assistant[1] tool at 2 messages" in text

    def test_a_rule_that_was_not_exercised_has_no_tick(self) -> None:
        """It is neither kept nor broken."""
        text = said(check_report(evolve(result(), idle=("no-orphan",)), Spec("mine.py:trim"), Canvas(100)))
        assert "- no-orphan" in text
        assert "- not exercised: no case could have broken it" in text

    @pytest.mark.parametrize(
        ("records", "changes", "words"),
        [
            ((), {}, "nothing found that fails (exit code 0)"),
            ((GIVEN,), {}, "nothing found that fails (exit code 0)"),
            ((ORPHAN,), {}, "1 bug to fix (exit code 1)"),
            ((ORPHAN, OVER), {}, "2 bugs to fix (exit code 1)"),
            ((ORPHAN,), {"lacking": "too little"}, "1 bug to fix (exit code 1)"),
            ((), {"lacking": "too little was judged"}, "too little was judged (exit code 2)"),
            ((), {"unstable": True}, "it could not be judged to the end (exit code 2)"),
            ((ORPHAN,), {"interrupted": True}, "interrupted (exit code 130)"),
            ((ORPHAN,), {"unstable": True}, "it ended its process too often"),
            ((ORPHAN,), {"flaky": 2}, "2 not found again"),
        ],
    )
    def test_closing_line(self, records: tuple[Record, ...], changes: dict[str, Any], words: str) -> None:
        """The last line says how it ended, what the exit code is, how much was tried, and the seed."""
        last = " ".join(report(*records, **changes).splitlines()[-2:])
        assert words in last
        assert "2,000 histories, 41,234 trims, 12.3 s, seed 7" in last

    def test_fixture_is_replayed(self) -> None:
        """A finding that is on file is shown again by replaying the file."""
        text = report(ORPHAN, fixtures={ORPHAN.cause: Path("found/one.json")})
        assert "reproduce    trimfuzz replay found/one.json" in text

    @pytest.mark.parametrize("width", [40, 72, 100])
    @pytest.mark.parametrize("ascii_only", [False, True])
    def test_fits(self, width: int, ascii_only: bool) -> None:
        """No line but a command, which must be copied whole, is wider than the terminal."""
        text = report(ORPHAN, HALF, OVER, RAISED, GIVEN, width=width, ascii_only=ascii_only, verbose=True)
        for line in text.splitlines():
            assert cell_len(line) <= width or "reproduce" in line or "https://" in line
        assert text.isascii() or not ascii_only

    def test_hostile_words_are_escaped(self) -> None:
        """What a trimmer says in an error reaches the terminal as text."""
        text = report(evolve(RAISED, failure="KeyError: '\x1b[2J\n\u202e'"))
        assert "\x1b" not in text
        assert "\\x1b[2J\\n\\u202e" in text
