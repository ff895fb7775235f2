"""The command line, as a user meets it: what it prints, how it ends, and that it never shows a traceback."""

import json
import os
import signal
import subprocess
import sys
import textwrap
import time
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from trimfuzz.campaigns.commands.cli import run
from trimfuzz.campaigns.workers import supervisor

from ..commandline import trimfuzz
from ..schema import problems

FILE = """
    def identity(messages, limit):
        return messages

    def empty(messages, limit):
        return []

    def size(message):
        return len(str(message))

    def slice_tail(messages, max_messages):
        return messages[-max_messages:] if max_messages > 0 else []

    def by_units(messages, limit):
        room, kept = max(limit, 0), []
        units = []
        for message in messages:
            if message["role"] == "tool" and units:
                units[-1].append(message)
            else:
                units.append([message])
        head = []
        while units and units[0][0]["role"] in ("system", "developer"):
            head += units.pop(0)
        room -= len(head)
        if room < 0:
            raise TooSmall("the system prompt alone is more than that")
        if sum(map(len, units)) <= room:
            return messages
        for unit in reversed(units):
            if len(unit) > room:
                break
            kept = unit + kept
            room -= len(unit)
        return head + kept

    class TooSmall(Exception):
        pass

    def from_one(messages, limit):
        if limit < 1:
            raise ValueError("a limit is at least 1")
        return messages[-1:]

    def mortal(messages, limit):
        import os
        if os.getpid() == os.getsid(0):
            os._exit(3)
        return messages

    def chatty(messages, limit):
        print("hello from the trimmer")
        return messages[-limit:] if limit > 0 else []

    def none(messages, limit):
        return None

    def number(messages, limit):
        return 7

    def raises(messages, limit):
        raise RuntimeError("boom %d" % len(messages))

    async def later(messages, limit):
        return messages[-limit:] if limit > 0 else []

    class Memory:
        def __init__(self, limit):
            self.limit, self.held = limit, []
        def add(self, message):
            self.held.append(message)
        def view(self):
            return self.held[-self.limit:] if self.limit > 0 else []

    class Plain:
        def trim(self, messages): ...

    CONSTANT = 3
    """
QUICK = ("--examples", "40", "--seconds", "0", "--seed", "1", "--shrink", "0")
VALID = (*QUICK, "--inputs", "valid")
SHRUNK = ("--examples", "40", "--seconds", "0", "--seed", "1", "--inputs", "valid")
LEAST = (*VALID, "--limit", "messages=3")
"""Enough to find the commonest bug, where it does not matter what else is found."""


@pytest.fixture
def few_restarts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give a trimmer up sooner that ends its process again and again: each restart takes as long as a whole check."""
    monkeypatch.setattr(supervisor, "RESTARTS", 1)


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with somebody's file in it."""
    folder = tmp_path_factory.mktemp("home")
    (folder / "mine.py").write_text(textwrap.dedent(FILE), "utf-8")
    (folder / "broken.py").write_text("def trim(messages, limit):\n    return messages\n\n1 / 0\n", "utf-8")
    (folder / "words.py").write_text("def trim(m n): pass\n", "utf-8")
    return folder


@pytest.fixture(scope="module")
def slice_tail(home: Path) -> Any:
    """The document of a check of the commonest bug."""
    said = trimfuzz("check", "mine.py:slice_tail", *SHRUNK, "--json", "--fixtures", "found", code=1, cwd=home)
    return said.document


class TestHelp:
    """Help that teaches, at once."""

    def test_commands_are_listed_in_the_order_a_newcomer_needs(self) -> None:
        """The first command in the list is the one to begin with; no command is the same as --help."""
        said = trimfuzz("--help")
        listed = said.stdout.partition("Commands:")[2]
        assert [line.split()[0] for line in listed.splitlines() if line.startswith("  ") and line[2] != " "] == [
            "check", "sessions", "campaign", "replay", "lint", "judge", "prove", "list",
        ]  # fmt: skip
        assert trimfuzz().stdout == said.stdout

    @pytest.mark.parametrize("command", ["check", "sessions", "campaign", "replay", "lint", "judge", "prove", "list"])
    def test_every_command_shows_examples(self, command: str) -> None:
        """Every command's help has lines to copy, on lines of their own."""
        said = trimfuzz(command, "--help").stdout
        assert f"\n    trimfuzz {command} " in said

    def test_help_imports_nothing_heavy(self) -> None:
        """Help needs neither Hypothesis nor rich nor the rooms: it answers at once."""
        script = (
            "import sys; from trimfuzz.campaigns.commands.cli import run; run(['check', '--help']);"
            "heavy = {'hypothesis', 'rich', 'pytest', 'cattrs', 'attrs', 'trimfuzz.oracles', 'trimfuzz.strategies'};"
            "print(sorted(heavy & set(sys.modules)), file=sys.stderr)"
        )
        ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
        assert ran.stderr.strip() == "[]"


class TestCheck:
    """A check of somebody's function."""

    @pytest.mark.slow
    def test_report_of_the_commonest_bug(self, home: Path) -> None:
        """The report names what was guessed, shows the orphan, the provider's words and the command to see it again."""
        said = trimfuzz("check", "mine.py:slice_tail", *QUICK, code=1, cwd=home)
        assert said.stderr == ""
        assert "\x1b" not in said.stdout
        for words in (
            "format       openai-chat (assumed)",
            "limit        messages (from the parameter name max_messages)",
            "assumed: within-limit,",
            "✗ no-orphan",
            "its call was dropped",
            "openai-chat answers HTTP 400: Invalid parameter: messages with role 'tool' must be",
            "public case  https://github.com/",
            "reproduce    trimfuzz replay .trimfuzz/last/mine.py-slice_tail--no-orphan--",
            "you could promise: ",
            "to fix (exit code 1)",
            "seed 1",
        ):
            assert words in said.stdout

    @pytest.mark.slow
    @pytest.mark.parametrize(
        ("name", "rules"), [("identity", {"within-limit"}), ("empty", {"nonempty-history", "utilisation"})]
    )
    @pytest.mark.parametrize("limit", [("messages",), ("tokens", "--count", "mine.py:size")])
    def test_functions_that_do_nothing_fail(self, home: Path, name: str, rules: set[str], limit: tuple[str]) -> None:
        """Returning everything, or nothing, breaks what a bare function is taken to promise."""
        asked = ("--examples", "60", "--seconds", "0", "--shrink", "0", "--seed", "1", "--inputs", "valid")
        found = trimfuzz("check", f"mine.py:{name}", *asked, "--limit", *limit, "--json", code=1, cwd=home).document
        assert rules <= {finding["rule"] for finding in found["causes"] if finding["fails"]}
        assert rules <= set(found["promises"]["broken"])

    @pytest.mark.slow
    def test_honest_trimmer_passes(self, home: Path) -> None:
        """A suffix of whole units, with a declared refusal, breaks nothing that fails."""
        said = trimfuzz("check", "mine.py:by_units", *QUICK, "--refuses", "TooSmall", "--verbose", cwd=home)
        assert "nothing found that fails (exit code 0)" in said.stdout
        assert "✗" not in said.stdout.partition("Promises")[0]

    @pytest.mark.slow
    @pytest.mark.parametrize("name", ["chatty", "later", "Memory"])
    def test_other_shapes_are_judged_alike(self, home: Path, slice_tail: Any, name: str) -> None:
        """A function that prints, an async one and a memory get the findings of the plain function."""
        found = trimfuzz("check", f"mine.py:{name}", *VALID, "--json", code=1, cwd=home).document
        assert _causes(found) == _causes(slice_tail)

    @pytest.mark.slow
    def test_errors_of_the_trimmer_are_findings(self, home: Path) -> None:
        """A trimmer that raises is found to raise; with the error declared, it refuses more than it may."""
        found = trimfuzz("check", "mine.py:raises", *VALID, "--json", code=1, cwd=home).document
        first = next(finding for finding in found["causes"] if finding["rule"] == "total-no-raise")
        assert "RuntimeError" in first["message"]
        assert "boom" in first["message"]
        assert first["output"] is None
        refusing = ("--inputs", "valid", "--refuses", "builtins:RuntimeError")
        found = trimfuzz("check", "mine.py:raises", *QUICK, *refusing, "--json", code=1, cwd=home).document
        assert "refuses-only-when-needed" in found["promises"]["broken"]

    @pytest.mark.slow
    def test_refusals_that_nobody_declared_are_said(self, home: Path) -> None:
        """A ValueError below a limit of 1 counts as a refusal, and the report says how often that was."""
        said = trimfuzz("check", "mine.py:from_one", *VALID, code=1, cwd=home).stdout
        assert "times with a ValueError below a limit of 1, which counts as a refusal" in said
        assert "below a limit of 1" not in trimfuzz("check", "mine.py:empty", *VALID, code=1, cwd=home).stdout

    @pytest.mark.slow
    def test_utilisation_says_its_median_and_its_bound(self, home: Path) -> None:
        """One small case is no reason; the sentence has the number that was promised and the one that was found."""
        found = trimfuzz("check", "mine.py:empty", *VALID, "--json", code=1, cwd=home).document["causes"]
        (said,) = (one["message"] for one in found if one["rule"] == "utilisation")
        assert said.startswith("over all cases the median is 0.00, and at least 0.25 is promised; here: kept 0.00 of")

    @pytest.mark.slow
    def test_first_lines_say_what_a_turn_and_a_compaction_point_are(self, home: Path) -> None:
        """Who has other words for them can see it before anything else."""
        quick = ("--examples", "2", "--seconds", "0", "--shrink", "0", "--seed", "1", "--inputs", "valid")
        turns = trimfuzz("check", "mine.py:identity", "--limit", "turns", *quick, code=1, cwd=home).stdout
        assert "a turn is    a user message that is no summary" in turns.partition("must hold")[0]
        point = trimfuzz("check", "mine.py:identity", "--limit", "compaction", *quick, cwd=home).stdout
        assert "limit.index (the first message kept)" in point.partition("must hold")[0]

    @pytest.mark.slow
    def test_promises_can_be_withdrawn_and_made(self, home: Path) -> None:
        """What is not promised does not fail; what is promised beyond the assumed ones does."""
        withdrawn = ("--inputs", "valid", "--no-promise", "within-limit")
        found = trimfuzz("check", "mine.py:identity", *QUICK, *withdrawn, "--json", cwd=home).document
        assert {"name": "within-limit", "held": False}.items() <= _observed(found)["within-limit"].items()
        made = ("--inputs", "valid", "--promise", "keeps-newest", "--promise", "utilisation=0.9")
        found = trimfuzz("check", "mine.py:empty", *QUICK, *made, "--json", code=1, cwd=home).document
        assert "keeps-newest" in found["promises"]["broken"]

    @pytest.mark.slow
    def test_same_seed_same_cases(self, home: Path, slice_tail: Any) -> None:
        """The reproduce command finds the same cases again."""
        again = trimfuzz("check", "mine.py:slice_tail", *SHRUNK, "--json", code=1, cwd=home).document
        assert [_plain(finding) for finding in again["causes"]] == [_plain(one) for one in slice_tail["causes"]]

    @pytest.mark.slow
    def test_seed_is_drawn_and_said(self, home: Path) -> None:
        """Without a seed one is drawn, and stands in the document."""
        quick = ("--examples", "2", "--shrink", "0", "--inputs", "valid", "--limit", "messages=3", "--json")
        seeds = {trimfuzz("check", "mine.py:identity", *quick, code=1, cwd=home).document["seed"] for _ in range(2)}
        assert len(seeds) == 2  # one time in a million they are equal by chance


def _causes(found: Any) -> set[str]:
    return {finding["cause"] for finding in found["causes"] if finding["fails"]}


def _observed(found: Any) -> dict[str, Any]:
    return {one["name"]: one for one in found["promises"]["observed"]}


def _plain(finding: Any) -> Any:
    return {key: value for key, value in finding.items() if key not in ("fixture", "reproduce")}


class TestDocument:
    """`--json`: one document on standard output, as the published schema has it."""

    SCHEMA = json.loads(files("trimfuzz.campaigns.schemas").joinpath("check.json").read_text("utf-8"))

    @pytest.mark.slow
    def test_check(self, slice_tail: Any) -> None:
        """The document of a check keeps to the schema, and says what is broken with its history."""
        assert problems(slice_tail, self.SCHEMA) == []
        orphan = next(finding for finding in slice_tail["causes"] if finding["cause"] == "no-orphan/valid/call-dropped")
        assert orphan["kind"] == "always"
        assert orphan["fails"] is True
        assert orphan["output"] == orphan["history"][-1:]
        assert orphan["limit"] == {"kind": "messages", "value": 1}
        assert orphan["provider_error"].startswith("Invalid parameter: messages with role 'tool'")

    def test_error(self, home: Path) -> None:
        """What cannot be run is a document too, beside the line on standard error."""
        said = trimfuzz("check", "mine.py:nothing", "--json", code=2, cwd=home)
        assert problems(said.document, self.SCHEMA) == []
        assert said.stderr == f"trimfuzz: {said.document['error']}\n"

    @pytest.mark.parametrize("key", ["bugs", "causes", "seed", "promises"])
    def test_schema_can_be_broken(self, slice_tail: Any, key: str) -> None:
        """A document without a required key, or with another type there, does not keep to the schema."""
        assert problems({name: value for name, value in slice_tail.items() if name != key}, self.SCHEMA)
        assert problems({**slice_tail, key: "text"}, self.SCHEMA)

    def test_fixtures(self, home: Path, slice_tail: Any) -> None:
        """With --fixtures every finding is on file, and the document says where; each replays as failed."""
        paths = [bug["fixture"] for bug in slice_tail["bugs"]]
        assert all((home / path).is_file() for path in paths)
        assert all(path.startswith("found/") for path in paths)
        assert slice_tail["bugs"][0]["reproduce"] == f"trimfuzz replay {paths[0]}"
        said = trimfuzz("replay", "found", "--json", code=1, cwd=home)
        assert {row["state"] for row in said.document["fixtures"]} == {"failed"}


class TestCouldNotRun:
    """Everything that cannot be run is one clear line on standard error, and exit code 2."""

    @pytest.mark.slow
    @pytest.mark.usefixtures("few_restarts")
    @pytest.mark.parametrize(
        ("arguments", "words"),
        [
            (("check", "mine.py:zzz"), "mine.py has no 'zzz' (it has identity, empty"),
            (("check", "mine.py:slice_tial"), "did you mean slice_tail"),
            (("check", "mien.py:trim"), "no such file: mien.py (did you mean mine.py?)"),
            (("check", "no_such_module:trim"), "no module named 'no_such_module'"),
            (("check", "broken.py:trim"), "ZeroDivisionError: division by zero (broken.py, line 4)"),
            (("check", "words.py:trim"), "words.py, line 1: invalid syntax"),
            (("check", "mine.py:CONSTANT"), "is an int, not a function"),
            (("check", "mine.py:Plain"), "is a class without add and view"),
            (("check", "mine.py:none", *QUICK), "returned None, not a list of messages"),
            (("check", "mine.py:number", *QUICK), "returned an int, not a list of messages"),
            (("check", "mine.py:identity", "--format", "yaml"), "unknown format 'yaml' (known: "),
            (("check", "mine.py:identity", "--provider", "closedai"), "unknown provider 'closedai' (known: "),
            (("check", "mine.py:identity", "--promise", "keeps-all"), "unknown promise 'keeps-all' (known: "),
            (("check", "mine.py:identity", "--promise", "keeps-system=0.5"), "takes no bound"),
            (("check", "mine.py:identity", "--limit", "bytes"), "unknown limit 'bytes' (known: "),
            (("check", "mine.py:identity", "--limit", "messages=x"), "needs a whole number"),
            (("check", "mine.py:identity", "--inputs", "fine"), "unknown input class 'fine'"),
            (("check", "mine.py:identity", "--inputs", ""), "--inputs names no input class"),
            (("check", "mine.py:identity", "--fail-on", "valid"), "--fail-on valid adds nothing"),
            (("check", "mine.py:identity", "--seconds", "nan"), "nan is not a number of seconds"),
            (("check", "mine.py:identity", "--timeout", "nan"), "--timeout nan bounds no trim"),
            (("campaign", "oasis-pre", "--minutes", "nan"), "nan is not a number of minutes"),
            (("campaign", "oasis-pre", "--minutes", "inf"), "inf is not a number of minutes"),
            (("check", "mine.py:identity", "--promise", "utilisation=nan"), "a bound above 0 and at most 1, not nan"),
            (("check", "mine.py:identity", "--count", "mine.py:nothing"), "has no 'nothing'"),
            (("check", "mine.py:identity", "--refuses", "mine.py:CONSTANT"), "is an int, not an exception class"),
            (("check", "mine.py:identity", "--call", "f(messages"), "is no Python expression"),
            (("check", "mine.py:identity", "--fixtures", "mine.py"), "cannot write to mine.py"),
            (("check", "mine.py:identity", "--examples", "none"), "'none' is not a valid integer"),
            (("check", "mine.py"), "say which function: mine.py:identity (it has identity, empty"),
            (("check", "oasis-pre", "--call", "f(messages)"), "--call says nothing about oasis-pre"),
            (("check", "oasis-pre", "--limit", "messages=4"), "--limit KIND=N says nothing about oasis-pre"),
            (("check", "oasis-pre", "--limit", "tokens"), "oasis-pre takes no tokens limit (it takes messages)"),
            pytest.param(
                ("check", "mine.py:mortal", *LEAST),
                "nothing could be judged (its process ended: exit status 3)",
                marks=pytest.mark.slow,
            ),
            pytest.param(
                ("campaign", "mine.py:mortal", "--examples", "9"),
                "nothing could be judged: its process ended: exit status 3",
                marks=pytest.mark.slow,
            ),
            (("campaign", "mine.py:zzz", "gone.py:trim", "--examples", "9"), "; gone.py:trim: no such file: gone.py"),
            (("check", "./"), "./ is a folder (name a file in it: broken.py:NAME)"),
            (("check", "tail-slice"), "unknown trimmer 'tail-slice' (did you mean museum:tail-slice?)"),
            (("check", "oasis-pree"), "unknown trimmer 'oasis-pree' (did you mean oasis-pre"),
            (("check",), "Missing argument 'TARGET'"),
            (("chek", "x"), "Did you mean 'check'?"),
            (("list", "things"), "'things' is not one of"),
            (("replay", "nowhere.json"), "cannot read nowhere.json"),
            (("replay", "mine.py"), "mine.py is not JSON"),
            (("replay", "found", "--limit", "tokens"), "says something about --with TARGET"),
            (("judge", "--examples", "nowhere.jsonl"), "cannot read nowhere.jsonl"),
            (("judge", "--examples", "mine.py"), "this is no JSON"),
            (("judge", "--reports", "nowhere.jsonl"), "cannot read nowhere.jsonl"),
            (("judge", "--reports", "mine.py"), "mine.py, line 2: this is no JSON"),
            (("campaign", "mine.py:nothing", "--examples", "1", "--provider", "closedai"), "unknown provider"),
            (("prove", "no-such-piece"), "no museum piece 'no-such-piece'"),
        ],
    )
    def test_one_line(
        self,
        home: Path,
        arguments: tuple[str, ...],
        words: str,
        monkeypatch: pytest.MonkeyPatch,
        capsys: pytest.CaptureFixture[str],
    ) -> None:
        """The line says what is wrong and what to do."""
        monkeypatch.chdir(home)
        code = run(list(arguments))
        out, err = capsys.readouterr()
        assert (code, out) == (2, "")
        assert words in err
        assert err.startswith("trimfuzz: ")
        assert err.count("\n") == 1

    @pytest.mark.slow
    def test_own_errors_are_one_line_too(self) -> None:
        """An error of trimfuzz itself says so, and shows where only when asked."""
        script = (
            "import trimfuzz.campaigns.reports.listings as listings; from trimfuzz.campaigns.commands.cli import run\n"
            "def listed(kind): raise KeyError('oops')\n"
            "listings.listed = listed\n"
            "raise SystemExit(run(['list', 'rules']))"
        )
        environment = {key: value for key, value in os.environ.items() if key != "TRIMFUZZ_TRACEBACK"}
        ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, env=environment)
        assert (ran.returncode, ran.stderr.count("\n")) == (2, 1)
        assert "an error of trimfuzz itself: KeyError: 'oops'" in ran.stderr
        shown = subprocess.run(
            [sys.executable, "-c", script],
            capture_output=True,
            text=True,
            env={**environment, "TRIMFUZZ_TRACEBACK": "1"},
        )
        assert "Traceback" in shown.stderr


@pytest.mark.slow
class TestEndings:
    """A run that somebody ends."""

    def test_interrupted(self, home: Path) -> None:
        """Ctrl-C and kill end a check with 130 and one document of what was found until then."""
        endless = ("--seconds", "0", "--examples", "10000000")
        for number in (signal.SIGINT, signal.SIGTERM):
            process = subprocess.Popen(
                [sys.executable, "-m", "trimfuzz", "check", "mine.py:slice_tail", "--json", *endless],
                cwd=home, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            )  # fmt: skip
            _wait_for_worker(process.pid)
            process.send_signal(number)
            out, err = process.communicate(timeout=120)
            assert process.returncode == 130, err
            assert "Traceback" not in err
            assert json.loads(out)["interrupted"] is True

    def test_killed_campaign_loses_nothing(self, home: Path) -> None:
        """Everything that a campaign told before it was killed is on file, and it still ends in its table."""
        arguments = ("campaign", "mine.py:slice_tail", "--minutes", "60", "--fixtures", "cut")
        process = subprocess.Popen(
            [sys.executable, "-m", "trimfuzz", *arguments],
            cwd=home, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )  # fmt: skip
        assert process.stdout is not None
        first = process.stdout.readline()
        process.send_signal(signal.SIGTERM)
        rest, err = process.communicate(timeout=120)
        assert process.returncode == 130, err
        assert err == ""
        assert "interrupted" in rest
        told = [line.split()[-1] for line in (first + rest).splitlines() if line.startswith("new ")]
        assert told
        assert [path for path in told if not (home / path).is_file()] == []

    def test_closed_pipe(self, home: Path) -> None:
        """A reader that goes away leaves no traceback."""
        process = subprocess.Popen(
            [sys.executable, "-m", "trimfuzz", "list", "rules"],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=home,
        )
        assert process.stdout is not None
        process.stdout.close()
        assert process.stderr is not None
        assert process.stderr.read() == b""
        assert process.wait(60) == 141

    @pytest.mark.skipif(not Path("/dev/full").exists(), reason="no disk is full here")
    def test_full_disk(self, home: Path) -> None:
        """What cannot be written is one line, and no other exit code than the one that says so."""
        for arguments in (("list", "rules"), ("list", "rules", "--json"), ("check", "mine.py:slice_tail", *LEAST)):
            with open("/dev/full", "w") as full:
                ran = subprocess.run(
                    [sys.executable, "-m", "trimfuzz", *arguments], stdout=full, stderr=subprocess.PIPE, cwd=home
                )
            assert (ran.returncode, ran.stderr) == (2, b"trimfuzz: cannot write the output: No space left on device\n")

    @pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", ">&- 2>&-"])
    def test_closed_streams(self, home: Path, closed: str) -> None:
        """A stream that is not there changes nothing: no pipe of a run gets its number, and the exit code is true."""
        command = f'"{sys.executable}" -m trimfuzz check mine.py:slice_tail {" ".join(LEAST)} {closed}'
        ran = subprocess.run(["sh", "-c", command], capture_output=True, text=True, cwd=home)
        assert (ran.returncode, ran.stderr) == (1, "")
        assert ("no-orphan" in ran.stdout) == (">&- " not in closed + " " or closed == "2>&-")

    @pytest.mark.parametrize(
        "arguments",
        [
            ("check", "mine.py:slice_tail", "--examples", "10000000", "--seconds", "0"),
            ("campaign", "mine.py:slice_tail", "mine.py:by_units", "--minutes", "60", "--fixtures", "stopped"),
            ("prove",),
        ],
    )
    def test_interrupted_as_a_group(self, home: Path, tmp_path: Path, arguments: tuple[str, ...]) -> None:
        """Ctrl-C reaches every process of a terminal: one line, what was found, and no file and no process left."""
        process = subprocess.Popen(
            [sys.executable, "-m", "trimfuzz", *arguments], cwd=home, text=True, start_new_session=True,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, env={**os.environ, "TMPDIR": str(tmp_path)},
        )  # fmt: skip
        _wait_for_worker(process.pid)
        os.killpg(process.pid, signal.SIGINT)
        out, err = process.communicate(timeout=60)
        assert (process.returncode, err) == (130, "")
        assert "interrupted" in out
        assert list(tmp_path.iterdir()) == []
        for _ in range(100):  # what was killed is gone a moment later
            try:
                os.killpg(process.pid, 0)
            except ProcessLookupError:
                return
            time.sleep(0.1)
        raise AssertionError("a process is left")

    def test_interrupted_while_it_is_loaded(self, home: Path) -> None:
        """Also then it is one line, and with --json a document."""
        script = (
            "import os, signal, sys; import trimfuzz.__main__ as front; sys.argv = ['trimfuzz', 'check', '--json']\n"
            "class Slow:\n"
            "    def find_spec(self, name, *rest):\n"
            "        if name == 'click': os.kill(os.getpid(), signal.SIGINT)\n"
            "sys.meta_path.insert(0, Slow()); front.main()"
        )
        ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, cwd=home)
        assert (ran.returncode, ran.stderr) == (130, "trimfuzz: interrupted\n")
        assert json.loads(ran.stdout) == {"schema": 2, "error": "interrupted"}

    def test_narrow_terminal(self, home: Path) -> None:
        """Forty columns are enough for every name: what does not fit in a line goes on in the next one."""
        said = trimfuzz("check", "mine.py:slice_tail", *LEAST, code=1, cwd=home, env={"COLUMNS": "40"}).stdout
        assert "refuses-only-when-needed" in said.partition("Promises")[0].partition("must hold")[2]
        assert "1 no-orphan  on valid input" in said

    def test_output_that_only_knows_ascii(self, home: Path) -> None:
        """Under an ASCII encoding the report is ASCII, and complete."""
        env = {"PYTHONUTF8": "0", "PYTHONIOENCODING": "ascii", "LC_ALL": "C"}
        said = trimfuzz("check", "mine.py:slice_tail", *LEAST, code=1, cwd=home, env=env, process=True)
        assert said.stdout.isascii()
        assert "\\u25b6" not in said.stdout
        assert "`- tool" in said.stdout


def _wait_for_worker(pid: int) -> None:
    """Wait until a check has its child at work: something is read from its pipe a few times."""
    from time import monotonic, sleep

    deadline = monotonic() + 60
    while monotonic() < deadline:
        if any(one.read_text().strip() for one in Path(f"/proc/{pid}/task").glob("*/children")):
            sleep(1)
            return
        sleep(0.05)
    raise AssertionError("no worker was started")


class TestOtherCommands:
    """judge, list, replay, campaign."""

    def test_judge(self) -> None:
        """The shipped examples get their verdicts; the table has a line for each rule."""
        said = trimfuzz("judge", "--examples")
        assert "verdicts agree (exit code 0)" in said.stdout
        rows = {row["rule"]: row for row in trimfuzz("judge", "--examples", "--json").document["rules"]}
        assert rows["no-orphan"]["by_reference"] == rows["no-orphan"]["entries"] == 22

    def test_judge_reports(self) -> None:
        """Every claim of the shipped reports that one trim can show is found; the others are listed."""
        said = trimfuzz("judge", "--reports").stdout
        assert "all 77 claims of 78 reports are found (exit code 0)" in said
        assert "C23 pending-call-kept: call judged answered by interim result" in said.partition("shown by sessions")[2]
        found = trimfuzz("judge", "--reports", "--json").document
        assert sum(family["found"] for family in found["families"]) == 77
        assert sum(family["by_sessions"] for family in found["families"]) == 18
        assert len({report["url"] for report in found["reports"]}) == 78
        assert "rules" not in found

    def test_judge_with_no_option_judges_both(self) -> None:
        """The examples first, then the reports; as one document too."""
        both = trimfuzz("judge").stdout
        assert both.index("verdicts agree") < both.index("claims of 78 reports")
        assert {"schema", "rules", "families", "reports"} == trimfuzz("judge", "--json").document.keys()

    def test_judge_shows_a_claim_that_is_not_found(self, tmp_path: Path) -> None:
        """With what was done and where it is told; what breaks no rule of the claims but fails is a line of its own."""
        report = {
            "id": "R1", "url": "https://example.org/1", "family": "F99", "pack": "openai-chat",
            "history": [{"role": "user", "text": "a"}, {"role": "assistant", "calls": [{"id": "c1", "name": "f"}]},
                        {"role": "tool", "call_id": "c1", "text": "b"}],
            "trim": {"op": "keep the last", "kept": [2]},
            "claims": [{"rule": "no-orphan", "shown_by": "introduced"}, {"rule": "terminates", "shown_by": "outcome"}],
        }  # fmt: skip
        (tmp_path / "mine.jsonl").write_text(json.dumps(report), "utf-8")
        said = trimfuzz("judge", "--reports", "mine.jsonl", code=1, cwd=tmp_path).stdout
        assert "R1 terminates: claimed, shown by outcome, and not found" in said
        assert "https://example.org/1" in said
        assert "R1 batch-atomic: messages[2] stayed" in said.partition("found beyond the claims")[2]
        assert "1 of 2 claims are not found (exit code 1)" in said

    def test_judge_shows_disagreement(self, tmp_path: Path) -> None:
        """A verdict that is not as recorded is shown, and rules that are not covered are named."""
        entry = {
            "id": "mine", "rule": "no-orphan", "verdict": "held", "why": "somebody thought so",
            "history": [{"role": "user", "text": "a"}, {"role": "assistant", "calls": [{"id": "c1", "name": "f"}]},
                        {"role": "tool", "call_id": "c1", "text": "b"}],
            "output": [{"role": "tool", "call_id": "c1", "text": "b"}],
        }  # fmt: skip
        lines = [json.dumps(entry), json.dumps({**entry, "id": "other", "rule": "polite"})]
        (tmp_path / "cases.jsonl").write_text("\n".join(lines), "utf-8")
        said = trimfuzz("judge", "--examples", "cases.jsonl", code=1, cwd=tmp_path).stdout
        assert "mine no-orphan: expected held, judged broken, by the reference oracle broken" in said
        assert "somebody thought so" in said
        assert "polite" in said.partition("not covered")[2]
        assert "1 of 1 verdicts disagree" in said

    @pytest.mark.parametrize(
        ("kind", "name"),
        [
            ("trimmers", "oasis-pre"),
            ("rules", "no-orphan"),
            ("providers", "anthropic"),
            ("formats", "openai-chat"),
            ("promises", "within-limit"),
        ],
    )
    def test_list(self, kind: str, name: str) -> None:
        """Every kind of name is listed, for people and for programs."""
        rows = trimfuzz("list", kind, "--json").document[kind]
        assert name in {row["name"] for row in rows}
        shown = trimfuzz("list", kind).stdout.splitlines()
        assert any(line.split()[:1] == [name] for line in shown)

    @pytest.mark.slow
    def test_replay_with_another_trimmer(self, home: Path, slice_tail: Any) -> None:
        """What another trimmer does right is fixed; --verbose draws what failed."""
        path = next(one["fixture"] for one in slice_tail["causes"] if one["cause"] == "no-orphan/valid/call-dropped")
        said = trimfuzz("replay", path, "--with", "mine.py:by_units", "--refuses", "TooSmall", cwd=home)
        assert said.stdout.startswith("fixed ")
        assert "1 fixed" in said.stdout
        said = trimfuzz("replay", path, "--verbose", code=1, cwd=home)
        assert "its call was dropped" in said.stdout

    @pytest.mark.slow
    @pytest.mark.usefixtures("few_restarts")
    def test_campaign_that_could_not_judge_one_does_not_pass(self, home: Path) -> None:
        """A trimmer that was named and could not be judged is said in the table, and the exit code is no 0."""
        asked = (
            "campaign",
            "mine.py:by_units",
            "mine.py:mortal",
            "--examples",
            "20",
            "--seed",
            "1",
            "--fixtures",
            "mix",
        )
        said = trimfuzz(*asked, code=1, cwd=home).stdout  # by_units raises what it did not declare
        assert "mine.py:mortal: nothing could be judged: its process ended: exit status 3" in said
        assert "1 could not be run" in said
        assert [line.split()[:3] for line in said.splitlines() if line.startswith("new ") and "raised" in line]
        assert {line.split()[1] for line in said.splitlines() if line.startswith("new ")} <= {"fails", "other"}

    @pytest.mark.slow
    def test_campaign(self, home: Path) -> None:
        """A campaign files what it finds, tells it in lines, and ends in a table; the next one knows it."""
        asked = ("campaign", "mine.py:slice_tail", "mine.py:by_units", "--examples", "60", "--seed", "1", "--jobs", "1")
        said = trimfuzz(*asked, "--fixtures", "campaign", code=1, cwd=home)
        assert any(
            line.startswith("new ") and "no-orphan/valid/call-dropped" in line for line in said.stdout.splitlines()
        )
        assert "Trimmers" in said.stdout
        assert list((home / "campaign").glob("*--no-orphan--*.json"))
        again = trimfuzz(*asked, "--fixtures", "campaign", "--json", code=1, cwd=home).document
        found = {one["trimmer"]: one for one in again["trimmers"]}
        assert {one["state"] for one in found["mine.py:slice_tail"]["causes"] if one["fixture"]} <= {"known", "new"}
        assert "known" in {one["state"] for one in found["mine.py:slice_tail"]["causes"]}
