"""trimfuzz: property-based fuzzing and differential testing of context trimmers.

`trimfuzz.conformance(trim, ...)` makes tests of a trimmer for one's own pytest suite, `trimfuzz.sessions(trim, ...)` a
test that drives it through whole conversations; `trimfuzz.trimmer(...)` declares in code what a trimmer promises.
Everything else is reached through the rooms (`trimfuzz.strategies`, `trimfuzz.oracles`, ...) and the command line
(`trimfuzz --help`).
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from trimfuzz.campaigns.pytest.conformance import conformance
    from trimfuzz.campaigns.pytest.sessions import sessions
    from trimfuzz.campaigns.target.declaration import trimmer

__all__ = ["conformance", "sessions", "trimmer"]

_HOMES = {
    "conformance": ".campaigns.pytest.conformance",
    "sessions": ".campaigns.pytest.sessions",
    "trimmer": ".campaigns.target.declaration",
}


def __getattr__(name: str) -> Any:
    # Nothing is imported before it is asked for: `import trimfuzz` may stand in code that ships.
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOMES[name], __name__), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
