"""Options of a target: read alike in a command, in Python and under pytest, and refused with one sentence."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from trimfuzz.campaigns.commands.cli import run
from trimfuzz.campaigns.pytest.conformance import conformance
from trimfuzz.campaigns.pytest.sessions import sessions
from trimfuzz.campaigns.runs.replay import spec_of
from trimfuzz.campaigns.store.fixture_format import Fixture, FoundBy
from trimfuzz.campaigns.target.spec import Spec, spec_from_json, spec_to_json
from trimfuzz.messages.errors import BadName, BadTarget, TrimfuzzError
from trimfuzz.messages.limits import Limit
from trimfuzz.messages.shorthand import history

pytest_plugins = ["pytester"]

MINE = """
SIZE = 4

def trim(messages, limit):
    return messages[-limit:]
"""

BAD: list[tuple[str, Any, str]] = [
    ("fail_on", "valid", "--fail-on valid adds nothing (valid and pending always fail; name interleaved or malformed)"),
    ("fail_on", "fine", "unknown input class 'fine' (known: valid, pending, interleaved, malformed)"),
    ("count", 5, "--count 5 names no function (a counter is module:function, or in Python a function)"),
    ("count", "mine:SIZE", "mine:SIZE is not a function (a counter takes a message, or a list of messages)"),
    ("provider", 5, "unknown provider '5' (known: "),
    ("provider", "closedai", "unknown provider 'closedai' (known: "),
    ("format", 5, "unknown format '5' (known: "),
    ("limit", "foo", "unknown limit 'foo' (known: messages, tokens, turns, compaction)"),
    ("limit", 40, "unknown limit '40' (known: messages, tokens, turns, compaction)"),
    ("limit", "messages=many", "the limit 'messages=many' needs a whole number behind the equals sign"),
    ("promises", ["nope"], "unknown promise 'nope' (known: "),
    ("promises", ["utilisation=2"], "the promise 'utilisation=2' needs a bound above 0 and at most 1, not 2"),
    ("promises", ["keeps-system=0.5"], "the promise 'keeps-system' takes no bound, only utilisation does"),
    ("inputs", "", "--inputs names no input class (known: valid, pending, interleaved, malformed)"),
    ("inputs", 5, "unknown input class '5' (known: valid, pending, interleaved, malformed)"),
    ("marks", "maybe", "--marks maybe is neither on nor off (in Python True or False)"),
    ("timeout", -1, "--timeout -1 bounds no trim (it is a number of seconds, at least 0.01)"),
    ("timeout", "soon", "--timeout soon bounds no trim (it is a number of seconds, at least 0.01)"),
    ("call", 5, "--call '5' does not use messages (for example 'f(messages, limit)')"),
    ("refuses", 5, "--refuses 5: mine has no such error (name it as module:Error)"),
    ("refuses", "mine:SIZE", "--refuses mine:SIZE is an int, not an exception class (for example mypackage.errors:"),
]


@pytest.fixture
def project(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> pytest.Pytester:
    """A working directory with a file of trimmers."""
    pytester.makepyfile(mine=MINE)
    monkeypatch.syspath_prepend(pytester.path)
    return pytester


def in_command(option: str, value: Any, capsys: pytest.CaptureFixture[str]) -> str:
    """Return what the command says of an option."""
    name = "promise" if option == "promises" else option.replace("_", "-")
    text = value[0] if isinstance(value, list) else str(value)
    capsys.readouterr()
    assert run(["check", "mine:trim", f"--{name}", text]) == 2
    return capsys.readouterr().err.removeprefix("trimfuzz: ").strip()


def in_pytest(project: pytest.Pytester, option: str, value: Any) -> str:
    """Return what pytest says of an option."""
    name = "promise" if option == "promises" else option.replace("_", "-")
    text = value[0] if isinstance(value, list) else str(value)
    asked = ("--pyargs", "trimfuzz.campaigns.conformance", "--trimmer", "mine:trim", f"--trimmer-{name}={text}")
    ran = project.runpytest_inprocess(*asked)
    return next(line for line in ran.outlines if line.startswith("trimfuzz: ")).removeprefix("trimfuzz: ").strip()


def in_python(make: Callable[..., object], option: str, value: Any) -> str:
    """Return what a function of the Python API says of an option."""
    with pytest.raises(TrimfuzzError) as caught:
        make("mine:trim", **{option: value})
    assert isinstance(caught.value, BadName | BadTarget)
    return str(caught.value)


@pytest.mark.parametrize(("option", "value", "words"), BAD, ids=[f"{name}={value}" for name, value, _ in BAD])
def test_equal_bad_input_gets_equal_errors(
    project: pytest.Pytester, capsys: pytest.CaptureFixture[str], option: str, value: Any, words: str
) -> None:
    """One sentence in the command, in Python and under pytest."""
    said = in_python(conformance, option, value)

    assert said.startswith(words)
    assert in_command(option, value, capsys) == said
    assert in_pytest(project, option, value) == said
    if option != "inputs":
        assert in_python(sessions, option, value) == said


def words(message: Any) -> int:
    """Count a message, or a list of them."""
    return len(message) if isinstance(message, list) else 1


def test_text_and_values_mean_the_same() -> None:
    """What a command line writes is what Python says with values."""
    text = Spec.of(
        "m:f", promise=["keeps-system", "utilisation=0.5"], no_promise="deterministic", fail_on="malformed",
        inputs="valid, malformed", marks="off", timeout="0.5", limit="messages=40", refuses="m:Full",
    )  # fmt: skip
    values = Spec.of(
        "m:f", promise={"keeps-system": 1.0, "utilisation": 0.5}, no_promise=("deterministic",), fail_on=["malformed"],
        inputs=("valid", "malformed"), marks=False, timeout=0.5, limit="messages=40", refuses=["m:Full"],
    )  # fmt: skip

    assert text == values
    assert (text.limit, text.fixed, text.fail_on) == ("messages", 40, ("valid", "pending", "malformed"))
    assert spec_from_json(spec_to_json(text)) == text
    assert Spec.of("m:f") == Spec("m:f")
    assert Spec.of("m:f", promises=["keeps-system"]).only_promised


def test_objects_have_no_json() -> None:
    """A counter and an error class given as objects stay in their process."""
    spec = Spec.of("m:f", count=words, refuses=KeyError)

    assert (spec.objects.count, spec.objects.refuses) == (words, (KeyError,))
    with pytest.raises(BadTarget, match="cannot be sent"):
        spec_to_json(spec)


@pytest.mark.parametrize(
    "options", [{"format": "neutral"}, {"limit": "messages=4"}, {"refuses": KeyError}, {"in_place": True}]
)
def test_a_registered_trimmer_says_itself_how_it_is_called(options: dict[str, Any]) -> None:
    """Nothing is ignored in silence."""
    with pytest.raises(BadName, match=r"says nothing about oasis-pre \(it is registered"):
        Spec.of("oasis-pre", **options)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [({"timeout": -1}, "--timeout -1 bounds no trim"), ({"promises": {"nope": 1.0}}, "unknown promise 'nope'")],
)
def test_options_of_fixtures_are_read_alike(options: dict[str, Any], sentence: str) -> None:
    """A fixture that was edited by hand gets the sentence of the command."""
    found = Fixture(
        "0" * 12, "s", "no-orphan", "no-orphan/valid/call-dropped", "valid", "openai-chat", "openai-chat",
        history("U A[a] T(a)"), Limit("messages", 1), options, found_by=FoundBy("m:f"), path=Path("a.json"),
    )  # fmt: skip
    with pytest.raises(BadName) as caught:
        spec_of(found)
    assert str(caught.value).startswith(sentence)
