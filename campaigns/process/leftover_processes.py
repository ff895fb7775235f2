"""Orphans: processes that a trimmer started and that would outlive it.

Most of them die with the worker's process group. One that made a session of its own, or whose worker ended by itself,
is known by a mark in its environment, which it inherited. Reading other processes' environments needs `/proc` (Linux);
elsewhere the process group is all that can be ended.
"""

import os
import signal
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

MARK = "TRIMFUZZ_WORKER"
_ROUNDS = 5
"""How often to look again: one that is found may have started another one meanwhile."""


def end_group(leader: int) -> None:
    """Kill what is left of a process group."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(leader, signal.SIGKILL)


def end_marked(mark: str) -> None:
    """Kill every process whose environment has this mark, but the one that asks."""
    for _ in range(_ROUNDS):
        found = list(_marked(f"{MARK}={mark}".encode()))
        for process in found:
            with suppress(ProcessLookupError, PermissionError):
                os.kill(process, signal.SIGKILL)
        if not found:
            return


def _marked(wanted: bytes) -> Iterator[int]:
    with suppress(OSError):
        for entry in os.scandir("/proc"):
            if not entry.name.isdigit() or int(entry.name) == os.getpid():
                continue
            with suppress(OSError):
                if wanted in Path(entry.path, "environ").read_bytes().split(b"\0"):
                    yield int(entry.name)
