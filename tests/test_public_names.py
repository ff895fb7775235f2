"""The public names of the packages: shown by completion, loaded when they are asked for, and taken by no submodule."""

import subprocess
import sys
from importlib import import_module

import pytest

PACKAGES = ("trimfuzz.messages", "trimfuzz.strategies", "trimfuzz.oracles")
BY_PACKAGE = pytest.mark.parametrize("package", PACKAGES)


def in_a_fresh_process(code: str) -> list[str]:
    """Run code and return the words that it prints."""
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()


@BY_PACKAGE
def test_completion_shows_every_public_name(package: str) -> None:
    """In an interactive shell, before anything is loaded."""
    shown = in_a_fresh_process(f"import {package} as it; print(*dir(it))")
    assert set(import_module(package).__all__) <= set(shown)
    assert {"histories", "judge", "Message"} & set(shown)


@BY_PACKAGE
def test_importing_a_package_loads_nothing(package: str) -> None:
    """Neither a module of its own nor a library."""
    code = (
        f"import sys, typing, importlib; before = set(sys.modules); import {package}; print(*set(sys.modules) - before)"
    )
    assert set(in_a_fresh_process(code)) <= {"trimfuzz", package}


@BY_PACKAGE
def test_every_public_name_can_be_had_and_stays_what_it_is(package: str) -> None:
    """Also when everything is loaded: a module of the same name would take its place."""
    code = (
        f"import {package} as it\n"
        "first = {name: getattr(it, name) for name in it.__all__}\n"
        "print(all(getattr(it, name) is first[name] for name in it.__all__), len(first))"
    )
    assert in_a_fresh_process(code) == ["True", str(len(import_module(package).__all__))]
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        import_module(package).nothing  # noqa: B018
