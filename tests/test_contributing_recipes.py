"""The recipes hold: each is performed in a copy of the tree, with the files that it names and no others, up to green.

Then each step is left out once: the tests are red, and say what was forgotten.
"""

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from .tools.imports import ROOT
from .tools.recipes import Recipe, copy_tree, perform, read_recipe, run

AT_MOST = {"rule": 6, "trimmer": 4, "vendor": 3, "format": 2}
"""How many files each recipe may touch."""
ACME_TRIM = {
    "acme_trim.py": "def fit(messages, max_messages):\n    return messages[-max_messages:] if max_messages else []\n",
    "acme_trim-1.0.dist-info/METADATA": "Metadata-Version: 2.1\nName: acme-trim\nVersion: 1.0\n",
}
"""The package that the recipe of a trimmer adapts."""
PAGES = (ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md")))
NAMED_PATH = re.compile(r"`((?:front|messages|strategies|oracles|implementations|campaigns|tests|docs|\.ci)/[\w./-]*)`")
NAMED_BY = {"rule": (0, 0, 1, 2, 0, 3), "trimmer": (0, 0, 0, 0), "vendor": (0, 0, 0), "format": (1, 0)}
"""For each step of a recipe, which of its commands names it when it was forgotten."""
LEFT_OUT = [(name, number) for name in AT_MOST for number in range(len(read_recipe(name).steps))]


@pytest.fixture(scope="module")
def first_copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a copy of the tree, in which `acme_trim` is installed."""
    copy = copy_tree(tmp_path_factory.mktemp("first"))
    for name, text in ACME_TRIM.items():
        (copy / name).parent.mkdir(exist_ok=True)
        (copy / name).write_text(text, "utf-8")
    return copy


@pytest.fixture
def tree(first_copy: Path, tmp_path: Path) -> Path:
    """Return a copy of that copy for one test: it is compiled only once."""
    shutil.copytree(first_copy, tmp_path, symlinks=True, dirs_exist_ok=True)
    return tmp_path


def outputs(recipe: Recipe, tree: Path) -> Iterator[str]:
    """Run the commands of a recipe, and yield what is printed by those that are not green."""
    for command in recipe.commands:
        done = run(command, tree)
        if done.returncode:
            yield done.stdout


def texts(tree: Path) -> dict[str, str]:
    """Return every text file of a copy, but for what the tests themselves leave."""
    return {
        str(path.relative_to(tree)): path.read_text("utf-8")
        for path in tree.rglob("*")
        if path.is_file() and not {"__pycache__", ".hypothesis"} & set(path.parts) and path.suffix != ".pyc"
    }


@pytest.mark.parametrize("name", AT_MOST)
def test_the_files_of_a_recipe_are_few_and_named_in_contributing(name: str) -> None:
    """A newcomer finds them without opening the recipe."""
    files = list(dict.fromkeys(step.file for step in read_recipe(name).steps))
    section = (ROOT / "CONTRIBUTING.md").read_text("utf-8").partition(f"### Add a {name}\n")[2].partition("\n###")[0]
    assert f"docs/recipes/{name}.md" in section
    assert [file for file in files if f"`{file}`" not in section] == []
    assert len(files) <= AT_MOST[name]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_path_that_a_page_names_is_there(page: Path) -> None:
    """A page that sends a newcomer to a file that moved is wrong; what a recipe makes is not there yet."""
    made = {step.file for name in AT_MOST for step in read_recipe(name).steps if step.place == "a new file"}
    named = {found for found in NAMED_PATH.findall(page.read_text("utf-8")) if "NAME" not in found}
    assert sorted(path for path in named - made if not (ROOT / path).exists()) == []


@pytest.mark.slow
@pytest.mark.parametrize("name", AT_MOST)
def test_a_recipe_leads_to_green_with_its_files_alone(name: str, tree: Path) -> None:
    """No other file is touched on the way."""
    recipe = read_recipe(name)
    before = texts(tree)
    perform(recipe.steps, tree)
    after = texts(tree)
    assert {file for file in after if after[file] != before.get(file)} == {step.file for step in recipe.steps}
    red = list(outputs(recipe, tree))
    assert not red, "\n".join(red)[-3000:]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "number"), LEFT_OUT, ids=lambda value: str(value))
def test_a_step_left_out_is_named(name: str, number: int, tree: Path) -> None:
    """By what the page says that the tests say."""
    recipe = read_recipe(name)
    forgotten = recipe.steps[number]
    perform([step for step in recipe.steps if step is not forgotten and step.place != "made anew"], tree)
    command = recipe.commands[NAMED_BY[name][number]]
    done = run(command, tree)
    assert done.returncode, f"{command} is green"
    assert forgotten.forgotten in done.stdout
