"""Documents: what was found, for programs. `schemas/check.json` describes the document of a check.

Histories are neutral JSON. A document names what is broken; what was held is what it does not name.
"""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from ...messages.limits import limit_to_json
from ..defaults import SCHEMA
from ..engine.bugs import Bug, Folded
from ..engine.records import Record
from ..runs.account import Account
from ..runs.campaign import Campaign
from ..runs.check import Checked, Observed
from ..runs.replay import Replayed, row_as_json
from ..store.accepted import Accepted
from ..target.spec import Spec
from .reproduce import check_command, fixture_command


def check_document(
    result: Checked, spec: Spec, *, examples: int | None = None, fixtures: Mapping[str, Path] | None = None
) -> dict[str, Any]:
    """Say a check; `fixtures` are files by cause, `examples` is what was asked for."""
    contract, files = result.contract, fixtures or {}
    again = check_command(spec, seed=result.seed, examples=examples)
    return {
        "schema": SCHEMA,
        "trimmer": contract.trimmer,
        "version": contract.version,
        "format": contract.format,
        "limit": contract.limit,
        "provider": contract.provider,
        "assumed": contract.assumed,
        "notes": contract.notes,
        "seed": result.seed,
        "examples": result.examples,
        "trims": result.trims,
        "seconds": round(result.seconds, 3),
        "interrupted": result.interrupted,
        "unstable": result.unstable,
        "not_exercised": list(result.idle),
        "lacking": result.lacking or None,
        **bugs_document(result.found, files, again, spec),
        "edge": [edge_document(record) for record in result.edge],
        "stale": [stale_document(one) for one in result.stale],
        "promises": {
            "kept": list(result.kept),
            "broken": list(result.broken),
            "observed": [_observed(one) for one in result.observed],
            "spared": [] if result.spared is None else [{"name": result.spared.rule, **edge_document(result.spared)}],
        },
    }


def bugs_document(found: Folded, files: Mapping[str, Path], again: str, spec: Spec) -> dict[str, Any]:
    """Say the bugs of a spec, and every cause; `files` are fixtures by cause, `again` makes all of them again."""
    return {
        "bugs": [_bug(bug, files.get(bug.cause), again, spec) for bug in found.bugs],
        "causes": [_cause(record, files, again, spec) for record in found.causes],
    }


def _bug(bug: Bug, fixture: Path | None, again: str, spec: Spec) -> dict[str, Any]:
    said = finding_document(bug.record, fixture, again, spec)
    return {"n": bug.number, **said, "also": [record.cause for record in bug.also]}


def _cause(record: Record, files: Mapping[str, Path], again: str, spec: Spec) -> dict[str, Any]:
    return {"bug": record.bug, **finding_document(record, files.get(record.cause), again, spec)}


def edge_document(record: Record) -> dict[str, Any]:
    """Say what fails at edge limits alone."""
    return {
        "rule": record.rule,
        "cause": record.cause,
        "history": record.history,
        "limit": limit_to_json(record.limit),
        "output": record.output,
        "message": record.message,
    }


def finding_document(record: Record, fixture: Path | None, again: str, spec: Spec) -> dict[str, Any]:
    """Say one finding of a spec; `again` is the command that shows it where there is no fixture to replay."""
    script = {} if record.script is None else {"script": record.script}
    return script | {
        "rule": record.rule,
        "cause": record.cause,
        "kind": record.kind,
        "fails": record.fails,
        "accepted": record.accepted,
        "input_class": record.input_class,
        "history": record.history,
        "limit": limit_to_json(record.limit),
        "output": record.output,
        "message": record.message,
        "provider_error": record.provider_error,
        "url": record.url,
        "fixture": None if fixture is None else str(fixture),
        "reproduce": again if fixture is None else fixture_command(fixture, spec),
    }


def stale_document(one: Accepted) -> dict[str, Any]:
    """Say an accepted finding that is gone."""
    return {"trimmer": one.trimmer, "cause": one.cause, "reason": one.reason}


def _observed(one: Observed) -> dict[str, Any]:
    found: dict[str, Any] = {"name": one.name, "held": one.held}
    if one.record is not None:
        found["history"] = one.record.history
        found["limit"] = limit_to_json(one.record.limit)
        found["output"] = one.record.output
    return found


def campaign_document(run: Campaign, *, interrupted: bool = False) -> dict[str, Any]:
    """Say a campaign: every trimmer with what was spent on it, and every bug and cause with its state."""
    return {
        "schema": SCHEMA,
        "seed": run.seed,
        "seconds": round(run.seconds, 3),
        "jobs": run.jobs,
        "failed": run.failed,
        "interrupted": interrupted,
        "trimmers": [
            {
                "trimmer": account.spec.target,
                "version": account.contract.version if account.contract else "",
                "format": account.contract.format if account.contract else None,
                "limit": account.contract.limit if account.contract else account.spec.limit,
                "provider": account.contract.provider if account.contract else None,
                "notes": account.contract.notes if account.contract else [],
                "examples": account.examples,
                "trims": account.trims,
                "outcomes": account.statuses,
                "utilisation": account.utilisation,
                "problem": account.problem or None,
                "promises": {"kept": list(account.kept), "broken": list(account.broken)},
                "stale": [stale_document(one) for one in account.stale],
                "lacking": run.lacking(account) or None,
                **_found(account, run.seed),
                "edge": [edge_document(record) for record in account.alone_at_the_edge],
            }
            for account in run.accounts
        ],
    }


def _found(account: Account, seed: int) -> dict[str, Any]:
    """Say the bugs of one trimmer and every cause, each with its state; what is fixed or flaky has no number."""
    spec, again = account.spec, check_command(account.spec, seed=seed)
    return {
        "bugs": [
            {"state": found.state, **_bug(found.bug, found.path, again, spec)}
            for found in account.found
            if found.bug.number is not None
        ],
        "causes": [
            {"state": found.state, "bug": record.bug, **finding_document(record, found.path, again, spec)}
            for found in account.found
            for record in found.bug.records
        ],
    }


def replay_document(rows: Iterable[Replayed], *, interrupted: bool = False) -> dict[str, Any]:
    """Render a replay: a row for each fixture, ordered by file."""
    ordered = sorted(rows, key=lambda row: str(row.fixture.path))
    return {"schema": SCHEMA, "interrupted": interrupted, "fixtures": [row_as_json(row) for row in ordered]}
