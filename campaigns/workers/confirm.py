"""Suspects: a case that may kill or hang the process is judged in a forked copy of it.

The copy judges the case in full and answers with what it found; if it does not come back, that itself is the finding.
"""

from ...messages.cases import Case, Failure, Finding, Outcome
from ...oracles.judge.judging import judge
from ..engine.engine import Engine, engine_for
from ..process.isolation import isolated


def suspect_findings(engine: Engine, case: Case, *, seconds: float) -> list[Finding]:
    """Return the finding that the process died or hung on this case, or nothing when it came back."""
    bare = engine_for(engine.contract)
    ended = isolated(lambda: bare.trim(case).status, seconds=seconds)
    if ended.end == "hung":
        outcome = Outcome("hung", failure=Failure("hung", f"no answer in {seconds:g} s"))
    elif ended.end == "died":
        outcome = Outcome("crashed", failure=Failure("crashed", ended.status))
    else:
        return []
    return judge(case, outcome, rules=engine.rules)
