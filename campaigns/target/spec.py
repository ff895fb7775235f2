"""Specs: a target and its options as plain data. Processes exchange specs, never functions.

A target is a registered name, `museum:NAME`, `package.module:name` or `path/to/file.py:name`. Resolving a spec imports
the trimmer and builds the terms it is judged by, so it is done in the process where the trimmer runs.
"""

from math import isfinite
from typing import Any, cast

from attrs import field, frozen
from cattrs import Converter

from ...implementations.trimmer import BARE_FUNCTION_PROMISES, Trimmer
from ...messages.errors import BadName, BadTarget
from ...messages.formats.counting import Count
from ...messages.limits import LIMIT_KINDS, LimitKind
from ...messages.reading.pairing import INPUT_CLASSES
from ...oracles.rules.registry import promisable
from .contract import FAILING_CLASSES, NEEDS_A_MEASURE, Terms, terms_for

TIMEOUT = 2.0
"""Seconds that one trim may take."""


@frozen
class Spec:
    """What to run and how to judge it; None means "as the trimmer declares, else guessed and said"."""

    target: str
    format: str | None = field(default=None, kw_only=True)
    limit: LimitKind | None = field(default=None, kw_only=True)
    fixed: int | None = field(default=None, kw_only=True)
    count: str | None = field(default=None, kw_only=True)
    call: str | None = field(default=None, kw_only=True)
    in_place: bool = field(default=False, kw_only=True)
    refuses: tuple[str, ...] = field(default=(), kw_only=True)
    provider: str | None = field(default=None, kw_only=True)
    promises: dict[str, float] = field(factory=dict[str, float], kw_only=True)
    withdrawn: tuple[str, ...] = field(default=(), kw_only=True)
    fail_on: tuple[str, ...] = field(default=("valid", "pending"), kw_only=True)
    inputs: tuple[str, ...] = field(default=INPUT_CLASSES, kw_only=True)
    marks: bool = field(default=True, kw_only=True)
    timeout: float = field(default=TIMEOUT, kw_only=True)
    """Seconds after which a trim hangs."""


@frozen
class Resolved:
    """A spec made runnable; `notes` are sentences for the first lines of a report."""

    terms: Terms
    notes: tuple[str, ...] = ()


_converter = Converter(forbid_extra_keys=True)


def spec_to_json(spec: Spec) -> dict[str, Any]:
    """Write a spec as JSON data."""
    return cast("dict[str, Any]", _converter.unstructure(spec))


def spec_from_json(data: dict[str, Any]) -> Spec:
    """Read a spec from JSON data."""
    return _converter.structure(data, Spec)


def read_inputs(text: str | None) -> tuple[str, ...]:
    """Read `valid,pending` as input classes to generate, None as all of them; raises `BadName` where none is named."""
    return INPUT_CLASSES if text is None else _classes("--inputs", text)


def read_fail_on(text: str | None) -> tuple[str, ...]:
    """Read input classes that are to fail a trimmer too; raises `BadName` for those that do anyway."""
    found = () if text is None else _classes("--fail-on", text)
    if found and FAILING_CLASSES.issuperset(found):
        raise BadName(f"--fail-on {text} adds nothing", "valid and pending always fail; name interleaved or malformed")
    return found


def _classes(option: str, text: str) -> tuple[str, ...]:
    found = tuple(part.strip() for part in text.split(",") if part.strip())
    if not found:
        raise BadName(f"{option} names no input class", "known: " + ", ".join(INPUT_CLASSES))
    return tuple(dict.fromkeys(found))


def check_options(spec: Spec) -> None:
    """Raise `BadName` for a promise, input class, limit kind or time that does not exist, before anything runs."""
    for name in (*spec.promises, *spec.withdrawn):
        if name not in promisable():
            raise BadName(f"unknown promise {name!r}", "known: " + ", ".join(promisable()))
    for name in (*spec.inputs, *spec.fail_on):
        if name not in INPUT_CLASSES:
            raise BadName(f"unknown input class {name!r}", "known: " + ", ".join(INPUT_CLASSES))
    if spec.limit is not None and spec.limit not in LIMIT_KINDS:
        raise BadName(f"unknown limit {spec.limit!r}", "known: " + ", ".join(LIMIT_KINDS))
    if not (isfinite(spec.timeout) and spec.timeout > 0):
        raise BadName(f"no trim can be bounded by {spec.timeout:g} seconds", "a timeout is above 0")


def resolve(spec: Spec) -> Resolved:
    """Import the trimmer and build its terms; raises `BadTarget` or `BadName` with one clear line."""
    check_options(spec)
    trimmer, notes = _trimmer(spec)
    if spec.limit is not None and trimmer.takes_limit and spec.limit not in trimmer.limits:
        raise BadTarget(f"{trimmer.name} takes no {spec.limit} limit", "it takes " + ", ".join(trimmer.limits))
    terms = held_to(trimmer, spec)
    for name in spec.promises:
        if terms.kind == "compaction" and name in NEEDS_A_MEASURE:
            raise BadName(f"{name} cannot be promised under a compaction", "a point says where to cut, not how much")
    return Resolved(terms, notes)


def held_to(trimmer: Trimmer, spec: Spec, *, count: Count | None = None) -> Terms:
    """Build the terms of a trimmer that is already there; `count` is a counter that has no name."""
    declared = dict(BARE_FUNCTION_PROMISES) if trimmer.bare else dict(trimmer.promises)
    promises = {name: value for name, value in (declared | spec.promises).items() if name not in spec.withdrawn}
    return terms_for(
        trimmer,
        kind=spec.limit,
        provider=spec.provider,
        count=count if spec.count is None else _count(spec.count),
        count_name=spec.count or (getattr(count, "__name__", "given") if count else "default"),
        promises=promises,
        assumed=tuple(name for name in declared if name in promises and trimmer.bare and name not in spec.promises),
        mild=(trimmer.bare or trimmer.mild) and "nonempty-history" not in spec.promises,
        fail_on=frozenset(spec.fail_on),
        inputs=spec.inputs,
        marks=spec.marks,
    )


def is_registered_name(target: str) -> bool:
    """Say whether a target is a name of the registry; everything else names an object in a module or a file."""
    return target.startswith("museum:") or not (":" in target or "/" in target or target.endswith(".py"))


def _trimmer(spec: Spec) -> tuple[Trimmer, tuple[str, ...]]:
    from ...implementations.registry import find
    from .target import load_target

    if is_registered_name(spec.target):
        return find(spec.target), ()
    return load_target(
        spec.target,
        format=spec.format,
        limit=spec.limit,
        fixed=spec.fixed,
        call=spec.call,
        in_place=spec.in_place,
        refuses=spec.refuses,
    )


def _count(name: str) -> Any:
    from .target import load_object

    found = load_object(name)
    if not callable(found):
        raise BadTarget(f"{name} is not a function", "a counter takes a message, or a list of messages")
    return found
