"""What a worker does with sessions: play many of them, make one again, play one script, shrink one.

Findings leave as records that carry their script. A trimmer that ends its process, or hangs in a way that no watch can
end, is played again in a forked copy of the worker; what does not come back is the finding.
"""

from typing import Any

from attrs import evolve

from ...implementations.trimmer import Trimmer
from ...messages.cases import Failure, Outcome
from ...messages.errors import BadTarget
from ...messages.limits import Limit, limit_from_json
from ...messages.session.steps import Script, dump_script, load_script
from ...messages.session.transcript import message_of
from ...oracles.judging.judging import judge as judge_outcome
from ..defaults import ENOUGH_HANGS_OF_SESSIONS
from ..engine.records import Record, as_json, from_json, record_of, shrunk
from ..process.isolation import isolated
from ..sessions.playing import Player, SessionFinding, player_for
from ..sessions.script_lane import sessions
from ..sessions.script_shrinking import plainness, shrink_script
from ..target.contract import Contract
from ..target.resolve import resolve
from ..target.spec import Spec
from .bench import Bench, Pace
from .confirm import FATAL_CUTS


def second(name: str | None, contract: Contract) -> Trimmer | None:
    """Return the trimmer that trims what is sent once more; raises `BadTarget` when it has other messages."""
    if name is None:
        return None
    first, found = contract.trimmer, resolve(Spec(name, provider=contract.pack.name)).trimmer
    if found.format.name != first.format.name:
        problem = f"{name} takes {found.format.name} messages, and {first.name} gives {first.format.name}"
        raise BadTarget(problem, "both trim the same list")
    return found


def bench_player(bench: Bench, then: str | None) -> Player:
    """Return the player of a bench, recorded and watched; `then` names a trimmer of what is sent."""
    contract = bench.contract
    return player_for(contract, then=second(then, contract), watch=bench.watch, before=bench.recorder.trim)


def session_record(found: SessionFinding, contract: Contract, *, minimal: bool = False) -> Record:
    """Write a finding of a session down, with its script."""
    record = record_of(found.finding, contract, explained_by=found.explained_by)
    record = evolve(record, script=dump_script(found.script), size=_size(found.script))
    return shrunk(record, minimal=minimal)


def _size(script: Script) -> list[int]:
    return list(plainness(script)[:4])


def explore(
    bench: Bench, *, seed: int, start: int, examples: int, seconds: float, steps: int, then: str | None
) -> None:
    """Play sessions from number `start` on, for at most `examples` of them and `seconds` (0: no bound).

    Sends a `finding` for the smallest of each cause so far, `progress` now and then, and `done` with the number of
    sessions in which an answer was no history.
    """
    player = evolve(bench_player(bench, then), after=bench.see)
    smallest: dict[str, tuple[bool, list[int]]] = {}
    pace = Pace(seconds, ENOUGH_HANGS_OF_SESSIONS, bench.watch)
    played, hangs, unread, going = 0, 0, 0, True
    for session in sessions(player, seed=seed, start=start, examples=examples, steps=steps, then=then):
        bench.recorder.begin(session.number, b"")
        broken = player.play(session.script, session.limit)
        unread += any(found.finding.outcome.status == "protocol-error" for found in broken)
        for found in broken:
            hangs += found.finding.cut == "hung"
            cause, size = found.finding.cause, (bool(found.explained_by), _size(found.script))
            if cause not in smallest or size < smallest[cause]:
                smallest[cause] = size
                bench.send("finding", record=as_json(session_record(found, player.contract)))
        played += 1
        if pace.due():
            bench.send("progress", examples=played)
        going = pace.goes_on(hangs)
        if not going:
            break
    bench.recorder.rest()
    bench.send("done", examples=played, unread=unread, judged={"valid": played - unread}, complete=going)


def remake(bench: Bench, *, seed: int, number: int, steps: int, then: str | None, **_options: Any) -> None:
    """Make the session again that the flight recorder held, and play it alone."""
    player = bench_player(bench, then)
    session = next(sessions(player, seed=seed, start=number, examples=1, steps=steps, then=then))
    _send_records(bench, _played_alone(player, session.script, session.limit, seconds=bench.doubled))


def judge(bench: Bench, *, subject: dict[str, Any], limit: dict[str, Any] | None, alone: bool = False) -> None:
    """Play one script; `alone` does it in a forked copy and reports its end."""
    script, at = load_script(subject), limit_from_json(limit)
    player = bench_player(bench, script.then)
    if alone:
        records = _played_alone(player, script, at, seconds=bench.doubled)
    else:
        records = [session_record(found, player.contract) for found in player.play(script, at)]
    bench.recorder.rest()
    _send_records(bench, records)


def _send_records(bench: Bench, records: list[Record]) -> None:
    bench.send("done", records=[as_json(record) for record in records])


def _played_alone(player: Player, script: Script, limit: Limit | None, *, seconds: float) -> list[Record]:
    """Play one script in a forked copy; returns the finding that it did not come back, if it did not."""
    bare = player_for(player.contract, then=player.then)
    ended = isolated(lambda: len(bare.play(script, limit)), seconds=seconds)
    if ended.end == "returned":
        return []
    if ended.end == "hung":
        outcome = Outcome("hung", failure=Failure("hung", f"no answer in {seconds:g} s"))
    else:
        outcome = Outcome("crashed", failure=Failure("crashed", ended.status))
    history = tuple(message for message in map(message_of, script.steps) if message is not None)
    case = player.contract.case(history, limit)
    found = judge_outcome(case, outcome, rules=player.rules)
    return [session_record(SessionFinding(finding, script), player.contract) for finding in found]


def shrink(bench: Bench, *, record: dict[str, Any], seconds: float) -> None:
    """Shrink a record of a session; the answer is the plainest one found, or none if it does not fail any more."""
    wanted = from_json(record)
    script = load_script(wanted.script)
    player = bench_player(bench, script.then)
    if wanted.cut in FATAL_CUTS:
        bench.send("done", record=record)
        return
    found = next((one for one in player.play(script, wanted.limit) if one.finding.cause == wanted.cause), None)
    if found is None:
        bench.send("done", record=None)
        return
    small = shrink_script(player, found, wanted.limit, seconds=seconds)
    bench.recorder.rest()
    bench.send("done", record=as_json(session_record(small.found, player.contract, minimal=small.complete)))
