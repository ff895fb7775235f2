"""Targets: somebody's function, memory or compactor, made a `Trimmer`, with a sentence for what was guessed.

What is said (options, then the `trimfuzz.trimmer` decorator) is never guessed; the rest is read from the signature:
which parameter is the limit, what it counts, which format the messages have. Every error is one line that says what to
do.
"""

import inspect
from collections.abc import Callable, Iterable, Sequence
from types import ModuleType
from typing import Any, cast

from ...implementations.trimmer import Trimmer
from ...messages.errors import BadName, BadTarget
from ...messages.formats.counting import native_count
from ...messages.formats.registry import Format, format_named
from ...messages.limits import LIMIT_KINDS, LimitKind
from ...oracles.rules.registry import promisable
from .adapt import Way, way_of
from .declaration import NOTHING, Declared, declared_on
from .in_place import recognise_in_place
from .loading import load_named, load_object
from .options import not_an_error
from .signature import kind_named, parameters_of

__all__ = ["load_object", "load_target", "trimmer_from"]


_FORMAT_TYPES = (("neutral", "Message", "trimfuzz"), ("langchain-core", "BaseMessage", "langchain_core"))
"""Formats whose message class may stand in an annotation: the format, the class, the package it comes from."""


_POINT = ": it is given an object, with limit.index (the first message kept) and limit.length (of the history then)"


def load_target(
    text: str,
    *,
    format: str | None = None,
    limit: LimitKind | None = None,
    fixed: int | None = None,
    call: str | None = None,
    in_place: bool = False,
    refuses: Sequence[str] = (),
) -> tuple[Trimmer, tuple[str, ...]]:
    """Import a target and make it a trimmer; returns it with sentences for the first lines of a report.

    `format` and `limit` are names, `fixed` the value of a limit that the target does not take, `call` an expression,
    `refuses` error classes as `module:Error` (or the bare name of one in the target's module). Raises `BadTarget` or
    `BadName` with one line. It is imported, and tried on two plain histories to see whether it works in place.
    """
    found, module = load_named(text)
    return trimmer_from(
        found,
        text,
        module=module,
        format=format,
        limit=limit,
        fixed=fixed,
        call=call,
        in_place=in_place,
        refuses=refuses,
    )


def trimmer_from(
    found: Any,
    name: str,
    *,
    module: ModuleType,
    format: str | None = None,
    limit: LimitKind | None = None,
    fixed: int | None = None,
    call: str | None = None,
    in_place: bool = False,
    refuses: Sequence[str | type[BaseException]] = (),
) -> tuple[Trimmer, tuple[str, ...]]:
    """Make a trimmer of an object that is already there, named `name` in reports; otherwise as `load_target`."""
    declared = _declared(found)
    asked = limit or cast("LimitKind | None", declared.limit)
    if asked is not None and asked not in LIMIT_KINDS:
        raise BadName(f"unknown limit {asked!r}", "known: " + ", ".join(LIMIT_KINDS))
    way = way_of(found, name, module, call, asked)
    window = declared.fixed if fixed is None else fixed
    kind, limit_notes = _limit_kind(way, asked, window, guessed=limit is None and declared.limit is None)
    form, format_note = _format(way, format, declared, module)
    if declared.promises:
        _need_known(declared.promises)
    trimmer = Trimmer(
        declared.name or name,
        way.trim,
        format=form,
        limits=(kind,),
        promises=declared.promises or {},
        refuses=(*declared.refuses, *(_refusal(one, module) if isinstance(one, str) else one for one in refuses)),
        in_place=in_place or declared.in_place,
        takes_limit=way.takes_limit and window is None,
        fixed=window,
        bare=declared.promises is None,
        version=_version(module),
    )
    trimmer, place_notes = recognise_in_place(trimmer, native_count(form))
    return trimmer, (*way.notes, format_note, *limit_notes, *place_notes)


def _need_known(promises: Iterable[str]) -> None:
    for name in promises:
        if name not in promisable():
            raise BadName(f"unknown promise {name!r} in the trimmer's declaration", "known: " + ", ".join(promisable()))


def _declared(found: Any) -> Declared:
    own = declared_on(found)
    return own if own is not NOTHING or isinstance(found, type) else declared_on(cast("object", type(found)))


def _limit_kind(
    way: Way, asked: LimitKind | None, window: int | None, *, guessed: bool
) -> tuple[LimitKind, tuple[str, ...]]:
    named = way.kind or (kind_named(way.limit_name) if way.limit_name else None)
    if not way.takes_limit:
        kind = asked or "messages"
        if window is None:
            hint = "it takes none; name its window with --limit messages=40"
            return kind, (f"limit unknown ({hint}): what depends on it is not judged",)
        return kind, (f"limit {kind}={window} (fixed)",)
    if window is not None:
        return asked or named or "messages", (f"limit {asked or named or 'messages'}={window} (the only one tried)",)
    if not guessed and asked is not None:
        return asked, (f"limit {asked}{_POINT if asked == 'compaction' else ''}",)
    if named is not None:
        point = _POINT if named == "compaction" else ""
        return named, (f"limit {named} (from the parameter name {way.limit_name}){point}",)
    if way.takes_count:
        return "tokens", ("limit tokens (it takes a counter)",)
    return "messages", ("limit messages (assumed)",)


def _format(way: Way, asked: str | None, declared: Declared, module: ModuleType) -> tuple[Format, str]:
    if asked is not None:
        return _known_format(asked), f"format {asked}"
    if declared.format is not None:
        return _known_format(declared.format), f"format {declared.format} (declared)"
    annotation = _annotation(way.reads)
    for name, type_name, home in _FORMAT_TYPES:
        if type_name in annotation and home in annotation + _home_of(type_name, module):
            try:
                return _known_format(name), f"format {name} (from the annotation {type_name})"
            except BadName:
                continue
    return format_named("openai-chat"), "format openai-chat (assumed)"


def _known_format(name: str) -> Format:
    """Return a format; the adapters, which bring formats of their own, are loaded only for a name that is not known."""
    try:
        return format_named(name)
    except BadName:
        from ...implementations.registry import registered

        registered()
        return format_named(name)


def _annotation(reads: Callable[..., Any] | None) -> str:
    given = parameters_of(reads) if reads is not None else None
    shown = [one for one in given or () if one.name != "self"]
    if not shown or shown[0].annotation is inspect.Parameter.empty:
        return ""
    annotation = shown[0].annotation
    return annotation if isinstance(annotation, str) else inspect.formatannotation(annotation)


def _home_of(type_name: str, module: ModuleType) -> str:
    return str(getattr(getattr(module, type_name, None), "__module__", ""))


def _refusal(name: str, module: ModuleType) -> type[BaseException]:
    if ":" in name:
        found: Any = load_object(name)
    else:
        found = getattr(module, name, None)
        if found is None:
            raise BadTarget(f"--refuses {name}: {module.__name__} has no such error", "name it as module:Error")
    if not (isinstance(found, type) and issubclass(found, BaseException)):
        raise not_an_error(name, cast("object", found))
    return found


def _version(module: ModuleType) -> str:
    found = getattr(module, "__version__", None)
    return found if isinstance(found, str) else ""
