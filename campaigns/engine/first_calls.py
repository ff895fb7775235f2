"""The first calls of a run: where all of them raise the same error, the call is wrong, and not the trimmer.

A trimmer that fails on calls and results alone fails on the first histories too, so a plain history is tried before
anything is said: only what raises the same there was called in a way that cannot work.
"""

from attrs import define, field

from ...implementations.running import BELOW_ONE, run
from ...implementations.time_limit import FIRST_CALLS, Watch
from ...messages.cases import Case, Failure, Outcome
from ...messages.errors import BadTarget
from ...messages.limits import Limit
from ...messages.model import Message
from ..target.contract import Contract

PLAIN = (Message("user", "a"), Message("assistant", "b"), Message("user", "c"))
AMPLE = 100_000
"""A limit that the plain history fits in, whatever it counts."""


@define
class FirstCalls:
    """The outcomes of the first calls of a trimmer; `see` raises `BadTarget` when all of them raised the same."""

    contract: Contract
    watch: Watch | None = None
    _error: Failure | None = field(default=None, init=False)
    _left: int = field(default=FIRST_CALLS, init=False)

    def see(self, outcome: Outcome) -> None:
        """Look at the outcome of one call."""
        if self._left <= 0 or outcome.status == "skipped":
            return
        error = _raised(outcome)
        if error is None or (self._error is not None and error != self._error):
            self._left = 0
            return
        self._error = error
        self._left -= 1
        if self._left == 0 and self._raises_on_plain_messages(error):
            raise BadTarget(*self._words(error))

    def _raises_on_plain_messages(self, error: Failure) -> bool:
        contract, trimmer = self.contract, self.contract.trimmer
        if contract.kind == "compaction":
            limit = Limit("compaction", 1, len(PLAIN))
        elif trimmer.takes_limit:
            limit = Limit(contract.kind, AMPLE)
        else:
            limit = None if trimmer.fixed is None else Limit(contract.kind, trimmer.fixed)
        case: Case = contract.case(PLAIN, limit)
        return _raised(run(trimmer, case, count=contract.count, watch=self.watch)) == error

    def _words(self, error: Failure) -> tuple[str, str]:
        trimmer = self.contract.trimmer
        said = f"{error.type}: {error.message}" if error.message else error.type
        problem = f"{trimmer.name}: each of the first {FIRST_CALLS} calls raised {' '.join(said.split())}"
        given = f"format {trimmer.format.name}, limit {self.contract.kind}"
        if not trimmer.called:
            return problem, given
        return problem, f"called as {trimmer.called}, {given}; --call, --limit, --format or --in-place change that"


def _raised(outcome: Outcome) -> Failure | None:
    """Return the error of a call that raised, a ValueError below a limit of 1 among them; None where it did not."""
    failure = outcome.failure
    if failure is None or not (outcome.status == "raised" or failure.detail == BELOW_ONE):
        return None
    return Failure(failure.type, failure.message)
