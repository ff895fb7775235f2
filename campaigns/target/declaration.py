"""`trimfuzz.trimmer`: a declaration in code of what otherwise stands on the command line.

The decorator changes nothing about the function or class that it decorates; it only leaves a note on it. It imports
nothing of the suite, so it may stand in code that ships.

    @trimfuzz.trimmer(limit="tokens", promises=["within-limit", "keeps-system", "utilisation=0.5"], refuses=[TooSmall])
    def trim(messages, max_tokens, counter): ...
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar, cast, overload

from attrs import field, frozen

T = TypeVar("T")
NOTE = "__trimfuzz__"
WITH_BOUND, DEFAULT_BOUND = "utilisation", 0.25


@frozen
class Declared:
    """What was declared; None: it was not, and is guessed or assumed. `fixed` is a window that cannot be set."""

    name: str | None = field(default=None, kw_only=True)
    format: str | None = field(default=None, kw_only=True)
    limit: str | None = field(default=None, kw_only=True)
    fixed: int | None = field(default=None, kw_only=True)
    promises: Mapping[str, float] | None = field(default=None, kw_only=True)
    refuses: tuple[type[BaseException], ...] = field(default=(), kw_only=True)
    in_place: bool = field(default=False, kw_only=True)
    marks: bool | None = field(default=None, kw_only=True)


NOTHING = Declared()


@overload
def trimmer(target: T, /) -> T: ...
@overload
def trimmer(
    *,
    name: str | None = None,
    format: str | None = None,
    limit: str | None = None,
    promises: Iterable[str] | Mapping[str, float] | None = None,
    refuses: Iterable[type[BaseException]] | type[BaseException] = (),
    in_place: bool = False,
    marks: bool | None = None,
) -> Callable[[T], T]: ...
def trimmer(
    target: Any = None,
    /,
    *,
    name: str | None = None,
    format: str | None = None,
    limit: str | None = None,
    promises: Iterable[str] | Mapping[str, float] | None = None,
    refuses: Iterable[type[BaseException]] | type[BaseException] = (),
    in_place: bool = False,
    marks: bool | None = None,
) -> Any:
    """Declare a trimmer, in code, as options would do on the command line.

    `format` is the form of its messages, `limit` what it counts (`"tokens"`, or `"messages=40"` for a fixed window),
    `promises` what it is held to instead of the assumed ones (`"utilisation=0.5"` sets a bound), `refuses` the errors
    that mean "nothing legal fits"; `in_place` says that its output is the caller's list afterwards, `marks` whether it
    reads `keep_during_truncation` and `summary` (else that is read off its code). Raises `ValueError` or `TypeError`
    for what cannot be meant; whether a name is known is reported when the trimmer is checked.
    """
    kind, fixed = split_limit(limit)
    errors = read_refusals(refuses)
    if not isinstance(marks, bool | None):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise TypeError(f"marks is True or False, not {marks!r}")
    declared = Declared(
        name=name,
        format=format,
        limit=kind,
        fixed=fixed,
        promises=None if promises is None else read_promises(promises),
        refuses=errors,
        in_place=in_place,
        marks=marks,
    )

    def leave_note(decorated: Any) -> Any:
        setattr(decorated, NOTE, declared)
        return decorated

    return leave_note if target is None else leave_note(target)


def declared_on(target: object) -> Declared:
    """Return what was declared on a function or class itself (not on a class that it inherits from)."""
    found = getattr(target, "__dict__", {}).get(NOTE, NOTHING)
    return found if isinstance(found, Declared) else NOTHING


def read_refusals(given: Iterable[type[BaseException]] | type[BaseException]) -> tuple[type[BaseException], ...]:
    """Read one exception type or several; raises `TypeError` for anything else."""
    found = tuple(given) if isinstance(given, Iterable) and not isinstance(given, type | str) else (given,)
    for error in found:
        if not (isinstance(error, type) and issubclass(error, BaseException)):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise TypeError(f"refuses takes exception types, not {error!r}")
    return cast("tuple[type[BaseException], ...]", found)


def split_limit(text: str | None) -> tuple[str | None, int | None]:
    """Read `tokens` or `messages=40` as a kind and a fixed value; raises `ValueError`."""
    if text is None:
        return None, None
    if not isinstance(text, str):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise TypeError(f"a limit is named, as 'tokens' or 'messages=40', not {text!r}")
    kind, equals, value = text.partition("=")
    if not equals:
        return kind, None
    try:
        return kind, int(value)
    except ValueError:
        raise ValueError(f"the limit {text!r} needs a whole number behind the equals sign") from None


def read_promises(given: Iterable[str] | Mapping[str, float]) -> dict[str, float]:
    """Read promises as names and bounds: `["keeps-system", "utilisation=0.5"]`; raises `ValueError` or `TypeError`."""
    if isinstance(given, Mapping):
        named = cast("Mapping[str, float]", given)
        return {str(name): _bound(str(name), bound) for name, bound in named.items()}
    if not isinstance(given, Iterable):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise TypeError(f"promises are names, as ['keeps-system'], not {given!r}")
    found: dict[str, float] = {}
    for item in [given] if isinstance(given, str) else given:
        if not isinstance(item, str):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise TypeError(f"a promise is a name, not {item!r}")
        name, equals, bound = item.partition("=")
        if equals and name != WITH_BOUND:
            raise ValueError(f"the promise {name!r} takes no bound, only {WITH_BOUND} does")
        found[name] = _bound(item, bound) if equals else DEFAULT_BOUND if name == WITH_BOUND else 1.0
    return found


def _bound(promise: str, given: object) -> float:
    try:
        bound = float(cast("Any", given))
    except (ValueError, TypeError):
        raise ValueError(f"the promise {promise!r} needs a number behind the equals sign") from None
    if not 0 < bound <= 1:
        raise ValueError(f"the promise {promise!r} needs a bound above 0 and at most 1, not {bound:g}")
    return bound
