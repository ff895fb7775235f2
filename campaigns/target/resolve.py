"""Resolving: from a spec to the contract in force.

It imports the trimmer, so it is done in the process where the trimmer runs: a worker, or the test process under pytest.
"""

import inspect
import sys
from typing import Any, cast

from attrs import evolve

from ...implementations.trimmer import BARE_FUNCTION_PROMISES, Trimmer
from ...messages.errors import BadName, BadTarget
from ...messages.formats.counting import Count
from ...messages.limits import NO_AMOUNT
from .contract import NEEDS_A_MEASURE, Contract, contract_for
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


def resolve(spec: Spec, found: object = None) -> Contract:
    """Build the contract of a spec; `found` is the trimmer, function or class itself, where the caller has it.

    Raises `BadTarget` or `BadName` with one clear line.
    """
    check_options(spec)
    trimmer, notes, reads = _trimmer(spec, found)
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
    declared = dict(BARE_FUNCTION_PROMISES) if trimmer.bare else dict(trimmer.promises)
    if trimmer.bare and (spec.limit or trimmer.limits[0]) == "other":
        declared = {name: declared[name] for name in ASSUMED_WITHOUT_A_MEASURE}
    promises = {name: value for name, value in (declared | spec.promises).items() if name not in spec.withdrawn}
    given = spec.objects.count
    marks, about_marks = marks_in_force(spec.marks, trimmer, promises, reads=reads)
    return contract_for(
        trimmer,
        kind=spec.limit,
        provider=spec.provider,
        count=given if spec.count is None else _count(spec.count),
        count_name=spec.count or (getattr(given, "__name__", "given") if given else "default"),
        promises=promises,
        assumed=tuple(name for name in declared if name in promises and trimmer.bare and name not in spec.promises),
        mild=(trimmer.bare or trimmer.mild) and "nonempty-history" not in spec.promises,
        fail_on=frozenset(spec.fail_on),
        inputs=spec.inputs,
        marks=marks,
        left_out=features_left_out(spec.without, spec.system, trimmer.format),
        notes=(*notes, about_marks, *about_left_out(spec.without, spec.system)),
    )


def _trimmer(spec: Spec, found: object) -> tuple[Trimmer, tuple[str, ...], bool]:
    """Return the trimmer, what is reported of it, and whether its code reads marks."""
    from ...implementations.registry import find

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


def _count(name: str) -> Count:
    found: Any = load_object(name)
    if not callable(found):
        raise BadTarget(f"{name} is not a function", "a counter takes a message, or a list of messages")
    return cast("Count", found)
