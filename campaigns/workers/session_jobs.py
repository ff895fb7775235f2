"""What a worker does for sessions: play many of them, play one again, shrink one.

Findings leave as records that carry their script. A trimmer that ends its process, or hangs in a way that no watch can
end, is played again in a forked copy of the worker; what does not come back is the finding.
"""

from collections.abc import Callable, Iterator
from time import monotonic
from typing import Any, TypeAlias

from attrs import evolve

from ...implementations.time_limit import Watch
from ...implementations.trimmer import Trimmer
from ...messages.cases import Failure, Outcome
from ...messages.errors import BadTarget
from ...messages.limits import Limit
from ...messages.session.steps import Script, dump_script, load_script
from ...messages.session.transcript import message_of
from ...oracles.judge.judging import judge
from ..engine.records import Record, as_json, from_json, record_of, shrunk
from ..process.isolation import isolated
from ..sessions.playing import Found, Player, player_for
from ..sessions.script_lane import Session, sessions
from ..sessions.script_shrinking import plainness, shrink_script
from ..target.contract import Contract
from ..target.resolve import resolve
from ..target.spec import Spec

Begin: TypeAlias = Callable[[int], None]
ENOUGH_HANGS = 5
"""Hangs after which no more sessions are played: the point is made, and each further one costs its full time."""
FATAL_CUTS = ("crashed", "hung")
"""What is not shrunk: every try would cost its full time, or a process."""


def second(name: str | None, contract: Contract) -> Trimmer | None:
    """Return the trimmer that trims what is sent once more; raises `BadTarget` when it has other messages."""
    if name is None:
        return None
    first, found = contract.trimmer, resolve(Spec(name)).trimmer
    if found.format.name != first.format.name:
        problem = f"{name} takes {found.format.name} messages, and {first.name} gives {first.format.name}"
        raise BadTarget(problem, "both trim the same list")
    return found


def playing(contract: Contract, then: str | None, watch: Watch, before: Callable[[Limit | None], None]) -> Player:
    """Return the player of a trimmer under its contract, watched and recorded."""
    return player_for(contract, then=second(then, contract), watch=watch, before=before)


def session_record(found: Found, contract: Contract, *, minimal: bool = False) -> Record:
    """Write a finding of a session down, with its script."""
    record = evolve(record_of(found.finding, contract), script=dump_script(found.script), size=_size(found.script))
    return shrunk(record, minimal=minimal)


def _size(script: Script) -> list[int]:
    return list(plainness(script)[:4])


def explore(
    player: Player, *, seed: int, start: int, examples: int, steps: int, seconds: float, then: str | None, begin: Begin
) -> Iterator[dict[str, Any]]:
    """Play sessions from number `start` on; yields a `finding` for the smallest of each cause so far, a `progress` now
    and then, and `done` at the end, with the number of sessions in which an answer was no history.
    """
    deadline = monotonic() + seconds if seconds > 0 else float("inf")
    smallest: dict[str, list[int]] = {}
    played, reported, hangs, unread = 0, monotonic(), 0, 0
    for session in sessions(player, seed=seed, start=start, examples=examples, steps=steps, then=then):
        begin(session.number)
        broken = player.play(session.script, session.limit)
        unread += any(found.finding.outcome.status == "protocol-error" for found in broken)
        for found in broken:
            hangs += found.finding.cut == "hung"
            cause, size = found.finding.cause, _size(found.script)
            if cause not in smallest or size < smallest[cause]:
                smallest[cause] = size
                yield {"event": "finding", "record": as_json(session_record(found, player.contract))}
        played += 1
        now = monotonic()
        if now - reported > 0.2:
            reported = now
            yield {"event": "progress", "sessions": played, "causes": len(smallest)}
        if now > deadline or hangs >= ENOUGH_HANGS:
            break
    yield {"event": "done", "sessions": played, "unread": unread}


def numbered(player: Player, *, seed: int, number: int, steps: int, then: str | None) -> Session:
    """Make one session of a seed again."""
    return next(sessions(player, seed=seed, start=number, examples=1, steps=steps, then=then))


def play(player: Player, script: Script, limit: Limit | None) -> list[Record]:
    """Play one script and return what it broke."""
    return [session_record(found, player.contract) for found in player.play(script, limit)]


def play_alone(player: Player, script: Script, limit: Limit | None, *, seconds: float) -> list[Record]:
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
    found = judge(case, outcome, rules=player.rules)
    return [session_record(Found(finding, script), player.contract) for finding in found]


def shrink(player: Player, record: dict[str, Any], *, seconds: float) -> Record | None:
    """Shrink a record of a session; None when it does not fail any more."""
    wanted = from_json(record)
    if wanted.cut in FATAL_CUTS:
        return wanted
    script = load_script(wanted.script)
    found = next((one for one in player.play(script, wanted.limit) if one.finding.cause == wanted.cause), None)
    if found is None:
        return None
    small = shrink_script(player, found, wanted.limit, seconds=seconds)
    return session_record(small.found, player.contract, minimal=small.complete)
