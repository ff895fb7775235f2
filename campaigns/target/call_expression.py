"""Call expressions: `--call 'f(messages, max_tokens=limit, token_counter=count)'`, for what cannot be guessed.

The expression sees `messages`, `limit`, `count`, the target under `f` or under its own name, and whatever the target's
module defines. It is read before anything runs, so a name that stands for nothing is said at once.
"""

import ast
import builtins
from collections.abc import Callable, Mapping
from typing import Any

from attrs import frozen

from ...messages.errors import BadTarget
from ...messages.limits import LimitKind
from .signature import kind_named

_EXAMPLE = "for example 'f(messages, limit)'"
_GIVEN = frozenset({"messages", "limit", "count"})


@frozen
class Expression:
    """A call expression, compiled. `trim(messages, limit, count)` evaluates it; `kind` is what its keyword says."""

    trim: Callable[[Any, Any, Any], Any]
    kind: LimitKind | None
    keyword: str | None
    takes_limit: bool
    takes_count: bool


def expression(text: str, target: Any, around: Mapping[str, Any]) -> Expression:
    """Compile a call expression for a target; `around` are the names of the target's module. Raises `BadTarget`."""
    try:
        tree = ast.parse(text.strip(), mode="eval")
    except SyntaxError as error:
        raise BadTarget(
            f"--call {text!r} is no Python expression: {error.msg}", "for example 'f(messages, limit)'"
        ) from None
    inner = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load)}
    inner |= {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)}
    names = [
        node.id
        for node in sorted((one for one in ast.walk(tree) if isinstance(one, ast.Name)), key=_place)
        if node.id not in inner
    ]
    if "messages" not in names:
        raise BadTarget(f"--call {text!r} does not use messages", _EXAMPLE)
    own = [name for name in names if name not in _GIVEN and not hasattr(builtins, name)]
    stands = "f" if "f" in own else own[0] if own else None
    if stands is None:
        raise BadTarget(f"--call {text!r} does not use the target", "it stands there as f: 'f(messages, limit)'")
    unknown = [name for name in own if name != stands and name not in around]
    if unknown:
        raise BadTarget(f"--call {text!r}: {unknown[0]!r} is not known", f"known: {stands}, messages, limit, count")
    scope = {**around, "__builtins__": builtins, stands: target}
    compiled = compile(f"lambda messages, limit, count: ({text.strip()}\n)", "<--call>", "eval")
    keyword = next(
        (
            word.arg
            for node in ast.walk(tree)
            if isinstance(node, ast.Call)
            for word in node.keywords
            if word.arg and _mentions(word.value, "limit")
        ),
        None,
    )
    kind = kind_named(keyword) if keyword else None
    return Expression(eval(compiled, scope), kind, keyword, "limit" in names, "count" in names)


def _place(node: ast.Name) -> tuple[int, int]:
    return node.lineno, node.col_offset


def _mentions(node: ast.AST, name: str) -> bool:
    return any(isinstance(one, ast.Name) and one.id == name for one in ast.walk(node))
