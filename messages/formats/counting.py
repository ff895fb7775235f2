"""The default counter: a quarter of the length of the message's compact JSON, rounded up, marks left out.

Counters are module-level functions or partials of them, so that a case can be sent to another process.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from json import JSONEncoder
from typing import Any, TypeAlias, cast

from ..errors import CannotCarry
from ..limits import Cost
from ..model import Message
from ..neutral import dump_message
from . import openai_chat
from .format import Format
from .items.values import MARKS, bare

Count: TypeAlias = Callable[[Any], int]

_encode = JSONEncoder(separators=(",", ":"), ensure_ascii=False).encode


def default_count(item: Mapping[str, Any] | Sequence[Mapping[str, Any]]) -> int:
    """Return the size of one message dict, or the sum over a list of them, in tokens."""
    if isinstance(item, Mapping):
        seen = item if MARKS.isdisjoint(item) else bare(item)
        return -(-len(_encode(seen)) // 4)
    return sum(map(default_count, item))


def native_count(form: Format) -> Count:
    """Return the default counter for the items of a format, or for a list of them."""
    return default_count if form.dicts else partial(_read_count, form)


def _read_count(form: Format, item: Any) -> int:
    if isinstance(item, list | tuple):
        return sum(_read_count(form, inner) for inner in cast("Sequence[Any]", item))
    return message_count(form.read(item))


def message_count(message: Message) -> int:
    """Return the default size of a neutral message: that of its OpenAI chat dict, or of its neutral JSON."""
    try:
        return default_count(openai_chat.write(message))
    except CannotCarry:
        return default_count(dump_message(message))


def cost_in(form: Format, count: Count) -> Cost:
    """Return what a neutral message costs when a trimmer counts the items of a format.

    One that the format cannot carry has its default size: it is in no list that the trimmer is handed, but what
    shrinking made of a history is priced before it is known whether it can be written.
    """
    return partial(_written_cost, form, count)


def _written_cost(form: Format, count: Count, message: Message) -> int:
    try:
        item = form.write(message)
    except CannotCarry:
        return message_count(message)
    return count(item)
