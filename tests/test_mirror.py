"""The tests mirror the tree: the tests of `oracles/rules/orphans.py` are `tests/oracles/rules/test_orphans.py`.

A folder's `__init__` is tested by a file of the folder's name. What looks across modules is listed with its reason.
"""

from collections.abc import Iterable
from pathlib import Path

import pytest

from .tools.imports import PACKAGES, ROOT, read_sources

ACROSS = {
    "tests/campaigns/engine/test_compactors.py": "compactors go through check, campaign, fixtures and replay",
    "tests/campaigns/runs/test_honest.py": "trimmers that do nothing wrong, from the command to the verdict",
    "tests/campaigns/runs/test_repro.py": "small files that showed a fault, from the command to the verdict",
    "tests/campaigns/runs/test_trivial.py": "trimmers that do nothing right, from the command to the verdict",
    "tests/campaigns/sessions/test_scenarios.py": "public reports, played from the step to the finding",
    "tests/campaigns/target/test_limit_other.py": "a kind of limit, from its option to reports and fixtures",
    "tests/campaigns/test_recipes.py": "commands that the pages show",
    "tests/campaigns/test_wires.py": "every format, from the items of a trimmer to the verdict",
    "tests/campaigns/workers/test_plumbing.py": "the small modules under a run",
    "tests/implementations/museum/test_precision.py": "every correct trimmer against every rule",
    "tests/campaigns/python_api/test_docs.py": "the examples of docs/python.md, all functions together",
    "tests/implementations/packages/test_frameworks.py": "adapters of one kind, in one table",
    "tests/implementations/packages/test_light_packages.py": "adapters of one kind, in one table",
    "tests/implementations/packages/test_modules.py": "what holds for all adapters",
    "tests/implementations/packages/test_plain_dicts.py": "adapters of one kind, in one table",
    "tests/implementations/seeds/test_vectors.py": "all ports against recorded outputs",
    "tests/implementations/test_told.py": "what a trimmer tells beside its list, from trimmer to runner",
    "tests/implementations/test_traced.py": "what a trimmer tells of its sources, from trimmer to runner",
    "tests/messages/formats/test_round_trips.py": "all formats, there and back",
    "tests/messages/formats/test_sdks.py": "all formats, judged by the SDKs of their vendors",
    "tests/messages/formats/test_written.py": "all formats, on the same few messages",
    "tests/oracles/packs/test_mistral_judge.py": "a vendor's own validator against a pack",
    "tests/oracles/packs/test_pack_features.py": "what packs accept, generated and linted",
    "tests/oracles/packs/test_vendors.py": "the two modules of each vendor",
    "tests/strategies/test_shrinking.py": "strategies under Hypothesis' shrinker",
}
"""Test files that belong to no single module, and why."""


def without_module(tests: Iterable[Path], modules: Iterable[Path]) -> list[Path]:
    """Return the test files, relative to the root, whose place and name are of no module."""
    there = set(modules)
    return [test for test in tests if not there & set(_homes(Path(*test.parts[1:-1]), test.stem.removeprefix("test_")))]


def _homes(folder: Path, name: str) -> list[Path]:
    own = [folder / "__init__.py"] if folder.name == name else []
    return [folder / f"{name}.py", folder / name / "__init__.py", *own]


def files_of_packages() -> list[Path]:
    """Return every test file in a folder named like a package."""
    return sorted(
        path.relative_to(ROOT) for package in PACKAGES for path in (ROOT / "tests" / package).rglob("test_*.py")
    )


def test_every_test_file_has_its_module() -> None:
    """A module that moved takes its tests along; a test across modules is listed with a reason."""
    lost = {str(path) for path in without_module(files_of_packages(), read_sources())}
    assert sorted(lost - set(ACROSS)) == []
    assert sorted(set(ACROSS) - lost) == [], "no longer across modules, or gone"


@pytest.mark.parametrize(
    ("test", "module"),
    [
        ("tests/a/test_b.py", "a/b.py"),
        ("tests/a/b/test_c.py", "a/b/c.py"),
        ("tests/a/test_b.py", "a/b/__init__.py"),
        ("tests/a/b/test_b.py", "a/b/__init__.py"),
    ],
)
def test_a_test_in_its_place_is_known(test: str, module: str) -> None:
    """The check itself."""
    assert without_module([Path(test)], [Path(module)]) == []


@pytest.mark.parametrize(
    ("test", "module"), [("tests/a/test_b.py", "a/c/b.py"), ("tests/a/b/test_a.py", "a/__init__.py")]
)
def test_a_test_left_behind_is_seen(test: str, module: str) -> None:
    """The check itself, the other way round."""
    assert without_module([Path(test)], [Path(module)]) == [Path(test)]
