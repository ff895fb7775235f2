"""Naming: a function or class by which another process finds it again.

`trimfuzz.check` runs a trimmer in a process of its own, which imports it. So it takes what stands at the top of a
module; whatever has no name there is refused with one sentence.
"""

import os
import sys
from pathlib import Path
from types import ModuleType
from typing import Any, cast

from ...implementations.trimmer import Trimmer
from ...messages.errors import BadTarget
from ..process.leftover_processes import MARK

_HINT = "put it at the top of a module; trimfuzz.conformance tests it where it is"


def target_text(target: object) -> str:
    """Return a target as on the command line; raises `BadTarget` for an object that has no name."""
    if isinstance(target, str):
        return target
    if isinstance(target, Trimmer):
        return _registered(target)
    return name_of_object(target)


def name_of_object(found: object) -> str:
    """Return `package.module:name` or `path/to/file.py:name` of a function or class."""
    module = sys.modules.get(getattr(found, "__module__", None) or "")
    name = getattr(found, "__qualname__", None)
    if module is None or not isinstance(name, str):
        raise BadTarget(f"{type(found).__name__} objects have no name that another process finds", _HINT)
    if _at(module, name) is not found:
        raise BadTarget(f"{module.__name__}:{name} does not lead back to it, so no other process finds it", _HINT)
    return f"{_place_of(module)}:{name}"


def need_parent_process() -> None:
    """Raise `BadTarget` in a worker: there the script that checks itself would start without end."""
    if MARK in os.environ:
        problem = "trimfuzz.check is called while its own target is imported"
        raise BadTarget(problem, "call it under `if __name__ == '__main__':`")


def _registered(trimmer: Trimmer) -> str:
    from ...implementations.registry import find

    if find(trimmer.name) != trimmer:
        raise BadTarget(f"another trimmer is registered as {trimmer.name}", _HINT)
    return trimmer.name


def _at(module: ModuleType, name: str) -> object:
    found: Any = module
    for part in name.split("."):
        found = getattr(found, part, None)
    return cast("object", found)


def _place_of(module: ModuleType) -> str:
    """Return the module's name where every process finds it under that, else its file."""
    file = getattr(module, "__file__", None)
    if module.__name__ == "__main__" or file is not None:
        if not isinstance(file, str) or not Path(file).is_file():
            raise BadTarget("what was typed into an interactive Python is found by no other process", _HINT)
        if module.__name__ == "__main__" or not _importable(module.__name__, Path(file)):
            return file
    return module.__name__


def _importable(name: str, file: Path) -> bool:
    """Say whether a module lies where a new process in this folder looks: here, or among the installed packages."""
    depth = name.count(".") + (file.name == "__init__.py")
    root = file.resolve().parents[depth]
    return root == Path.cwd() or root.name in ("site-packages", "dist-packages")
