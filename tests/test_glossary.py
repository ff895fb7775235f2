"""One word, one thing: the glossary against the names of the code.

Every word in the name of a public class is in the glossary or is plain English. No two public classes share a name, and
a module's name repeats only where it has one subject in several packages.
"""

import ast
import re
from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path

import pytest

from .tools.imports import ROOT, Sources, read_sources

SOURCES = read_sources()
ENTRY = re.compile(r"- \*\*(?P<word>[a-z ]+)\*\*: (?P<meaning>\S.*\.)")
PLAIN_WORDS = """
    about account agreement alignment answer bad bench block breach broken budget by campaign cannot canvas
    carry change check checked compacting complaint correct declaration declared dialect died draft drawn
     empty engine entry error evidence exploration explored expression failure file filter form found frame gap garbled
     given glyphs grammar grouping header held hung hunt id isolated judged keys known last lazy linted merging
    loop message moment moves name nonempty nothing objects observed operation origins pace part parts phase
    planned play player process progress proof protocol provider purse raw read reading recorded recorder
    remembering replay replayed request resolved row search shared shrunk signs slot small summary supervisor taken
    tally target terms too traced trimfuzz unavailable unusable utilisation verdict version violation watch way
    window worker counter first calls
"""
"""Words of class names that mean what they mean anywhere."""
PLAIN = frozenset(PLAIN_WORDS.split())
NAMED_AS_SENTENCES = "implementations/museum"
"""Each class of the museum is a broken trimmer, and its name says what it does wrong."""
SAME_SUBJECT = {
    "campaign": "its command and its run",
    "check": "its command and its run",
    "conduct": "its rules and the museum pieces that break them",
    "conformance": "the path that people use, and the module behind it",
    "features": "what a history can contain, and which of it a provider accepts",
    "limits": "limits, and their rules",
    "errors": "the errors, and the path by which Python users find them",
    "judge": "its command and its function",
    "kimi": "the vendor, and the program of the same vendor that is a seed system",
    "lint": "its command, its run and its faults",
    "neutral": "our own messages as JSON, and the core rules as a provider",
    "options": "options of the command line, and what they mean for a target",
    "prove": "its command and its run",
    "reference": "the reference oracle, and the reference trimmer",
    "registry": "what has a name: formats, rules, trimmers",
    "replay": "its command and its run",
    "requests": "requests, their rules and the museum pieces that break them",
    "sessions": "what happens in them, their command and their tests",
}
"""Names of modules that repeat, and the one subject of each. A vendor's name repeats by design: see `vendors`."""


def entries(text: str) -> dict[str, str]:
    """Return the words of the glossary with their meanings."""
    found = [ENTRY.fullmatch(line) for line in text.splitlines() if line.startswith("- ")]
    return {match["word"]: match["meaning"] for match in found if match}


def public_classes(sources: Sources) -> dict[str, list[Path]]:
    """Return where each public class of a module is defined."""
    found: dict[str, list[Path]] = defaultdict(list)
    for path, source in sources.items():
        for node in ast.parse(source).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                found[node.name].append(path)
    return found


def words_of(name: str) -> list[str]:
    """Split a name at its capitals."""
    return [word.lower() for word in re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+", name)]


def unexplained(classes: Mapping[str, list[Path]], ours: set[str]) -> list[str]:
    """Return the words of class names that are neither ours nor plain, with the class."""
    known = ours | {f"{word}s" for word in ours} | PLAIN
    return [
        f"{name}: {word}"
        for name, paths in classes.items()
        if not all(path.is_relative_to(NAMED_AS_SENTENCES) for path in paths)
        for word in words_of(name)
        if word not in known
    ]


def doubles(classes: Mapping[str, list[Path]]) -> dict[str, list[str]]:
    """Return the names that several public classes have."""
    return {name: [str(path) for path in paths] for name, paths in classes.items() if len(paths) > 1}


def repeated_modules(sources: Sources) -> dict[str, list[Path]]:
    """Return the names that modules in several folders have, vendors aside."""
    found: dict[str, list[Path]] = defaultdict(list)
    for path in sources:
        found[path.stem].append(path)
    return {
        name: paths
        for name, paths in found.items()
        if len(paths) > 1 and not name.startswith("__") and not vendors(paths)
    }


def vendors(paths: list[Path]) -> bool:
    """Say whether modules of one name are the halves of a vendor, and its format."""
    return {str(path.parent) for path in paths} <= {"messages/formats", "messages/reading/vendors", "oracles/packs"}


GLOSSARY = (ROOT / "docs" / "glossary.md").read_text("utf-8")
OURS = {part for word in entries(GLOSSARY) for part in word.split()}


def test_the_glossary_is_a_list_of_lines_in_order() -> None:
    """One word a line, in the order of the alphabet, and few enough to be read."""
    lines = [line for line in GLOSSARY.splitlines() if line.startswith("- ")]
    words = list(entries(GLOSSARY))
    assert len(words) == len(lines)
    assert words == sorted(words)
    assert 40 <= len(words) <= 65


def test_every_word_of_the_glossary_is_in_use() -> None:
    """A word that the code has given up is given up here."""
    text = "\n".join(SOURCES.values()).lower().replace("-", " ").replace("_", " ")
    assert [word for word in entries(GLOSSARY) if word not in text] == []


def test_every_class_is_named_in_plain_words_or_ours() -> None:
    """A new word of ours goes into the glossary, a plain one into `PLAIN`; what nobody uses goes."""
    classes = public_classes(SOURCES)
    assert unexplained(classes, OURS) == []
    assert not PLAIN & OURS
    assert {word for name in classes for word in words_of(name)} > {"bad", "history", "trimmer"}


def test_no_two_public_classes_have_one_name() -> None:
    """A reader who knows the class of one module is not misled in another."""
    assert doubles(public_classes(SOURCES)) == {}


def test_the_name_of_a_module_repeats_for_one_subject_only() -> None:
    """Each is listed with what it is about."""
    repeated = repeated_modules(SOURCES)
    assert {name: [str(path) for path in paths] for name, paths in repeated.items() if name not in SAME_SUBJECT} == {}


@pytest.mark.parametrize(
    ("name", "words"),
    [("BadHistory", ["bad", "history"]), ("lazy", ["lazy"]), ("HTTPError", ["http", "error"]), ("ById", ["by", "id"])],
)
def test_a_name_is_split_at_its_capitals(name: str, words: list[str]) -> None:
    """The check itself."""
    assert words_of(name) == words


def test_what_is_unexplained_or_double_is_seen() -> None:
    """The check itself."""
    sources = {
        Path("oracles/a/lint.py"): "class Gizmo: ...\nclass _Own: ...",
        Path("oracles/b/lint.py"): "class Gizmo: ...",
        Path("implementations/museum/a.py"): "class SwallowsFrogs: ...",
        Path("oracles/packs/acme.py"): "",
        Path("messages/formats/acme.py"): "",
    }
    classes = public_classes(sources)
    assert unexplained(classes, {"history"}) == ["Gizmo: gizmo"]
    assert unexplained(classes, {"gizmo"}) == []
    assert doubles(classes) == {"Gizmo": ["oracles/a/lint.py", "oracles/b/lint.py"]}
    assert list(repeated_modules(sources)) == ["lint"]
    assert entries("# x\n- **a word**: means this.\n- **other**: no stop") == {"a word": "means this."}
