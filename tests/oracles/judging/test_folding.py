"""Folding: which findings of one case are the same bug."""

import pytest

from trimfuzz.messages.cases import Case, Finding
from trimfuzz.oracles.judging.folding import EXPLAINED_BY, bug_key, explanations
from trimfuzz.oracles.judging.judging import judge
from trimfuzz.oracles.rules.registry import RULES

from ..shorthand import case_of, ok


def standing(case: Case, kept: str, *rules: str) -> dict[str, set[str]]:
    """Return for each rule that a trim broke the rules that explain it."""
    findings = judge(case, ok(case.history, kept), rules=rules or None)
    explained = explanations(findings)
    return {
        finding.rule: {findings[index].rule for index in causes}
        for finding, causes in zip(findings, explained, strict=True)
    }


PAIRING = ("no-orphan", "call-answered", "batch-atomic", "result-adjacent", "one-result-per-call")


def test_a_cut_batch_is_the_orphan_that_it_leaves() -> None:
    """The result that stayed is an orphan; that its batch is cut is no further bug."""
    assert standing(case_of("U A[a,b] T(a) T(b)"), "0 2 3", *PAIRING) == {
        "no-orphan": set(),
        "batch-atomic": {"no-orphan"},
    }


def test_two_breaks_of_two_units_are_two_bugs() -> None:
    """An orphan of one batch explains nothing of another batch, whose call stays open."""
    found = standing(case_of("U A[a] T(a) U A[b] T(b)"), "2 3 4", *PAIRING)
    assert found["no-orphan"] == set()
    assert found["call-answered"] == set()


def test_a_finding_at_two_places_is_explained_only_where_both_are() -> None:
    """One cause has one finding in a case, however many places it stands for."""
    case = case_of("U A[a] T(a) A[b] T(b)")
    outcome = ok(case.history, "0")
    both = Finding("batch-atomic", "call-dropped", case, outcome, places=(((1,), ("a",)), ((3,), ("b",))))
    first = Finding("no-orphan", "call-dropped", case, outcome, messages=(2,))
    second = Finding("call-answered", "result-dropped", case, outcome, messages=(3,))
    assert explanations([both, first]) == [frozenset(), frozenset()]
    assert explanations([both, first, second]) == [frozenset({1, 2}), frozenset(), frozenset()]


def test_what_holds_for_the_whole_list_is_explained_by_any_unit() -> None:
    """A list that is not what it was, or too long, because of something else."""
    case = case_of("U A[a] T(a)", limit=9)
    assert standing(case, "0 2", "no-orphan", "identity-under-limit") == {
        "no-orphan": set(),
        "identity-under-limit": {"no-orphan"},
    }
    twice = case_of("U A", limit=2)
    assert standing(twice, "0 1 1", "nothing-duplicated", "within-limit")["within-limit"] == {"nothing-duplicated"}


def test_conduct_towards_the_caller_neither_explains_nor_is_explained() -> None:
    """Changing the input and breaking pairs are two bugs of one trim."""
    for stranger in ("total-no-raise", "terminates", "no-input-mutation", "deterministic"):
        assert stranger not in EXPLAINED_BY
        assert all(stranger not in causes for causes in EXPLAINED_BY.values())


def test_explanations_have_no_circle() -> None:
    """Else two findings would each be the other's, and no bug would be left."""
    ahead = {rule: set(causes) for rule, causes in EXPLAINED_BY.items()}
    for _ in RULES:
        ahead = {rule: causes.union(*(ahead.get(one, ()) for one in causes)) for rule, causes in ahead.items()}
    assert [rule for rule, causes in ahead.items() if rule in causes] == []


def test_a_place_without_messages_is_found_by_its_ids() -> None:
    """A new message is about the unit whose call it has; one that nobody knows stands for itself."""
    case = case_of("U A[a] T(a) A[b] T(b)")
    outcome = ok(case.history, "0")
    invented = Finding("invented-call", "invented", case, outcome, ids=("a",))
    same = Finding("call-answered", "result-dropped", case, outcome, messages=(2,))
    other = Finding("call-answered", "result-dropped", case, outcome, messages=(3,))
    unknown = Finding("call-answered", "result-dropped", case, outcome, ids=("z",))
    assert explanations([invented, same]) == [frozenset(), frozenset({0})]
    assert explanations([invented, other]) == [frozenset(), frozenset()]
    assert explanations([invented, unknown]) == [frozenset(), frozenset()]


@pytest.mark.parametrize(
    ("cause", "key"),
    [
        ("no-orphan/valid/call-dropped", "no-orphan/call-dropped"),
        ("no-orphan/pending/call-dropped", "no-orphan/call-dropped"),
        ("no-orphan/malformed/call-dropped", "no-orphan/malformed/call-dropped"),
        ("call-answered/valid/inserted-between", "result-adjacent/inserted-between"),
        ("call-answered/valid/result-dropped", "call-answered/result-dropped"),
        ("no-orphan/call-dropped", "no-orphan/call-dropped"),
    ],
)
def test_keys(cause: str, key: str) -> None:
    """The class is left out where it fails; what was put between is one bug; a key is its own key."""
    assert bug_key(cause) == key
    assert bug_key(key) == key


def test_the_key_of_a_class_that_fails_too() -> None:
    """With --fail-on malformed the same cut is the same bug there."""
    assert bug_key("no-orphan/malformed/call-dropped", ("valid", "pending", "malformed")) == "no-orphan/call-dropped"
