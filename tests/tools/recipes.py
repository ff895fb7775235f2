"""Recipes: pages in `docs/recipes` that say, step by step, what goes into which file, and how to perform them.

A step is a bold number, a file, a place (`a new file`, `at the end`, "behind `text`" or `made anew`) and a block in
fences. Its last line says what the tests print when the step is forgotten. The last block of the page holds the
commands that are green at the end.
"""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

from attrs import frozen

from .imports import PACKAGES, ROOT

STEP = re.compile(
    r"^\*\*(?P<number>\d+)\.\*\* `(?P<file>[^`]+)`, "
    r"(?P<place>a new file|at the end|made anew|behind `(?P<behind>[^`]+)`)"
    r".*?^```\w+\n(?P<block>.*?)^```\n\nForgotten, the tests say: `(?P<forgotten>[^`]+)`",
    re.MULTILINE | re.DOTALL,
)
GREEN = re.compile(r"these are green:\n\n```sh\n(?P<commands>.*?)```", re.DOTALL)
COPIED = (*PACKAGES, "tests", "docs")


@frozen
class Step:
    """One step: the file, where in it the block goes, and a part of what is printed without it."""

    file: str
    place: str
    behind: str | None
    block: str
    forgotten: str


@frozen
class Recipe:
    """The steps of a page, and the commands that are green behind them."""

    steps: tuple[Step, ...]
    commands: tuple[str, ...]


def read_recipe(name: str) -> Recipe:
    """Read a page of `docs/recipes`."""
    text = (ROOT / "docs" / "recipes" / f"{name}.md").read_text("utf-8")
    found = list(STEP.finditer(text))
    assert [int(step["number"]) for step in found] == list(range(1, len(found) + 1)), "a step is not read"
    green = GREEN.search(text)
    assert green, "no commands at the end"
    return Recipe(
        tuple(Step(one["file"], one["place"], one["behind"], one["block"], one["forgotten"]) for one in found),
        tuple(green["commands"].strip().splitlines()),
    )


def copy_tree(to: Path) -> Path:
    """Copy the sources, and make them a package `trimfuzz` that shows them as an install would; they are compiled."""
    for name in COPIED:
        shutil.copytree(ROOT / name, to / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "README.md", "CONTRIBUTING.md"):
        shutil.copy(ROOT / name, to / name)
    folders = [str(to / name) for name in PACKAGES]
    subprocess.run([sys.executable, "-m", "compileall", "-q", *folders], check=True)
    package = to / "trimfuzz"
    package.mkdir()
    for path in (to / "front").iterdir():
        (package / path.name).symlink_to(Path("..", "front", path.name))
    for name in PACKAGES:
        if name != "front":
            (package / name).symlink_to(Path("..", name))
    return to


def perform(steps: Iterable[Step], tree: Path) -> None:
    """Do what the steps say, in a copy of the tree."""
    for step in steps:
        path = tree / step.file
        if step.place == "a new file":
            assert not path.exists(), path
            path.write_text(step.block, "utf-8")
        elif step.place == "at the end":
            blank = "\n\n" if path.suffix == ".py" else ""
            path.write_text(path.read_text("utf-8") + blank + step.block, "utf-8")
        elif step.place == "made anew":
            done = run(step.block.strip(), tree)
            assert done.returncode == 0, done.stdout
        else:
            lines = path.read_text("utf-8").splitlines(keepends=True)
            (at,) = [at for at, line in enumerate(lines) if str(step.behind) in line]
            path.write_text("".join([*lines[: at + 1], step.block, *lines[at + 1 :]]), "utf-8")


def run(command: str, tree: Path) -> subprocess.CompletedProcess[str]:
    """Run a command line in a copy of the tree, with the copy's `trimfuzz`; pytest ends at the first failure."""
    line = re.sub(r"^pytest ", f"{sys.executable} -m pytest -x -q -p no:cacheprovider ", command)
    line = re.sub(r"^python ", f"{sys.executable} ", line)
    return subprocess.run(
        line,
        shell=True,
        cwd=tree,
        env={**os.environ, "PYTHONPATH": str(tree), "COLUMNS": "200"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=300,
        check=False,
    )
