"""What can happen in a history: Hypothesis strategies and a random lane over one byte encoding.

`encoding` interprets a string of bytes: its `features` are the switches, `byte_table` and `catalogue` say what each
byte stands for. `hypothesis_strategies` and `lane` draw such strings; `known` holds the histories of public cases,
which run before both. The names below are loaded when they are first asked for, so that a process which needs the
random lane alone never loads Hypothesis.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .encoding.encoding import Drawn, interpret
    from .encoding.features import ALL, FEATURES, Features, features_of, only, without
    from .hypothesis_strategies import cases, compaction_points, histories, histories_with_points, limits
    from .known import known_histories
    from .lane import random_histories, random_strings

_HOME = {
    "encoding.encoding": ("Drawn", "interpret"),
    "encoding.features": ("ALL", "FEATURES", "Features", "features_of", "only", "without"),
    "hypothesis_strategies": ("cases", "compaction_points", "histories", "histories_with_points", "limits"),
    "known": ("known_histories",),
    "lane": ("random_histories", "random_strings"),
}

__all__ = [
    "ALL", "FEATURES", "Drawn", "Features", "cases", "compaction_points", "features_of", "histories",
    "histories_with_points", "interpret", "known_histories", "limits", "only", "random_histories", "random_strings",
    "without",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    for home, names in _HOME.items():
        if name in names:
            return getattr(import_module(f".{home}", __name__), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
