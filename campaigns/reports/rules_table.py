"""The table of rules: what each means, who enforces it, which public reports tell of it, which museum pieces break it.

`docs/rules.md` is what `python -m trimfuzz.campaigns.reports.rules_table` prints, and a test holds the two together.
"""

from collections.abc import Iterable, Sequence
from typing import get_args

from ...implementations.museum import PIECES
from ...messages.reports import FAMILIES, Report, reports_of
from ...oracles.judging.implications import COMES_WITH
from ...oracles.packs import PACKS
from ...oracles.rules.registry import RULES, Group, Rule
from ...strategies.known import REPORTS, reports_text

_INTRO = """\
# The rules

Made by `python -m trimfuzz.campaigns.reports.rules_table`; do not edit.

A broken rule **always** fails a trimmer, or where the **pack** in force enforces it, or where the trimmer made the
**promise**. *Comes with* names what else is broken in the simplest case. *Reports* counts the public reports that claim
the rule, by family (below); `trimfuzz judge --reports` holds the claims against what is found. *Broken by* names
museum pieces, which `trimfuzz prove` hunts.
"""
_HEADS = ("rule", "fails", "broken when", "enforced by", "comes with", "reports", "broken by")


def rules_page() -> str:
    """Return the page: a table for each group of rules, and the families of the reports."""
    reports = reports_of(reports_text(), REPORTS)
    parts = [_INTRO]
    for group in get_args(Group):
        parts.append(f"## {group.capitalize()}\n\n" + _group(group, reports))
    parts.append("## Families of reports\n\n" + _families(reports))
    return "\n".join(parts)


def _group(group: Group, reports: Sequence[Report]) -> str:
    return _table(_HEADS, (_row(rule, reports) for rule in RULES.values() if rule.group == group))


def _row(rule: Rule, reports: Sequence[Report]) -> tuple[str, ...]:
    enforcing = (
        ["every pack"] if rule.kind == "always" else [n for n, pack in PACKS.items() if rule.name in pack.enforces]
    )
    claiming = [report.family for report in reports for claim in report.claims if claim.rule == rule.name]
    counts = [f"{name} {claiming.count(name)}" for name in FAMILIES if name in claiming]
    return (
        f"**{rule.name}**",
        rule.kind,
        rule.doc,
        ", ".join(enforcing),
        ", ".join(name for name in RULES if name in COMES_WITH.get(rule.name, ())),
        f"{len(claiming)}: {', '.join(counts)}" if claiming else "",
        ", ".join(piece.name for piece in PIECES if piece.rule == rule.name),
    )


def _families(reports: Sequence[Report]) -> str:
    rows = [(name, about, str(sum(report.family == name for report in reports))) for name, about in FAMILIES.items()]
    return _table(("family", "about", "reports"), rows)


def _table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [heads, ["---"] * len(heads), *rows]
    return "".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |\n" for line in lines)


if __name__ == "__main__":
    print(rules_page(), end="")
