"""Sessions as a test in one's own suite: a state machine that drives a trimmer through whole conversations.

In a test module:

    TestSessions = trimfuzz.sessions(trim, limit="messages", promises=["late-result-safe"])

Hypothesis draws what happens (somebody speaks, calls are made, results come in any order, ...) and remembers what
failed. What fails is shrunk as a script, which takes a second where shrinking the draws took minutes; the failure shows
it, and `trimfuzz.messages.session.steps.script` reads it again. The trimmer runs in the test process; one that kills
its process is for `trimfuzz sessions`, which runs it in a process of its own.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, cast
from unittest import TestCase

import hypothesis
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule

from ...implementations.time_limit import Watch
from ...implementations.trimmer import Trimmer
from ...messages.formats.counting import Count
from ...messages.limits import Limit
from ...messages.session.steps import Step
from ...strategies.sessions import ending
from ..defaults import SHRINK_SCRIPT_SECONDS, STEPS_UNDER_PYTEST
from ..engine.records import Record
from ..engine.tally import explained_findings
from ..sessions.playing import Play, Player, SessionFinding, player_for
from ..sessions.script_shrinking import ShrunkScript, shrink_script
from ..target.contract import Contract
from ..target.resolve import resolve
from ..target.spec import Spec
from ..workers.session_jobs import second, session_record
from .conformance import drawn


class BrokenSession(AssertionError):
    """A session in which a trimmer broke a rule; `record` has its script and its last request."""

    def __init__(self, small: ShrunkScript, contract: Contract) -> None:
        self.record: Record = session_record(small.found, contract, minimal=small.complete)
        self.script = small.found.script
        super().__init__(self.record.cause, str(self.script))

    def __str__(self) -> str:
        limit = self.record.limit
        value = "" if limit is None or limit.kind == "compaction" else f", {limit.kind}={limit.value}"
        return "\n".join(
            [f"{self.record.cause} (keep={self.script.keep}{value})", "", str(self.script), "", *drawn(self.record)]
        )


def sessions(
    trim: Callable[..., Any] | Trimmer | type | str,
    /,
    *,
    then: str | None = None,
    format: str | None = None,
    limit: str | None = None,
    promises: Iterable[str] | Mapping[str, float] | None = None,
    provider: str | None = None,
    count: Count | str | None = None,
    call: str | None = None,
    refuses: Iterable[type[BaseException]] | type[BaseException] = (),
    in_place: bool = False,
    marks: bool | str | None = None,
    without: Iterable[str] | str | None = None,
    system: str | None = None,
    lowest_limit: int | None = None,
    fail_on: Iterable[str] | str | None = None,
    timeout: float | None = None,
    steps: int = STEPS_UNDER_PYTEST,
    settings: hypothesis.settings | None = None,
    name: str | None = None,
) -> type[TestCase]:
    """Make a test case of a trimmer; assign it to a name in a test module.

    `then` names a trimmer that trims what is sent once more, `steps` is the most that happens in one session; the other
    options are those of `conformance`. Raises `TrimfuzzError` for what cannot be meant.
    """
    spec = Spec.of(
        trim,
        name=name,
        format=format,
        limit=limit,
        promises=promises,
        provider=provider,
        count=count,
        call=call,
        refuses=refuses,
        in_place=in_place,
        marks=marks,
        without=without,
        system=system,
        lowest_limit=lowest_limit,
        fail_on=fail_on,
        timeout=timeout,
    )
    contract = resolve(spec)
    watch = Watch(spec.timeout)
    player = player_for(contract, then=second(then, contract), watch=watch)
    made = machine(player, watch, then)
    case = cast("type[TestCase]", made.TestCase)
    chosen = settings or hypothesis.settings()
    phases = [phase for phase in chosen.phases if phase not in (hypothesis.Phase.shrink, hypothesis.Phase.explain)]
    limited = hypothesis.settings(chosen, stateful_step_count=steps, phases=phases)
    case.settings = limited  # pyright: ignore[reportAttributeAccessIssue]
    return case


def machine(player: Player, watch: Watch, then: str | None = None) -> type[RuleBasedStateMachine]:
    """Build the state machine of a player.

    It has one rule, which draws from all that can happen next: with a rule for each, half of the sessions would have no
    calls, and most steps of the others would be about nothing.
    """

    moves = player.moves

    class Sessions(RuleBasedStateMachine):
        """One session. It fails at the first request that breaks a rule which fails the trimmer."""

        play: Play
        limit: Limit | None

        @initialize(data=st.data())
        def begin(self, data: st.DataObject) -> None:
            keep, self.limit = data.draw(st.sampled_from(player.keeps)), player.limit(_choosing(data))
            self.play = player.begin(self.limit, keep=keep, name_of_then=then)
            if moves.system:
                self.take(Step("system", text="s"))

        @rule(data=st.data())
        def step(self, data: st.DataObject) -> None:
            if not self.play.over:
                self.take(moves.draw(self.play.transcript, _choosing(data)))

        def teardown(self) -> None:
            for step in ending(self.play.transcript) if hasattr(self, "play") else ():
                self.take(step)

        def take(self, step: Step) -> None:
            if self.play.over or moves.after(self.play.transcript, step) is None:
                return
            with watch.watching():
                found = self.play.take(step)
            for finding, causes in explained_findings(found, player.contract):
                if player.contract.fails(finding) and not causes:
                    self.play.over = True
                    found_here = SessionFinding(finding, self.play.script)
                    with watch.watching():
                        small = shrink_script(player, found_here, self.limit, seconds=SHRINK_SCRIPT_SECONDS)
                    raise BrokenSession(small, player.contract)

    return Sessions


def _choosing(data: st.DataObject) -> Callable[[int], int]:
    return lambda count: data.draw(st.integers(0, count - 1))
