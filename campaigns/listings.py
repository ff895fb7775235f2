"""Listings: what can be named on the command line, as plain rows."""

from typing import Any

from ..implementations.registry import Unavailable, registered
from ..implementations.trimmer import BARE_FUNCTION_PROMISES
from ..messages.formats import formats
from ..oracles.packs import PACKS
from ..oracles.rules import RULES
from .specs import promisable

Row = dict[str, Any]


def listed(kind: str) -> list[Row]:
    """Return the rows of a listing: trimmers, rules, providers, formats or promises."""
    return {
        "trimmers": _trimmers,
        "rules": _rules,
        "providers": _providers,
        "formats": _formats,
        "promises": _promises,
    }[kind]()


def _trimmers() -> list[Row]:
    rows: list[Row] = []
    for name, entry in registered().items():
        if isinstance(entry, Unavailable):
            rows.append({"name": name, "available": False, "about": entry.reason})
        else:
            rows.append(
                {
                    "name": name,
                    "available": True,
                    "limits": list(entry.limits),
                    "format": entry.format.name,
                    "version": entry.version,
                    "promises": list(entry.promises),
                    "source": entry.source,
                    "about": entry.story,
                }
            )
    return rows


def _rules() -> list[Row]:
    return [
        {"name": name, "fails": _FAILS[rule.kind], "group": rule.group, "about": rule.doc}
        for name, rule in RULES.items()
    ]


_FAILS = {"always": "always", "pack": "where the provider enforces it", "promise": "if promised"}


def _providers() -> list[Row]:
    return [
        {"name": name, "texts": len(pack.texts), "enforces": [rule for rule in RULES if rule in pack.enforces]}
        for name, pack in PACKS.items()
    ]


def _formats() -> list[Row]:
    registered()  # adapters bring formats of their own
    return [
        {"name": name, "provider": known.provider, "carries": sorted(known.carries)}
        for name, known in formats().items()
    ]


def _promises() -> list[Row]:
    return [
        {"name": name, "assumed": name in BARE_FUNCTION_PROMISES, "about": RULES[name].doc} for name in promisable()
    ]
