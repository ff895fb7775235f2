"""The registry: every trimmer that has a name, and what is not there with the reason.

The seed systems, the reference, adapters to real packages, and what other packages ship under the entry point group
`trimfuzz.trimmers` (a `Trimmer`, a list of them, or a function that returns either). Museum pieces are found as
`museum:NAME` and are no part of `registered`. Nothing is imported before it is asked for.
"""

from collections.abc import Callable, Iterable, Iterator
from difflib import get_close_matches
from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from typing import Any, TypeAlias, cast

from attrs import evolve, frozen

from ..messages.errors import BadName, BadTarget, a_kind
from ..messages.reading.profiles import profile
from .trimmer import Trimmer

GROUP = "trimfuzz.trimmers"
MUSEUM = "museum:"
SEEDS = ("oasis", "codebuff", "merak", "kimi")


@frozen
class Unavailable:
    """Something that is registered and can not be used here: its name, and why."""

    name: str
    reason: str


Entry: TypeAlias = Trimmer | Unavailable
Source: TypeAlias = tuple[str, Callable[[], Any]]


def _sources() -> Iterator[Source]:
    """Yield (name, loader) of everything registered, cheapest first."""
    yield "reference", lambda: _import("reference").reference()
    for name in SEEDS:
        yield name, lambda name=name: _import(f"seeds.{name}").trimmers()
    for name in _import("packages").MODULES:
        yield name.replace("_", "-"), lambda name=name: _import(f"packages.{name}").trimmers()
    for point in entry_points(group=GROUP):
        yield point.name, lambda point=point: _called(point.load())


def _import(name: str) -> Any:
    return import_module(f".{name}", __package__)


def _called(found: Any) -> Any:
    return found() if callable(found) and not isinstance(found, Trimmer) else found


@cache
def _load(source: str) -> tuple[Entry, ...]:
    loader = dict(_sources())[source]
    try:
        found = loader()
    except ImportError as error:
        return (Unavailable(source, str(error) or type(error).__name__),)
    except Exception as error:
        return (Unavailable(source, f"{type(error).__name__}: {error}"),)
    several = cast("Iterable[Any]", found) if isinstance(found, list | tuple) else (found,)
    wrong = [item for item in several if not isinstance(item, Trimmer)]
    if wrong:
        return (Unavailable(source, f"gave {a_kind(wrong[0])}, not a Trimmer"),)
    return tuple(several)


def registered() -> dict[str, Entry]:
    """Import everything registered and return it by name; a package that is not installed is an `Unavailable`."""
    return {entry.name: entry for source, _loader in _sources() for entry in _load(source)}


def museum() -> dict[str, Trimmer]:
    """Return the museum's trimmers, broken and correct, by their full names."""
    found = _import("museum")
    trimmers: list[Trimmer] = [piece.trimmer for piece in found.PIECES] + list(found.CORRECT)
    return {MUSEUM + trimmer.name: evolve(trimmer, name=MUSEUM + trimmer.name) for trimmer in trimmers}


def find(name: str, *, provider: str | None = None) -> Trimmer:
    """Return the trimmer of this name; imports no more than it has to.

    `provider` is the profile that `reference` follows. Raises `BadName` with the nearest names, and `BadTarget` with
    the reason for one that is not available.
    """
    if name == "reference" and provider is not None:
        return _import("reference").reference(profile(provider))
    if name.startswith(MUSEUM):
        return _known(museum(), name)
    likely = [source for source, _loader in _sources() if name.startswith(source)]
    for source in likely:
        for entry in _load(source):
            if entry.name == name or isinstance(entry, Unavailable):
                return _available(entry)
    known = registered()
    if name not in known and MUSEUM + name in museum():
        raise BadName(f"unknown trimmer {name!r}", f"did you mean {MUSEUM}{name}?")
    return _known(known, name)


def _known(entries: dict[str, Any], name: str) -> Trimmer:
    if name in entries:
        return _available(entries[name])
    close = get_close_matches(name, entries, n=3, cutoff=0.5)
    hint = "did you mean " + " or ".join(close) + "?" if close else "`trimfuzz list trimmers` shows them"
    raise BadName(f"unknown trimmer {name!r}", hint)


def _available(entry: Entry) -> Trimmer:
    if isinstance(entry, Unavailable):
        raise BadTarget(f"{entry.name} is not available: {entry.reason}", "install it, or leave it out")
    return entry
