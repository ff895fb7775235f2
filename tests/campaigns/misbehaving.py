"""Trimmers that misbehave, as a target file: they print, end their process, hang, swallow signals, eat memory, lie."""

import os
import signal
import sys
import time
from collections.abc import Iterator
from typing import Any

Messages = list[dict[str, Any]]


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
    if len(messages) >= 2:
        sys.exit(4)
    return messages


def interrupts(messages: Messages, limit: int) -> Messages:
    """Raises what Ctrl-C raises."""
    raise KeyboardInterrupt


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
    if len(messages) >= 2:
        bytearray(1 << 40)
    return messages


def forks(messages: Messages, limit: int) -> Messages:
    """Leaves a copy of its process behind with every trim."""
    os.fork()
    return messages[-limit:] if limit > 0 else []


def recurses(messages: Messages, limit: int) -> Messages:
    """Calls itself until Python stops it."""
    return recurses(messages, limit)


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
