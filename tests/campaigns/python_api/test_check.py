"""`trimfuzz.check`: a trimmer validated from Python."""

import subprocess
import sys
from pathlib import Path

import pytest

import trimfuzz
from trimfuzz.campaigns.process.leftover_processes import MARK
from trimfuzz.messages.errors import BadTarget

MINE = """
import trimfuzz

def trim(messages, limit):
    return messages[-limit:] if limit > 0 else []

if __name__ == "__main__":
    result = trimfuzz.check(trim, inputs="valid", examples=1, seconds=0, shrink=0, promises=["keeps-system"])
    print(result.exit_code, result.promises, sorted({bug.rule for bug in result.bugs}))
    print(result.to_json()["bugs"][0]["reproduce"].partition(",")[0])
    print(repr(result), "trimfuzz check" in str(result))
"""


@pytest.mark.slow
def test_a_script_that_checks_its_own_function(tmp_path: Path) -> None:
    """The function is found again in the file of the script; promises take the place of the assumed ones."""
    (tmp_path / "mine.py").write_text(MINE, "utf-8")
    ran = subprocess.run([sys.executable, "mine.py"], cwd=tmp_path, capture_output=True, text=True, timeout=120)
    said, again, shown = ran.stdout.splitlines()

    assert ran.stderr == ""
    assert said == "1 {'keeps-system': 'broken'} ['keeps-system', 'no-orphan']"
    assert again.startswith("trimfuzz replay .trimfuzz/last/mine.py-trim--no-orphan--")
    assert shown.endswith("mine.py:trim: 2 bugs, exit code 1> True")


def test_a_check_while_its_target_is_imported_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """A script without a guard would start itself again and again."""
    monkeypatch.setenv(MARK, "0123")
    with pytest.raises(BadTarget, match="while its own target is imported"):
        trimfuzz.check("mine.py:trim")


def test_what_no_other_process_finds_is_refused() -> None:
    """A function inside a function, a lambda, and an object."""
    for target in (lambda messages, _limit: messages, object(), [].append):
        with pytest.raises(trimfuzz.TrimfuzzError, match="process"):
            trimfuzz.check(target)  # pyright: ignore[reportArgumentType]


def test_what_is_left_out_is_an_option_here_too() -> None:
    """As on the command line; a typo, or a place that the format has not, is an error before anything runs."""
    with pytest.raises(trimfuzz.TrimfuzzError, match=r"unknown feature 'steer-usr' \(did you mean steer-user"):
        trimfuzz.check("oasis-pre", without=["steer-usr"])
    with pytest.raises(trimfuzz.TrimfuzzError, match="--system outside says nothing about"):
        trimfuzz.check("oasis-pre", system="outside")
