"""Resolving: from a spec to the contract in force.

It imports the trimmer, so it is done in the process where the trimmer runs: a worker, or the test process under pytest.
"""

import inspect
import sys
from typing import Any

from attrs import evolve

from ...implementations.trimmer import BARE_FUNCTION_PROMISES, Promises, Trimmer
from ...messages.errors import BadName, BadTarget
from ...messages.formats.counters import Counter, tried
from ...messages.limits import NO_AMOUNT, LimitKind
from .contract import NEEDS_A_MEASURE, NEEDS_A_UNIT, Contract, contract_for
from .left_out import about_left_out, features_left_out
from .loading import load_named, load_object
from .marks import marks_in_force, uses_marks
from .spec import Spec, check_options, is_registered_name
from .target import trimmer_from

ASSUMED_WITHOUT_A_MEASURE = ("order-preserved", "deterministic")
"""What a bare function is taken to promise under `other`."""
_NO_AMOUNT_WORDS = {
    "compaction": "a compaction (a point says where to cut, not how much)",
    "other": "a limit of the kind other (nobody knows what it counts)",
}

NO_UNIT = (
    "how it counts tokens is not known: "
    + ", ".join(name for name in BARE_FUNCTION_PROMISES if name in NEEDS_A_UNIT)
    + " are not assumed (name its counter with --count MODULE:FUNCTION)"
)
"""The note on a bare function under a limit of tokens that takes no counter, where none was named."""


def resolve(spec: Spec) -> Contract:
    """Import the trimmer and build its contract; raises `BadTarget` or `BadName` with one clear line."""
    check_options(spec)
    trimmer, notes, reads = _trimmer(spec)
    if spec.limit is not None and trimmer.takes_limit and spec.limit not in trimmer.limits:
        raise BadTarget(f"{trimmer.name} takes no {spec.limit} limit", "it takes " + ", ".join(trimmer.limits))
    if spec.only_promised:
        trimmer = evolve(trimmer, promises=spec.promises, bare=False)
    ready = evolve(trimmer, refuses=(*trimmer.refuses, *spec.objects.refuses))
    contract = _contract(ready, spec, notes, reads=reads)
    for name in spec.promises:
        if contract.kind in NO_AMOUNT and name in NEEDS_A_MEASURE:
            raise BadName(f"{name} cannot be promised under {_NO_AMOUNT_WORDS[contract.kind]}")
    contract.grammar()  # what cannot be made is an error before anything runs
    return contract


def _contract(trimmer: Trimmer, spec: Spec, notes: tuple[str, ...], *, reads: bool) -> Contract:
    counter, kind = _counter(spec, trimmer), spec.limit or trimmer.limits[0]
    measured = kind != "tokens" or counter is not None or trimmer.unit_known
    declared = dict(_assumed(kind, measured=measured)) if trimmer.bare else dict(trimmer.promises)
    promises = {name: value for name, value in (declared | spec.promises).items() if name not in spec.withdrawn}
    marks, about_marks = marks_in_force(spec.marks, trimmer, promises, reads=reads)
    return contract_for(
        trimmer,
        kind=spec.limit,
        provider=spec.provider,
        count=counter,
        count_name="default" if counter is None else counter.name,
        promises=promises,
        assumed=tuple(name for name in declared if name in promises and trimmer.bare and name not in spec.promises),
        mild=(trimmer.bare or trimmer.mild) and "nonempty-history" not in spec.promises,
        fail_on=frozenset(spec.fail_on),
        inputs=spec.inputs,
        lowest_limit=spec.lowest_limit,
        marks=marks,
        left_out=features_left_out(spec.without, spec.system, trimmer.format),
        notes=(
            *notes,
            about_marks,
            *about_left_out(spec.without, spec.system),
            *_notes_of(counter),
            *(() if measured or not trimmer.bare else (NO_UNIT,)),
        ),
        measured=measured,
    )


def _assumed(kind: LimitKind, *, measured: bool) -> Promises:
    """Return what a bare function is taken to promise: nothing about an amount whose unit is not known."""
    if kind == "other":
        return {name: BARE_FUNCTION_PROMISES[name] for name in ASSUMED_WITHOUT_A_MEASURE}
    return {name: value for name, value in BARE_FUNCTION_PROMISES.items() if measured or name not in NEEDS_A_UNIT}


def _trimmer(spec: Spec) -> tuple[Trimmer, tuple[str, ...], bool]:
    """Return the trimmer, what is reported of it, and whether its code reads marks."""
    from ...implementations.registry import find

    found = spec.objects.target
    if isinstance(found, Trimmer):
        return found, (), _reads_marks(found)
    if found is None and is_registered_name(spec.target):
        trimmer = find(spec.target)
        return trimmer, (), _reads_marks(trimmer)
    shape: dict[str, Any] = {
        "format": spec.format,
        "provider": spec.provider,
        "limit": spec.limit,
        "fixed": spec.fixed,
        "call": spec.call,
        "in_place": spec.in_place,
        "refuses": spec.refuses,
    }
    if found is None:
        found, module = load_named(spec.target)
    else:
        module = inspect.getmodule(found) or sys.modules["__main__"]
    trimmer, notes = trimmer_from(found, spec.target, module=module, **shape)
    return trimmer, notes, uses_marks(found, module, spec.call)


def _reads_marks(trimmer: Trimmer) -> bool:
    return trimmer.marks is None and uses_marks(trimmer.trim, inspect.getmodule(trimmer.trim))


def _counter(spec: Spec, trimmer: Trimmer) -> Counter | None:
    """Return the counter that was asked for, tried; None for the default one."""
    if spec.count is None:
        given = spec.objects.count
        return None if given is None else tried(given, getattr(given, "__name__", "given"), trimmer.format)
    found: Any = load_object(spec.count)
    if not callable(found):
        raise BadTarget(f"{spec.count} is not a function", "a counter takes a message, or a list of messages")
    return tried(found, spec.count, trimmer.format)


def _notes_of(counter: Counter | None) -> tuple[str, ...]:
    if counter is None or not counter.lists:
        return ()
    constant = f", and {counter.constant} more for each list" if counter.constant else ""
    return (f"{counter.name} counts lists: asked for them as a whole{constant}",)
