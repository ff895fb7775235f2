"""Contract summaries: what a worker reports of the contract in force, as plain data for reports and JSON.

The process above never sees a trimmer's objects; it reads this.
"""

from collections.abc import Iterable
from typing import Any

from attrs import asdict, frozen

from .contract import Contract


@frozen
class ContractSummary:
    """A contract as plain data. Everything in it is a name, but for `notes`, sentences for the first lines of a report.

    `rules` are the rules that have a say, in table order.
    """

    trimmer: str
    version: str
    source: str
    format: str
    limit: str
    provider: str
    count: str
    promises: dict[str, float]
    assumed: list[str]
    mild: bool
    notes: list[str]
    rules: list[str]


def summary_of(contract: Contract, *, rules: Iterable[str]) -> ContractSummary:
    """Summarise a contract under which these rules have a say."""
    trimmer = contract.trimmer
    return ContractSummary(
        trimmer.name,
        trimmer.version,
        trimmer.source,
        trimmer.format.name,
        contract.kind,
        contract.pack.name,
        contract.count_name,
        dict(contract.promises),
        list(contract.assumed),
        contract.mild,
        list(contract.notes),
        list(rules),
    )


def summary_to_json(summary: ContractSummary) -> dict[str, Any]:
    """Write a summary as JSON data."""
    return asdict(summary)


def summary_from_json(data: dict[str, Any]) -> ContractSummary:
    """Read a summary from JSON data."""
    return ContractSummary(**data)
