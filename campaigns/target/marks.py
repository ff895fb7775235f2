"""Marks: whether a trimmer knows `keep_during_truncation` and `summary`, and so is handed messages that carry them.

The marks are keys of trimfuzz. A trimmer that has never heard of them is handed bare messages: losing a key that it
does not know is no fault. By default marks are on for a trimmer that promises keeps-pinned, that declares marks, or
whose own code uses them. Its own code is its function or class, and what that calls in its module: names and strings
count, comments and docstrings do not.
"""

import ast
import inspect
import textwrap
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from types import FunctionType, ModuleType
from typing import Any, cast

from ...implementations.trimmer import Trimmer

MARKS = frozenset({"keep_during_truncation"})
"""The words by which a trimmer shows that it reads marks; `summary` alone is too common a word."""
ENTRY_POINTS = ("plan", "apply")
"""What is run of a target that is a whole module."""


def marks_in_force(asked: str, trimmer: Trimmer, promises: Iterable[str], *, reads: bool) -> tuple[bool, str]:
    """Return whether marks are handed out, and a sentence that says so; `reads` is what `uses_marks` found."""
    if not trimmer.format.features & {"keep", "summary"}:
        return False, "marks off (its messages have no place for them)"
    if asked != "auto":
        return asked == "on", f"marks {asked}"
    if trimmer.marks is not None:
        return trimmer.marks, f"marks {'on' if trimmer.marks else 'off'} (declared)"
    if "keeps-pinned" in promises:
        return True, "marks on (it promises keeps-pinned)"
    if reads:
        return True, f"marks on (its code uses {', '.join(MARKS)})"
    return False, "marks off (its code reads none; --marks on hands them out)"


def uses_marks(found: Any, module: ModuleType | None, call: str | None = None) -> bool:
    """Say whether the code of an object, or of what it calls in its module, uses a mark; False where it has none.

    `call` is the expression by which it is called, which may use what the module defines.
    """
    around = vars(module) if module is not None else {}
    left: list[Any] = [found]
    if call is not None:
        words = set(_words(_parsed(call)))
        if not MARKS.isdisjoint(words) or any(_says_mark(around.get(word)) for word in words):
            return True
        left += [around[word] for word in words if _defined_in(around.get(word), module)]
    seen = set[int]()
    while left:
        part = left.pop()
        if id(part) in seen:
            continue
        seen.add(id(part))
        if isinstance(part, partial):
            given = cast("partial[Any]", part)
            left += [given.func, *given.args, *given.keywords.values()]
            continue
        if isinstance(part, ModuleType):
            left += [getattr(part, name) for name in ENTRY_POINTS if hasattr(part, name)]
            continue
        if _says_mark(part):
            return True
        words = set(_words(_tree(part)))
        if not MARKS.isdisjoint(words):
            return True
        names = {**around, **_enclosed(part)}
        known = [names[word] for word in words if word in names]
        if any(map(_says_mark, known)):
            return True
        left += [one for one in known if _defined_in(one, module)]
    return False


def _tree(part: Any) -> ast.AST | None:
    target: Any = part if inspect.isroutine(part) or isinstance(part, type) else type(part)
    try:
        return _parsed(textwrap.dedent(inspect.getsource(inspect.unwrap(target))))
    except (OSError, TypeError, ValueError):
        return None


def _parsed(text: str) -> ast.AST | None:
    try:
        return ast.parse(text.strip())
    except (SyntaxError, ValueError):
        return None


def _words(tree: ast.AST | None) -> Iterator[str]:
    """Yield the names, attributes, keywords and strings of some code, docstrings left out."""
    if tree is None:
        return
    docs = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
        and isinstance(node.body[0], ast.Expr)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            yield node.id
        elif isinstance(node, ast.Attribute):
            yield node.attr
        elif isinstance(node, ast.keyword | ast.arg) and node.arg is not None:
            yield node.arg
        elif isinstance(node, ast.MatchClass):
            yield from node.kwd_attrs
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docs:
            yield node.value


def _enclosed(part: Any) -> dict[str, Any]:
    """Return what a function uses of the functions around it, by name."""
    function = inspect.unwrap(part) if inspect.isroutine(part) else None
    if not isinstance(function, FunctionType):
        return {}
    try:
        return dict(inspect.getclosurevars(function).nonlocals)
    except ValueError:  # a name that has no value yet
        return {}


def _says_mark(value: Any) -> bool:
    """Say whether a constant is the name of a mark, or a collection with such a name in it."""
    if isinstance(value, str):
        return value in MARKS
    if isinstance(value, tuple | list | set | frozenset | Mapping):
        return any(isinstance(one, str) and one in MARKS for one in cast("Iterable[object]", value))
    return False


def _defined_in(part: Any, module: ModuleType | None) -> bool:
    """Say whether something is a function, class or other callable of that module itself."""
    return module is not None and callable(part) and getattr(part, "__module__", None) == module.__name__
