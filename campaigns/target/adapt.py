"""Ways: how a function, a memory, a compactor or a call expression is run as `trim(items, limit, count)`.

What a target is, is read from what it has: `plan` and `apply` make a compactor, a class with `add` and `view` a memory,
anything else that can be called a function. A memory gets one new object for each case.
"""

import inspect
from collections.abc import Callable
from inspect import iscoroutinefunction
from types import ModuleType
from typing import Any

from attrs import field, frozen

from ...implementations.stateful import Apply, Compacting, Plan, Remembering
from ...implementations.trimmer import TrimCall
from ...messages.errors import BadTarget, a_kind
from ...messages.limits import LimitKind
from .call_expression import expression
from .loading import public_functions
from .signature import Taken, parameters_of, taken_by


@frozen
class Way:
    """How a target is run: the call, whether it takes the limit, the name that tells the kind, what it is in words."""

    trim: TrimCall
    takes_limit: bool
    limit_name: str | None = field(default=None, kw_only=True)
    takes_count: bool = field(default=False, kw_only=True)
    kind: LimitKind | None = field(default=None, kw_only=True)
    notes: tuple[str, ...] = field(default=(), kw_only=True)
    reads: Callable[..., Any] | None = field(default=None, kw_only=True)
    """The function whose first parameter holds the messages; its annotation may name the format."""


def way_of(found: Any, text: str, module: ModuleType, call: str | None, kind: LimitKind | None) -> Way:
    """Return how an object is run; `text` names it in errors, `kind` is the kind of limit asked for.

    Raises `BadTarget` with what is missing, and what to name instead.
    """
    if call is not None:
        made = expression(call, found, vars(module))
        return Way(
            made.trim,
            made.takes_limit,
            limit_name=made.keyword,
            takes_count=made.takes_count,
            kind=made.kind,
            notes=(f"called as {call}",),
        )
    if _has(found, "plan", "apply"):
        return _compactor(found, text, kind)
    if _is_class(found):
        if _has(found, "add", "view"):
            return _memory(found, text, kind)
        raise BadTarget(
            f"{text} is a class without add and view (a memory) or plan and apply (a compactor)",
            "name a function, or say how it is used: --call 'f(limit).trim(messages)'",
        )
    if inspect.ismodule(found):
        own = public_functions(found)
        others = f" (it has {', '.join(own[:6])})" if len(own) > 1 else ""
        hint = f"say which function: {text}:{own[0] if own else 'NAME'}{others}"
        raise BadTarget(f"{text} is a module without plan and apply", hint)
    if not callable(found):
        if _has(found, "add", "view"):
            raise BadTarget(f"{text} is one memory, but every case needs a new one", "name its class, or a function")
        raise BadTarget(f"{text} is {a_kind(found)}, not a function", "a trimmer is f(messages, limit)")
    return _function(found, text, kind)


def _function(found: Callable[..., Any], text: str, kind: LimitKind | None) -> Way:
    taken = taken_by(found, text, kind=kind)
    notes: tuple[str, ...] = ()
    if taken.unsure:
        notes = ("its signature cannot be read: called as f(messages, limit)",)
    elif taken.count is not None and not taken.keywords and "count" not in taken.count and "tok" not in taken.count:
        notes = (f"parameter {taken.count} is given the counter",)
    return Way(
        _plain_call(found, taken),
        taken.limit is not None,
        limit_name=None if taken.unsure else taken.limit,
        takes_count=taken.count is not None,
        notes=notes,
        reads=found,
    )


def _plain_call(found: Callable[..., Any], taken: Taken) -> TrimCall:
    """The calls that almost everybody has are written out: a trim is called a hundred thousand times."""
    if not taken.keywords:
        if taken.positional == ("limit",):
            return lambda items, limit, _count: found(items, limit)
        if taken.positional == ("limit", "count"):
            return lambda items, limit, count: found(items, limit, count)
        if not taken.positional:
            return lambda items, _limit, _count: found(items)

    def trim(items: list[Any], limit: Any, count: Any) -> Any:
        positional, keywords = taken.arguments(limit, count)
        return found(items, *positional, **keywords)

    return trim


def _memory(found: Any, text: str, kind: LimitKind | None) -> Way:
    made = taken_by(found, text, behind=0, kind=kind)
    shown = taken_by(found.view, f"{text}.view", kind=kind)
    if shown.limit is not None and _optional(found, made.limit):
        made = Taken()
    asynchronous = iscoroutinefunction(found.add) or iscoroutinefunction(found.view)

    def fill(limit: Any, count: Any) -> tuple[Any, Callable[[], Any]]:
        positional, keywords = made.arguments(limit, count)
        memory = found(*positional, **keywords)
        others, named = shown.arguments(limit, count)
        return memory, lambda: memory.view(*others, **named)

    name = made.limit or shown.limit
    return Way(
        Remembering(fill, asynchronous),
        name is not None,
        limit_name=name,
        takes_count=bool(made.count or shown.count),
        notes=("a memory: one new object for each case",),
        reads=found.add,
    )


def _compactor(found: Any, text: str, kind: LimitKind | None) -> Way:
    plan: Callable[..., Any] = found.plan
    is_class = _is_class(found)
    if is_class:
        made = taken_by(found, text, behind=0, kind=kind)
        if made.limit is not None and not _optional(found, made.limit):
            raise BadTarget(f"{text} needs {made.limit} to be made", "name an object of it, or give it a default")
    unbound = is_class and not isinstance(inspect.getattr_static(found, "plan"), staticmethod | classmethod)
    taken = taken_by(plan, f"{text}.plan", behind=2 if unbound else 1, kind=kind)
    asynchronous = iscoroutinefunction(plan) or iscoroutinefunction(found.apply)

    def parts() -> tuple[Plan, Apply]:
        compactor = found() if is_class else found

        def planned(items: list[Any], limit: Any, count: Any) -> Any:
            positional, keywords = taken.arguments(limit, count)
            return compactor.plan(items, *positional, **keywords)

        return planned, compactor.apply

    return Way(
        Compacting(parts, asynchronous),
        taken.limit is not None,
        limit_name=taken.limit,
        takes_count=taken.count is not None,
        notes=("a compactor: apply(messages, plan(messages, limit))",),
        reads=plan,
    )


def _has(found: Any, *names: str) -> bool:
    return all(callable(getattr(found, name, None)) for name in names)


def _is_class(found: Any) -> bool:
    return isinstance(found, type)


def _optional(found: Any, name: str | None) -> bool:
    given = {one.name: one for one in parameters_of(found) or ()}
    return name is None or (name in given and given[name].default is not inspect.Parameter.empty)
