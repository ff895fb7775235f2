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
from .contract import NEEDS_A_MEASURE, Contract, contract_for
from .loading import load_object
from .spec import Spec, check_options, is_registered_name
from .target import load_target, trimmer_from


def resolve(spec: Spec, found: object = None) -> Contract:
    """Build the contract of a spec; `found` is the trimmer, function or class itself, where the caller has it.

    Raises `BadTarget` or `BadName` with one clear line.
    """
    check_options(spec)
    trimmer, notes = _trimmer(spec, found)
    if spec.limit is not None and trimmer.takes_limit and spec.limit not in trimmer.limits:
        raise BadTarget(f"{trimmer.name} takes no {spec.limit} limit", "it takes " + ", ".join(trimmer.limits))
    if spec.only_promised:
        trimmer = evolve(trimmer, promises=spec.promises, bare=False)
    contract = _contract(evolve(trimmer, refuses=(*trimmer.refuses, *spec.objects.refuses)), spec, notes)
    for name in spec.promises:
        if contract.kind == "compaction" and name in NEEDS_A_MEASURE:
            raise BadName(f"{name} cannot be promised under a compaction", "a point says where to cut, not how much")
    return contract


def _contract(trimmer: Trimmer, spec: Spec, notes: tuple[str, ...]) -> Contract:
    declared = dict(BARE_FUNCTION_PROMISES) if trimmer.bare else dict(trimmer.promises)
    promises = {name: value for name, value in (declared | spec.promises).items() if name not in spec.withdrawn}
    given = spec.objects.count
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
        lowest_limit=spec.lowest_limit,
        marks=spec.marks,
        notes=notes,
    )


def _trimmer(spec: Spec, found: object) -> tuple[Trimmer, tuple[str, ...]]:
    from ...implementations.registry import find

    if isinstance(found, Trimmer):
        return found, ()
    if found is None and is_registered_name(spec.target):
        return find(spec.target), ()
    shape: dict[str, Any] = {
        "format": spec.format,
        "limit": spec.limit,
        "fixed": spec.fixed,
        "call": spec.call,
        "in_place": spec.in_place,
        "refuses": spec.refuses,
    }
    if found is None:
        return load_target(spec.target, **shape)
    return trimmer_from(found, spec.target, module=inspect.getmodule(found) or sys.modules["__main__"], **shape)


def _count(name: str) -> Count:
    found: Any = load_object(name)
    if not callable(found):
        raise BadTarget(f"{name} is not a function", "a counter takes a message, or a list of messages")
    return cast("Count", found)
