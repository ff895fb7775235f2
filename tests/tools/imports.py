"""What a module imports, read from its syntax tree: nothing is run.

A tree of sources is a mapping from path (relative to the root) to text. `edges` resolves every import of one of our
modules to that module, also inside functions and for type checkers, so that a test can look at the whole graph.
"""

import ast
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import TypeAlias

from attrs import frozen

ROOT = Path(__file__).parents[2]
PACKAGES = ("messages", "strategies", "oracles", "implementations", "campaigns", "front")
"""The folders at the root that are installed, in the order of the layers; `front` is `trimfuzz` itself."""

Sources: TypeAlias = Mapping[Path, str]


@frozen
class Import:
    """One imported module by its full name, and how it was written."""

    name: str
    line: int
    relative: bool
    at_once: bool
    """Imported with the module: not inside a function, and not for type checkers alone."""
    names: tuple[str, ...] = ()
    """What is taken from it: the names behind `from x import`."""

    @property
    def package(self) -> str | None:
        """The package of ours that it names; None for somebody else's module."""
        first, *rest = self.name.split(".")
        return (rest[0] if rest else "front") if first == "trimfuzz" else None


@frozen
class Edge:
    """One module of ours imports another: both as paths, and the line where it is written."""

    importer: Path
    imported: Path
    line: int

    def __str__(self) -> str:
        return f"{self.importer}:{self.line} imports {self.imported}"


def read_sources(root: Path = ROOT) -> dict[Path, str]:
    """Read every module of the installed packages."""
    return {
        path.relative_to(root): path.read_text("utf-8")
        for package in PACKAGES
        for path in sorted((root / package).rglob("*.py"))
    }


@cache
def imports(path: Path, source: str) -> tuple[Import, ...]:
    """Return what a module imports; `path` is relative to the root and says which module it is."""
    return tuple(_imports(path, source))


def _imports(path: Path, source: str) -> Iterator[Import]:
    package = ["trimfuzz", *path.parts[:-1]] if path.parts[0] != "front" else ["trimfuzz"]
    for node, at_once in _nodes(ast.parse(source), True):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield Import(alias.name, node.lineno, False, at_once)
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else []
            if node.module:
                names = tuple(alias.name for alias in node.names)
                yield Import(".".join([*base, node.module]), node.lineno, node.level > 0, at_once, names)
                continue
            for alias in node.names:
                # `from .. import oracles` names a package only together with what it imports.
                yield Import(".".join([*base, alias.name]), node.lineno, True, at_once)
        elif isinstance(node, ast.Call) and (asked := _asked_for(node)):
            level = len(asked) - len(asked.lstrip("."))
            base = package[: len(package) - level + 1] if level else []
            yield Import(".".join([*base, asked.lstrip(".")]), node.lineno, level > 0, False)


def edges(sources: Sources) -> list[Edge]:
    """Return every import of one of our modules by another."""
    modules = {dotted(path): path for path in sources}
    found: list[Edge] = []
    for path, source in sources.items():
        for one in imports(path, source):
            targets = {modules.get(f"{one.name}.{name}", modules.get(one.name)) for name in one.names or ("",)}
            # A name that a package defines itself is imported with `from . import name` too.
            targets = {target or modules.get(one.name.rpartition(".")[0]) for target in targets}
            found += [Edge(path, target, one.line) for target in targets if target is not None and target != path]
    return found


def dotted(path: Path) -> str:
    """Return the name that a module is imported by."""
    parts = path.parts if path.parts[0] != "front" else path.parts[1:]
    parts = parts[:-1] if path.stem == "__init__" else (*parts[:-1], path.stem)
    return ".".join(["trimfuzz", *parts])


def _asked_for(call: ast.Call) -> str | None:
    """Return the module that a call of `import_module` with a plain string asks for."""
    called = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", None)
    if called == "import_module" and call.args:
        first = call.args[0]
        return first.value if isinstance(first, ast.Constant) and isinstance(first.value, str) else None
    return None


def _nodes(tree: ast.AST, at_once: bool) -> Iterator[tuple[ast.AST, bool]]:
    """Yield every node, and whether it runs when the module is imported."""
    for node in ast.iter_child_nodes(tree):
        inside = at_once and not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
        if isinstance(node, ast.If) and ast.unparse(node.test).endswith("TYPE_CHECKING"):
            inside = False
        yield node, at_once
        yield from _nodes(node, inside)
