"""`trimfuzz.trimmer`: a declaration that changes nothing, and the front door that loads nothing before it is asked."""

import subprocess
import sys

import pytest

import trimfuzz
from trimfuzz.campaigns.target.declaration import Declared, declared_on, read_promises, split_limit


def trim(messages: list[object], limit: int) -> list[object]:
    """A function to decorate."""
    return messages[-limit:]


def test_decorator_returns_the_very_function() -> None:
    """What is decorated stays what it was; the note is on it."""
    decorated = trimfuzz.trimmer(name="mine", limit="tokens", promises=["keeps-system"], refuses=KeyError)(trim)
    assert decorated is trim
    assert declared_on(trim) == Declared(
        name="mine", limit="tokens", promises={"keeps-system": 1.0}, refuses=(KeyError,)
    )


def test_bare_decorator() -> None:
    """Without parentheses nothing is declared, and the class stays usable."""

    @trimfuzz.trimmer
    class Memory:
        pass

    assert isinstance(Memory(), Memory)
    assert declared_on(Memory) == Declared()


def test_declaration_is_not_inherited() -> None:
    """A class that inherits from a declared one declares nothing itself."""

    @trimfuzz.trimmer(limit="tokens")
    class Base:
        pass

    class Derived(Base):
        pass

    assert declared_on(Base).limit == "tokens"
    assert declared_on(Derived) == Declared()


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (["within-limit", "utilisation=0.5"], {"within-limit": 1.0, "utilisation": 0.5}),
        (["utilisation"], {"utilisation": 0.25}),
        ({"utilisation": 0.5}, {"utilisation": 0.5}),
        ("keeps-system", {"keeps-system": 1.0}),
        ([], {}),
    ],
)
def test_promises(given: object, expected: dict[str, float]) -> None:
    """Promises are names; utilisation has a bound."""
    assert read_promises(given) == expected  # pyright: ignore[reportArgumentType]


@pytest.mark.parametrize("given", ["utilisation=much", "utilisation=0", "utilisation=2", "keeps-system=0.5"])
def test_bad_promises(given: str) -> None:
    """A bound is a number above 0 and at most 1, and only utilisation takes one."""
    with pytest.raises(ValueError, match="the promise"):
        read_promises([given])


def test_limits() -> None:
    """A limit is a kind, or a kind with a fixed value."""
    assert split_limit("tokens") == ("tokens", None)
    assert split_limit("messages=40") == ("messages", 40)
    with pytest.raises(ValueError, match="whole number"):
        split_limit("messages=many")


def test_refuses_takes_exceptions() -> None:
    """What is no exception class is refused where it is written."""
    with pytest.raises(TypeError, match="exception types"):
        trimfuzz.trimmer(refuses=[int])  # pyright: ignore[reportArgumentType, reportCallIssue]


def test_front_door() -> None:
    """The public names are there, other names are not, and importing trimfuzz loads no room."""
    packages = {"campaigns", "implementations", "messages", "oracles", "strategies"}
    names = {"TrimfuzzError", "check", "conformance", "judge", "lint", "replay", "sessions", "trimmer"}
    assert set(trimfuzz.__all__) == names
    assert set(dir(trimfuzz)) == names | packages
    assert all(getattr(trimfuzz, name) is not None for name in dir(trimfuzz))
    assert callable(trimfuzz.conformance)
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = trimfuzz.nothing  # pyright: ignore[reportAttributeAccessIssue, reportUnknownVariableType]
    script = (
        "import sys, trimfuzz; trimfuzz.trimmer\n"
        "print(*sorted(name for name in sys.modules if name.startswith('trimfuzz')))"
    )
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert ran.stdout.split() == [
        "trimfuzz",
        "trimfuzz.campaigns",
        "trimfuzz.campaigns.target",
        "trimfuzz.campaigns.target.declaration",
    ]
