"""Judges: pure functions from cases and outcomes to findings.

`judge` says what a trim broke, `lint` what a provider would reject in a list; `pack` is what is known of a provider.
The names below are loaded when they are first asked for.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .facts.evidence import NonemptyForm
    from .facts.list_faults import Fault
    from .judging.judging import judge
    from .packs import PACKS, VERSIONED_PACKS, pack
    from .provider import Pack
    from .provider_answers import ProviderAnswer
    from .rules.lint import lint
    from .rules.registry import RULES, Rule, promisable, rule_named

_HOME = {
    "facts.evidence": ("NonemptyForm",),
    "facts.list_faults": ("Fault",),
    "judging.judging": ("judge",),
    "packs": ("PACKS", "VERSIONED_PACKS", "pack"),
    "provider": ("Pack",),
    "provider_answers": ("ProviderAnswer",),
    "rules.lint": ("lint",),
    "rules.registry": ("RULES", "Rule", "promisable", "rule_named"),
}

__all__ = [
    "PACKS", "RULES", "VERSIONED_PACKS", "Fault", "NonemptyForm", "Pack", "ProviderAnswer", "Rule", "judge", "lint",
    "pack", "promisable", "rule_named",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    for home, names in _HOME.items():
        if name in names:
            return getattr(import_module(f".{home}", __name__), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
