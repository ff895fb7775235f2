"""Define a trimmer: what is tested, with its name, limits, format and promises.

Everything calls `trim(items, limit, count)`: a fresh list of the format's items, the value of the limit (for a
compaction the `Limit` itself), and a counter for one item or a list. `running` reads what it returns.
"""

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, TypeAlias

from attrs import field, frozen

from ..messages.formats.format import Format
from ..messages.formats.openai_chat import FORMAT as OPENAI_CHAT
from ..messages.limits import LimitKind
from ..messages.requests import Request

TrimCall: TypeAlias = Callable[[list[Any], Any, Callable[[Any], int]], Any]
Promises: TypeAlias = Mapping[str, float]
"""Promise names; the value is 1.0, for `utilisation` the bound."""

NO_KINDS: Mapping[LimitKind, TrimCall] = MappingProxyType({})

BARE_FUNCTION_PROMISES: Promises = {
    "within-limit": 1.0,
    "identity-under-limit": 1.0,
    "refuses-only-when-needed": 1.0,
    "nonempty-history": 1.0,
    "order-preserved": 1.0,
    "deterministic": 1.0,
    "utilisation": 0.25,
}
"""What a function given on the command line is taken to promise (nonempty-history in its mild form)."""


@frozen
class Traced:
    """What a trimmer returns that has more to tell than its items.

    `sources` gives for each item the input index it comes from, None where it is new: for adapters to packages that
    had to make items anew, and know where each came from when its looks do not tell. `request` is what goes out with
    the items: the tools that it declares, the filter that was to be applied. `stored` is what is kept for later beside
    what is sent. A trimmer that tells one of the last two says so in `Trimmer.tells`.
    """

    items: list[Any]
    sources: Sequence[int | None] | None = None
    request: Request | None = field(default=None, kw_only=True)
    stored: list[Any] | None = field(default=None, kw_only=True)


@frozen
class Trimmer:
    """One trimmer. `refuses` are the exception types that mean "nothing legal fits"; `in_place` declares that the
    output is the caller's list afterwards. `fixed` is the limit of a trimmer that takes none (`takes_limit` false),
    None where it is unknown. `story` says where it comes from.
    """

    name: str
    trim: TrimCall = field(eq=False, repr=False)
    format: Format = field(default=OPENAI_CHAT, kw_only=True, repr=False)
    limits: tuple[LimitKind, ...] = field(default=("messages",), kw_only=True)
    promises: Promises = field(factory=dict[str, float], kw_only=True, eq=False)
    mild: bool = field(default=False, kw_only=True)
    """nonempty-history is promised in its mild form: the newest unit fits, and still nothing came back."""
    refuses: tuple[type[BaseException], ...] = field(default=(), kw_only=True)
    in_place: bool = field(default=False, kw_only=True)
    takes_limit: bool = field(default=True, kw_only=True)
    fixed: int | None = field(default=None, kw_only=True)
    per_kind: Mapping[LimitKind, TrimCall] = field(default=NO_KINDS, kw_only=True, eq=False, repr=False)
    """Where a kind of limit needs another call than `trim`: the limit's value alone does not say what it counts."""
    bare: bool = field(default=False, kw_only=True)
    """Nothing was declared: a plain function from the command line, held to `BARE_FUNCTION_PROMISES`."""
    tells: frozenset[str] = field(default=frozenset(), kw_only=True)
    """What it tells beside its items, by which rules are judged that no list shows: `request`, `stored`."""
    unit_known: bool = field(default=True, kw_only=True)
    """Whether a limit of tokens is counted as the suite counts: it takes a counter, or brings its own."""
    called: str = field(default="", kw_only=True)
    """How it is called, in words, where that was read from a signature or given: `trim(messages, limit)`."""
    marks: bool | None = field(default=None, kw_only=True)
    """Whether it reads `keep_during_truncation` and `summary`; None: that is not declared, and is read off its code."""
    version: str = field(default="", kw_only=True)
    source: str = field(default="", kw_only=True)
    story: str = field(default="", kw_only=True)
