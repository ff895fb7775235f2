"""Marks: whether a trimmer knows `keep_during_truncation` and `summary`, read off its own code.

The marks are keys of trimfuzz. A trimmer that has never heard of them is handed bare messages: losing a key that it
does not know is no fault. Its own code is its function or class, and what that calls in its module: names and strings
count, comments do not.
"""

import ast
import inspect
import textwrap
from types import ModuleType
from typing import Any

MARKS = frozenset({"keep_during_truncation"})
"""The words by which a trimmer shows that it reads marks; `summary` alone is too common a word."""


def uses_marks(found: Any, module: ModuleType | None) -> bool:
    """Say whether the code of an object, or of what it calls in its module, uses a mark; False where it has none."""
    names = vars(module) if module is not None else {}
    left, seen = [found], set[int]()
    while left:
        part = left.pop()
        if id(part) in seen:
            continue
        seen.add(id(part))
        tree = _tree(part)
        if tree is None:
            continue
        used = set(_words(tree))
        if not MARKS.isdisjoint(used):
            return True
        left.extend(names[name] for name in used if name in names and _own(names[name], module))
    return False


def _tree(part: Any) -> ast.AST | None:
    target = part if inspect.isroutine(part) or isinstance(part, type) else type(part)
    try:
        return ast.parse(textwrap.dedent(inspect.getsource(inspect.unwrap(target))))
    except (OSError, TypeError, SyntaxError, ValueError):
        return None


def _words(tree: ast.AST) -> list[str]:
    """Return the names, attributes and strings of some code, docstrings left out."""
    docs = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
        and isinstance(node.body[0], ast.Expr)
    }
    words: list[str] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            words.append(node.id)
        elif isinstance(node, ast.Attribute):
            words.append(node.attr)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docs:
            words.append(node.value)
    return words


def _own(part: Any, module: ModuleType | None) -> bool:
    """Say whether something is code or a constant of that module itself."""
    if isinstance(part, str):
        return False
    return module is not None and getattr(part, "__module__", None) == module.__name__ and callable(part)
