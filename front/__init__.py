"""trimfuzz: property-based fuzzing and differential testing of context trimmers.

`trimfuzz.check(trim)` validates a trimmer, `trimfuzz.lint(messages)` a list of messages and `trimfuzz.judge(before,
after)` one trim; `trimfuzz.replay(paths)` runs recorded findings again. `trimfuzz.conformance(trim)` makes tests of a
trimmer for one's own pytest suite, `trimfuzz.sessions(trim)` a test that drives it through whole conversations;
`trimfuzz.trimmer(...)` declares in code what a trimmer promises. Errors are `trimfuzz.TrimfuzzError`. Everything else
is reached through the packages (`trimfuzz.strategies`, `trimfuzz.oracles`, ...) and the command line (`trimfuzz
--help`).
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from trimfuzz.campaigns.pytest.conformance import conformance
    from trimfuzz.campaigns.pytest.sessions import sessions
    from trimfuzz.campaigns.python_api.check import check
    from trimfuzz.campaigns.python_api.errors import TrimfuzzError
    from trimfuzz.campaigns.python_api.judge import judge
    from trimfuzz.campaigns.python_api.lint import lint
    from trimfuzz.campaigns.python_api.replay import replay
    from trimfuzz.campaigns.target.declaration import trimmer

__all__ = ["TrimfuzzError", "check", "conformance", "judge", "lint", "replay", "sessions", "trimmer"]

_HOMES = {
    "TrimfuzzError": ".campaigns.python_api.errors",
    "check": ".campaigns.python_api.check",
    "conformance": ".campaigns.pytest.conformance",
    "judge": ".campaigns.python_api.judge",
    "lint": ".campaigns.python_api.lint",
    "replay": ".campaigns.python_api.replay",
    "sessions": ".campaigns.pytest.sessions",
    "trimmer": ".campaigns.target.declaration",
}
_PACKAGES = ("campaigns", "implementations", "messages", "oracles", "strategies")


def __getattr__(name: str) -> Any:
    # Nothing is imported before it is asked for: `import trimfuzz` may stand in code that ships.
    if name in _PACKAGES:
        return import_module(f".{name}", __name__)
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOMES[name], __name__), name)


def __dir__() -> list[str]:
    return sorted([*__all__, *_PACKAGES])
