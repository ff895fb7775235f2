"""Specs: what somebody asks for: a target, and the options that say how it is run and judged.

A spec is plain data, so that it crosses process borders and stands in fixtures. A target is a registered name,
`museum:NAME`, `package.module:name` or `path/to/file.py:name`. `Spec.of` reads every option, from whomever it comes.
"""

from collections.abc import Iterable, Mapping
from typing import Any, Literal, TypeAlias, cast

from attrs import field, frozen
from cattrs import Converter
from cattrs.gen import make_dict_structure_fn, make_dict_unstructure_fn, override

from ...implementations.trimmer import Trimmer
from ...messages.errors import BadName, BadTarget
from ...messages.formats.counting import Count
from ...messages.limits import LIMIT_KINDS, LimitKind
from ...messages.reading.pairing import INPUT_CLASSES
from ...oracles.packs import pack
from ...oracles.rules.registry import promisable
from ..defaults import LOWEST_LIMIT, TIMEOUT
from .left_out import check_features
from .options import (
    DEFAULT_FAIL_ON,
    read_bounds,
    read_count,
    read_fail_on,
    read_in_place,
    read_inputs,
    read_limit,
    read_lowest_limit,
    read_marks,
    read_refusals,
    read_system,
    read_text,
    read_texts,
    read_timeout,
    read_without,
)

Marks: TypeAlias = Literal["auto", "on", "off"]
"""Whether histories may carry marks; `auto` asks the trimmer."""
ABOUT_OBJECTS = ("format", "fixed", "call", "in_place", "refuses")
"""Fields that say how an object is called; a registered trimmer brings them along."""


@frozen
class GivenObjects:
    """What a Python caller gave as objects where a command line has names; it never leaves the process."""

    target: object = None
    count: Count | None = None
    refuses: tuple[type[BaseException], ...] = ()


@frozen
class Spec:
    """What to run and how to judge it; None means "as the trimmer declares, else guessed and reported"."""

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
    only_promised: bool = field(default=False, kw_only=True)
    """Whether `promises` stand in place of what the trimmer declares and what is assumed of it."""
    withdrawn: tuple[str, ...] = field(default=(), kw_only=True)
    fail_on: tuple[str, ...] = field(default=DEFAULT_FAIL_ON, kw_only=True)
    inputs: tuple[str, ...] = field(default=INPUT_CLASSES, kw_only=True)
    lowest_limit: int = field(default=LOWEST_LIMIT, kw_only=True)
    """The smallest limit that counts; what happens below it alone fails nobody."""
    marks: Marks = field(default="auto", kw_only=True)
    without: tuple[str, ...] = field(default=(), kw_only=True)
    """Features that are never sent, as they are named on the command line."""
    system: Literal["inside", "outside"] = field(default="inside", kw_only=True)
    """Whether the list has system messages, or the request has them outside of it."""
    timeout: float = field(default=TIMEOUT, kw_only=True)
    """Seconds after which a trim hangs."""
    objects: GivenObjects = field(default=GivenObjects(), kw_only=True, repr=False)

    @classmethod
    def of(
        cls,
        target: object,
        /,
        *,
        name: str | None = None,
        format: str | None = None,
        limit: str | None = None,
        count: Count | str | None = None,
        call: str | None = None,
        in_place: bool | None = None,
        refuses: Iterable[type[BaseException] | str] | type[BaseException] | str | None = None,
        provider: str | None = None,
        promise: Iterable[str] | Mapping[str, float] | str | None = None,
        promises: Iterable[str] | Mapping[str, float] | str | None = None,
        no_promise: Iterable[str] | str | None = None,
        fail_on: Iterable[str] | str | None = None,
        inputs: Iterable[str] | str | None = None,
        lowest_limit: int | str | None = None,
        marks: bool | str | None = None,
        without: Iterable[str] | str | None = None,
        system: str | None = None,
        timeout: float | str | None = None,
    ) -> "Spec":
        """Read the options of a target, as text of a command line or as Python values; None is as good as left out.

        `target` is text as on the command line, or the function, class or `Trimmer` itself, called `name` in reports.
        `promise` adds to what the trimmer declares, `promises` replaces it. `limit` is `tokens`, or `messages=40` for a
        fixed window, `lowest_limit` the smallest that counts; `fail_on` are further input classes on which a finding
        fails. Raises `BadName` or `BadTarget` for what cannot be meant, with one sentence.
        """
        kind, fixed = read_limit(limit)
        count_name, counter = read_count(count)
        names, errors = read_refusals(refuses)
        spec = cls(
            target if isinstance(target, str) else name or name_of(target),
            format=read_text(format),
            limit=kind,
            fixed=fixed,
            count=count_name,
            call=read_text(call),
            in_place=read_in_place(in_place),
            refuses=names,
            provider=read_text(provider),
            promises=read_bounds(promise) | ({} if promises is None else read_bounds(promises)),
            only_promised=promises is not None,
            withdrawn=read_texts(no_promise),
            fail_on=read_fail_on(fail_on),
            inputs=read_inputs(inputs),
            lowest_limit=read_lowest_limit(lowest_limit),
            marks=read_marks(marks),
            without=read_without(without),
            system=read_system(system),
            timeout=read_timeout(timeout),
            objects=GivenObjects(None if isinstance(target, str) else target, counter, errors),
        )
        check_options(spec)
        if isinstance(target, Trimmer) or (isinstance(target, str) and is_registered_name(target)):
            _need_nothing_about_objects(spec)
        return spec


def name_of(trim: object) -> str:
    """Return the name that an object has in reports when none is given."""
    if isinstance(trim, Trimmer):
        return trim.name
    return str(getattr(trim, "__qualname__", None) or type(trim).__name__).replace(".<locals>", "")


def _need_nothing_about_objects(spec: Spec) -> None:
    given = [name for name in ABOUT_OBJECTS if getattr(spec, name) not in (None, False, ())]
    given += ["refuses"] if spec.objects.refuses else []
    if given:
        option = "limit KIND=N" if given[0] == "fixed" else given[0].replace("_", "-")
        raise BadName(f"--{option} says nothing about {spec.target}", "it is registered with all that it needs")


_converter = Converter(forbid_extra_keys=True)
_converter.register_unstructure_hook(
    Spec,
    make_dict_unstructure_fn(
        Spec, _converter, objects=override(omit=True), only_promised=override(omit_if_default=True)
    ),
)
_converter.register_structure_hook(
    Spec,
    make_dict_structure_fn(
        Spec,
        _converter,
        objects=override(omit=True),
        marks=override(struct_hook=lambda given, _type: read_marks(given)),  # fixtures of format 1 hold a truth value
    ),
)


def spec_to_json(spec: Spec) -> dict[str, Any]:
    """Write a spec as JSON data; raises `BadTarget` for one that holds objects, which have no name."""
    given = spec.objects
    if given.target is not None or given.count is not None or given.refuses:
        raise BadTarget(f"{spec.target}: a function or class cannot be sent to another process", "name it")
    return cast("dict[str, Any]", _converter.unstructure(spec))


def spec_from_json(data: dict[str, Any]) -> Spec:
    """Read a spec from JSON data."""
    return _converter.structure(data, Spec)


def check_options(spec: Spec) -> None:
    """Raise `BadName` for a promise, input class, feature, kind of limit or provider that is not known, before anything
    runs.
    """
    for name in (*spec.promises, *spec.withdrawn):
        if name not in promisable():
            raise BadName(f"unknown promise {name!r}", "known: " + ", ".join(promisable()))
    for name in (*spec.inputs, *spec.fail_on):
        if name not in INPUT_CLASSES:
            raise BadName(f"unknown input class {name!r}", "known: " + ", ".join(INPUT_CLASSES))
    check_features(spec.without)
    if spec.limit is not None and spec.limit not in LIMIT_KINDS:
        raise BadName(f"unknown limit {spec.limit!r}", "known: " + ", ".join(LIMIT_KINDS))
    if spec.provider is not None:
        pack(spec.provider)
    read_timeout(spec.timeout)


def is_registered_name(target: str) -> bool:
    """Say whether a target is a name of the registry; everything else names an object in a module or a file."""
    return target.startswith("museum:") or not (":" in target or "/" in target or target.endswith(".py"))
