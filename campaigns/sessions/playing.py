"""Playing sessions: a script is run against a trimmer, and every request in it is judged.

The case of a request is the transcript: every message that happened so far, untrimmed. So a trimmer is blamed for what
it introduced at any time in the session, and the input class says how the conversation itself would have been taken.
Judged are the rules that always fail and those that the pack enforces; what may be empty or over the limit is asked by
`check`, since a list that was trimmed before can hold no more than it has. state-consistent and late-result-safe are
asked where they are promised: only then is a function's list trimmed while results are still to come.
"""

from collections.abc import Callable, Sequence
from math import ceil

from attrs import define, evolve, field, frozen

from ...implementations.running import run
from ...implementations.sessions.loops import Loop, Moment, loop_of
from ...implementations.stateful import Compacting, Remembering
from ...implementations.time_limit import Watch
from ...implementations.trimmer import Trimmer
from ...messages.cases import Case, Finding, Outcome, Runs
from ...messages.limits import Limit
from ...messages.model import Message
from ...messages.session.steps import KEEPS, Keep, Script, Step
from ...messages.session.transcript import Transcript, message_of
from ...oracles.judging.judging import judge
from ...oracles.rules.registry import RULES
from ...strategies.sessions import COMPACTIONS, IN_FLIGHT, LISTS, Choose, Moves
from ..engine.engine import unseen
from ..engine.tally import explained_findings
from ..target.contract import Contract

Before = Callable[[Limit | None], None]
AT_EVERY_STEP = frozenset({"no-input-mutation", "total-no-raise", "terminates"})
"""What is asked of a step at which nothing is sent."""
NOT_ASKED = frozenset({"nonempty-history", "nonempty-user"})


@frozen
class SessionFinding:
    """A finding of a session, and the steps up to the one that showed it."""

    finding: Finding
    script: Script
    explained_by: tuple[str, ...] = ()
    """What explains it in its request: the keys of other bugs; none: it stands by itself."""


@frozen
class Player:
    """Plays scripts against one trimmer under its contract. `then` trims what is sent once more."""

    contract: Contract
    then: Trimmer | None = field(default=None, kw_only=True)
    watch: Watch | None = field(default=None, kw_only=True)
    before: Before = field(default=lambda _limit: None, kw_only=True)
    after: Callable[[Outcome], None] = field(default=unseen, kw_only=True)
    """Sees every outcome of a trim; an error that it raises ends the run."""
    rules: tuple[str, ...] = field(kw_only=True)

    @property
    def moves(self) -> Moves:
        """What can happen in a session of this trimmer."""
        trimmer, pins = self.contract.trimmer, self.contract.marks and "keep" in self.contract.trimmer.format.features
        if isinstance(trimmer.trim, Remembering):
            return Moves(LISTS, pins)
        if self.contract.kind == "compaction":
            return Moves(COMPACTIONS, pins)
        return Moves(IN_FLIGHT if "late-result-safe" in self.contract.promises else LISTS, pins)

    @property
    def keeps(self) -> tuple[Keep, ...]:
        """What may become of a trim: a memory has no list beside it, a bare compaction is a record."""
        trimmer = self.contract.trimmer
        if isinstance(trimmer.trim, Remembering):
            return ("stored",)
        if self.contract.kind == "compaction" and not isinstance(trimmer.trim, Compacting):
            return ("sent",)
        return KEEPS

    def limit(self, choose: Choose) -> Limit | None:
        """Draw the limit of a session; a compaction has its points in the script."""
        contract, trimmer = self.contract, self.contract.trimmer
        if contract.kind == "compaction":
            return None
        if not trimmer.takes_limit:
            return None if trimmer.fixed is None else Limit(contract.kind, trimmer.fixed)
        if contract.kind == "tokens":
            each = max(ceil(contract.cost(Message("user", "a"))), 1)
            return Limit("tokens", contract.base + each + choose(8 * each))
        return Limit(contract.kind, 1 + choose(8 if contract.kind == "messages" else 3))

    def begin(self, limit: Limit | None, *, keep: Keep = "stored", name_of_then: str | None = None) -> "Play":
        """Begin a session, to be taken step by step."""
        loop = loop_of(self.contract.trimmer, limit, kind=self.contract.kind, keep=keep, run=self._run, then=self.then)
        return Play(self, loop, Script((), keep=keep, then=name_of_then))

    def play(self, script: Script, limit: Limit | None) -> list[SessionFinding]:
        """Play a script; returns what it broke, each cause once, where it first stood by itself, else first showed.

        Steps that cannot happen are left out. A trimmer that raises or hangs ends the session; a refusal does not.
        """
        play = self.begin(limit, keep=script.keep, name_of_then=script.then)
        found: dict[str, SessionFinding] = {}
        for step in script.steps:
            for finding, causes in explained_findings(play.take(step), self.contract):
                known = found.get(finding.cause)
                if known is None or (known.explained_by and not causes):
                    found[finding.cause] = SessionFinding(finding, play.script, tuple(sorted(causes)))
            if play.over:
                break
        return list(found.values())

    def _run(self, trimmer: Trimmer, case: Case) -> Outcome:
        self.before(case.limit)
        outcome = run(trimmer, case, count=self.contract.count, watch=self.watch)
        self.after(outcome)
        return outcome

    def judge(self, transcript: Transcript, moment: Moment, *, in_flight: bool) -> Sequence[Finding]:
        """Judge what a step showed; `in_flight`: results were still to come."""
        outcome, promises = moment.outcome, self.contract.promises
        unchanged = not outcome.mutated and not outcome.list_changed
        rules = self.rules if moment.sent else tuple(name for name in self.rules if name in AT_EVERY_STEP)
        ask = moment.sent or outcome.status != "ok" or not unchanged
        stored = moment.stored if "state-consistent" in promises else None
        late = in_flight and not moment.sent and "late-result-safe" in promises
        if not ask and stored is None and not late:
            return ()
        case = self.contract.case(transcript.history, moment.limit)
        found = judge(case, outcome, rules=rules) if ask else []
        if stored is not None:
            found += judge(case, outcome, rules=("state-consistent",), runs=Runs(stored=stored))
        if late and moment.stored is None and outcome.status == "ok":
            found += judge(case, outcome, rules=("late-result-safe",))
        return found


@define
class Play:
    """A session under way: the script so far, and what happened in it. After an error it is `over`."""

    player: Player
    loop: Loop
    script: Script
    transcript: Transcript = field(factory=Transcript)
    over: bool = False

    def take(self, step: Step) -> Sequence[Finding]:
        """Take a step and return what it broke; one that cannot happen now is left out."""
        following = self.transcript.after(step)
        if following is None:
            return ()
        in_flight = bool(self.transcript.waiting)
        self.transcript = following
        self.script = evolve(self.script, steps=(*self.script.steps, step))
        moment = self.loop.do(step, message_of(step), len(following.history) - 1)
        if moment is None:
            return ()
        self.over = moment.outcome.status not in ("ok", "refused")
        return self.player.judge(following, moment, in_flight=in_flight)


def player_for(
    contract: Contract, *, then: Trimmer | None = None, watch: Watch | None = None, before: Before | None = None
) -> Player:
    """Build what plays sessions of a trimmer: the rules that have a say in them under its contract."""
    rules = tuple(
        name
        for name, rule in RULES.items()
        if contract.kind_of(name) in ("always", "pack") and not rule.runs and name not in NOT_ASKED
    )
    ready = Player(contract, then=then, watch=watch, rules=rules)
    return ready if before is None else evolve(ready, before=before)
