"""Records: findings as plain data that crosses process borders and goes to disk.

A worker process judges and sends records; everything above it (reports, fixtures, JSON) reads records alone and never
sees a trimmer's objects. Histories are in neutral JSON.
"""

from collections.abc import Sequence
from typing import Any

from attrs import Factory, evolve, field, frozen
from cattrs import Converter
from cattrs.gen import make_dict_structure_fn

from ...messages.cases import Finding, Outcome
from ...messages.limits import Limit, limit_from_json, limit_to_json
from ...messages.neutral import dump_history
from ...oracles.judging.folding import bug_key
from ..target.contract import Contract, Kind

JsonHistory = list[dict[str, Any]]


def _key_of(record: "Record") -> str:
    return bug_key(record.cause)


@frozen
class Record:
    """One finding. `kind` and `fails` were decided by the contract in force; `provider_error` is the pack's text.

    `output` is None unless the outcome was ok; `sources` gives the input index of each output message (None: new).
    `size` orders records of one cause: messages, then cost, then the limit.
    """

    trimmer: str
    rule: str
    cause: str
    cut: str
    kind: Kind
    fails: bool
    input_class: str
    history: JsonHistory
    limit: Limit | None
    status: str
    output: JsonHistory | None = None
    sources: list[int | None] | None = field(default=None, kw_only=True)
    messages: list[int] = field(factory=list[int], kw_only=True)
    ids: list[str] = field(factory=list[str], kw_only=True)
    note: str = field(default="", kw_only=True)
    failure: str = field(default="", kw_only=True)
    provider_error: str | None = field(default=None, kw_only=True)
    provider: str = field(default="neutral", kw_only=True)
    after: JsonHistory | None = field(default=None, kw_only=True)
    """The input as the trimmer left it, where it changed a message of it."""
    size: list[int] = field(factory=list[int], kw_only=True)
    minimal: bool = field(default=False, kw_only=True)
    """Whether shrinking came to its end (it may be cut short by time)."""
    url: str | None = field(default=None, kw_only=True)
    """The public report that a known case comes from."""
    script: dict[str, Any] | None = field(default=None, kw_only=True)
    """The script of the session that it was found in; the history is then all that happened in it."""
    key: str = field(default=Factory(_key_of, takes_self=True), kw_only=True)
    """What findings of one bug share: the rule and the cut, and the class of input that most providers reject."""
    explained_by: list[str] = field(factory=list[str], kw_only=True)
    """The bugs that explain it in its case, the likeliest first; none: it stands by itself."""
    accepted: str | None = field(default=None, kw_only=True)
    """Why it does not fail although it would: the reason that stands in the file of accepted findings."""
    bug: int | None = field(default=None, kw_only=True)
    """The number of its bug, once all findings of a run were folded."""

    @property
    def message(self) -> str:
        """A sentence for a person: what broke, or how the trimmer failed."""
        return self.note or self.failure


converter = Converter()
converter.register_unstructure_hook(Limit, limit_to_json)
converter.register_structure_hook(Limit, lambda data, _: limit_from_json(data))
converter.register_structure_hook(Record, make_dict_structure_fn(Record, converter))


def size_of(finding: Finding) -> tuple[int, int, int]:
    """Order findings of one cause: fewest messages, then least cost, then the smallest limit."""
    limit = finding.case.limit
    return (len(finding.case.history), finding.case.example.total, abs(limit.value) if limit else 0)


def record_of(
    finding: Finding, contract: Contract, *, url: str | None = None, explained_by: Sequence[str] = ()
) -> Record:
    """Write a finding down."""
    outcome: Outcome = finding.outcome
    text = contract.pack.text(finding.rule)
    return Record(
        contract.trimmer.name,
        finding.rule,
        finding.cause,
        finding.cut,
        contract.kind_of(finding.rule) or "pack",
        contract.fails(finding),
        finding.case.input_class,
        dump_history(finding.case.history),
        finding.case.limit,
        outcome.status,
        None if outcome.output is None else dump_history(outcome.output),
        sources=None if outcome.sources is None else list(outcome.sources),
        messages=list(finding.messages),
        ids=list(finding.ids),
        note=finding.note,
        failure=f"{outcome.failure.type}: {outcome.failure.message}" if outcome.failure else "",
        provider_error=None if text is None else text.text,
        provider=contract.pack.name,
        after=None if outcome.after is None else dump_history(outcome.after),
        size=list(size_of(finding)),
        url=url,
        key=contract.key_of(finding),
        explained_by=list(explained_by),
    )


def smaller(known: Record | None, record: Record) -> Record:
    """Return the smaller record of one cause, with the public report that was named last."""
    best = record if known is None or _rank(record) < _rank(known) else known
    return evolve(best, url=record.url or (None if known is None else known.url))


def _rank(record: Record) -> tuple[bool, list[int]]:
    return bool(record.explained_by), record.size


def as_json(record: Record) -> dict[str, Any]:
    """Write a record as JSON data."""
    return converter.unstructure(record)


def from_json(data: dict[str, Any]) -> Record:
    """Read a record from JSON data."""
    return converter.structure(data, Record)


def shrunk(record: Record, *, minimal: bool) -> Record:
    """Mark a record as the end of a shrink."""
    return evolve(record, minimal=minimal)
