"""Faults: a broken rule in one list, whatever that list came from.

A fault names what it is about by the places in its own list. To compare a trimmed list with its input the subject is
translated: a call is the same call if its message survived and still has it, and so on. New messages and second copies
have no place in the input, so nothing that is wrong with them was given.
"""

from typing import Literal, TypeAlias

from attrs import field, frozen

Subject: TypeAlias = Literal["list", "message", "slot", "answer", "slots", "between"]
"""What a fault is about: nothing smaller than the list, a message, a call, a result, two calls, or a result and a
message in front of it. Calls and results are given by their number in the reading."""


@frozen
class Fault:
    """One broken rule in one list: its subject, the messages and ids to show, and a sentence for a person."""

    kind: Subject
    subject: tuple[int, ...] = ()
    detail: str = ""
    messages: tuple[int, ...] = field(default=(), kw_only=True)
    ids: tuple[str, ...] = field(default=(), kw_only=True)
    note: str = field(default="", kw_only=True)


def shown(call_id: str) -> str:
    """Write a call id in a sentence."""
    return call_id or "the empty id"
