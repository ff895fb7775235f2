"""Values: what all wire formats do with JSON: copies, marks, and arguments as an object instead of a raw string."""

import json
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, cast

from ...errors import BadHistory, CannotCarry, a_kind
from ..openai_chat import MARKS

dumped = json.JSONEncoder(separators=(",", ":"), ensure_ascii=False).encode
"""JSON as compact as it can be."""


def copied(value: Any) -> Any:
    """Return a fresh copy of a JSON value, which nobody else holds."""
    if isinstance(value, Mapping):
        return {key: copied(inner) for key, inner in cast("Mapping[str, Any]", value).items()}
    if isinstance(value, list | tuple):
        return [copied(inner) for inner in cast("list[Any]", value)]
    return value


def mapping(value: object, problem: str) -> Mapping[str, Any]:
    """Return a value that must be a dict; raises `BadHistory` with the problem where it is none."""
    if not isinstance(value, Mapping):
        raise BadHistory(problem, f"this is {a_kind(value)}")
    return cast("Mapping[str, Any]", value)


def without_false_marks(item: Mapping[str, Any]) -> dict[str, Any]:
    """Return an item without marks that are false or null: they say what a missing mark says."""
    return {key: value for key, value in item.items() if key not in MARKS or (value is not None and value is not False)}


def bare(item: Mapping[str, Any]) -> dict[str, Any]:
    """Return an item without its marks, and without those of the results in it, as a provider is sent it."""
    found = _unmarked(item)
    for key in ("content", "parts"):
        if isinstance(found.get(key), list):
            found[key] = [_bare_block(block) for block in found[key]]
    return found


def _bare_block(block: Any) -> Any:
    if not isinstance(block, Mapping):
        return block
    known = _unmarked(cast("Mapping[str, Any]", block))
    return {key: _unmarked(value) if key in _RESULT_KEYS else value for key, value in known.items()}


_RESULT_KEYS = ("toolResult", "functionResponse")


def _unmarked(item: Mapping[str, Any]) -> dict[str, Any]:
    """A reasoning item has a `summary` that is no mark but a list."""
    return {key: value for key, value in item.items() if key not in MARKS or isinstance(value, list)}


@lru_cache(maxsize=4096)
def compact(arguments: str) -> str:
    """Return raw arguments as compact JSON, where they are a JSON object with every key once; else as they are."""
    if arguments == "{}":
        return arguments
    try:
        return dumped(_object(arguments))
    except ValueError:
        return arguments


def parsed(arguments: str, format_name: str) -> dict[str, Any]:
    """Return raw arguments as a fresh object; raises `CannotCarry` where writing it again would not give them back."""
    if arguments == "{}":
        return {}
    try:
        found = _object(arguments)
    except ValueError:
        raise CannotCarry(
            f"{format_name} has no place for the arguments {arguments[:40]!r}", "they are parsed there: a JSON object"
        ) from None
    if dumped(found) != arguments:
        raise CannotCarry(
            f"{format_name} has no place for the blanks and escapes of the arguments {arguments[:40]!r}",
            "they are parsed there; shape() makes them compact",
        )
    return found


def _object(arguments: str) -> dict[str, Any]:
    try:
        found = json.loads(arguments, object_pairs_hook=_unique)
    except RecursionError:
        raise ValueError("too deep") from None
    if not isinstance(found, dict):
        raise ValueError("no object")
    return cast("dict[str, Any]", found)


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a key twice")
    return found
