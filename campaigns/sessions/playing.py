"""Playing sessions: a script is run against a trimmer, and every request in it is judged.

The case of a request is the transcript: every message that happened so far, untrimmed. So a trimmer is blamed for what
it introduced at any time in the session, and the input class says how the conversation itself would have been taken.
Judged are the rules that always fail and those that the pack enforces; what may be empty or over the limit is asked by
`check`, since a list that was trimmed before can hold no more than it has. state-consistent and late-result-safe are
asked where they are promised: only then is a function's list trimmed while results are still to come.

An interruption leaves calls without a result, and whoever sends them as they are was given them. But a memory that
answers them itself does not: what it sends is judged as if their results were still to come, so that it can fail.
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
from ...messages.errors import BadName
from ...messages.limits import Limit
from ...messages.model import History, Message
from ...messages.reading.pairing import Reading, result_ids
from ...messages.reading.survivors import align
from ...messages.session.steps import KEEPS, Keep, Op, Script, Step
from ...messages.session.transcript import Transcript, message_of
from ...oracles.judging.judging import judge
from ...oracles.rules.registry import RULES
from ...strategies.encoding.features_seen import POINT_FEATURES
from ...strategies.sessions import COMPACTIONS, IN_FLIGHT, LISTS, Choose, Moves
from ..engine.tally import explained_findings
from ..target.contract import Contract

Before = Callable[[Limit | None], None]
AT_EVERY_STEP = frozenset({"no-input-mutation", "total-no-raise", "terminates"})
"""What is asked of a step at which nothing is sent."""
NOT_ASKED = frozenset({"nonempty-history", "nonempty-user"})
_OPS_OF_FEATURES: dict[str, Op] = {"steer_user": "steer", "abandoned": "interrupt"}
"""What never happens where a feature is left out."""
_PASSING = frozenset(
    {"open_tail", "ends_on_call", "ends_on_result", "ends_on_assistant", "empty", "system_alone", "abandoned"}
)
"""Features of a list that is sent: on the way there lists have them for a while, and a request that has one is not
judged."""
_IN_EVERY_SESSION = {"null_content": "calls have no text beside them", "unnamed_results": "results have no names"}
_AT_EVERY_PLAN = {name: "a plan is made at any time" for name in POINT_FEATURES}
"""What cannot be left out of sessions, and why: the others are about what happens, these about how it is written."""


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
    after: Callable[[Outcome], None] = field(default=lambda _outcome: None, kw_only=True)
    """Sees every outcome of a trim; an error that it raises ends the run."""
    rules: tuple[str, ...] = field(kw_only=True)

    @property
    def moves(self) -> Moves:
        """What can happen in a session of this trimmer."""
        features, off = self.contract.features, self.contract.left_out
        if isinstance(self.contract.trimmer.trim, Remembering):
            ops = LISTS
        elif self.contract.kind == "compaction":
            ops = COMPACTIONS
        else:
            ops = IN_FLIGHT if "late-result-safe" in self.contract.promises else LISTS
        return Moves(
            ops - {op for name, op in _OPS_OF_FEATURES.items() if name in off},
            features.keep,
            parallel="parallel" not in off,
            reused="reused_ids" not in off,
            system=False if "system" in off else True if "no_system" in off else None,
            allowed=self._allowed,
        )

    def _allowed(self, history: History) -> bool:
        """Say whether a conversation has nothing that was left out, or will have had it in passing."""
        return self.contract.left_out_in(history) <= _PASSING

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

    def judge(
        self, transcript: Transcript, moment: Moment, *, in_flight: bool, repairs: bool = False
    ) -> Sequence[Finding]:
        """Judge what a step showed; `in_flight`: results were still to come; `repairs`: the trimmer answers itself
        what was interrupted.
        """
        outcome, promises = moment.outcome, self.contract.promises
        unchanged = not outcome.mutated and not outcome.list_changed
        rules = self.rules if moment.sent else tuple(name for name in self.rules if name in AT_EVERY_STEP)
        ask = moment.sent or outcome.status != "ok" or not unchanged
        stored = moment.stored if "state-consistent" in promises else None
        late = in_flight and not moment.sent and "late-result-safe" in promises
        if not ask and stored is None and not late:
            return ()
        left_out = self.contract.left_out_in(transcript.history)
        if left_out if moment.sent else left_out - _PASSING:
            return ()
        case = self.contract.case(transcript.history, moment.limit)
        if repairs and _only_interrupted(case.example.reading, transcript.given_up):
            case = evolve(case, judged_as="pending")
        found = judge(case, outcome, rules=rules) if ask else []
        if stored is not None:
            found += judge(case, outcome, rules=("state-consistent",), runs=Runs(stored=stored))
        if late and moment.stored is None and outcome.status == "ok":
            found += judge(case, outcome, rules=("late-result-safe",))
        return found


def _only_interrupted(reading: Reading, given_up: Sequence[str]) -> bool:
    """Say whether a transcript is interleaved by calls alone that were given up."""
    if reading.input_class != "interleaved" or reading.interposers:
        return False
    left = (reading.batches[number] for number, pending in reading.open_batches.items() if not pending)
    slots = (reading.slots[slot] for batch in left for slot in batch.slots)
    return all(slot.answer is not None or slot.id in given_up for slot in slots)


def _answers_itself(transcript: Transcript, outcome: Outcome) -> bool:
    """Say whether an output has a result of its own for a call that was given up."""
    given_up, output = transcript.given_up, outcome.output or ()
    if not any(given_up) or not any(call_id in given_up for message in output for call_id in result_ids(message)):
        return False
    new = align(transcript.history, output, identity=outcome.sources).new
    return any(call_id in given_up for index in new for call_id in result_ids(output[index]))


@define
class Play:
    """A session under way: the script so far, and what happened in it. After an error it is `over`.

    `repairs`: the trimmer has answered itself what was interrupted.
    """

    player: Player
    loop: Loop
    script: Script
    transcript: Transcript = field(factory=Transcript)
    over: bool = False
    repairs: bool = False

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
        self.repairs = self.repairs or _answers_itself(following, moment.outcome)
        return self.player.judge(following, moment, in_flight=in_flight, repairs=self.repairs)


def player_for(
    contract: Contract, *, then: Trimmer | None = None, watch: Watch | None = None, before: Before | None = None
) -> Player:
    """Build what plays sessions of a trimmer: the rules that have a say in them under its contract.

    Raises `BadName` where something was left out that every session has.
    """
    fixed = _IN_EVERY_SESSION | (_AT_EVERY_PLAN if contract.kind == "compaction" else {})
    for name in sorted(contract.left_out & fixed.keys()):
        raise BadName(f"--without {name.replace('_', '-')} leaves no session", f"in sessions {fixed[name]}")
    rules = tuple(
        name
        for name, rule in RULES.items()
        if contract.kind_of(name) in ("always", "pack") and not rule.runs and name not in NOT_ASKED
    )
    ready = Player(contract, then=then, watch=watch, rules=rules)
    return ready if before is None else evolve(ready, before=before)
