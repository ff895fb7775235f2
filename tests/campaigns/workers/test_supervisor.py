"""Whatever a trimmer does to its process, the run goes on and says what happened."""

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from attrs import evolve

from trimfuzz.campaigns.engine.bugs import Folded
from trimfuzz.campaigns.runs.check import Checked, check
from trimfuzz.campaigns.runs.search import Budget
from trimfuzz.campaigns.target.spec import Spec
from trimfuzz.campaigns.workers import supervisor
from trimfuzz.campaigns.workers.exploration import histories
from trimfuzz.campaigns.workers.supervisor import Supervisor
from trimfuzz.messages.errors import BadTarget
from trimfuzz.messages.limits import Limit

HANGS = ("hangs", "swallows", "blocks_signals")
"""Their trims do not come back: each costs all the time that it has."""
FILE = Path(__file__).parents[1] / "misbehaving.py"


@cache
def checked(name: str, *, examples: int = 20, seconds: float = 2, shrink: float = 0) -> Checked:
    """Check one of the misbehaving trimmers, briefly; nothing is shrunk unless it is asked for."""
    spec = Spec(f"{FILE}:{name}", timeout=0.1 if name in HANGS else 1, inputs=("valid",))
    with patch.object(supervisor, "RESTARTS", 1):  # each restart takes as long as a whole check
        return check(spec, examples=examples, seconds=seconds, seed=1, shrink_seconds=shrink)


def causes(result: Checked) -> set[str]:
    """The cuts and rules of everything that fails."""
    return {f"{record.rule}:{record.cut}" for record in result.records if record.fails}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("ends_its_process", "total-no-raise:crashed"),
        ("exits", "total-no-raise:raised:SystemExit"),
        ("interrupts", "total-no-raise:raised:KeyboardInterrupt"),
        ("eats_memory", "total-no-raise:raised:MemoryError"),
        ("recurses", "total-no-raise:raised:RecursionError"),
        ("hangs", "terminates:hung"),
        ("swallows", "terminates:hung"),
        ("blocks_signals", "terminates:hung"),
        ("writes_everywhere", "total-no-raise:crashed"),
        ("replaces_builtins", "total-no-raise:crashed"),
        ("kills_its_group", "total-no-raise:crashed"),
        ("answers_a_circle", "total-no-raise:raised:protocol-error"),
    ],
)
def test_what_a_trimmer_does_to_its_process_is_a_finding(name: str, expected: str) -> None:
    """An error, a death, a hang: each is found, and the check comes to its end."""
    result = checked(name)

    assert expected in causes(result)
    assert not result.interrupted


@pytest.mark.slow
def test_a_crash_is_shrunk_to_the_smallest_history_that_kills() -> None:
    """The trimmer dies on three messages or more; the finding has three."""
    result = checked("ends_its_process", shrink=5)

    crashed = [record for record in result.records if record.cause == "total-no-raise/valid/crashed"]
    assert [len(record.history) for record in crashed] == [3]
    assert "exit status 3" in crashed[0].failure


@pytest.mark.slow
def test_what_a_trimmer_prints_stays_out_of_the_answer(capfd: pytest.CaptureFixture[str]) -> None:
    """Nothing of it reaches this process's own output."""
    checked("prints")

    assert capfd.readouterr() == ("", "")


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", ["returns_none", "returns_a_number", "returns_objects", pytest.param("never_ends", marks=pytest.mark.slow)]
)
def test_an_answer_that_is_never_a_history_cannot_be_checked(name: str) -> None:
    """On every case it is no finding but a wrong call: one line says so."""
    with pytest.raises(BadTarget, match="on every case"):
        checked(name, examples=5)


@pytest.mark.slow
def test_a_call_that_always_raises_the_same_is_wrong() -> None:
    """The first calls are enough to say so, with the error, the call as it was made and what changes it."""
    with pytest.raises(BadTarget) as caught:
        checked("raises_alike", seconds=0)

    assert str(caught.value) == (
        f"{FILE}:raises_alike: each of the first 20 calls raised RuntimeError: no key was set (called as "
        "raises_alike(messages, limit), format openai-chat, limit messages; --call, --limit, --format or --in-place "
        "change that)"
    )


@pytest.mark.slow
@pytest.mark.parametrize("name", ["imports_late", "imports_late_and_dies"])
def test_a_slow_first_call_is_noted_and_blames_nobody(name: str) -> None:
    """Packages are imported then; so they are in a worker that was started again."""
    result = checked(name)

    assert any(note.startswith("the first call took ") for note in result.contract.notes)
    assert "terminates:hung" not in causes(result)


@pytest.mark.slow
def test_a_later_call_has_no_more_time() -> None:
    """A worker after one whose first call was fast, or hung, gives nobody more."""
    with Supervisor(Spec(f"{FILE}:ends_its_process", timeout=0.4)) as worker:
        worker.start()
        first = [worker._longest(trims) for trims in (1, 20, 21)]  # pyright: ignore[reportPrivateUsage]
        worker.start()
        again = worker._longest(1)  # pyright: ignore[reportPrivateUsage]
    assert (first, again) == ([6.0, 6.0, 0.4], 0.4)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["yields", "awaits", "yields_later", "replaces_json"])
def test_generators_and_coroutines_are_read(name: str) -> None:
    """They are sliding windows, and judged as such, whatever else they do."""
    assert "no-orphan:call-dropped" in causes(checked(name))


@pytest.mark.slow
def test_what_was_not_put_to_the_test_is_not_kept() -> None:
    """Where no history came back, only the rules that speak of errors have a say; the others are not kept."""
    result = checked("raises_apart")

    assert {"no-orphan", "within-limit", "nonempty-history", "keeps-system", "deterministic"} <= set(result.idle)
    assert not {"no-input-mutation", "terminates", "identity-under-limit"} & set(result.idle)
    assert set(result.kept) | {one.name for one in result.observed} <= {
        "identity-under-limit",
        "refuses-only-when-needed",
    }


@pytest.mark.slow
def test_a_trimmer_that_answers_leaves_idle_what_valid_input_has_nothing_of() -> None:
    """A history that came back speaks of all that was in it; no call is pending in valid input."""
    assert checked("yields").idle == ("pending-call-kept", "late-result-safe")


@pytest.mark.slow
def test_a_run_in_which_nothing_was_judged_does_not_pass() -> None:
    """Its process ended on every history, and never again alone: that says nothing about the trimmer."""
    with pytest.raises(BadTarget, match=r"nothing could be judged \(its process ended: exit status 3\)"):
        checked("dies_where_nobody_looks")


def test_a_run_that_was_given_up_does_not_pass() -> None:
    """What it found counts; where that is nothing, it could not be judged to its end."""
    result = checked("yields")
    quiet = evolve(result, found=Folded(), lacking="")

    assert [evolve(one, unstable=True).exit_code for one in (result, quiet)] == [1, 2]
    assert [evolve(one, lacking="too little").exit_code for one in (result, quiet)] == [1, 2]
    assert [one.exit_code for one in (result, quiet, evolve(quiet, interrupted=True))] == [1, 0, 130]


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="other processes cannot be read here")
def test_what_a_trimmer_started_ends_with_it() -> None:
    """Also in a session of its own."""
    checked("leaves_a_daemon", examples=5)

    assert not [one for one in Path("/proc").glob("[0-9]*/cmdline") if b"30143" in _content(one)]


def _content(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:
        return b""


def test_time_for_all_shrinks_is_bounded() -> None:
    """The first causes get all that one may have, as long as every later one has its second; then what is left."""
    shares: list[float] = []
    for later in (9, 8, 7):
        budget = Budget(20.0, 60.0 - sum(shares))
        shares.append(budget.share(later))
    assert shares == [20.0, 20.0, 13.0]
    assert [Budget(20.0, left).share(3) for left in (-1.0, 0.0, 2.0, 100.0)] == [0.0, 0.0, 0.5, 20.0]


@pytest.mark.slow
def test_a_forked_copy_of_the_worker_takes_no_part() -> None:
    """The copies end where the trim ends; the run is the same as without them."""
    forking, plain = (explored(name) for name in ("forks", "yields"))

    assert "no-orphan/valid/call-dropped" in dict(plain[0])
    assert forking == plain


def explored(name: str) -> tuple[list[tuple[str, Any]], dict[str, Any]]:
    """Return what a few random histories show, cause by cause with its history, and the sums at the end."""
    with Supervisor(Spec(f"{FILE}:{name}", timeout=2)) as worker:
        worker.start()
        *events, done = worker.explore(histories("random"), seed=1, examples=10, seconds=0)
    records = [event["record"] for event in events if event["event"] == "finding"]
    return [(record["cause"], record["history"]) for record in records], done


@pytest.fixture
def worker() -> Iterator[Supervisor]:
    """A worker on a trimmer that ends its process at three messages."""
    with Supervisor(Spec(f"{FILE}:ends_its_process", timeout=0.4)) as found:
        found.start()
        yield found


@pytest.mark.slow
def test_judging_a_deadly_case_reports_the_death_and_goes_on(worker: Supervisor) -> None:
    """The worker is replaced; the next case is judged as if nothing had happened."""
    deadly = [{"role": "user", "text": letter} for letter in "abc"]

    records = worker.judge(deadly, Limit("messages", 1))
    harmless = worker.judge(deadly[:1], Limit("messages", 1))

    assert [(record.rule, record.cut) for record in records] == [("total-no-raise", "crashed")]
    assert [record.rule for record in harmless if record.kind == "always"] == []


@pytest.mark.slow
def test_a_trimmer_that_keeps_dying_is_given_up() -> None:
    """Restarts are bounded; what was found until then stands."""
    with Supervisor(Spec(f"{FILE}:ends_its_process", timeout=0.4)) as worker:
        worker.start()
        events = list(worker.explore(histories("random"), seed=3, examples=400, seconds=0))

    assert worker.unstable
    assert events[-1]["event"] == "done"
    assert any(event["event"] == "finding" for event in events)


def test_nothing_is_left_running(worker: Supervisor) -> None:
    """Closing ends the process, its recorder and its log."""
    running = worker._running  # pyright: ignore[reportPrivateUsage]
    assert running is not None

    worker.close()

    assert running.process.poll() is not None
    assert running.log.closed
