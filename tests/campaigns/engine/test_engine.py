"""The engine: every limit of a history, every rule that has a say, and the further runs that relations need."""

from typing import Any

import pytest
from attrs import evolve

from trimfuzz.campaigns.engine.engine import Engine, engine_for, narrowed
from trimfuzz.campaigns.engine.shrinking import finder, plainness, shrink
from trimfuzz.campaigns.engine.tally import ENOUGH_RATIOS, Tally
from trimfuzz.campaigns.target.contract import contract_for
from trimfuzz.campaigns.target.resolve import resolve
from trimfuzz.campaigns.target.spec import Spec
from trimfuzz.implementations.trimmer import Trimmer
from trimfuzz.messages.errors import BadCounter
from trimfuzz.messages.limits import Limit
from trimfuzz.messages.model import History
from trimfuzz.messages.shorthand import history

LONG = history("S U A U A[c1,c2] T(c1) T(c2) A U A[c3] T(c3) A U")


def tail(items: list[Any], limit: int, _count: Any) -> list[Any]:
    """The newest messages, wherever that cuts."""
    return items[-limit:] if limit > 0 else []


def nothing(_items: list[Any], _limit: int, _count: Any) -> list[Any]:
    """Nothing at all."""
    return []


def engine(trim: Any, *, promises: dict[str, float] | None = None, observe: bool = True, **options: Any) -> Engine:
    """An engine for a trimmer of OpenAI dicts."""
    return engine_for(contract_for(Trimmer("mine", trim, promises=promises or {}, **options)), observe=observe)


def examined(made: Engine, *histories: History) -> Tally:
    """The tally after some histories."""
    tally = Tally(made.contract)
    for number, one in enumerate(histories):
        made.examine(one, tally, seed=number)
    return tally


def test_every_limit_of_a_history_is_tried() -> None:
    """From below zero to one above its length."""
    seen: list[int] = []

    def trim(items: list[Any], limit: int, _count: Any) -> list[Any]:
        seen.append(limit)
        return items

    examined(narrowed(engine(trim), ["no-orphan"]), history("U A U"))

    assert sorted(seen) == [-1, 0, 1, 2, 3, 4]


def test_the_smallest_finding_of_each_cause_is_kept() -> None:
    """A longer history with the same cause does not take its place."""
    tally = examined(engine(tail), LONG, history("U A[c1] T(c1)"), LONG)

    found = tally.smallest["no-orphan/valid/call-dropped"]
    assert len(found.case.history) == 3
    assert tally.counts["no-orphan/valid/call-dropped"] > 2


def test_what_nobody_promised_is_not_asked_in_a_campaign() -> None:
    """Without `observe` only what could fail is judged; with it, broken promises are noticed all the same."""
    noticed = {cause.split("/")[0] for cause in examined(engine(tail), LONG).smallest}
    failing = {cause.split("/")[0] for cause in examined(engine(tail, observe=False), LONG).smallest}

    assert "keeps-system" in noticed
    assert failing == {"no-orphan", "batch-atomic"}


def test_relations_get_the_runs_that_they_need_and_no_others() -> None:
    """A trimmer that promises nothing about repetition is run once for each limit."""
    calls = 0

    def trim(items: list[Any], limit: int, _count: Any) -> list[Any]:
        nonlocal calls
        calls += 1
        return items[:limit] if limit > 0 else []

    once = engine(trim, observe=False)
    examined(once, history("U A U"))
    single, calls = calls, 0
    examined(engine(trim, promises={"deterministic": 1.0, "idempotent": 1.0}, observe=False), history("U A U"))

    assert single == 6
    assert calls > 6


def test_a_second_run_with_another_answer_breaks_deterministic() -> None:
    """Judged case by case, as shrinking does."""
    turn = 0

    def trim(items: list[Any], _limit: int, _count: Any) -> list[Any]:
        nonlocal turn
        turn += 1
        return items[turn % 2 :]

    made = engine(trim, promises={"deterministic": 1.0}, observe=False)
    causes = {found.rule for found in made.judge_case(made.contract.case(history("U U"), Limit("messages", 1)))}

    assert "deterministic" in causes


def test_monotone_compares_with_the_next_larger_limit() -> None:
    """A trimmer that keeps less at three than at two is found at two."""

    def trim(items: list[Any], limit: int, _count: Any) -> list[Any]:
        return items[-1:] if limit == 3 else tail(items, limit, _count)

    made = engine(trim, promises={"monotone": 1.0})
    at_two = made.judge_case(made.contract.case(history("U A U A"), Limit("messages", 2)))
    at_one = made.judge_case(made.contract.case(history("U A U A"), Limit("messages", 1)))

    assert "monotone" in {found.rule for found in at_two}
    assert "monotone" not in {found.rule for found in at_one}


def test_utilisation_is_a_statement_about_many_cases() -> None:
    """Nothing is said of a few; of many, the median, and the smallest history below the bound."""
    few = examined(engine(nothing, promises={"utilisation": 0.5}), history("U A U"))
    many = examined(engine(nothing, promises={"utilisation": 0.5}), *[history("U A U A U")] * 10, history("U A"))

    assert few.utilisation.median is None
    assert "utilisation" not in {found.rule for found in few.close()}
    assert len(many.utilisation.ratios) >= ENOUGH_RATIOS
    assert [len(found.case.history) for found in many.close() if found.rule == "utilisation"] == [2]


def test_a_refusal_is_no_matter_of_utilisation() -> None:
    """Needed or not; and whether it was needed is asked with what the trimmer promised to keep."""

    class TooSmall(Exception):
        pass

    def trim(_items: list[Any], _limit: int, _count: Any) -> list[Any]:
        raise TooSmall

    rules = {"utilisation": 0.5, "refuses-only-when-needed": 1.0}
    needed = examined(engine(trim, promises=rules, refuses=(TooSmall,)), history("U! A! U!"))
    needless = examined(engine(trim, promises=rules, refuses=(TooSmall,)), history("U A U"))
    kept = examined(
        engine(trim, promises={**rules, "keeps-current-turn": 1.0}, refuses=(TooSmall,)), history("U A U A")
    )

    assert needed.utilisation.ratios == needless.utilisation.ratios == []
    assert needless.smallest["refuses-only-when-needed/valid/refused"].case.room == 1
    assert kept.smallest["refuses-only-when-needed/valid/refused"].case.room == 2


def test_a_bare_list_of_system_messages_is_judged_in_one_form_only() -> None:
    """nonempty-history promised is the relation; else it is what the provider rejects."""
    promised = examined(engine(nothing, promises={"nonempty-history": 1.0}), history("S U"))
    enforced = examined(engine(nothing), history("S U"))

    assert promised.contract.kind_of("nonempty-history") == "promise"
    assert enforced.contract.kind_of("nonempty-history") == "pack"
    assert [cause for cause in enforced.smallest if cause.startswith("nonempty-history")] == [
        "nonempty-history/valid/emptied"
    ]


def test_a_fixed_window_has_one_limit() -> None:
    """A trimmer that takes no limit is run once for each history."""
    made = engine(lambda items, _limit, _count: items[-2:], takes_limit=False, fixed=2)

    assert made.limits(made.contract.example(LONG)) == (Limit("messages", 2),)


@pytest.mark.parametrize("given", ["S U A U A[c1,c2] T(c1) T(c2) A U", "U U U A[z9] T(z9)=long_text_here A U A U"])
def test_shrinking_reaches_the_smallest_history(given: str) -> None:
    """An orphan needs three messages: something before the call is not even needed for the break."""
    made = engine(tail)
    found = examined(made, history(given)).smallest["no-orphan/valid/call-dropped"]

    small = shrink(made, found)

    assert small.complete
    assert [message.role for message in small.finding.case.history] == ["user", "assistant", "tool"]
    assert small.finding.case.limit == Limit("messages", 1)
    assert [call.id for call in small.finding.case.history[1].calls] == ["a"]


def test_shrinking_keeps_the_input_class() -> None:
    """A finding on interleaved input stays one, however much smaller a valid one would be."""
    made = engine(tail)
    found = examined(made, history("U A U A[c1] U T(c1) A U")).smallest["no-orphan/interleaved/call-dropped"]

    assert shrink(made, found).finding.case.input_class == "interleaved"


def test_shrinking_without_time_returns_what_it_was_given() -> None:
    """And says that it did not come to its end."""
    made = engine(tail)
    found = examined(made, LONG).smallest["no-orphan/valid/call-dropped"]

    cut = shrink(made, found, seconds=0)

    assert cut.finding is found
    assert not cut.complete


@pytest.mark.slow
def test_a_fault_only_beyond_forty_messages_keeps_forty_one() -> None:
    """The smallest failing history can be long, and is reached."""

    def trim(items: list[Any], limit: int, _count: Any) -> list[Any]:
        return items[1:] if len(items) > 40 else items

    made = narrowed(engine(trim), ["no-orphan"])
    given = history("A[c1] T(c1) " + "U A " * 24)
    found = examined(made, given).smallest["no-orphan/interleaved/call-dropped"]

    assert len(shrink(made, found).finding.case.history) == 41


def test_what_a_format_cannot_carry_is_no_candidate() -> None:
    """A shrunk text beside the parts of a message cannot be written: it is skipped, and shrinking goes on."""
    parts = [{"type": "text", "text": "long text"}, {"type": "image_url", "image_url": {"url": "x"}}]
    given = tuple(
        evolve(message, text="long text", extra={"parts": parts}) if message.role == "user" else message
        for message in history("U A U A[c1] T(c1)")
    )
    made = engine(lambda items, _limit, _count: items[-1:], limits=("tokens",))
    found = examined(made, given).smallest["no-orphan/valid/call-dropped"]

    small = shrink(made, found)

    assert small.complete
    assert [message.role for message in small.finding.case.history] == ["user", "assistant", "tool"]
    unwritable = evolve(given[0], text="l")
    assert made.trim(made.contract.case((unwritable,), Limit("tokens", 99))).status == "skipped"


def test_what_a_counter_cannot_price_is_no_candidate() -> None:
    """A counter that fails on what shrinking makes ends no shrink."""

    def count(item: Any) -> int:
        if item["content"] == "a":
            raise BadCounter("no price")
        return 1

    tokens = Trimmer("mine", lambda items, _limit, _count: items[-1:], limits=("tokens",))
    made = engine_for(contract_for(tokens, count=count))
    found = examined(made, history("U=long A A[c1] T(c1)")).smallest["no-orphan/valid/call-dropped"]

    assert shrink(made, found).finding.case.history[0].text not in ("a", "long")


def test_a_finder_finds_its_cause_and_no_other() -> None:
    """The tail trimmer orphans a result; it does not drop one."""
    made = engine(tail)
    case = made.contract.case(history("U A[c1] T(c1)"), Limit("messages", 1))

    assert finder(made, "no-orphan/valid/call-dropped")(case) is not None
    assert finder(made, "call-answered/valid/result-dropped")(case) is None


def test_plainness_counts_messages_before_all_else() -> None:
    """Then cost, marks, roles and texts."""
    order = ["U", "A", "S", "U!", "A[c1]", "U A"]

    assert sorted(order, key=lambda text: plainness(history(text), 1)) == order


def test_withdrawing_a_promise_never_asks_for_more() -> None:
    """A bare function is judged as mildly by its provider as by the promise that it is taken to make."""
    emptied = Trimmer("emptied", lambda _items, _limit, _count: [], bare=True)
    declared = Trimmer("declared", lambda _items, _limit, _count: [], mild=True)
    messages = history("U A[c1,c2] T(c1) T(c2)")
    for trimmer, withdrawn, broken in ((emptied, (), 0), (emptied, ("nonempty-history",), 0), (declared, (), 1)):
        engine = engine_for(resolve(Spec.of(trimmer, no_promise=withdrawn)))
        found = engine.judge_case(engine.contract.case(messages, Limit("messages", 2)))
        assert sum(finding.rule == "nonempty-history" for finding in found) == broken
