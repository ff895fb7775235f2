"""Campaigns: what is found is on disk, once; a second campaign knows it."""

import json
from pathlib import Path

import pytest

from trimfuzz.campaigns.runs import campaign as campaigns
from trimfuzz.campaigns.runs.account import Found
from trimfuzz.campaigns.runs.campaign import Campaign, campaign
from trimfuzz.campaigns.store.fixtures import read_all
from trimfuzz.campaigns.target.spec import Spec
from trimfuzz.campaigns.workers import supervisor

MISBEHAVING = Path(__file__).parents[1] / "misbehaving.py"


@pytest.fixture(autouse=True)
def _unshrunk(monkeypatch: pytest.MonkeyPatch) -> None:
    """Shrink nothing: how large a finding is does not matter here."""
    monkeypatch.setattr(campaigns, "SHRINK_CAMPAIGN_SECONDS", 0.0)


def ran(
    directory: Path, *targets: str, examples: int = 60, jobs: int = 2, seed: int = 5
) -> tuple[Campaign, list[Found]]:
    """A short campaign and everything that it told."""
    told: list[Found] = []
    made = campaign(
        [Spec(target, timeout=0.5) for target in targets],
        directory=directory,
        examples=examples,
        jobs=jobs,
        seed=5,
        tell=told.append,
    )
    made.run()
    return made, told


@pytest.mark.slow
def test_findings_are_written_before_they_are_told(tmp_path: Path) -> None:
    """Each told finding names a file that holds it; each signature has one."""
    made, told = ran(tmp_path, "oasis-pre", "oasis-post")

    fixtures = list(read_all([tmp_path]))
    assert made.failed
    assert {found.path for found in told} == {fixture.path for fixture in fixtures}
    assert len({fixture.signature for fixture in fixtures}) == len(fixtures)
    assert {"no-orphan/valid/call-dropped"} <= {fixture.cause for fixture in fixtures}


@pytest.mark.slow
def test_the_fix_shows_no_broken_pair_on_valid_input(tmp_path: Path) -> None:
    """oasis after its fix is silent where the input is valid."""
    made, _ = ran(tmp_path, "oasis-post", examples=150)

    assert not made.failed


@pytest.mark.slow
def test_a_second_campaign_finds_nothing_new(tmp_path: Path) -> None:
    """What is on file is run again and known."""
    ran(tmp_path, "oasis-pre")
    before = sorted(path.name for path in tmp_path.iterdir())

    _, told = ran(tmp_path, "oasis-pre")

    assert {found.state for found in told} == {"known"}
    assert sorted(path.name for path in tmp_path.iterdir()) == before


def test_a_bug_is_known_by_any_of_its_causes(tmp_path: Path) -> None:
    """Also by a file of format 1, which has the class in its signature, and a cause that is folded today."""
    ran(tmp_path, "oasis-pre", examples=1)
    (orphan,) = tmp_path.glob("*--no-orphan--*.json")
    old = json.loads(orphan.read_text("utf-8").replace("no-orphan", "batch-atomic"))
    for path in tmp_path.iterdir():
        path.unlink()
    old |= {"format": 1, "signature": old["signature"].replace("batch-atomic/", "batch-atomic/valid/")}
    (tmp_path / "oasis-pre--batch-atomic--old.json").write_text(json.dumps(old), "utf-8")

    made, _ = ran(tmp_path, "oasis-pre", examples=1)

    (found,) = (one for one in made.accounts[0].counting if one.bug.number is not None)
    assert (found.bug.rule, found.state) == ("no-orphan", "known")
    assert found.path == tmp_path / "oasis-pre--batch-atomic--old.json"
    assert not list(tmp_path.glob("*--no-orphan--*.json"))


@pytest.mark.slow
def test_a_fixed_trimmer_is_told_as_fixed(tmp_path: Path) -> None:
    """A fixture whose trimmer does not fail any more stays on file, and fails nothing."""
    ran(tmp_path, "oasis-pre")
    (tmp_path / "tidy.py").write_text("def trim(messages, limit):\n    return messages\n", "utf-8")
    tidy = f"{tmp_path / 'tidy.py'}:trim"
    for fixture in tmp_path.glob("*.json"):
        fixture.write_text(fixture.read_text("utf-8").replace('"oasis-pre"', f'"{tidy}"'), "utf-8")

    _, told = ran(tmp_path, tidy, examples=1)

    assert "fixed" in {found.state for found in told if found.record.rule == "no-orphan"}


@pytest.mark.slow
def test_a_trimmer_that_raises_now_has_fixed_nothing(tmp_path: Path) -> None:
    """A call that always raises is a problem of the call; what is on file stays as it is."""
    ran(tmp_path, "oasis-pre")
    (tmp_path / "worse.py").write_text("def trim(messages, limit):\n    raise RuntimeError\n", "utf-8")
    (tmp_path / "notes.json").write_text("{}", "utf-8")
    worse = f"{tmp_path / 'worse.py'}:trim"
    for fixture in tmp_path.glob("oasis*.json"):
        fixture.write_text(fixture.read_text("utf-8").replace('"oasis-pre"', f'"{worse}"'), "utf-8")

    made, told = ran(tmp_path, worse, examples=1)

    (problem,) = (account.problem for account in made.accounts)
    assert "each of the first 20 calls raised RuntimeError (called as trim(messages, limit)" in problem
    assert "fixed" not in {found.state for found in told}


@pytest.mark.slow
def test_the_count_of_examples_is_kept(tmp_path: Path) -> None:
    """Every trimmer gets its histories, and not many more (the known cases come on top)."""
    made, _ = ran(tmp_path, "reference", "oasis-post", examples=100)

    assert all(100 <= account.examples <= 300 for account in made.accounts)


@pytest.mark.slow
def test_a_trimmer_that_cannot_be_run_does_not_stop_the_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is told with its reason; a deadly one is given up, and the rest goes on."""
    monkeypatch.setattr(supervisor, "RESTARTS", 1)
    missing, deadly = f"{tmp_path}/none.py:trim", f"{MISBEHAVING}:ends_its_process"
    made, told = ran(tmp_path / "found", missing, deadly, "oasis-pre")

    problems = {account.spec.target: account.problem for account in made.accounts}
    assert "none.py" in problems[missing]
    assert problems["oasis-pre"] == ""
    assert "total-no-raise" in {found.record.rule for found in told}
    assert "no-orphan" in {found.record.rule for found in told}


@pytest.mark.slow
def test_two_slots_can_share_one_trimmer(tmp_path: Path) -> None:
    """A campaign over a single trimmer uses all its processes."""
    made, _ = ran(tmp_path, "oasis-post", examples=500)

    assert sum(bool(slot) for slot in made.workers) == 2


@pytest.mark.slow
@pytest.mark.parametrize("jobs", [1, 2])
def test_a_campaign_that_is_stopped_has_everything_on_disk(tmp_path: Path, jobs: int) -> None:
    """Stopping in the middle, as Ctrl-C does, loses nothing that was told."""
    told: list[Found] = []

    def tell(found: Found) -> None:
        told.append(found)
        made.stopped.set()

    made = campaign([Spec("oasis-pre"), Spec("codebuff-pre")], directory=tmp_path, minutes=1.0, jobs=jobs, tell=tell)
    made.run()

    assert told
    assert {found.path for found in told} <= {fixture.path for fixture in read_all([tmp_path])}
