"""The page on the architecture tells of the tree as it is, and its picture is the one that the imports make."""

import xml.etree.ElementTree as ElementTree
from pathlib import Path

from .tools.draw_architecture import FLOW, draw, package_imports
from .tools.imports import PACKAGES, ROOT, read_sources

SOURCES = read_sources()
PAGE = (ROOT / "docs" / "architecture.md").read_text("utf-8")
AGAIN = "run `python -m tests.tools.draw_architecture > docs/architecture.svg`"


def test_the_picture_is_up_to_date() -> None:
    """An import between packages or a new line of modules changes it."""
    assert (ROOT / "docs" / "architecture.svg").read_text("utf-8") == draw(SOURCES), AGAIN


def test_the_picture_shows_every_package_and_what_flows() -> None:
    """As text, so that it can be read aloud."""
    tree = ElementTree.fromstring(draw(SOURCES))
    texts = {element.text for element in tree.iter() if element.tag.endswith("}text")}
    assert texts >= {f"trimfuzz.{package}" for package in PACKAGES if package != "front"}
    assert texts >= {what for _, _, what in FLOW} | {"trimfuzz", "fixture"}


def test_an_import_that_appears_is_drawn() -> None:
    """The picture follows the sources."""
    more = {**SOURCES, Path("strategies/x.py"): "from ..oracles.packs import pack"}
    assert ("strategies", "oracles") in set(package_imports(more)) - set(package_imports(SOURCES))
    assert draw(more) != draw(SOURCES)


def test_the_page_has_a_paragraph_for_each_package_and_names_its_folders() -> None:
    """A folder that is new, moved or gone is seen here."""
    sections = {part.split("\n")[0]: part for part in PAGE.split("\n## ")[1:]}
    assert set(sections) == set(PACKAGES)
    folders = {path.parts[:2] for path in SOURCES if len(path.parts) > 2}
    assert [
        f"{package}/{folder}" for package, folder in sorted(folders) if f"`{folder}/`" not in sections[package]
    ] == []
