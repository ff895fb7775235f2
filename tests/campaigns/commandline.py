"""One way to run the command line in tests: in a process of its own, with an exit code that is expected."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from attrs import frozen


@frozen
class Said:
    """What a run of the command line put out."""

    stdout: str
    stderr: str

    @property
    def document(self) -> Any:
        """Standard output as the one JSON document that it must be."""
        return json.loads(self.stdout)


def trimfuzz(*arguments: str, code: int = 0, cwd: Path | None = None, env: dict[str, str] | None = None) -> Said:
    """Run `trimfuzz` and return what it said; a wrong exit code or a traceback fails with both streams shown."""
    ran = subprocess.run(
        [sys.executable, "-m", "trimfuzz", *arguments],
        cwd=cwd,
        env={**os.environ, "PYTHONUTF8": "1", "COLUMNS": "100", **(env or {})},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=300,
    )
    both = f"trimfuzz {' '.join(arguments)}\n--- standard output\n{ran.stdout}\n--- standard error\n{ran.stderr}"
    assert ran.returncode == code, f"exit code {ran.returncode}, not {code}: {both}"
    assert "Traceback (most recent call last)" not in ran.stderr, both
    return Said(ran.stdout, ran.stderr)
