"""Define a museum piece: a small trimmer with one planted fault, the rule that must catch it, and the smallest case.

A piece is written as trimmers are written in practice: a plain function of OpenAI chat dicts, `(messages, limit)` or
`(messages, limit, count)`, a memory, or a compactor. It takes neutral messages where chat dicts cannot hold what it
breaks. `planted` adds it to the list of its module and leaves it unchanged.
"""

import re
from collections.abc import Callable
from inspect import signature
from typing import Any, TypeAlias

from attrs import field, frozen

from ...messages.formats.format import Format
from ...messages.formats.openai_chat import FORMAT as OPENAI_CHAT
from ...messages.limits import Limit, LimitKind
from ...messages.model import History
from ...messages.reading.pairing import InputClass
from ...messages.shorthand import history
from ..stateful import compacting, remembering
from ..trimmer import TrimCall, Trimmer

Messages: TypeAlias = list[dict[str, Any]]
"""OpenAI chat dicts."""
Function: TypeAlias = Callable[..., Any]
"""What is filed: a function, or a class with `add` and `view`, or with `plan` and `apply`."""


class DoesNotFit(ValueError):
    """What must stay is more than the limit."""


@frozen
class Piece:
    """One broken trimmer. `rule`, `input_class` and `cut` are the cause that must be found and that shrinking keeps.

    `minimum` and `limit` are the smallest known failing case of that cause under `provider`'s rules: fewest messages,
    then least cost. It was found by trying every smaller history, unless `argued` says why none can be smaller.
    `spared` and `spared_limit` are a near miss, where the cause must not be found.
    """

    trimmer: Trimmer
    rule: str
    cut: str
    minimum: History = field(repr=False)
    limit: Limit
    spared: History = field(repr=False)
    spared_limit: Limit = field(repr=False)
    input_class: InputClass = field(default="valid", kw_only=True)
    provider: str = field(default="openai-chat", kw_only=True)
    argued: str | None = field(default=None, kw_only=True)

    @property
    def name(self) -> str:
        """The name, without the `museum:` that the registry puts before it."""
        return self.trimmer.name

    @property
    def minimum_size(self) -> int:
        """How many messages the smallest known failing history has."""
        return len(self.minimum)

    @property
    def cause(self) -> str:
        """The cause that its findings have, in the form of `Finding.cause`."""
        return f"{self.rule}/{self.input_class}/{self.cut}"


def as_trimmer(function: Function, name: str, **fields: Any) -> Trimmer:
    """Make a trimmer of a function, a memory or a compactor; its docstring is the story."""
    return Trimmer(name, _call_of(function), story=(function.__doc__ or "").strip(), **fields)


def _call_of(function: Function) -> TrimCall:
    if hasattr(function, "plan"):
        return compacting(function)
    if hasattr(function, "view"):
        return remembering(function)
    if len(signature(function).parameters) == 3:
        return function
    return lambda items, limit, _count: function(items, limit)


def name_of(function: Function) -> str:
    """Return the name that a function or a class has in the museum: `tail-slice`, `pops-the-oldest`."""
    words = re.sub(r"(?<!^)(?=[A-Z])", "-", function.__name__) if isinstance(function, type) else function.__name__
    return words.replace("_", "-").lower()


def planted(
    shelf: list[Piece],
    rule: str,
    cut: str,
    minimum: str,
    limit: int,
    *,
    kind: LimitKind = "messages",
    input_class: InputClass = "valid",
    provider: str = "openai-chat",
    promise: float | None = None,
    in_place: bool = False,
    argued: str | None = None,
    form: Format = OPENAI_CHAT,
    tells: tuple[str, ...] = (),
    spared: tuple[str, int] | None = None,
    length: int | None = None,
) -> Callable[[Function], Function]:
    """File what is broken on a shelf, with the cause it must be caught for and its smallest case; see `Piece`.

    `promise` is given where the rule only counts if it is promised: 1, or the bound. `spared` is a near miss, the
    minimum within a limit that it fits where nothing is said. `length` is how long the history was when the compaction
    point of the smallest case was computed; where nothing is said it was whole. `form` is that of the messages which
    it takes.
    """

    def limit_of(messages: str, value: int, seen: int | None) -> Limit:
        return Limit(kind, value, (len(history(messages)) if seen is None else seen) if kind == "compaction" else None)

    def file(function: Function) -> Function:
        trimmer = as_trimmer(
            function,
            name_of(function),
            limits=(kind,),
            promises={} if promise is None else {rule: promise},
            refuses=(DoesNotFit,),
            format=form,
            tells=frozenset(tells),
            in_place=in_place,
            source=f"{function.__module__}:{function.__name__}",
        )
        near, near_limit = (minimum, len(minimum.split())) if spared is None else spared
        shelf.append(
            Piece(
                trimmer,
                rule,
                cut,
                history(minimum),
                limit_of(minimum, limit, length),
                history(near),
                limit_of(near, near_limit, None),
                input_class=input_class,
                provider=provider,
                argued=argued,
            )
        )
        return function

    return file
