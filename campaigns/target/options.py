"""Options of a target: how each is read, whoever gives it: a command, a Python caller, pytest, a fixture.

A command line gives text, Python gives text or values. What means the same is read as the same, and what cannot be
meant raises the same sentence everywhere; an option is named there as on the command line.
"""

from collections.abc import Iterable, Mapping
from math import isfinite, nan
from typing import Any, Literal, cast

from ...messages.errors import BadName, BadTarget, a_kind
from ...messages.formats.counting import Count
from ...messages.limits import LimitKind
from ...messages.reading.pairing import INPUT_CLASSES
from ..defaults import LEAST_TIMEOUT, LOWEST_LIMIT, TIMEOUT
from .contract import FAILING_CLASSES
from .declaration import read_promises, split_limit
from .left_out import NAMES

DEFAULT_FAIL_ON = ("valid", "pending")


def read_text(given: object) -> str | None:
    """Read a name or an expression; None is none. What is no text is a name that nobody knows."""
    return None if given is None else str(given)


def read_texts(given: object) -> tuple[str, ...]:
    """Read one name or several."""
    return tuple(map(str, _several(given)))


def _several(given: object) -> Iterable[object]:
    if given is None:
        return ()
    if isinstance(given, Iterable) and not isinstance(given, str | type):
        return cast("Iterable[object]", given)
    return (cast("object", given),)


def read_limit(given: object) -> tuple[LimitKind | None, int | None]:
    """Read `tokens` or `messages=40` as a kind, which may be unknown, and a fixed value."""
    try:
        kind, fixed = split_limit(read_text(given))
    except ValueError as error:
        raise BadName(str(error)) from None
    return cast("LimitKind | None", kind), fixed


def read_bounds(given: object) -> dict[str, float]:
    """Read promises, as names or as `utilisation=0.5`, or as a mapping to bounds."""
    try:
        if isinstance(given, Mapping):
            return read_promises(cast("Mapping[str, float]", given))
        return read_promises(read_texts(given))
    except ValueError as error:
        raise BadName(str(error)) from None


def read_count(given: Any) -> tuple[str | None, Count | None]:
    """Read a counter: the name of one, or the function itself."""
    if given is None or callable(given):
        return None, cast("Count | None", given)
    if ":" not in str(given):
        raise BadName(f"--count {given} names no function", "a counter is module:function, or in Python a function")
    return str(given), None


def read_refusals(given: object) -> tuple[tuple[str, ...], tuple[type[BaseException], ...]]:
    """Read errors that mean that nothing fits: the names of some, and exception classes."""
    names: list[str] = []
    classes: list[type[BaseException]] = []
    for one in _several(given):
        if not isinstance(one, type):
            names.append(str(one))
        elif issubclass(one, BaseException):
            classes.append(one)
        else:
            name = f"{one.__module__}:{one.__qualname__}"
            raise not_an_error(name, cast("object", one))
    return tuple(names), tuple(classes)


def not_an_error(name: str, found: object) -> BadTarget:
    """Make the error about what `--refuses` names and is no exception class."""
    problem = f"--refuses {name} is {a_kind(found)}, not an exception class"
    return BadTarget(problem, "for example mypackage.errors:TooSmall")


def read_inputs(given: object) -> tuple[str, ...]:
    """Read input classes to generate, None as all of them; text is read as `valid,pending`."""
    return INPUT_CLASSES if given is None else _classes("--inputs", given)


def read_fail_on(given: object) -> tuple[str, ...]:
    """Read input classes on which a finding fails beside valid and pending, and return all of them."""
    if given is None:
        return DEFAULT_FAIL_ON
    found = _classes("--fail-on", given)
    if FAILING_CLASSES.issuperset(found):
        hint = "valid and pending always fail; name interleaved or malformed"
        raise BadName(f"--fail-on {','.join(found)} adds nothing", hint)
    return tuple(dict.fromkeys((*DEFAULT_FAIL_ON, *found)))


def _classes(option: str, given: object) -> tuple[str, ...]:
    parts = (part.strip() for text in read_texts(given) for part in text.split(","))
    found = tuple(dict.fromkeys(filter(None, parts)))
    if not found:
        raise BadName(f"{option} names no input class", "known: " + ", ".join(INPUT_CLASSES))
    return found


def read_lowest_limit(given: object) -> int:
    """Read the smallest limit that counts, None as the default."""
    if given is None:
        return LOWEST_LIMIT
    try:
        return max(int(str(given)), -1)
    except ValueError:
        raise BadName(
            f"--lowest-limit {given} is no whole number", "1 is the default, -1 makes all limits count"
        ) from None


def read_marks(given: object) -> Literal["auto", "on", "off"]:
    """Read `auto`, `on`, `off`, or a truth value; None is auto."""
    if given is None or given == "auto":
        return "auto"
    return "on" if _switch("--marks", given, default=True, others="auto") else "off"


def read_without(given: object) -> tuple[str, ...]:
    """Read features that are left out, in the order of the switches; text is read as `reused-ids,steer-user`."""
    texts = read_texts(given)
    found = {part.strip().replace("_", "-") for text in texts for part in text.split(",")} - {""}
    if texts and not found:
        raise BadName("--without names no feature", "`trimfuzz list features` shows them")
    return tuple(sorted(found, key=lambda name: (NAMES.index(name) if name in NAMES else len(NAMES), name)))


def read_system(given: object) -> Literal["inside", "outside"]:
    """Read where a system prompt stands; None is inside of the list."""
    if given is None or given == "inside":
        return "inside"
    if given == "outside":
        return "outside"
    raise BadName(f"--system {given} is neither inside nor outside", "it says where the system prompt stands")


def read_in_place(given: object) -> bool:
    """Read whether a trimmer works in place; None is no."""
    return _switch("--in-place", given, default=False)


def _switch(option: str, given: Any, *, default: bool, others: str = "") -> bool:
    if given is None:
        return default
    if isinstance(given, bool) or given in ("on", "off"):
        return given is True or given == "on"
    known = f"{others}, on or off; " if others else ""
    raise BadName(f"{option} {given} is neither on nor off", f"{known}in Python True or False")


def read_timeout(given: object) -> float:
    """Read the seconds that one trim may take, None as the default."""
    if given is None:
        return TIMEOUT
    try:
        seconds = float(str(given))
    except ValueError:
        seconds = nan
    if not (isfinite(seconds) and seconds >= LEAST_TIMEOUT):
        raise BadName(f"--timeout {given} bounds no trim", f"it is a number of seconds, at least {LEAST_TIMEOUT:g}")
    return seconds
