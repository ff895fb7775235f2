"""Shelves: folders in which each module is one of a kind, found by looking, so that adding one touches no list.

A shelf is alphabetical. Where an order is printed, the names that come first are listed; what is new follows them.
"""

import pkgutil
from collections.abc import Iterable, Mapping
from importlib import import_module
from types import ModuleType
from typing import TypeVar

Item = TypeVar("Item")


def modules_in(package: str) -> tuple[ModuleType, ...]:
    """Import every module of a package, its folders aside, and return them by name."""
    folder = import_module(package).__path__
    names = sorted(found.name for found in pkgutil.iter_modules(folder) if not found.ispkg)
    return tuple(import_module(f"{package}.{name}") for name in names)


def ordered(found: Mapping[str, Item], first: Iterable[str]) -> dict[str, Item]:
    """Return what was found by name: the names of `first` in that order, then all others as they came."""
    return {name: found[name] for name in dict.fromkeys((*first, *found)) if name in found}
