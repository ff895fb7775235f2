"""Marks are handed out to who reads them: by promise, by declaration, or by the trimmer's own code."""

import sys
from collections.abc import Callable
from functools import partial
from itertools import count
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from trimfuzz.campaigns.engine.engine import engine_for
from trimfuzz.campaigns.engine.lanes import Item, feed
from trimfuzz.campaigns.runs.replay import spec_of
from trimfuzz.campaigns.store.fixture_format import Fixture, FoundBy
from trimfuzz.campaigns.target.contract import Contract
from trimfuzz.campaigns.target.declaration import trimmer
from trimfuzz.campaigns.target.loading import load_named
from trimfuzz.campaigns.target.marks import uses_marks
from trimfuzz.campaigns.target.resolve import resolve
from trimfuzz.campaigns.target.spec import Spec, spec_from_json
from trimfuzz.implementations.registry import Unavailable, museum, registered
from trimfuzz.messages.shorthand import history

NUMBERS = count()
Write = Callable[[str, str], str]


@pytest.fixture
def write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Write:
    """Write a module with a name of its own, and return the target in it."""
    monkeypatch.setattr(sys, "path", list(sys.path))

    def written(source: str, name: str = "trim") -> str:
        path = tmp_path / f"marked_{next(NUMBERS)}.py"
        path.write_text(source)
        return f"{path}:{name}" if name else str(path)

    return written


READS = {
    "a string": "def trim(ms, n): return [m for m in ms if m.get('keep_during_truncation')] or ms[-n:]",
    "an attribute": "def trim(ms, n): return [m for m in ms if m.keep_during_truncation]",
    "a keyword": "def trim(ms, n): return [*ms[:1], dict(role='user', content='', keep_during_truncation=True)]",
    "a pattern": "def trim(ms, n):\n    match ms[0]:\n        case {'keep_during_truncation': True}: return ms\n"
    "    return ms[-n:]",
    "a helper": "def pinned(m): return m.get('keep_during_truncation')\n"
    "def rest(ms): return [m for m in ms if pinned(m)]\ndef trim(ms, n): return rest(ms) + ms[-n:]",
    "a helper that is handed on": "def pinned(m): return 'keep_during_truncation' in m\n"
    "def trim(ms, n): return list(filter(pinned, ms))",
    "a constant": "PIN = 'keep_during_truncation'\ndef trim(ms, n): return [m for m in ms if m.get(PIN)]",
    "a constant of several": "KEYS = ('role', 'keep_during_truncation')\n"
    "def trim(ms, n): return [m for m in ms if any(m.get(k) for k in KEYS)]",
    "a mapping": "KEYS = {'keep_during_truncation': 1}\ndef trim(ms, n): return [m for m in ms if KEYS.keys() & m]",
    "a class in use": "class Pins:\n    def of(self, m): return m.get('keep_during_truncation')\n"
    "def trim(ms, n): return [m for m in ms if Pins().of(m)]",
    "a lambda": "trim = lambda ms, n: [m for m in ms if m.get('keep_during_truncation')]",
    "a coroutine": "async def trim(ms, n): return [m for m in ms if m.get('keep_during_truncation')]",
    "a nested function": "def trim(ms, n):\n    def pinned(m):\n        '''Pins.'''\n"
    "        return m.get('keep_during_truncation')\n    return [m for m in ms if pinned(m)]",
    "a method": "class trim:\n    def __init__(self, n): self.ms = []\n    def add(self, m): self.ms.append(m)\n"
    "    def view(self): return [m for m in self.ms if m.get('keep_during_truncation')]",
    "a base class": "class Base:\n    def view(self): return [m for m in self.ms if m.get('keep_during_truncation')]\n"
    "class trim(Base):\n    def __init__(self, n): self.ms = []\n    def add(self, m): self.ms.append(m)",
    "an object": "class Compactor:\n    def plan(self, ms, n): return n\n"
    "    def apply(self, ms, n): return [m for m in ms if m.get('keep_during_truncation')]\ntrim = Compactor()",
    "a wrapped function": "import functools\ndef logged(f):\n    @functools.wraps(f)\n    def call(*a): return f(*a)\n"
    "    return call\n@logged\ndef trim(ms, n): return [m for m in ms if m.get('keep_during_truncation')]",
    "a closure": "def made(pinned):\n    def trim(ms, n): return [m for m in ms if pinned(m)]\n    return trim\n"
    "def by_key(m): return m.get('keep_during_truncation')\ntrim = made(by_key)",
    "a partial": "import functools\ndef by(key, ms, n): return [m for m in ms if m.get(key)]\n"
    "trim = functools.partial(by, 'keep_during_truncation')",
}  # fmt: skip
IGNORES = {
    "a comment": "def trim(ms, n):\n    # honour keep_during_truncation one day\n    return ms[-n:]",
    "a docstring": "def trim(ms, n):\n    '''keep_during_truncation'''\n    return ms[-n:]",
    "a docstring of a class": "class trim:\n    '''keep_during_truncation'''\n    def __init__(self, n): self.ms = []\n"
    "    def add(self, m): self.ms.append(m)\n    def view(self): return self.ms",
    "a sentence": "def trim(ms, n):\n    if n < 0: raise ValueError('keep_during_truncation is not read here')\n"
    "    return ms[-n:]",
    "summary alone": "def trim(ms, n): return [m for m in ms if m.get('summary')] + ms[-n:]",
    "a helper that is not called": "def other(m): return m.get('keep_during_truncation')\n"
    "def trim(ms, n): return ms[-n:]",
    "a constant that is not used": "PIN = 'keep_during_truncation'\ndef trim(ms, n): return ms[-n:]",
    "functions that call each other": "def a(ms): return b(ms) if ms else ms\ndef b(ms): return a(ms[1:])\n"
    "def trim(ms, n): return a(ms)",
    "code that cannot be read": "exec('def trim(ms, n): return ms[-n:]')",
    "a built-in function": "trim = max",
}  # fmt: skip


@pytest.mark.parametrize("source", READS.values(), ids=list(READS))
def test_code_that_uses_marks(write: Write, source: str) -> None:
    """Names, attributes, keywords, patterns and strings count, in all that is called within the module."""
    found, module = load_named(write(source, "trim"))
    assert uses_marks(found, module)


@pytest.mark.parametrize("source", IGNORES.values(), ids=list(IGNORES))
def test_code_that_uses_none(write: Write, source: str) -> None:
    """Comments, docstrings, sentences and what is never called do not count."""
    found, module = load_named(write(source, "trim"))
    assert not uses_marks(found, module)


def test_a_helper_of_another_module_is_not_its_own_code(write: Write) -> None:
    """Somebody else's function that knows marks does not make this trimmer one that reads them."""
    other = write(READS["a helper"], "pinned")
    name = Path(other.rpartition(":")[0]).stem
    found, module = load_named(
        write(f"from {name} import pinned\ndef trim(ms, n): return [m for m in ms if pinned(m)]", "trim")
    )
    assert not uses_marks(found, module)


def test_a_module_is_its_plan_and_apply(write: Write) -> None:
    """Of a compactor that is a module only these two are run."""
    plain = "def plan(ms, n): return n\ndef apply(ms, n): return ms[-n:]\ndef other(m): return m.keep_during_truncation"
    marked = "def plan(ms, n): return n\ndef apply(ms, n): return [m for m in ms if m.get('keep_during_truncation')]"
    for source, expected in ((plain, False), (marked, True)):
        found, module = load_named(write(source, ""))
        assert isinstance(found, ModuleType)
        assert uses_marks(found, module) is expected


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        ("f(messages, limit)", False),
        ("f(messages, limit, pin='keep_during_truncation')", True),
        ("f(messages, limit, keep_during_truncation=True)", True),
        ("f(messages, limit, pin=PIN)", True),
        ("f(pinned(messages), limit)", True),
        ("f(other(messages), limit)", False),
        ("f(", False),
    ],
)
def test_call_expressions_count(write: Write, call: str, expected: bool) -> None:
    """What the expression says, or uses of the module, is the trimmer's way to be called."""
    source = (
        "PIN = 'keep_during_truncation'\ndef pinned(ms): return [m for m in ms if m.get('keep_during_truncation')]\n"
        "def other(ms): return ms\ndef trim(ms, n, pin=None, **more): return ms[-n:]"
    )
    found, module = load_named(write(source, "trim"))
    assert uses_marks(found, module, call) is expected


def test_what_has_no_module_has_names_of_its_own() -> None:
    """A partial of a function, and no module."""
    assert uses_marks(partial(print, "keep_during_truncation"), None)
    assert not uses_marks(partial(print, sep="role"), None)


PLAIN = "def trim(messages, limit): return messages[-limit:] if limit > 0 else []"


def said(contract: Contract) -> str:
    """Return the sentence about marks."""
    (note,) = (note for note in contract.notes if note.startswith("marks "))
    return note


@pytest.mark.parametrize(
    ("source", "options", "marks", "words"),
    [
        (PLAIN, {}, False, "marks off (its code reads none; --marks on hands them out)"),
        (PLAIN, {"marks": "on"}, True, "marks on"),
        (PLAIN, {"promise": "keeps-pinned"}, True, "marks on (it promises keeps-pinned)"),
        (PLAIN, {"promise": "keeps-pinned", "marks": "off"}, False, "marks off"),
        (READS["a string"], {}, True, "marks on (its code uses keep_during_truncation)"),
        (READS["a string"], {"marks": False}, False, "marks off"),
        (f"import trimfuzz\n@trimfuzz.trimmer(marks=True)\n{PLAIN}", {}, True, "marks on (declared)"),
        (f"import trimfuzz\n@trimfuzz.trimmer(marks=False)\n{READS['a string']}", {}, False, "marks off (declared)"),
        (f"import trimfuzz\n@trimfuzz.trimmer(promises=['keeps-pinned'])\n{PLAIN}", {}, True, "marks on (it promises"),
    ],
)  # fmt: skip
def test_the_contract_says_which_and_why(
    write: Write, source: str, options: dict[str, Any], marks: bool, words: str
) -> None:
    """Asked for, declared, promised, read off the code: in this order."""
    contract = resolve(Spec.of(write(source, "trim"), **options))

    assert contract.marks is marks
    assert said(contract).startswith(words)


def test_functions_and_trimmers_of_a_test_are_read_too() -> None:
    """What `conformance` is handed as an object has its code."""

    def pinned(message: dict[str, Any]) -> bool:
        return bool(message.get("keep_during_truncation"))

    def reads(messages: list[Any], limit: int) -> list[Any]:
        return [message for message in messages if pinned(message)][:limit]

    def plain(messages: list[Any], limit: int) -> list[Any]:
        return messages[-limit:] if limit > 0 else []

    assert resolve(Spec.of(reads)).marks
    assert not resolve(Spec.of(plain)).marks


def test_a_declaration_is_a_truth_value() -> None:
    """`marks="off"` would be taken for true."""
    with pytest.raises(TypeError, match="marks is True or False, not 'off'"):
        trimmer(marks="off")  # pyright: ignore[reportCallIssue, reportArgumentType]


def test_registered_trimmers_declare_marks() -> None:
    """Seeds and the reference are handed what their messages have a place for; no adapter's package knows marks."""
    on = {"reference", "codebuff", "kimi"}
    for name, entry in registered().items():
        if not isinstance(entry, Unavailable):
            contract = resolve(Spec(name))
            assert contract.marks is (name.partition("-")[0] in on), name
            assert "its code" not in said(contract) or not contract.marks
    assert all(piece.marks for piece in museum().values())


def marked(contract: Contract, lane: str) -> list[bool]:
    """Say of each of some histories of a lane whether it has a mark."""
    found: list[bool] = []

    def step(item: Item) -> bool:
        found.append(any(one.keep_during_truncation or one.summary for one in item.history))
        return True

    feed(lane, contract, seed=3, start=0, examples=200, step=step)
    return found


def test_with_marks_off_nothing_marked_is_handed_out(write: Write) -> None:
    """Neither generated nor a public case; and pins are no matter for who is handed none."""
    on, off = (resolve(Spec.of(write(PLAIN, "trim"), marks=marks)) for marks in ("on", "off"))
    for lane in ("known", "random"):
        assert any(marked(on, lane))
        assert not any(marked(off, lane))
    assert on.kind_of("keeps-pinned") == "promise"
    assert off.kind_of("keeps-pinned") is None
    assert "keeps-pinned" not in engine_for(off).rules


def test_truth_values_of_older_fixtures_are_read() -> None:
    """Format 1 holds true and false; what was marked then is handed out marked, whatever the default is now."""
    assert [spec_from_json({"target": "m:f", "marks": marks}).marks for marks in (True, False, "auto")] == [
        "on",
        "off",
        "auto",
    ]

    def fixture(written: str, **options: Any) -> Fixture:
        found = FoundBy("pkg:trim")
        return Fixture(
            "", "", "no-orphan", "c", "valid", "neutral", "neutral", history(written), None, options, found_by=found
        )

    assert spec_of(fixture("U A")).marks == "auto"
    assert spec_of(fixture("U! A")).marks == "on"
    assert spec_of(fixture("U SUM")).marks == "on"
    assert spec_of(fixture("U A", marks=False)).marks == "off"
    assert spec_of(fixture("U A", marks=False), Spec("m:f")).marks == "off"
    assert spec_of(fixture("U A", marks=False), Spec("m:f", marks="on")).marks == "on"
