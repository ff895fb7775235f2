"""Conformance: a trimmer's rules as tests in somebody's own suite."""

import re
from pathlib import Path
from typing import Any

import hypothesis
import pytest
from hypothesis.database import ExampleDatabase, InMemoryExampleDatabase

import trimfuzz
from trimfuzz.campaigns.pytest import shared_run
from trimfuzz.campaigns.pytest.conformance import BrokenRule, conformance
from trimfuzz.campaigns.pytest.shared_run import SharedRun
from trimfuzz.implementations.museum import CORRECT
from trimfuzz.implementations.trimmer import Trimmer
from trimfuzz.messages.errors import BadName, BadTarget, TrimfuzzError
from trimfuzz.messages.model import Message
from trimfuzz.messages.neutral import load_history
from trimfuzz.strategies.encoding.features_seen import features_in

pytest_plugins = ["pytester"]

TRIMMERS = """
def whole(messages, limit):
    return list(messages)

def broken(messages, limit):
    return messages[-limit:] if limit > 0 else []

def stuck(messages, limit):
    while limit == 1:
        pass
    return messages[-limit:] if limit > 0 else []
"""
QUIET = hypothesis.settings(derandomize=True, database=None, max_examples=30)
IN_WORDS = "settings=hypothesis.settings(derandomize=True, database=None, max_examples=30)"


@pytest.fixture
def suite(pytester: pytest.Pytester) -> pytest.Pytester:
    """A project with a file of trimmers."""
    pytester.makepyfile(mine=TRIMMERS)
    return pytester


def write_tests(pytester: pytest.Pytester, options: str, *, settings: str = IN_WORDS) -> None:
    """Write a test module with one conformance suite."""
    call = f"trimfuzz.conformance({options}, {settings})"
    pytester.makepyfile(test_mine=f"import hypothesis\nimport mine\nimport trimfuzz\n\ntest_mine = {call}\n")


def broken_rules(ran: pytest.RunResult) -> set[str]:
    """Return the rules whose tests failed."""
    return set(re.findall(r"^FAILED .*\[([a-z-]+)\]", ran.stdout.str(), re.MULTILINE))


@pytest.mark.slow
def test_one_test_for_each_rule_that_can_fail(suite: pytest.Pytester) -> None:
    """The rules of the always-failing kind, those of the pack, and the promises; not what was never promised."""
    write_tests(suite, 'mine.broken, promises=["keeps-system"]')
    ran = suite.runpytest_inprocess("--collect-only", "-q")
    ids = re.findall(r"test_mine\.py::test_mine\[([a-z-]+)\]", ran.stdout.str())

    assert len(ids) == len(set(ids))
    assert {"no-orphan", "no-input-mutation", "terminates", "nonempty-history", "keeps-system"} <= set(ids)
    assert not {"within-limit", "keeps-pinned", "first-is-user"} & set(ids)


@pytest.mark.slow
def test_broken_rule_fails_with_what_a_person_needs(suite: pytest.Pytester) -> None:
    """The failure names the cause, shows the history, says how to repeat it, and shows nothing of our own code."""
    write_tests(suite, "mine.broken, promises=[]")
    ran = suite.runpytest_inprocess("-k", "no-orphan or within-limit or no-input-mutation")
    shown = ran.stdout.str()

    assert broken_rules(ran) == {"no-orphan"}
    ran.stdout.fnmatch_lines(
        [
            "E*BrokenRule: no-orphan/valid/call-dropped*",
            "*assistant*",
            "*tool*",
            "*reproduce: pytest 'test_mine.py::test_mine[[]no-orphan]'*",
        ]
    )
    assert "shared_run.py" not in shown
    assert "conformance.py" not in shown.replace("trimfuzz/campaigns/conformance.py", "")


@pytest.mark.slow
def test_one_bug_fails_one_test(suite: pytest.Pytester) -> None:
    """What it explains is skipped, and says whose bug it is."""
    write_tests(suite, 'mine.broken, promises=[], inputs=["valid"]')
    ran = suite.runpytest_inprocess("-rsf", "-k", "no-orphan or batch-atomic")

    ran.assert_outcomes(failed=1, skipped=1, deselected=ran.parseoutcomes()["deselected"])
    assert broken_rules(ran) == {"no-orphan"}
    ran.stdout.fnmatch_lines(["*batch-atomic is broken too, by what breaks no-orphan*"])


@pytest.mark.slow
def test_trimmer_that_keeps_its_word_passes(suite: pytest.Pytester) -> None:
    """Nothing is reported of a trimmer that breaks nothing that it is held to."""
    write_tests(suite, 'mine.whole, promises=["order-preserved", "idempotent", "keeps-newest"]')
    ran = suite.runpytest_inprocess()

    assert ran.ret == 0
    assert ran.parseoutcomes()["passed"] > 10


@pytest.mark.slow
def test_assumed_promises_are_said(suite: pytest.Pytester) -> None:
    """A bare function is held to what is assumed of it, and the failure says that nobody declared it."""
    write_tests(suite, "mine.whole")
    ran = suite.runpytest_inprocess()

    assert broken_rules(ran) == {"within-limit"}
    ran.stdout.fnmatch_lines(["*within-limit is assumed of a function that declares nothing*"])


@pytest.mark.slow
def test_same_tests_in_several_processes(suite: pytest.Pytester) -> None:
    """Under xdist the ids are stable and the verdicts are those of one process."""
    write_tests(suite, 'mine.broken, promises=[], inputs=["valid"]')
    alone, together = suite.runpytest_inprocess(), suite.runpytest_inprocess("-n", "2")

    assert broken_rules(alone) == broken_rules(together)
    assert "no-orphan" in broken_rules(alone)
    assert alone.parseoutcomes()["passed"] == together.parseoutcomes()["passed"]


@pytest.mark.slow
def test_all_tests_share_one_generation(suite: pytest.Pytester) -> None:
    """Thirty tests call the trimmer as often as one of them."""
    suite.makepyfile(
        counted="""
        calls = 0

        def trim(messages, limit):
            global calls
            calls += 1
            return list(messages)
        """,
        test_counted="""
        import counted, hypothesis, trimfuzz

        quiet = hypothesis.settings(derandomize=True, database=None, max_examples=30)
        test_mine = trimfuzz.conformance(counted.trim, promises=["order-preserved"], settings=quiet)

        def test_zzz_calls():
            with open("calls", "a") as file:
                print(counted.calls, file=file)
        """,
    )
    suite.runpytest_inprocess("-k", "no-orphan or zzz").assert_outcomes(
        passed=2, deselected=len(_rules_of_counted()) - 1
    )
    suite.runpytest_inprocess()
    one, all_of_them = map(int, (suite.path / "calls").read_text().split())

    assert one == all_of_them > 1000


def _rules_of_counted() -> tuple[str, ...]:
    return _run(Trimmer("counted", lambda items, _limit, _count: items, promises={"order-preserved": 1.0})).rules()


def _run(trim: Any, settings: hypothesis.settings | None = QUIET, **options: Any) -> SharedRun:
    """Return the shared run behind a conformance suite."""
    found = conformance(trim, settings=settings, **options)
    assert found.__closure__ is not None
    return next(cell.cell_contents for cell in found.__closure__ if isinstance(cell.cell_contents, SharedRun))


def _tail(messages: list[Any], limit: int) -> list[Any]:
    return messages[-limit:] if limit > 0 else []


@pytest.mark.slow
def test_settings_are_the_users() -> None:
    """The number of generated cases is that of the settings given, else of the profile in force."""
    hypothesis.settings.register_profile("tiny", QUIET, max_examples=5)
    given = _run(_tail, inputs=["valid"])
    hypothesis.settings.load_profile("tiny")
    try:
        in_force = _run(_tail, None, inputs=["valid"])
        in_force.broken("no-orphan", seed=None)
    finally:
        hypothesis.settings.load_profile("ci")
    given.broken("no-orphan", seed=None)

    assert given.examples - in_force.examples == 25


@pytest.mark.slow
def test_seed_repeats_a_generation() -> None:
    """With one seed two runs find the same; the tally holds the same number of trims."""
    random = hypothesis.settings(QUIET, derandomize=False)
    first, second, other = (_run(_tail, random, inputs=["valid"]) for _ in range(3))

    assert first.broken("no-orphan", seed="7") == second.broken("no-orphan", seed="7")
    other.broken("no-orphan", seed="8")
    assert first.trims == second.trims != other.trims


@pytest.mark.slow
def test_failing_history_is_remembered_until_it_passes() -> None:
    """What failed is tried first in the next run, through the user's database, and forgotten when it fails no more."""
    database = InMemoryExampleDatabase()
    many = hypothesis.settings(QUIET, database=database, derandomize=False, max_examples=80)
    none = hypothesis.settings(many, phases=[hypothesis.Phase.explicit])
    deep = [True]

    def rare(messages: list[Any], limit: int) -> list[Any]:
        """Cuts long histories only: no known case is one."""
        return _tail(messages, limit) if len(messages) > 15 and deep[0] else list(messages)

    options: dict[str, Any] = {"promises": [], "name": "rare", "inputs": ["valid"]}
    assert _run(rare, none, **options).broken("no-orphan", seed=None) == []
    (found,) = [one for one in _run(rare, many, **options).broken("no-orphan", seed=1) if one.input_class == "valid"]
    again = [one.cause for one in _run(rare, none, **options).broken("no-orphan", seed=None)]
    assert found.cause in again

    deep[0] = False
    assert _run(rare, none, **options).broken("no-orphan", seed=None) == []
    deep[0] = True
    assert _run(rare, none, **options).broken("no-orphan", seed=None) == []


@pytest.mark.slow
def test_what_is_left_out_is_in_no_case_and_in_no_memory() -> None:
    """Neither generated, nor shrunk to, nor tried because it failed under other options; a failure says so."""
    database = InMemoryExampleDatabase()
    few = hypothesis.settings(QUIET, database=database, derandomize=False, max_examples=15)
    options: dict[str, Any] = {"promises": [], "name": "tail", "inputs": ["valid"]}
    usual = _run(_tail, few, **options).broken("no-orphan", seed=1)
    assert any(not features_in(load_history(one.history), ["system"]) for one in usual)
    remembered = set(_values(database))

    run = _run(_tail, few, **options, without="no-system", system="inside")
    (found,) = [one for one in run.broken("no-orphan", seed=1) if one.input_class == "valid"]
    assert not features_in(load_history(found.history), ["no_system"])
    assert any("no-system" in note for note in run.contract.notes)
    assert remembered <= set(_values(database))
    with pytest.raises(BadName, match="unknown feature 'no-sistem'"):
        conformance(_tail, without=["no-sistem"])


def _values(database: ExampleDatabase) -> list[bytes]:
    assert isinstance(database, InMemoryExampleDatabase)
    return [value for values in database.data.values() for value in values]


@pytest.mark.slow
def test_smallest_case_is_reported() -> None:
    """Failures are shrunk; the exception carries them as data."""
    run = _run(_tail, promises=[])
    records = run.broken("no-orphan", seed=None)
    error = BrokenRule(records, "pytest x")

    assert error.record is records[0]
    assert [len(record.history) for record in records if record.input_class == "valid"] == [3]
    assert isinstance(error, AssertionError)
    assert error.record.cause in str(error)


@pytest.mark.slow
def test_endless_trim_is_a_broken_rule(monkeypatch: pytest.MonkeyPatch) -> None:
    """A trim that does not come back is stopped and reported by the rule that says so."""
    monkeypatch.setattr(shared_run, "SHRINK_SECONDS", 0.5)

    def stuck(messages: list[Any], limit: int) -> list[Any]:
        while limit == 1 and len(messages) > 20:
            pass
        return list(messages)

    run = _run(stuck, promises=[], timeout=0.1)

    assert {record.cut for record in run.broken("terminates", seed=None)} == {"hung"}
    assert run.broken("no-orphan", seed=None) == []


class Memory:
    """A window as an object."""

    def __init__(self, limit: int) -> None:
        self.limit, self.kept = limit, list[Any]()

    def add(self, message: Any) -> None:
        """Take a message."""
        self.kept.append(message)

    def view(self) -> list[Any]:
        """Give the last ones."""
        return _tail(self.kept, self.limit)


async def later(messages: list[Any], max_tokens: int) -> list[Any]:
    """An async trimmer of messages as this suite knows them."""
    return _tail(messages, max_tokens)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("trim", "options", "kind"),
    [
        (_tail, {}, "messages"),
        (_tail, {"limit": "tokens"}, "tokens"),
        (_tail, {"limit": "messages=4"}, "messages"),
        (Memory, {}, "messages"),
        (later, {"format": "neutral"}, "tokens"),
        (CORRECT[0], {}, "messages"),
        ("museum:tail-slice", {}, "messages"),
        ("oasis-pre", {}, "messages"),
    ],
)
def test_targets_of_every_kind(trim: Any, options: dict[str, Any], kind: str) -> None:
    """Functions, async ones, memories, trimmers and registered names are all taken."""
    run = _run(trim, hypothesis.settings(QUIET, max_examples=20), **options)

    assert run.contract.kind == kind
    assert bool(run.broken("no-orphan", seed=None)) == (trim is not CORRECT[0])


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"promises": ["keeps-sistem"]}, BadName),
        ({"provider": "openia"}, BadName),
        ({"format": "xml"}, BadName),
        ({"limit": "words"}, BadName),
        ({"limit": "tokens=many"}, BadName),
        ({"promises": ["utilisation=2"]}, BadName),
        ({"inputs": ["broken"]}, BadName),
    ],
)
def test_what_cannot_be_meant_is_said_at_once(options: dict[str, Any], error: type[Exception]) -> None:
    """A wrong name is an error where the suite is made, not a test that passes."""
    with pytest.raises(error):
        conformance(_tail, **options)


def test_object_that_is_no_trimmer_is_said() -> None:
    """What cannot be called gets one line."""
    with pytest.raises(BadTarget):
        conformance(3)  # pyright: ignore[reportArgumentType]


@pytest.mark.slow
def test_given_count_and_refusals_are_used() -> None:
    """A counter and an error class can be handed over as they are."""

    class Full(Exception):
        pass

    def trim(messages: list[Message], limit: int, count: Any) -> list[Message]:
        if count(messages) > limit:
            raise Full
        return list(messages)

    run = _run(trim, limit="tokens", count=lambda item: 3 * len(item) if isinstance(item, list) else 3, refuses=Full)

    assert run.contract.cost(Message("user", "hello there")) == 3
    assert run.broken("total-no-raise", seed=None) == []
    assert run.broken("refuses-only-when-needed", seed=None)


def test_front_door_is_the_same_function() -> None:
    """`trimfuzz.conformance` is what is documented."""
    assert trimfuzz.conformance is conformance


ON_THE_COMMAND_LINE = ("--pyargs", "trimfuzz.campaigns.conformance")


@pytest.mark.slow
def test_target_on_the_command_line(suite: pytest.Pytester) -> None:
    """Without a test module, the same tests of a target that is named; options are taken."""
    ran = suite.runpytest_inprocess(
        *ON_THE_COMMAND_LINE, "--trimmer", "mine.py:whole", "--promise", "keeps-system", "--no-promise", "within-limit"
    )

    assert ran.ret == 0
    assert ran.parseoutcomes()["passed"] > 10
    ran = suite.runpytest_inprocess(
        *ON_THE_COMMAND_LINE, "--trimmer", "mine.py:broken", "--limit=messages=3", "-k", "orphan"
    )

    assert "no-orphan" in broken_rules(ran)
    ran.stdout.fnmatch_lines(
        [
            "*reproduce: pytest --pyargs trimfuzz.campaigns.conformance --trimmer mine.py:broken"
            " --trimmer-limit messages=3 -k no-orphan"
        ]
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    ("given", "words"),
    [
        ([], "which trimmer?"),
        (["--trimmer", "mine.py:none"], "has no 'none'"),
        (["--trimmer", "none.py:trim"], "no such file: none.py"),
        (["--trimmer", "mine.py:whole", "--promise", "keeps-sistem"], "unknown promise 'keeps-sistem'"),
        (["--trimmer", "mine.py:whole", "--promise", "utilisation=lots"], "needs a number"),
        (["--trimmer", "mine.py:whole", "--limit", "words"], "unknown limit 'words'"),
    ],
)
def test_command_line_that_cannot_run_is_one_line(suite: pytest.Pytester, given: list[str], words: str) -> None:
    """A wrong target or option is said in one line, and is no success."""
    ran = suite.runpytest_inprocess(*ON_THE_COMMAND_LINE, *given)

    assert ran.ret != 0
    assert "Traceback" not in ran.stdout.str()
    assert any(line.startswith("trimfuzz: ") and words in line for line in ran.outlines)


@pytest.mark.slow
def test_reproduce_line_repeats_the_failure(suite: pytest.Pytester, tmp_path: Path) -> None:
    """Under random settings the line names the seed, and with it the failure comes again."""
    write_tests(
        suite, "mine.broken", settings="settings=hypothesis.settings(derandomize=False, database=None, max_examples=30)"
    )
    first = suite.runpytest_inprocess("-k", "no-orphan")
    line = next(line for line in first.outlines if "reproduce: pytest" in line)
    node, seed = re.findall(r"pytest '(.*)' (--hypothesis-seed=\d+)", line)[0]
    second = suite.runpytest_inprocess(node, seed)

    shown = [ran.stdout.str().partition("BrokenRule:")[2].partition("reproduce:")[0] for ran in (first, second)]
    assert shown[0] == shown[1] != ""


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"refuses": int}, "--refuses builtins:int is a type, not an exception class"),
        ({"settings": 3}, "settings are hypothesis.settings(...), not an int"),
        ({"inputs": ()}, "inputs names no input class"),
        ({"inputs": 5}, "unknown input class '5'"),
        ({"inputs": "fine"}, "unknown input class 'fine'"),
        ({"fail_on": ()}, "--fail-on names no input class"),
        ({"limit": 40}, "unknown limit '40'"),
        ({"promises": [5]}, "unknown promise '5'"),
        ({"promises": {"utilisation": 5}}, "needs a bound above 0 and at most 1, not 5"),
        ({"promises": {"utilisation": float("nan")}}, "needs a bound above 0 and at most 1, not nan"),
        ({"promises": {"utilisation": None}}, "needs a number"),
    ],
)
def test_options_that_cannot_be_meant_are_said_at_once(options: dict[str, Any], words: str) -> None:
    """One line, where the test module is imported, not deep inside a run."""
    with pytest.raises(TrimfuzzError) as caught:
        conformance(lambda messages, limit: messages, **options)
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.slow
def test_in_a_class_body(pytester: pytest.Pytester) -> None:
    """A class of tests is as good a place as a module, also where every warning is an error."""
    pytester.makepyfile(
        """
        import hypothesis, trimfuzz
        few = hypothesis.settings(max_examples=5)
        class TestMine:
            test_mine = trimfuzz.conformance("oasis-pre", inputs=["valid"], settings=few)
        """
    )
    ran = pytester.runpytest_subprocess("-q", "-W", "error", "-k", "no-orphan or unique-call-id")
    ran.assert_outcomes(passed=1, failed=1)
    ran.stdout.fnmatch_lines(["*reproduce: pytest 'test_in_a_class_body.py::TestMine::test_mine[[]no-orphan[]]'*"])


def test_a_failure_says_what_was_left_out(suite: pytest.Pytester) -> None:
    """Whoever reads it later does not have the call before their eyes."""
    write_tests(suite, 'mine.broken, inputs=["valid"], without=["parallel"]')
    ran = suite.runpytest_inprocess("-k", "no-orphan")
    ran.stdout.fnmatch_lines(["*without parallel: neither generated, nor among the public cases"])
