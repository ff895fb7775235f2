"""One way to check a trimmer in tests: `trimfuzz check --json`, and what its document says in a few words.

A row is one line of a table of tests: a target, its options, and the rules of the bugs that must be numbered. The exit
code is 1 exactly when a bug is.
"""

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from attrs import field, frozen

BRIEFLY = ("--seed", "1", "--examples", "150", "--seconds", "0", "--shrink", "2")
"""Options of a check that is the same on every machine: no bound of time but for shrinking."""


@frozen
class Checked:
    """What one check put out. `document` is empty where it was not asked for."""

    code: int
    document: dict[str, Any]
    stdout: str
    stderr: str

    @property
    def bugs(self) -> list[dict[str, Any]]:
        """The numbered bugs that fail the trimmer, in their order."""
        return [bug for bug in self.document["bugs"] if bug["fails"]]

    @property
    def rules(self) -> list[str]:
        """The rules of these bugs."""
        return [bug["rule"] for bug in self.bugs]

    @property
    def cuts(self) -> list[tuple[str, str]]:
        """The rules of these bugs, each with the cut that broke it."""
        return [(bug["rule"], bug["cause"].rpartition("/")[2]) for bug in self.bugs]

    @property
    def edge_rules(self) -> set[str]:
        """The rules that were broken at edge limits alone."""
        return {finding["rule"] for finding in self.document["edge"]}

    @property
    def messages(self) -> list[str]:
        """The sentences under all findings, numbered or not."""
        return [finding["message"] for finding in (*self.document["bugs"], *self.document["causes"])]


def check(target: str, *options: str, cwd: Path, text: bool = False, briefly: Iterable[str] = BRIEFLY) -> Checked:
    """Check a target from a folder and return what was put out: the report for a person with `text`, else JSON.

    `briefly` are options that every check has; one that is given again overrides it. A traceback fails the test.
    """
    arguments = ["check", target, *briefly, *options, *(() if text else ("--json",))]
    ran = subprocess.run(
        [sys.executable, "-m", "trimfuzz", *arguments],
        cwd=cwd,
        env={**os.environ, "PYTHONUTF8": "1", "COLUMNS": "200"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=300,
    )
    both = f"trimfuzz {' '.join(arguments)}\n--- standard output\n{ran.stdout}\n--- standard error\n{ran.stderr}"
    assert ran.returncode in (0, 1, 2), both
    assert "Traceback (most recent call last)" not in ran.stderr, both
    return Checked(ran.returncode, {} if text else json.loads(ran.stdout), ran.stdout, ran.stderr)


@frozen
class Row:
    """A check and the rules of the bugs that it must number, no more and no fewer.

    `may` are rules that may be numbered beside them, with the reason in a comment. `says` are words, as regular
    expressions, that stand in a sentence under a finding; `never` are words that stand in none.
    """

    target: str
    options: str = ""
    bugs: tuple[str, ...] = ()
    may: tuple[str, ...] = field(default=(), kw_only=True)
    says: tuple[str, ...] = field(default=(), kw_only=True)
    never: tuple[str, ...] = field(default=(), kw_only=True)

    def hold(self, cwd: Path) -> Checked:
        """Run the check and compare; returns what was put out, for more questions."""
        found = check(self.target, *self.options.split(), cwd=cwd)
        assert found.code in (0, 1), f"exit code {found.code}: {found.document.get('error', found.stderr)}"
        assert found.document["schema"] == 2, "the verdict of schema 2 is not there yet"
        told = "\n".join(f"{bug['n']} {bug['cause']}: {bug['message']}" for bug in found.bugs)
        assert sorted(rule for rule in found.rules if rule not in self.may) == sorted(self.bugs), told
        assert found.code == (1 if found.rules else 0), told
        assert [bug["n"] for bug in found.document["bugs"]] == list(range(1, len(found.document["bugs"]) + 1)), told
        for words in self.says:
            assert any(re.search(words, sentence) for sentence in found.messages), (words, found.messages)
        for words in self.never:
            assert not any(re.search(words, sentence) for sentence in found.messages), (words, found.messages)
        return found


def table(*rows: Row) -> Any:
    """Return the decorator that runs a test once for each row."""
    names = [f"{row.target} {row.options}".strip() for row in rows]
    return pytest.mark.parametrize("row", rows, ids=names)
