"""The last findings: every bug of a run is on file, whatever was asked for, so that its case can be run again alone.

They stand below the working directory, and the next run of the same trimmer takes their place. A `.gitignore` of its
own keeps the folder out of a repository.
"""

from collections.abc import Iterable
from contextlib import suppress
from glob import escape
from pathlib import Path

from ...messages.errors import BadFile
from ..engine.bugs import Bug
from ..target.contract_summary import ContractSummary
from ..target.spec import Spec
from .fixtures import beginning, save_text, write_fixture

FOLDER = Path(".trimfuzz", "last")


def store_last(bugs: Iterable[Bug], *, spec: Spec, contract: ContractSummary, seed: int | None) -> dict[str, Path]:
    """Store what a run found in place of what the last one did; returns the files by cause.

    Where nothing can be written none is, and the findings are reported all the same.
    """
    found: dict[str, Path] = {}
    with suppress(BadFile, OSError):
        for path in FOLDER.glob(f"{escape(beginning(spec.target))}*.json"):
            path.unlink(missing_ok=True)
        for bug in bugs:
            if not (FOLDER / ".gitignore").exists():
                save_text("*\n", FOLDER / ".gitignore")
            about = {"wire": contract.format, "version": contract.version}
            path = write_fixture(bug, FOLDER, spec=spec, seed=seed, **about)
            found |= {record.cause: path for record in bug.records}
    return found
