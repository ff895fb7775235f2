"""Trimmers that misbehave, as a target file: they print, end their process, hang, swallow signals, eat memory, lie."""

import builtins
import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Iterator
from typing import Any

Messages = list[dict[str, Any]]


def answers_a_call(messages: Messages) -> bool:
    """Whether there is a result, so that plain histories come back."""
    return any(message["role"] == "tool" for message in messages)


def prints(messages: Messages, limit: int) -> Messages:
    """Writes to standard output and error by every road there is."""
    print("hello from the trimmer", flush=True)
    sys.stderr.write("noise\n")
    os.write(1, b"raw bytes\n")
    return messages


def ends_its_process(messages: Messages, limit: int) -> Messages:
    """Kills the process it runs in."""
    if len(messages) >= 3:
        os._exit(3)
    return messages


def exits(messages: Messages, limit: int) -> Messages:
    """Calls sys.exit."""
    if answers_a_call(messages):
        sys.exit(4)
    return messages


def interrupts(messages: Messages, limit: int) -> Messages:
    """Raises what Ctrl-C raises."""
    if answers_a_call(messages):
        raise KeyboardInterrupt
    return messages


def hangs(messages: Messages, limit: int) -> Messages:
    """Loops for ever."""
    while len(messages) >= 2:
        pass
    return messages


def swallows(messages: Messages, limit: int) -> Messages:
    """Loops for ever and catches whatever is thrown at it."""
    while len(messages) >= 2:
        try:
            while True:
                pass
        except BaseException:  # that is the point
            continue
    return messages


def blocks_signals(messages: Messages, limit: int) -> Messages:
    """Sleeps for ever where no signal reaches it."""
    if len(messages) >= 2:
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGALRM})
        while True:
            time.sleep(1000)
    return messages


def eats_memory(messages: Messages, limit: int) -> Messages:
    """Asks for more memory than a worker may have."""
    if answers_a_call(messages):
        bytearray(1 << 40)
    return messages


def forks(messages: Messages, limit: int) -> Messages:
    """Leaves a copy of its process behind with every trim."""
    os.fork()
    return messages[-limit:] if limit > 0 else []


def replaces_json(messages: Messages, limit: int) -> Messages:
    """Puts something of its own in the place of what everybody uses."""
    json.dumps = json.loads = None  # type: ignore[assignment]
    return messages[-limit:] if limit > 0 else []


def replaces_builtins(messages: Messages, limit: int) -> Messages:
    """Takes away what nothing can do without."""
    builtins.len = None  # type: ignore[assignment]
    return messages


def writes_everywhere(messages: Messages, limit: int) -> Messages:
    """Writes into every file that is open in its process, whoever opened it."""
    for descriptor in range(3, 64):
        with contextlib.suppress(OSError):
            os.write(descriptor, b"7\n")
    return messages


def kills_its_group(messages: Messages, limit: int) -> Messages:
    """Signals its whole process group."""
    if len(messages) >= 2:
        os.kill(0, signal.SIGKILL)
    return messages


def dies_where_nobody_looks(messages: Messages, limit: int) -> Messages:
    """Ends its process, but not when it is tried again alone."""
    if os.getpid() == os.getsid(0):
        os._exit(3)
    return messages


def leaves_a_daemon(messages: Messages, limit: int) -> Messages:
    """Starts a process in a session of its own; one that outlives it, unless somebody looks for it."""
    if len(messages) == 2 and limit == 1:
        subprocess.Popen(["sleep", "30143"], start_new_session=True)
    return messages[-limit:] if limit > 0 else []


def answers_a_circle(messages: Messages, limit: int) -> Messages:
    """Returns a message that contains itself, but for the empty history."""
    circle: dict[str, Any] = {"role": "user", "content": []}
    circle["content"].append(circle)
    return [circle] if messages else []


async def yields_later(messages: Messages, limit: int) -> AsyncIterator[dict[str, Any]]:
    """An asynchronous generator, which is a sensible answer."""
    for message in messages[-limit:] if limit > 0 else []:
        yield message


def recurses(messages: Messages, limit: int) -> Messages:
    """Calls itself until Python stops it."""
    return recurses(messages, limit) if answers_a_call(messages) else messages


def raises_alike(messages: Messages, limit: int) -> Messages:
    """Raises the same error on every call."""
    raise RuntimeError("no key was set")


def raises_apart(messages: Messages, limit: int) -> Messages:
    """Raises on every call, with words of its own each time."""
    raise RuntimeError(f"{len(messages)} messages at {limit}")


def imports_late(messages: Messages, limit: int) -> Messages:
    """Takes its time at the first call."""
    if "imported" not in globals():
        time.sleep(1.6)
        globals()["imported"] = True
    return messages[-limit:] if limit > 0 else []


def imports_late_and_dies(messages: Messages, limit: int) -> Messages:
    """Takes its time at the first call, and ends its process on results."""
    if answers_a_call(messages):
        os._exit(3)
    return imports_late(messages, limit)


def returns_none(messages: Messages, limit: int) -> None:
    """Returns nothing and changes nothing."""


def returns_a_number(messages: Messages, limit: int) -> int:
    """Returns no list."""
    return 7


def returns_objects(messages: Messages, limit: int) -> list[object]:
    """Returns things that are no messages."""
    return [object()]


def never_ends(messages: Messages, limit: int) -> Iterator[dict[str, Any]]:
    """A generator without an end."""
    while True:
        yield {"role": "user", "content": "x"}


def yields(messages: Messages, limit: int) -> Iterator[dict[str, Any]]:
    """A generator, which is a sensible answer."""
    yield from messages[-limit:] if limit > 0 else []


async def awaits(messages: Messages, limit: int) -> Messages:
    """A coroutine, which is a sensible answer."""
    return messages[-limit:] if limit > 0 else []
