"""What a worker does with histories: examine a lane of them, make one again, judge one case, shrink one.

`session_jobs` does the same with sessions, under the same names.
"""

from collections.abc import Callable
from typing import Any

from ...messages.cases import Case, Example, Finding, Outcome
from ...messages.limits import Limit, limit_from_json
from ...messages.neutral import load_history
from ..defaults import ENOUGH_HANGS
from ..engine.engine import Engine, engine_for, unseen
from ..engine.lanes import Item, feed, lane_size, made_again
from ..engine.records import JsonHistory, Record, as_json, from_json, record_of, shrunk
from ..engine.shrinking import Find, finder
from ..engine.shrinking import shrink as shrink_case
from ..engine.tally import Tally, explained_findings
from ..target.contract import Contract
from .bench import Bench, Pace
from .confirm import FATAL_CUTS, suspect_findings


def bench_engine(bench: Bench, *, observe: bool = True, after: Callable[[Outcome], None] = unseen) -> Engine:
    """Return the engine of a bench, recorded and watched; `after` sees every outcome."""

    def hangs_again(case: Case) -> bool:
        """Say whether a case that ran out of time does so again, alone and with twice the time."""
        if not bench.hangs:
            bench.hangs = bool(suspect_findings(engine, case, seconds=bench.doubled))
        return bench.hangs

    engine = engine_for(
        bench.contract,
        watch=bench.watch,
        before=bench.recorder.trim,
        confirm=hangs_again,
        after=after,
        observe=observe,
    )
    return engine


def explore(
    bench: Bench, *, seed: int, start: int, examples: int, seconds: float, lane: str, observe: bool = True
) -> None:
    """Examine a lane from example `start` on, for at most `examples` of them and `seconds` (0: no bound).

    Sends a `finding` for every new cause, `progress` now and then, and `done`. `observe` also looks at promises that
    nobody made.
    """
    engine = bench_engine(bench, observe=observe, after=bench.see)
    tally = Tally(engine.contract)
    sent: set[tuple[str, bool]] = set()
    pace = Pace(seconds, ENOUGH_HANGS, bench.watch)
    going = True

    def step(item: Item) -> bool:
        nonlocal going
        bench.recorder.begin(item.number, item.payload)
        if engine.examine(item.history, tally, seed=seed + item.number, point=item.point, known=item.known):
            for cause, found in tally.smallest.items():
                if (cause, cause in tally.explained) not in sent:
                    sent.add((cause, cause in tally.explained))
                    _send_finding(bench, found, tally)
        bench.recorder.rest()
        if pace.due():
            counted = {"statuses": dict(tally.statuses), "judged": dict(tally.judged)}
            about: dict[str, Any] = {**counted, "exercised": sorted(tally.exercised)}
            bench.send("progress", examples=tally.examples, trims=tally.trims, **about)
        going = pace.goes_on(tally.statuses["hung"])
        return going

    feed(lane, engine.contract, seed=seed, start=start, examples=examples, step=step)
    for found in tally.close():
        _send_finding(bench, found, tally)
    bench.send(
        "done",
        examples=tally.examples,
        trims=tally.trims,
        counts=dict(tally.counts),
        statuses=dict(tally.statuses),
        judged=dict(tally.judged),
        exercised=sorted(tally.exercised),
        spared=[] if tally.spared is None else [as_json(record_of(tally.spared, engine.contract))],
        complete=going,
        total=lane_size(lane, engine.contract),
        ratios=tally.utilisation.ratios,
        edge=[as_json(record_of(found, engine.contract)) for found in tally.edge.values()],
    )


def _send_finding(bench: Bench, finding: Finding, tally: Tally) -> None:
    contract, cause = bench.contract, finding.cause
    if contract.kind_of(finding.rule) is not None:
        url, parents = tally.urls.get(cause), tally.parents(cause)
        bench.send("finding", record=as_json(record_of(finding, contract, url=url, explained_by=parents)))


def remake(bench: Bench, *, payload: str, limit: int | None, lane: str, **_options: Any) -> None:
    """Make the case again that the flight recorder held, and judge it alone."""
    contract = bench.contract
    item = made_again(lane, bytes.fromhex(payload), contract)
    if item is None:
        bench.send("done", records=[])
        return
    example = contract.example(item.history)
    findings: list[Finding] = []
    for suspect in _limits_of(limit, example, item, bench):
        findings = suspect_findings(bench_engine(bench), Case(example, suspect), seconds=bench.doubled)
        if findings:
            break
    known = item.known
    urls = [None if known is None else known.url_about(finding.rule) for finding in findings]
    records = [record_of(finding, contract, url=url) for finding, url in zip(findings, urls, strict=True)]
    bench.send("done", records=list(map(as_json, records)))


def _limits_of(value: int | None, example: Example, item: Item, bench: Bench) -> list[Limit | None]:
    """The limits that the recorded value can stand for: of a compaction the point that was drawn comes first."""
    kind = bench.contract.kind
    if value is None:
        return [None]
    if kind != "compaction":
        return [Limit(kind, value)]
    drawn = [item.point] if item.point is not None and item.point.value == value else []
    return [*drawn, Limit(kind, value, len(example.history))]


def judge(bench: Bench, *, subject: JsonHistory, limit: dict[str, Any] | None, alone: bool = False) -> None:
    """Judge one history at one limit; `alone` does it in a forked copy, with twice the time, and reports its end."""
    engine = bench_engine(bench)
    case = engine.contract.case(load_history(subject), limit_from_json(limit))
    engine.contract.trimmer.format.write_items(case.history)  # what cannot be handed over is an error, not a pass
    findings = suspect_findings(engine, case, seconds=bench.doubled) if alone else engine.judge_case(case)
    bench.recorder.rest()
    bench.send("done", records=[as_json(record) for record in _records_of(findings, engine.contract)])


def _records_of(findings: list[Finding], contract: Contract) -> list[Record]:
    """Write the findings of one case down, each with what explains it there."""
    return [
        record_of(finding, contract, explained_by=sorted(causes))
        for finding, causes in explained_findings(findings, contract)
    ]


def shrink(bench: Bench, *, record: dict[str, Any], seconds: float) -> None:
    """Shrink a record; the answer is the smallest one found, or none if it does not fail any more."""
    engine = bench_engine(bench)
    wanted = from_json(record)
    case = engine.contract.case(load_history(wanted.history), wanted.limit)
    fatal = wanted.cut in FATAL_CUTS
    alone = _suspect_finder(engine, wanted.cause, bench.watch.seconds)
    find = alone if fatal else finder(engine, wanted.cause, by_itself=True)
    found = find(case)
    if found is None and not fatal:
        find = finder(engine, wanted.cause)
        found = find(case)
    if found is None:
        bench.send("done", record=None)
        return
    result = shrink_case(engine, found, seconds=seconds, find=find, by_size=fatal)
    bench.recorder.rest()
    best = record_of(result.finding, engine.contract, url=wanted.url, explained_by=wanted.explained_by)
    small = shrunk(best, minimal=result.complete)
    bench.send("done", record=as_json(small))


def _suspect_finder(engine: Engine, cause: str, seconds: float) -> Find:
    def find(case: Case) -> Finding | None:
        found = suspect_findings(engine, case, seconds=seconds)
        return next((one for one in found if one.cause == cause), None)

    return find
