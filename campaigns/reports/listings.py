"""Listings: what can be named on the command line, as plain rows."""

from typing import Any

from attrs import asdict

from ...implementations.registry import Unavailable, registered
from ...implementations.trimmer import BARE_FUNCTION_PROMISES
from ...messages.formats.registry import formats
from ...oracles.packs import PACKS, Pack, pack
from ...oracles.rules.lint import FAULT_RULES
from ...oracles.rules.registry import RULES, promisable

Row = dict[str, Any]


def listed(kind: str, *, provider: str | None = None) -> list[Row]:
    """Return the rows of a listing: trimmers, rules, providers, formats or promises.

    With a `provider` rules are told as it sees them; an unknown one raises `BadName`.
    """
    if kind == "rules" and provider is not None:
        return _rules_of(pack(provider))
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


_SEEN_IN_A_REQUEST = {rule.name for rule in FAULT_RULES} | {"batch-atomic"}


def _rules_of(known: Pack) -> list[Row]:
    """Say of each rule that is no promise whether it fails, and what the provider does."""
    rows: list[Row] = []
    for name, rule in RULES.items():
        entry = known.entries.get(name)
        if rule.kind == "promise" or (entry is None and rule.kind == "pack" and name not in known.enforces):
            continue
        row: Row = {"name": name, "fails": rule.kind == "always" or name in known.enforces}
        if entry is None:
            shows = rule.kind == "pack" or name in _SEEN_IN_A_REQUEST
            said = "its answer is not established" if shows else "no request shows it"
            row |= {"severity": None, "note": said}
        else:
            row |= asdict(entry, filter=lambda attribute, _value: attribute.name != "rule")
            row["versions"] = list(entry.versions)
        rows.append(row)
    return rows


def _providers() -> list[Row]:
    return [
        {
            "name": name,
            "versions": list(known.versions),
            "texts": sum(entry.text is not None for entry in known.entries.values()),
            "rules": len(known.enforces),
            "enforces": [rule for rule in RULES if rule in known.enforces],
        }
        for name, known in PACKS.items()
    ]


def _formats() -> list[Row]:
    registered()  # adapters bring formats of their own
    return [
        {
            "name": name,
            "provider": known.provider,
            "carries": sorted(known.carries - known.lacks),
            "lacks": sorted(known.lacks),
        }
        for name, known in formats().items()
    ]


def _promises() -> list[Row]:
    return [
        {"name": name, "assumed": name in BARE_FUNCTION_PROMISES, "about": RULES[name].doc} for name in promisable()
    ]
