"""The ground floor: what a history is, how its calls and results pair, and the words that every package shares.

The names below are loaded when they are first asked for: importing this package costs nothing.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .cases import Case, Example, Failure, Finding, Outcome, Runs
    from .errors import BadHistory, BadName, CannotCarry, TrimfuzzError
    from .formats.format import Format
    from .formats.registry import format_named
    from .limits import Limit
    from .model import Call, History, Message
    from .neutral import dump_history, load_history
    from .reading.profile import Profile
    from .reading.profiles import profile
    from .requests import Filter, Request

_HOME = {
    "cases": ("Case", "Example", "Failure", "Finding", "Outcome", "Runs"),
    "errors": ("BadHistory", "BadName", "CannotCarry", "TrimfuzzError"),
    "formats.format": ("Format",),
    "formats.registry": ("format_named",),
    "limits": ("Limit",),
    "model": ("Call", "History", "Message"),
    "neutral": ("dump_history", "load_history"),
    "reading.profile": ("Profile",),
    "reading.profiles": ("profile",),
    "requests": ("Filter", "Request"),
}

__all__ = [
    "BadHistory", "BadName", "Call", "CannotCarry", "Case", "Example", "Failure", "Filter", "Finding", "Format",
    "History", "Limit", "Message", "Outcome", "Profile", "Request", "Runs", "TrimfuzzError", "dump_history",
    "format_named", "load_history", "profile",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    for home, names in _HOME.items():
        if name in names:
            return getattr(import_module(f".{home}", __name__), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
