"""Parameters: which parameter of somebody's function is the history, which the limit, which the counter.

Trimmers of the field are called `trim(messages, max_tokens)`, `fit(msgs, *, budget, counter)`, `window(history, n=20)`.
The first parameter is the history. The limit is the parameter whose name says so, else the second one; its name also
says what it counts. A counter is known by its name or by a `Callable` annotation. What else a function requires has to
be said with `--call`.
"""

import inspect
import re
from collections.abc import Callable
from typing import Any

from attrs import field, frozen

from ...messages.errors import BadTarget
from ...messages.limits import LimitKind

_POSITIONAL = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
_VARIADIC = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)

_KIND_WORDS: tuple[tuple[LimitKind, frozenset[str]], ...] = (
    ("tokens", frozenset({"token", "tokens", "tok", "toks", "budget", "context", "ctx"})),
    ("turns", frozenset({"turn", "turns", "round", "rounds", "exchange", "exchanges", "interactions", "invocations"})),
    ("messages", frozenset({"message", "messages", "msg", "msgs", "items", "rows", "events", "entries", "history"})),
    ("compaction", frozenset({"compaction", "cut", "boundary"})),
)
_LIMIT_WORDS = frozenset(
    {
        "limit",
        "limits",
        "max",
        "maximum",
        "window",
        "keep",
        "last",
        "n",
        "k",
        "size",
        "length",
        "target",
        "num",
        "point",
    }
)
_STRONG_WORDS = frozenset({"limit", "max", "maximum", "window", "budget", "size"})
_COUNTER_WORDS = frozenset(
    {"count", "counter", "counts", "tokenizer", "tokeniser", "estimator", "estimate", "measure", "cost", "sizer", "len"}
)


@frozen
class Taken:
    """What a callable takes besides the history, and how: positions first, then keywords.

    `limit` and `count` are parameter names (None: not taken); `positional` lists what to pass in order ("limit" or
    "count"), `keywords` what to pass under which name. `unsure` says that the signature could not be read.
    """

    limit: str | None = None
    count: str | None = None
    positional: tuple[str, ...] = ()
    keywords: tuple[tuple[str, str], ...] = ()
    unsure: bool = field(default=False, kw_only=True)

    def arguments(self, limit: Any, count: Any) -> tuple[list[Any], dict[str, Any]]:
        """Return the arguments behind the history for one limit and counter."""
        values = {"limit": limit, "count": count}
        return [values[what] for what in self.positional], {name: values[what] for name, what in self.keywords}


BOTH_UNSURE = Taken("limit", None, ("limit",), unsure=True)


def words(name: str) -> set[str]:
    """Split a parameter's name into lower-case words: `maxTokens_limit` is max, tokens, limit."""
    return set(re.findall(r"[a-z]+", re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()))


def kind_named(name: str) -> LimitKind | None:
    """Return the kind of limit that a parameter's name speaks of, None where it says nothing."""
    found = words(name)
    if found & {"window"} and found & {"context", "ctx"}:
        return "tokens"
    for kind, known in _KIND_WORDS:
        if found & known:
            return kind
    return None


def parameters_of(target: Callable[..., Any]) -> list[inspect.Parameter] | None:
    """Return the parameters of a callable (without a bound self), None where Python cannot tell."""
    try:
        return list(inspect.signature(target).parameters.values())
    except (ValueError, TypeError):
        return None


def taken_by(target: Callable[..., Any], name: str, *, behind: int = 1, kind: LimitKind | None = None) -> Taken:
    """Read what a callable takes behind its first `behind` parameters; raises `BadTarget` for what cannot be filled.

    `name` is for the error. With `behind` 0 there is no history (a memory's constructor), with 1 it comes first. `kind`
    is the kind of limit that was asked for: of two limits the one that counts it is taken.
    """
    given = parameters_of(target)
    if given is None:
        return BOTH_UNSURE if behind else Taken()
    fixed = [one for one in given if one.kind not in _VARIADIC]
    starred = any(one.kind is inspect.Parameter.VAR_POSITIONAL for one in given)
    if behind:
        if not any(one.kind in _POSITIONAL for one in fixed[:behind]):
            if starred:
                return BOTH_UNSURE
            raise BadTarget(f"{name} takes no messages: it has no parameter", "a trimmer is f(messages, limit)")
        fixed = fixed[behind:]
    count = _counter(fixed)
    limit = _limit([one for one in fixed if one is not count], kind)
    if count is None and limit is not None and behind:
        rest = [one for one in fixed if one is not limit and _required(one) and one.kind in _POSITIONAL]
        count = rest[0] if len(rest) == 1 and not _says_limit(rest[0]) else None
    left = [one.name for one in fixed if one not in (limit, count) and _required(one)]
    if left:
        call = ", ".join(["messages", *(f"{one.name}=limit" for one in (limit,) if one), f"{left[0]}=..."])
        raise BadTarget(
            f"{name} needs more than messages, a limit and a counter: {', '.join(left)}", f"say how: --call 'f({call})'"
        )
    return _laid_out(fixed, limit, count)


def _laid_out(
    fixed: list[inspect.Parameter], limit: inspect.Parameter | None, count: inspect.Parameter | None
) -> Taken:
    positional: list[str] = []
    keywords: list[tuple[str, str]] = []
    gap = False
    for one in fixed:
        what = "limit" if one is limit else "count" if one is count else None
        if what is None:
            gap = True
        elif one.kind in _POSITIONAL and not gap:
            positional.append(what)
        else:
            keywords.append((one.name, what))
    return Taken(limit and limit.name, count and count.name, tuple(positional), tuple(keywords))


def _required(one: inspect.Parameter) -> bool:
    return one.default is inspect.Parameter.empty


def _counter(fixed: list[inspect.Parameter]) -> inspect.Parameter | None:
    for one in fixed:
        annotation = str(one.annotation) if one.annotation is not inspect.Parameter.empty else ""
        found = words(one.name)
        if "Callable" in annotation and (found & _COUNTER_WORDS or "token" in found or _required(one)):
            return one
        if annotation in ("int", "<class 'int'>", "float", "<class 'float'>") or found & {"max", "limit", "budget"}:
            continue
        if found & _COUNTER_WORDS and not isinstance(one.default, int | float | str):
            return one
    return None


def _limit(candidates: list[inspect.Parameter], kind: LimitKind | None) -> inspect.Parameter | None:
    """Return the parameter named for this kind of limit, else for any, required ones first; else the next one."""
    plausible = [one for one in candidates if _required(one) or _like_a_number(one.default)]
    if kind is not None and any(kind_named(one.name) == kind for one in plausible):
        plausible = [one for one in plausible if kind_named(one.name) == kind]
    for need in (True, False):
        for one in plausible:
            if _required(one) is need and _says_limit(one):
                return one
    for index, one in enumerate(candidates):
        if _required(one) or (index == 0 and one.default is not None and _like_a_number(one.default)):
            return one
    return None


def _says_limit(one: inspect.Parameter) -> bool:
    found = words(one.name)
    if one.default is None:  # an optional parameter may be anything: `last_user=None` is no limit
        return bool(found & _STRONG_WORDS)
    return bool(found & _LIMIT_WORDS) or kind_named(one.name) is not None


def _like_a_number(default: object) -> bool:
    return default is None or (isinstance(default, int) and not isinstance(default, bool))
