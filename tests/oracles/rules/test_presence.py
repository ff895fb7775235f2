"""Something of the conversation comes back, if anything legal fits."""

from trimfuzz.messages.cases import Case, Example, Outcome
from trimfuzz.messages.limits import Limit, cost_of, one_each
from trimfuzz.messages.shorthand import history
from trimfuzz.oracles.facts.evidence import NonemptyForm
from trimfuzz.oracles.judging.judging import judge

from ..shorthand import case_of, cuts


def test_an_emptied_conversation_is_found_where_something_fits() -> None:
    """The question beside a huge result, an older unit, and a summary under the system role."""
    assert cuts("nonempty-history", "S U A[c1] T(c1)#9", "0", limit=5) == ["emptied"]
    assert cuts("nonempty-history", "U A[c1,c2] T(c1) T(c2)", "", limit=2) == ["emptied"]
    assert cuts("nonempty-history", "S U A", "0 +S", provider="anthropic") == ["emptied"]


def test_an_emptied_conversation_is_held_where_nothing_fits() -> None:
    """One message too big, a head and pins that fill the limit, or no conversation to begin with."""
    assert cuts("nonempty-history", "U#9", "", limit=5) == []
    assert cuts("nonempty-history", "S! U", "0", limit=1) == []
    assert cuts("nonempty-history", "S", "", limit=5) == []


def test_the_mild_form_asks_for_the_newest_unit_alone() -> None:
    """An older one that would fit is no matter, where the newest does not."""
    given = "U A[c1,c2] T(c1) T(c2)"

    assert cuts("nonempty-history", given, "", limit=2, nonempty=NonemptyForm.MILD) == []
    assert cuts("nonempty-history", given, "", limit=3, nonempty=NonemptyForm.MILD) == ["emptied"]
    assert cuts("nonempty-history", "S U A", "0", limit=2, nonempty=NonemptyForm.MILD) == ["emptied"]
    assert cuts("nonempty-history", "S U A", "0", limit=1, nonempty=NonemptyForm.MILD) == []
    assert cuts("nonempty-history", given, "", nonempty=NonemptyForm.MILD) == ["emptied"]


def test_the_mild_form_lets_no_turn_at_all_be_nothing() -> None:
    """An answer costs no turn, but to keep nothing within none is no fault; with one turn it is."""
    found = {}
    for room in (-1, 0, 1):
        case = Case(Example(history("U A"), cost=cost_of("turns", one_each)), Limit("turns", room))
        found[room] = judge(case, Outcome("ok", ()), rules=("nonempty-history",), nonempty=NonemptyForm.MILD)

    assert [len(found[room]) for room in (-1, 0, 1)] == [0, 0, 1]


def test_the_mild_form_is_never_broken_where_the_relation_holds() -> None:
    """The newest unit fits, but is not legal alone, and there is nothing else."""
    assert cuts("nonempty-history", "U#9 A", "", limit=1, provider="bedrock") == []
    assert cuts("nonempty-history", "U#9 A", "", limit=1, provider="bedrock", nonempty=NonemptyForm.MILD) == []


def test_the_pack_form_is_what_the_provider_rejects() -> None:
    """No message at all, or no conversation where the system prompt stands outside; unless nothing legal fits."""
    assert cuts("nonempty-history", "U#5", "", limit=5, provider="openai-chat", nonempty=NonemptyForm.REJECTED) == [
        "emptied"
    ]
    assert cuts("nonempty-history", "U#9", "", limit=5, provider="openai-chat", nonempty=NonemptyForm.REJECTED) == []
    assert cuts("nonempty-history", "S#9 U", "0", limit=5, provider="anthropic", nonempty=NonemptyForm.REJECTED) == []
    assert cuts("nonempty-history", "S U", "0", limit=5, provider="openai-chat", nonempty=NonemptyForm.REJECTED) == []
    assert cuts("nonempty-history", "S U", "0", limit=5, provider="anthropic", nonempty=NonemptyForm.REJECTED) == [
        "emptied"
    ]
    assert cuts("nonempty-history", "", "", limit=5, provider="openai-chat", nonempty=NonemptyForm.REJECTED) == []


def test_there_is_one_finding_whatever_the_form() -> None:
    """The rule never speaks twice of one trim."""
    for options in ({}, {"nonempty": NonemptyForm.MILD}, {"nonempty": NonemptyForm.REJECTED}):
        assert len(cuts("nonempty-history", "U A", "", limit=1, provider="openai-chat", **options)) == 1


def test_a_refusal_is_no_emptied_history() -> None:
    """refuses-only-when-needed speaks of it."""
    assert judge(case_of("U A", limit=1), Outcome("refused"), rules=("nonempty-history",)) == []


def test_a_user_message_is_asked_for_where_the_profile_needs_one() -> None:
    """A bearer of results is none; where none fits nobody is blamed."""
    given = "U A[c1,c2] T(c1) T(c2)"

    assert cuts("nonempty-user", given, "1 2 3", provider="strict") == ["emptied"]
    assert cuts("nonempty-user", given, "1 2 3", provider="openai-chat") == []
    assert cuts("nonempty-user", "U A[c1] T(c1) U", "3", provider="strict") == []
    assert cuts("nonempty-user", "U A[c1] T(c1)", "1 +U(c1)", provider="strict") == ["emptied"]
    assert cuts("nonempty-user", "U#9 A", "1", limit=1, provider="strict") == []


def test_the_pack_form_is_as_mild_as_the_promise() -> None:
    """Whoever withdraws the promise in its mild form is not asked for more than it was."""
    case = case_of("U A[c1,c2] T(c1) T(c2)", limit=2)
    emptied = Outcome("ok", ())

    assert judge(case, emptied, rules=("nonempty-history",), nonempty=NonemptyForm.REJECTED_MILD) == []
    assert len(judge(case, emptied, rules=("nonempty-history",), nonempty=NonemptyForm.REJECTED)) == 1
    fits = case_of("U A[c1,c2] T(c1) T(c2)", limit=3)
    assert len(judge(fits, emptied, rules=("nonempty-history",), nonempty=NonemptyForm.REJECTED_MILD)) == 1
