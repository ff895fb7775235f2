"""Isolation: one call in a forked copy of this process, so that what kills or hangs it cannot take the run along.

Used where a case is already suspected (a crash or a hang is confirmed, shrunk or replayed). Ordinary cases run without
it.
"""

import ctypes
import os
import select
import signal
import sys
from collections.abc import Callable
from time import monotonic
from typing import Any, Literal

from attrs import frozen

from .leftover_processes import end_group
from .pipe import Garbled, decode, encode

GARBLED = "it wrote into files that are not its own"
_BROKEN = 70
_OWN_GROUP = sys.platform == "linux"
"""Elsewhere an isolated copy stays in the group of its parent: nothing else would end it with that one."""
hidden: set[int] = set()
"""Descriptors of this process's own pipes; what runs isolated cannot reach them."""


@frozen
class Isolated:
    """How an isolated call ended; `value` is its JSON answer when it returned, `status` the exit status or signal."""

    end: Literal["returned", "died", "hung"]
    value: Any = None
    status: str = ""


def isolated(call: Callable[[], Any], *, seconds: float) -> Isolated:
    """Run `call` in a forked child for at most `seconds`; its answer must be JSON data."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        _run_child(call, reader, writer)
    os.close(writer)
    try:
        answer, ended = _read_all(reader, monotonic() + seconds)
    finally:
        os.close(reader)
    if not ended:
        os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    code = os.waitstatus_to_exitcode(status)
    if _OWN_GROUP:
        end_group(child)
    if not ended:
        return Isolated("hung")
    if code in (0, _BROKEN) and answer:
        try:
            found = decode(answer)
        except Garbled:
            return Isolated("died", status=GARBLED)
        return Isolated("returned", found) if code == 0 else Isolated("died", status=str(found))
    return Isolated("died", status=describe_status(code))


def _run_child(call: Callable[[], Any], reader: int, writer: int) -> None:
    status = _BROKEN
    try:
        os.close(reader)
        signal.setitimer(signal.ITIMER_REAL, 0)
        _stand_alone()
        child = os.getpid()
        try:
            answer, ending = encode(call()).encode(), 0
        except Exception as error:  # the trimmer's own errors are outcomes: this one came of what it left behind
            answer, ending = encode(f"what it did broke its process: {type(error).__name__}: {error}").encode(), _BROKEN
        while answer and os.getpid() == child:  # a copy that the call itself forked has nothing to say
            answer = answer[os.write(writer, answer) :]
        status = ending
    finally:
        os._exit(status)


def _stand_alone() -> None:
    """Keep away from the process above: its pipes, and its group, which a trimmer may signal as a whole."""
    nothing = os.open(os.devnull, os.O_RDWR)
    for descriptor in hidden:
        os.dup2(nothing, descriptor)
    os.close(nothing)
    if _OWN_GROUP:
        die_with_parent()
        os.setpgid(0, 0)


def die_with_parent() -> None:
    """Ask the kernel to end this process with the one above it, where it can (Linux); elsewhere a closed pipe does."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(1, signal.SIGKILL)


def _read_all(reader: int, deadline: float) -> tuple[bytes, bool]:
    parts: list[bytes] = []
    while (left := deadline - monotonic()) > 0:
        ready, _, _ = select.select([reader], [], [], left)
        if ready:
            part = os.read(reader, 1 << 16)
            if not part:
                return b"".join(parts), True
            parts.append(part)
    return b"", False


def describe_status(code: int) -> str:
    """Say in words how a process ended: its exit status, or the signal that killed it."""
    if code >= 0:
        return f"exit status {code}"
    try:
        return f"killed by {signal.Signals(-code).name}"
    except ValueError:
        return f"killed by signal {-code}"
