"""Mild forms: what a bare function is taken to promise leaves room for what honest trimmers do."""

from typing import Any

import pytest

from trimfuzz.messages.cases import Case, Example, Failure, Outcome
from trimfuzz.messages.limits import Limit, LimitKind, cost_of
from trimfuzz.messages.reading.profiles import profile
from trimfuzz.oracles.judging.judging import judge
from trimfuzz.oracles.rules.mild import asks_for_a_cut, floor_of, spared
from trimfuzz.oracles.rules.registry import MILD

from ..shorthand import case_of, history, ok, size_of

REFUSED = Outcome("refused", failure=Failure("ValueError"))


def mild(rule: str, given: str, kept: str | Outcome, *, limit: int | None = None, **options: Any) -> list[str]:
    """Return the cuts by which a trim broke the mild form of a rule."""
    case = case_of(given, limit=limit, provider=options.pop("provider", "neutral"))
    outcome = kept if isinstance(kept, Outcome) else ok(case.history, kept)
    return [one.cut for one in judge(case, outcome, rules=(rule,), assumed=frozenset({rule}), **options)]


def counted(given: str, kept: str, *, limit: int, kind: LimitKind = "messages") -> list[str]:
    """Return the cuts by which a trim broke the mild within-limit, under a limit of messages or turns."""
    example = Example(history(given), cost=cost_of(kind, size_of))
    case = Case(example, Limit(kind, limit))
    found = judge(case, ok(case.history, kept), rules=("within-limit",), assumed=frozenset({"within-limit"}))
    return [one.cut for one in found]


def test_every_mild_form_is_of_an_assumed_promise() -> None:
    """deterministic and utilisation have no other form; all else that is assumed has."""
    assert set(MILD) == {
        "order-preserved", "within-limit", "identity-under-limit", "refuses-only-when-needed", "nonempty-history",
    }  # fmt: skip


def test_the_floor() -> None:
    """System and developer messages, the first user message, the last turn, pins with their unit, the newest unit."""
    floor = floor_of(case_of("S U A[a]! T(a) D U A[b] T(b)").example)
    assert floor.system == {0, 4}
    assert floor.first == {1}
    assert floor.turn == {5, 6, 7}
    assert floor.pinned == {2, 3}
    assert floor.newest == {6, 7}
    assert floor_of(case_of("S A A").example).turn == {1, 2}, "without a user message the whole conversation"
    assert floor_of(case_of("S").example).newest == frozenset()


class TestWithinLimit:
    """Over the limit, and over what must stay."""

    def test_the_floor_may_stay_whatever_the_limit_says(self) -> None:
        """System, first user message and the last turn; not one more."""
        assert mild("within-limit", "S#5 U A A U A", "0 1 4 5", limit=2) == []
        assert mild("within-limit", "S#5 U A A U A", "0 1 3 4 5", limit=2) == ["over-limit"]

    def test_what_was_put_in_does_not_count(self) -> None:
        """A note that says what was left out."""
        assert mild("within-limit", "U A U", "+MARK=gone 2", limit=1) == []
        assert mild("within-limit", "U A A U", "0 1 2 3", limit=2) == ["over-limit"]

    def test_messages_are_counted_without_system_messages(self) -> None:
        """Many count the conversation alone: N others beside any number of those."""
        assert counted("S S U A U A", "0 1 4 5", limit=2) == []
        assert counted("S S U A A U", "0 1 3 4 5", limit=2) == ["over-limit"]
        assert counted("S U A U A", "0 3 4", limit=1, kind="turns") == []

    def test_pins_are_left_out_too(self) -> None:
        """Kept because they are pinned."""
        assert counted("U! A A U", "0 3", limit=1) == []
        assert counted("U A A A U", "2 3 4", limit=2) == ["over-limit"]

    def test_pending_input_is_judged_and_malformed_is_not(self) -> None:
        """As the definitions have it."""
        assert mild("within-limit", "U A A U A[a]", "0 1 2 3 4", limit=1) == ["over-limit"]
        assert mild("within-limit", "U T(x) A U", "0 1 2 3", limit=1) == []


@pytest.mark.parametrize(
    ("given", "kept", "limit", "said"),
    [
        ("U A U#5", "2", 3, "over by 2 where the last turn alone is larger"),
        ("S#2 U A U", "0 1 3", 3, "over by 1 where what must stay is larger (system messages, pins,"),
        ("U A A U", "0 +MARK=gone 3", 2, "over by 1 where what it put in is not counted"),
        ("U A U", "2", 3, ""),
        ("U T(x) A U", "0 1 2 3", 1, ""),
    ],
)
def test_what_was_spared_is_said(given: str, kept: str, limit: int, said: str) -> None:
    """By how much it is over, and for what; each sentence is true of its case."""
    case = case_of(given, limit=limit)
    found = spared(case, ok(case.history, kept))
    assert found.startswith(said)
    assert bool(found) is bool(said)


class TestNonemptyHistory:
    """Nothing of the conversation came back, although the newest unit fits."""

    def test_the_newest_unit_must_fit_with_what_is_kept_always(self) -> None:
        """A system message that leaves no room, and a unit that is too large, excuse."""
        assert mild("nonempty-history", "S U A", "0", limit=2) == ["emptied"]
        assert mild("nonempty-history", "S#2 U A", "0", limit=2) == []
        assert mild("nonempty-history", "U A[a] T(a)", "", limit=1) == []
        assert mild("nonempty-history", "U A[a] T(a)", "", limit=2) == ["emptied"]

    def test_an_unknown_unit_needs_a_limit_of_ten_times_the_whole(self) -> None:
        """Whatever it counts, that is enough; no limit at all is enough too."""
        assert mild("nonempty-history", "U A", "", limit=19, measured=False) == []
        assert mild("nonempty-history", "U A", "", limit=20, measured=False) == ["emptied"]
        assert mild("nonempty-history", "U A", "") == ["emptied"]


class TestIdentity:
    """The same request came back."""

    @pytest.mark.parametrize("kept", ["0 1 2 3", "2 0 1 3"])
    def test_system_messages_may_come_first(self, kept: str) -> None:
        """A provider reads them alike."""
        assert mild("identity-under-limit", "U A S U", kept, limit=9) == []

    def test_what_is_gone_moved_or_new_is_found(self) -> None:
        """Everything else is another request."""
        assert mild("identity-under-limit", "U A U", "0 1", limit=9) == ["lost"]
        assert mild("identity-under-limit", "U A U", "0 2 1", limit=9) == ["reordered"]
        assert mild("identity-under-limit", "U A U", "0 +U 1 2", limit=9) == ["invented"]

    def test_refusing_what_fits_is_another_rule(self) -> None:
        """It has one number: that of refuses-only-when-needed."""
        assert mild("identity-under-limit", "U A", REFUSED, limit=9) == []
        assert mild("refuses-only-when-needed", "U A", REFUSED, limit=9) == ["refused"]

    def test_marks_may_be_lost(self) -> None:
        """A pin is a key of this suite; who rebuilds messages loses it."""
        case = case_of("U! A", limit=9)
        plain = Outcome("ok", history("U=U0 A=A1"))
        assert judge(case, plain, rules=("identity-under-limit",), assumed=frozenset({"identity-under-limit"})) == []
        assert judge(case, plain, rules=("identity-under-limit",)) != []

    def test_neighbours_may_be_merged_where_the_provider_merges(self) -> None:
        """Not elsewhere."""
        merged = Outcome("ok", history("U=ab A=c"))
        for provider, cuts in (("anthropic", []), ("openai-chat", ["lost"])):
            example = Example(history("U=a U=b A=c"), profile=profile(provider), cost=size_of)
            found = judge(
                Case(example, Limit("tokens", 9)), merged,
                rules=("identity-under-limit",), assumed=frozenset({"identity-under-limit"}),
            )  # fmt: skip
            assert [one.cut for one in found] == cuts


class TestRefusals:
    """Refused, although what must stay fits with room for a note."""

    def test_room_for_a_note(self) -> None:
        """A quarter of the limit, and at least 1."""
        assert mild("refuses-only-when-needed", "U A A A U", REFUSED, limit=2) == []
        assert mild("refuses-only-when-needed", "U A A A U", REFUSED, limit=3) == ["refused"]
        assert mild("refuses-only-when-needed", "S#6 U A A A U", REFUSED, limit=9) == []
        assert mild("refuses-only-when-needed", "S#6 U A A A A A U", REFUSED, limit=11) == ["refused"]

    def test_only_on_valid_input(self) -> None:
        """A pending call may be a reason."""
        assert mild("refuses-only-when-needed", "U A A A U A[a]", REFUSED, limit=99) == []


def test_order_of_all_but_system_messages() -> None:
    """They may stand in front of everything."""
    assert mild("order-preserved", "U A S U", "2 0 1 3") == []
    assert mild("order-preserved", "U A S U", "2 1 0 3") == ["reordered"]


@pytest.mark.parametrize(
    ("given", "limit", "asks"),
    [("S U A U", 3, True), ("S U A U", 4, False), ("S U A A U", 2, False), ("S", 0, False), ("U T(x) A U", 3, False)],
)
def test_utilisation_is_asked_where_the_floor_fits_and_the_whole_does_not(given: str, limit: int, asks: bool) -> None:
    """Else there is nothing to choose."""
    assert asks_for_a_cut(case_of(given, limit=limit)) is asks


def test_a_list_that_is_counted_as_a_whole_has_its_constant() -> None:
    """The room of a limit is what the constant leaves."""
    given = history("U A A U")
    example = Example(given, cost=size_of, base=3, measure=lambda messages: len(messages))
    for limit, cuts in ((7, []), (6, ["over-limit"])):
        case = Case(example, Limit("tokens", limit))
        found = judge(case, ok(given, "0 1 2 3"), rules=("within-limit",), assumed=frozenset({"within-limit"}))
        assert [one.cut for one in found] == cuts
