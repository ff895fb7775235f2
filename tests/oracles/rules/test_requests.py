"""What only the request can tell: tools that are not declared, and a filter that left something."""

import pytest
from attrs import evolve

from trimfuzz.messages.cases import Case, Outcome
from trimfuzz.messages.errors import BadHistory
from trimfuzz.messages.reading.profiles import PROFILES
from trimfuzz.messages.reports import reports_of
from trimfuzz.messages.requests import Filter, Request, load_request
from trimfuzz.messages.shorthand import history
from trimfuzz.oracles.judging.judging import judge
from trimfuzz.oracles.packs import PACKS
from trimfuzz.oracles.rules.lint import lint
from trimfuzz.strategies.known import reports_text

from ..shorthand import case_of

NONE, SOME = Request(()), Request({"f"})


def broken(
    rule: str, given: str, sent: str, before: Request | None, after: Request | None = None
) -> list[tuple[str, object]]:
    """Judge a trim by one rule; give the cut and the messages of each finding."""
    case = evolve(case_of(given), request=before)
    outcome = Outcome("ok", history(sent), request=after)
    return [(found.cut, found.messages) for found in judge(case, outcome, rules=(rule,))]


class TestToolsDeclared:
    """tools-declared."""

    def test_tools_that_went_while_the_calls_stayed(self) -> None:
        """Every message with a call or a result is meant, the first stands for all."""
        assert broken("tools-declared", "U A[a] T(a) U", "U A[a] T(a) U", SOME, NONE) == [("lost", (1,))]

    @pytest.mark.parametrize(
        ("sent", "before", "after"),
        [
            ("U A[a] T(a) U", SOME, None),  # the tools are still there
            ("U A[a] T(a) U", NONE, NONE),  # they never were: given
            ("U A[a] T(a) U", None, None),  # nothing is known
            ("U A[a] T(a) U", SOME, Request(None)),  # nothing is known of what was sent
            ("U U=U3", SOME, NONE),  # the calls went too
        ],
    )
    def test_near_misses(self, sent: str, before: Request | None, after: Request | None) -> None:
        """Each lacks one thing."""
        assert broken("tools-declared", "U A[a] T(a) U", sent, before, after) == []

    def test_an_invented_call_in_a_request_without_tools(self) -> None:
        """It is new, so nobody gave it."""
        assert broken("tools-declared", "U=u U=v", "U=u A[z] T(z) U=v", NONE) == [("invented", ())]

    def test_a_server_call_needs_no_tool_of_the_client(self) -> None:
        """Server tools are declared elsewhere."""
        assert broken("tools-declared", "U A[p*](p) U", "U A[p*](p) U", SOME, NONE) == []

    def test_lint_knows_where_the_request_is_known(self) -> None:
        """Each message is a complaint; without the request there is nothing to complain of."""
        sent = history("U A[a] T(a) U")
        assert [one.messages for one in lint(sent, request=NONE) if one.rule == "tools-declared"] == [(1,), (2,)]
        assert lint(sent, request=SOME) == lint(sent) == ()

    def test_who_enforces_it(self) -> None:
        """bedrock by its own words, anthropic by hearsay, strict."""
        assert {name for name, found in PACKS.items() if "tools-declared" in found.enforces} == {
            "anthropic", "bedrock", "strict",
        }  # fmt: skip
        text = PACKS["bedrock"].text("tools-declared")
        assert text is not None
        assert (text.text or "").startswith("The toolConfig field must be defined")


class TestFilterComplete:
    """filter-complete."""

    @pytest.mark.parametrize(
        ("given", "sent", "messages"),
        [
            ("U A[a] T(a) U", "U A[a] T(a) U", (1,)),
            ("U A[a] T(a) U", "U T(a)=T2 U=U3", (2,)),  # the call went, its result stayed
            ("U A[p*](p) U", "U A[p*](p) U", (1,)),  # a server call
            ("U A?q U", "U A?q U", (1,)),  # somebody is still asked for approval
        ],
    )
    def test_everything_was_to_go(self, given: str, sent: str, messages: tuple[int, ...]) -> None:
        """Whatever its kind is."""
        found = broken("filter-complete", given, sent, Request(remove=Filter()))
        assert found[0] == ("over-limit", messages)

    @pytest.mark.parametrize("request_", [None, Request({"f"}), Request(remove=Filter({"g"}))])
    def test_near_misses(self, request_: Request | None) -> None:
        """No request is known, no filter was asked for, or it was about another tool."""
        assert broken("filter-complete", "U A[a] T(a) U", "U A[a] T(a) U", request_) == []

    def test_a_filter_that_did_what_it_was_told(self) -> None:
        """Nothing of the tool is left."""
        assert broken("filter-complete", "U A[a] T(a) U", "U U=U3", Request(remove=Filter({"f"}))) == []

    def test_a_stand_in_is_left_too(self) -> None:
        """A call that was put there new is a call."""
        found = broken("filter-complete", "U=u U=v", "U=u A[z] T(z) U=v", Request(remove=Filter()))
        assert found == [("invented", ())]


def test_the_two_reports_that_claim_them() -> None:
    """They are scenarios, since a history does not hold the request; with it, each is shown by one trim."""
    reports = {report.id: report for report in reports_of(reports_text())}
    special, undeclared = reports["C79"], reports["C80"]

    def rules(case: Case, outcome: Outcome) -> set[str]:
        return {found.rule for found in judge(case, outcome)}

    assert "filter-complete" not in rules(special.case, special.outcome)
    assert "filter-complete" in rules(evolve(special.case, request=Request(remove=Filter())), special.outcome)
    assert "tools-declared" not in rules(undeclared.case, undeclared.outcome)
    told, sent = Request({"look"}), Request(())
    assert "tools-declared" in rules(evolve(undeclared.case, request=told), evolve(undeclared.outcome, request=sent))


def test_the_same_under_every_profile() -> None:
    """A pack decides what fails, not what is broken."""
    case = case_of("U A[a] T(a) U")
    for profile in PROFILES.values():
        example = evolve(case.example, profile=profile)
        known = Case(example, request=Request({"f"}, Filter()))
        outcome = Outcome("ok", case.history, request=Request((), None))
        found = {one.rule for one in judge(known, outcome, rules=("tools-declared", "filter-complete"))}
        assert found == {"tools-declared", "filter-complete"}


@pytest.mark.parametrize(
    ("given", "read"),
    [
        ({}, Request()),
        ({"tools": []}, Request(())),
        ({"tools": ["f"], "remove": ["g"]}, Request({"f"}, Filter({"g"}))),
        ({"remove": True}, Request(remove=Filter())),
    ],
)
def test_a_request_is_read_from_json(given: object, read: Request) -> None:
    """True stands for every tool."""
    assert load_request(given) == read


@pytest.mark.parametrize("given", [[], {"tools": "f"}, {"tools": [1]}, {"remove": False}])
def test_a_bad_request_is_an_error(given: object) -> None:
    """One line that says what it must be."""
    with pytest.raises(BadHistory, match="request"):
        load_request(given)
