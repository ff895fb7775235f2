"""The registry finds trimmers by name, lists what is missing with the reason, and imports nothing too early."""

import subprocess
import sys
from importlib.metadata import EntryPoint

import pytest

from trimfuzz.implementations import registry
from trimfuzz.implementations.museum import CORRECT, PIECES
from trimfuzz.implementations.registry import Unavailable, find, museum, registered
from trimfuzz.implementations.trimmer import Trimmer
from trimfuzz.messages.errors import BadName, BadTarget

SEEDS = {
    "oasis-pre", "oasis-post", "codebuff-pre", "codebuff-post", "codebuff-pre+drop-unanswered",
    "codebuff-post+drop-unanswered", "codebuff-pre+filter-unfinished", "codebuff-post+filter-unfinished",
    "codebuff-drop-unanswered", "codebuff-filter-unfinished",
}  # fmt: skip


@pytest.fixture(autouse=True)
def _forget() -> None:
    """Let each test load the registry anew."""
    registry._load.cache_clear()


def entry(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    """Pretend that an installed package registers `value` under the name `other`."""
    point = EntryPoint("other", value, registry.GROUP)
    monkeypatch.setattr(registry, "entry_points", lambda group: [point] if group == registry.GROUP else [])


def test_seeds_and_reference_are_registered() -> None:
    """Every seed variant and the reference are there, under the names that fixtures hold."""
    found = registered()
    assert SEEDS | {"reference"} <= found.keys()
    assert all(name == entry.name for name, entry in found.items())


def test_seeds_carry_their_story() -> None:
    """A seed says where it comes from, and under which licence."""
    for name in SEEDS:
        trimmer = find(name)
        assert "licence" in trimmer.story
        assert trimmer.source.startswith("https://")


def test_museum_is_not_registered_but_found() -> None:
    """A campaign over everything leaves the museum out; each piece is found when it is named."""
    assert not any(name.startswith("museum:") for name in registered())
    assert len(museum()) == len(PIECES) + len(CORRECT)
    assert find("museum:tail-slice").name == "museum:tail-slice"
    assert find("museum:system-and-tail").trim([], 0, len) == []


@pytest.mark.parametrize(
    ("wrong", "near"),
    [("oasis-pro", "oasis-pre"), ("museum:tail-slic", "museum:tail-slice"), ("referense", "reference")],
)
def test_unknown_name_is_one_error_with_near_names(wrong: str, near: str) -> None:
    """A misspelt name is answered with the names that are close to it."""
    with pytest.raises(BadName, match=f"unknown trimmer '{wrong}'") as caught:
        find(wrong)
    assert near in caught.value.hint


def test_missing_package_is_listed_with_its_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    """A package that is not installed is no import error: it is listed, and asking for it says why."""
    entry(monkeypatch, "no_such_package.here:trimmers")
    missing = registered()["other"]
    assert isinstance(missing, Unavailable)
    assert "no_such_package" in missing.reason
    with pytest.raises(BadTarget, match="no_such_package"):
        find("other")


def test_entry_point_may_be_a_trimmer_or_a_function(monkeypatch: pytest.MonkeyPatch) -> None:
    """Packages register a function that returns trimmers."""
    entry(monkeypatch, "trimfuzz.implementations.seeds.oasis:trimmers")
    assert registry._load("other")[0].name == "oasis-pre"


def test_entry_point_of_another_kind_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is no trimmer is listed as such, and does not stop the others."""
    entry(monkeypatch, "builtins:dict")
    found = registered()
    assert found["other"] == Unavailable("other", "gave a dict, not a Trimmer")
    assert isinstance(found["oasis-pre"], Trimmer)


def test_entry_point_that_fails_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    """A registered function that raises is unavailable, with the error."""
    entry(monkeypatch, "builtins:iter")
    reason = registered()["other"]
    assert isinstance(reason, Unavailable)
    assert reason.reason.startswith("TypeError: ")


def test_a_seed_is_found_without_importing_packages() -> None:
    """Looking up a seed imports no real package."""
    code = (
        "import sys; from trimfuzz.implementations.registry import find; find('codebuff-pre+drop-unanswered');"
        "print([name for name in sys.modules if name.startswith(('langchain', 'trimfuzz.implementations.packages.'))])"
    )
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert out.stdout.strip() == "[]"


def test_reference_follows_the_provider() -> None:
    """The reference trimmer of a provider is judged and behaves by that provider's profile."""
    assert find("reference").format.provider == "neutral"
    assert find("reference", provider="bedrock").format.provider == "bedrock"
