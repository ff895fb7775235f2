"""What a museum piece is: a small trimmer with one planted fault, the rule that must catch it, the smallest case.

A piece is written as a plain function of OpenAI chat dicts, `(messages, limit)` or `(messages, limit, count)`, as
people write them; `planted` files it on the shelf of its module and leaves the function as it is.
"""

from collections.abc import Callable
from inspect import signature
from typing import Any, TypeAlias

from attrs import field, frozen

from ...messages.limits import Limit, LimitKind
from ...messages.model import History
from ...messages.pairing import InputClass
from ...messages.shorthand import history
from ..trimmer import Trimmer

Messages: TypeAlias = list[dict[str, Any]]
"""OpenAI chat dicts."""
Function: TypeAlias = Callable[..., Any]


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
    """Make a trimmer of a function of `(messages, limit)` or `(messages, limit, count)`; its docstring is the story."""
    story = (function.__doc__ or "").strip()
    if len(signature(function).parameters) == 3:
        return Trimmer(name, function, story=story, **fields)
    return Trimmer(name, lambda items, limit, _count: function(items, limit), story=story, **fields)


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
    spared: tuple[str, int] | None = None,
) -> Callable[[Function], Function]:
    """File a broken function on a shelf, with the cause it must be caught for and its smallest case; see `Piece`.

    `promise` is given where the rule only counts if it is promised: 1, or the bound. `spared` is a near miss, the
    minimum within a limit that it fits where nothing is said.
    """

    def file(function: Function) -> Function:
        trimmer = as_trimmer(
            function,
            function.__name__.replace("_", "-"),
            limits=(kind,),
            promises={} if promise is None else {rule: promise},
            refuses=(DoesNotFit,),
            in_place=in_place,
            source=f"{function.__module__}:{function.__name__}",
        )
        shelf.append(
            Piece(
                trimmer,
                rule,
                cut,
                history(minimum),
                Limit(kind, limit),
                history(minimum if spared is None else spared[0]),
                Limit(kind, len(minimum.split()) if spared is None else spared[1]),
                input_class=input_class,
                provider=provider,
                argued=argued,
            )
        )
        return function

    return file
