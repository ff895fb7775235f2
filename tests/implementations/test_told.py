"""What a trimmer tells beside its items: the request that goes out with them, and what is stored."""

from trimfuzz.campaigns.engine.engine import engine_for
from trimfuzz.campaigns.target.contract import contract_for
from trimfuzz.implementations.running import run
from trimfuzz.implementations.trimmer import Traced, Trimmer
from trimfuzz.messages.cases import Case, Example, Outcome
from trimfuzz.messages.formats.counting import native_count
from trimfuzz.messages.formats.registry import OPENAI_CHAT
from trimfuzz.messages.limits import Limit
from trimfuzz.messages.requests import Request
from trimfuzz.messages.shorthand import history

GIVEN = history("U A[a] T(a)")


def outcome_of(trimmer: Trimmer) -> Outcome:
    """Run a trimmer once."""
    return run(trimmer, Case(Example(GIVEN), Limit("messages", 2)), count=native_count(OPENAI_CHAT))


def test_request_and_store_are_in_the_outcome() -> None:
    """Stored messages that are those of the input are the input's; others are read."""
    made = {"role": "user", "content": "made"}
    told = Trimmer("told", lambda it, _l, _c: Traced(it[1:], request=Request({"f"}), stored=[it[0], made]))
    outcome = outcome_of(told)

    assert outcome.sources == (1, 2)
    assert outcome.request == Request({"f"})
    assert outcome.stored is not None
    assert outcome.stored[0] is GIVEN[0]
    assert outcome.stored[1].text == "made"


def test_nothing_is_told_by_default() -> None:
    """A plain list says nothing of a request or a store, and the rules about them are not asked."""
    plain = Trimmer("plain", lambda it, _l, _c: it[1:])
    outcome = outcome_of(plain)
    engine = engine_for(contract_for(plain, provider="bedrock"))

    assert (outcome.request, outcome.stored) == (None, None)
    assert not {"tools-declared", "filter-complete", "state-consistent"} & {*engine.rules, *engine.relations}


def test_what_is_told_is_judged() -> None:
    """A store that is another list breaks the promise; the same list keeps it."""
    for stored, broken in ((lambda it: it, 1), (lambda it: it[1:], 0)):
        trimmer = Trimmer(
            "store",
            lambda it, _l, _c, stored=stored: Traced(it[1:], stored=stored(it)),
            promises={"state-consistent": 1.0},
            tells=frozenset({"stored"}),
        )
        engine = engine_for(contract_for(trimmer))
        found = engine.judge_case(engine.contract.case(GIVEN, Limit("messages", 2)))
        assert sum(finding.rule == "state-consistent" for finding in found) == broken
