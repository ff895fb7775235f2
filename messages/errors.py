"""Errors: input that cannot be read is reported in one line with the place, and what to do about it."""

from attrs import frozen


@frozen
class TrimfuzzError(Exception):
    """The base of every error that means "could not run" (exit code 2): what is wrong, and a hint."""

    problem: str
    hint: str = ""

    def __str__(self) -> str:
        return f"{self.problem} ({self.hint})" if self.hint else self.problem


@frozen
class BadHistory(TrimfuzzError):
    """A history that cannot be read. `index` is the message, from 0; None when the list itself is wrong."""

    index: int | None = None

    def __str__(self) -> str:
        where = "" if self.index is None else f"messages[{self.index}]: "
        return where + TrimfuzzError.__str__(self)


@frozen
class CannotCarry(BadHistory):
    """A message that a wire format has no place for; nothing of it is dropped silently."""


@frozen
class BadName(TrimfuzzError):
    """A name (of a rule, provider, format, promise, trimmer) that is not known; the hint lists what is."""


@frozen
class BadTarget(TrimfuzzError):
    """A trimmer that cannot be found, imported or called."""


@frozen
class BadFile(TrimfuzzError):
    """A file that cannot be read or written, or does not hold what its name says."""


def a_kind(value: object) -> str:
    """Name the type of a value in a sentence: `None`, `an int`, `a module`."""
    kind = type(value).__name__
    return "None" if value is None else f"{'an' if kind[:1].lower() in 'aeiou' else 'a'} {kind}"
