"""Replay: what becomes of fixtures on the trimmer they were found on, and on another one."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve

from trimfuzz.campaigns.runs.replay import Replayed, exit_code, replay, row_as_json, spec_of
from trimfuzz.campaigns.store.fixture_format import Fixture, FoundBy
from trimfuzz.campaigns.store.fixtures import save_fixture
from trimfuzz.campaigns.target.spec import Spec
from trimfuzz.campaigns.workers.supervisor import Supervisor
from trimfuzz.messages.errors import BadFile
from trimfuzz.messages.limits import Limit
from trimfuzz.messages.shorthand import history

MINE = """
import os

def broken(messages, limit):
    return messages[-limit:] if limit > 0 else []

def fixed(messages, limit):
    kept = messages[-limit:] if limit > 0 else []
    while kept and kept[0]["role"] == "tool":
        kept = kept[1:]
    return kept

def nothing(messages, limit):
    return []

def other(messages, limit):
    if 0 < limit < len(messages):
        raise KeyError("tool_calls")
    return fixed(messages, limit)

def raises(messages, limit):
    raise RuntimeError("whatever it is given")

def none_at_all(messages, limit):
    return None

def deadly(messages, limit):
    if 0 < limit < len(messages) and messages[-1]["role"] == "tool":
        os._exit(3)
    return fixed(messages, limit)

def unlike(messages, *, most, factor):
    return broken(messages, most // factor)
"""


def fixture(target: str = "mine.py:broken", **others: Any) -> Fixture:
    """Make the fixture of a result whose call was cut off."""
    made = Fixture(
        "0" * 12, f"{target} no-orphan/valid/call-dropped A[1]>|T", "no-orphan", "no-orphan/valid/call-dropped",
        "valid", "openai-chat", "openai-chat", history("U A[a] T(a)"), Limit("messages", 1), found_by=FoundBy(target),
    )  # fmt: skip
    return evolve(made, **others)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working directory with a file of trimmers."""
    (tmp_path / "mine.py").write_text(MINE, "utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def replayed(folder: Path) -> Callable[..., list[Replayed]]:
    """Save fixtures and replay them."""

    def run(*fixtures: Fixture, **options: Any) -> list[Replayed]:
        for number, one in enumerate(fixtures):
            save_fixture(one, folder / "fixtures" / f"{number}.json")
        return sorted(replay([folder / "fixtures"], **options), key=lambda row: str(row.fixture.path))

    return run


def test_fixture_fails_while_the_fault_is_there(replayed: Callable[..., list[Replayed]]) -> None:
    """Its own cause, found again, is a failure, and comes with the finding."""
    (row,) = replayed(fixture())

    assert row.state == "failed"
    assert row.record is not None
    assert row.record.cause == "no-orphan/valid/call-dropped"
    assert exit_code([row]) == 1


@pytest.mark.slow
@pytest.mark.parametrize(
    ("target", "state", "code"),
    [
        ("mine.py:broken", "failed", 1),
        ("mine.py:fixed", "fixed", 0),
        ("mine.py:other", "changed", 1),
        ("mine.py:raises", "changed", 1),
        ("mine.py:none_at_all", "changed", 1),
        ("mine.py:none", "error", 2),
        ("none.py:trim", "error", 2),
        ("no-such-trimmer", "error", 2),
    ],
)
def test_another_trimmer_on_the_same_cases(
    replayed: Callable[..., list[Replayed]], target: str, state: str, code: int
) -> None:
    """The state says what the other trimmer does with the case, and whether it could be run at all."""
    (row,) = replayed(fixture(), with_target=target)

    assert (row.state, exit_code([row])) == (state, code)
    assert row.trimmer == target
    assert (row.problem != "") == (state == "error")
    assert "\n" not in row.problem


@pytest.mark.slow
def test_a_rule_of_another_kind_leaves_the_fault_mended(replayed: Callable[..., list[Replayed]]) -> None:
    """Nothing at all holds no orphan; that the provider takes no empty list is a matter of its own."""
    (row,) = replayed(fixture(), with_target=Spec("mine.py:nothing", withdrawn=("nonempty-history", "utilisation")))

    assert row.state == "fixed"


@pytest.mark.slow
@pytest.mark.parametrize("target", ["mine.py:raises", "mine.py:none_at_all", "mine.py:deadly"])
def test_what_raises_has_mended_nothing(replayed: Callable[..., list[Replayed]], target: str) -> None:
    """On input that fails nobody it is still changed, not fixed; it counts where the fixture was found to count."""
    cause = "no-orphan/interleaved/call-dropped"
    shape = {"cause": cause, "input_class": "interleaved", "history": history("U A[a] U T(a)")}
    mild, strict = replayed(fixture(**shape), fixture(**shape, options={"fail_on": ["valid", "interleaved"]}),
                            with_target=target)  # fmt: skip

    assert (mild.state, mild.fails, exit_code([mild])) == ("changed", False, 0)
    assert (strict.state, strict.fails, exit_code([strict])) == ("changed", True, 1)


def test_fixtures_that_fail_nobody_are_no_failure(replayed: Callable[..., list[Replayed]]) -> None:
    """A passing trimmer's findings on interleaved input replay as they were found: told, and exit 0."""
    cause = "no-orphan/interleaved/call-dropped"
    (row,) = replayed(fixture(cause=cause, input_class="interleaved", history=history("U A[a] U T(a)")))

    assert (row.state, row.fails, exit_code([row])) == ("failed", False, 0)
    assert row_as_json(row)["fails"] is False


def test_what_cannot_be_run_or_judged_is_not_fixed(replayed: Callable[..., list[Replayed]]) -> None:
    """A history that the other format has no place for, and a rule that the provider does not have, are errors."""
    odd, foreign = replayed(
        fixture(history=history("U R A[a] T(a)")),
        fixture(rule="first-is-user", cause="first-is-user/valid/lost", provider="openai-chat"),
    )

    assert foreign.state == "error"
    assert "first-is-user is not judged under openai-chat" in foreign.problem
    assert odd.state == "error"
    assert "reasoning" in odd.problem


def test_changed_shows_what_fails_now(replayed: Callable[..., list[Replayed]]) -> None:
    """A case that fails in another way comes with that way."""
    (row,) = replayed(fixture(), with_target="mine.py:other")

    assert row.record is not None
    assert row.record.cause == "total-no-raise/valid/raised:KeyError"
    assert row_as_json(row)["found"] == "total-no-raise/valid/raised:KeyError"


@pytest.mark.slow
def test_rows_that_cannot_run_do_not_stop_the_others(replayed: Callable[..., list[Replayed]]) -> None:
    """A trimmer that is gone, a rule that nobody knows and options that make no sense are rows of their own."""
    rows = replayed(
        fixture("gone.py:trim"),
        fixture(rule="no-such-rule", cause="no-such-rule/valid/lost"),
        fixture(options={"refuses": 5}),
        fixture(provider="no-such-provider"),
        fixture(""),
        fixture(),
    )

    assert [row.state for row in rows] == ["error"] * 5 + ["failed"]
    assert "no such file: gone.py" in rows[0].problem
    assert "unknown rule 'no-such-rule'" in rows[1].problem
    assert "no-such-provider" in rows[3].problem
    assert exit_code(rows) == 1


@pytest.mark.slow
def test_trimmer_that_ends_its_process_fails_its_own_fixture_alone(replayed: Callable[..., list[Replayed]]) -> None:
    """A crash is confirmed and is a finding; the fixtures behind it are still replayed."""
    crash = fixture("mine.py:deadly", rule="total-no-raise", cause="total-no-raise/valid/crashed")
    rows = replayed(crash, fixture("mine.py:deadly", limit=Limit("messages", 9)), crash)

    assert [row.state for row in rows] == ["failed", "fixed", "failed"]


@pytest.mark.slow
def test_options_of_the_target_are_used(replayed: Callable[..., list[Replayed]]) -> None:
    """A target that needs a call expression is called by it again."""
    unlike = fixture("mine.py:unlike", limit=Limit("messages", 2))
    rows = replayed(evolve(unlike, options={"call": "f(messages, most=limit, factor=2)"}), unlike)

    assert [row.state for row in rows] == ["failed", "error"]


@pytest.mark.slow
def test_fixtures_of_one_trimmer_share_a_process(
    replayed: Callable[..., list[Replayed]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Many fixtures of few trimmers start few processes."""
    started: list[str] = []
    start = Supervisor.start

    def counted(self: Supervisor) -> Any:
        started.append(self.spec.target)
        return start(self)

    monkeypatch.setattr(Supervisor, "start", counted)
    rows = replayed(*[fixture("mine.py:broken" if number % 2 else "mine.py:fixed") for number in range(40)])

    assert sorted(started) == ["mine.py:broken", "mine.py:fixed"]
    assert [row.state for row in rows] == [
        "failed" if row.fixture.found_by.trimmer == "mine.py:broken" else "fixed" for row in rows
    ]


@pytest.mark.slow
def test_bad_files_do_not_stop_the_others(replayed: Callable[..., list[Replayed]], folder: Path) -> None:
    """A file that is no fixture is a row with the reason; the exit code is that of what was found beside it."""
    (folder / "fixtures").mkdir()
    (folder / "fixtures" / "bad.json").write_text("{}", "utf-8")
    rows = replayed(fixture(), fixture("mine.py:fixed"))

    assert [row.state for row in rows] == ["failed", "fixed", "error"]
    assert "no fixture" in rows[2].problem
    assert row_as_json(rows[2])["path"] == str(folder / "fixtures" / "bad.json")
    assert (exit_code(rows), exit_code(rows[1:])) == (1, 2)


def test_time_of_a_trim_is_that_of_the_fixture() -> None:
    """What was found with a longer time is replayed with it, also on another trimmer, unless one is asked for."""
    found = fixture(options={"timeout": 7.5})

    assert spec_of(found).timeout == spec_of(found, Spec("x:y")).timeout == 7.5
    assert spec_of(found, Spec("x:y", timeout=0.5)).timeout == 0.5
    assert spec_of(fixture()).timeout == 2.0


@pytest.mark.slow
def test_rows_come_as_they_are_done_and_closing_ends_every_process(folder: Path) -> None:
    """Whoever stops after the first row leaves nothing running."""
    for number in range(30):
        save_fixture(fixture(), folder / "fixtures" / f"{number:02}.json")
    before = _children()
    rows = replay([folder / "fixtures"])

    assert next(rows).state == "failed"
    (child,) = _children() - before
    rows.close()

    assert child not in _children()


def _children() -> set[str]:
    return {child for task in Path("/proc/self/task").glob("*/children") for child in task.read_text().split()}


def test_bad_files_are_said_before_anything_runs(folder: Path) -> None:
    """Nothing to replay, and a file alone that is no fixture, are errors."""
    (folder / "empty").mkdir()
    (folder / "bad.json").write_text("{}", "utf-8")

    with pytest.raises(BadFile, match="no fixtures"):
        replay([folder / "empty"])
    with pytest.raises(BadFile, match=r"bad\.json"):
        replay([folder / "bad.json"])


def test_another_target_is_judged_on_the_terms_of_the_fixture() -> None:
    """Provider, kind of limit, counter and a promised bound come from the fixture unless they are given."""
    found = fixture(
        rule="utilisation",
        provider="anthropic",
        limit=Limit("tokens", 9),
        options={"count": "m:f", "promises": {"utilisation": 0.5}, "marks": False, "call": "f(messages)"},
    )
    taken, given = spec_of(found, Spec("x:y")), spec_of(found, Spec("x:y", provider="gemini", count="m:g"))

    assert (taken.target, taken.provider, taken.limit, taken.count) == ("x:y", "anthropic", "tokens", "m:f")
    assert (taken.promises, taken.marks, taken.call) == ({"utilisation": 0.5}, "off", None)
    assert (given.provider, given.count) == ("gemini", "m:g")


def test_options_of_later_versions_are_passed_over() -> None:
    """An option that this version does not know does not make a fixture unreadable."""
    assert spec_of(fixture(options={"in_place": True, "novel": 1})).in_place is True


def test_rows_as_json() -> None:
    """A row says which file, what became of it, and what was found."""
    row = Replayed(fixture(path=Path("a.json")), "error", "mine.py:none", problem="it has no 'none'")

    assert row_as_json(row) == {
        "path": "a.json", "id": "0" * 12, "rule": "no-orphan", "cause": "no-orphan/valid/call-dropped",
        "trimmer": "mine.py:none", "state": "error", "fails": False, "found": None, "message": "it has no 'none'",
        "url": None,
    }  # fmt: skip
