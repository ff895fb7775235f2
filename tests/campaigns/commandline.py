"""One way to run the command line in tests, with an exit code that is expected."""

import json
import os
import subprocess
import sys
from contextlib import chdir, redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any
from unittest.mock import patch

from attrs import frozen

from trimfuzz.campaigns.commands.cli import run


@frozen
class Said:
    """What a run of the command line put out."""

    stdout: str
    stderr: str

    @property
    def document(self) -> Any:
        """Standard output as the one JSON document that it must be."""
        return json.loads(self.stdout)


def trimfuzz(
    *arguments: str, code: int = 0, cwd: Path | None = None, env: dict[str, str] | None = None, process: bool = False
) -> Said:
    """Run `trimfuzz` and return what it said; a wrong exit code or a traceback fails with both streams shown.

    It is run in this process, which spares the time to start one, unless `process` asks for one of its own. The
    trimmers are run in workers either way.
    """
    environment = {**os.environ, "PYTHONUTF8": "1", "COLUMNS": "100", **(env or {})}
    said_code, said = (_in_a_process if process else _here)(list(arguments), cwd or Path.cwd(), environment)
    both = f"trimfuzz {' '.join(arguments)}\n--- standard output\n{said.stdout}\n--- standard error\n{said.stderr}"
    assert said_code == code, f"exit code {said_code}, not {code}: {both}"
    assert "Traceback (most recent call last)" not in said.stderr, both
    return said


def _here(arguments: list[str], cwd: Path, environment: dict[str, str]) -> tuple[int, Said]:
    out, err = StringIO(), StringIO()
    with chdir(cwd), patch.dict(os.environ, environment), redirect_stdout(out), redirect_stderr(err):
        code = run(arguments)
    return code, Said(out.getvalue(), err.getvalue())


def _in_a_process(arguments: list[str], cwd: Path, environment: dict[str, str]) -> tuple[int, Said]:
    ran = subprocess.run(
        [sys.executable, "-m", "trimfuzz", *arguments],
        cwd=cwd,
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=300,
    )
    return ran.returncode, Said(ran.stdout, ran.stderr)
