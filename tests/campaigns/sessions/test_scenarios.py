"""Public reports that one plain trim does not show: each as a tiny faulty trimmer or store, and the rule that sees it.

The numbers are those of the reports' file (`trimfuzz judge --reports`). Each fault is written as the report tells it;
beside it stands the same without the fault, where the rule must be silent.
"""

from collections.abc import Callable
from itertools import count as numbers
from typing import Any

import pytest
from attrs import evolve

from trimfuzz.campaigns.target.contract import contract_for
from trimfuzz.implementations.running import run
from trimfuzz.implementations.stateful import compacting, remembering
from trimfuzz.implementations.time_limit import Watch
from trimfuzz.implementations.trimmer import Trimmer
from trimfuzz.messages.cases import Case, Example, Outcome, Runs
from trimfuzz.messages.limits import Limit
from trimfuzz.messages.model import History, Message
from trimfuzz.messages.reading.profiles import profile
from trimfuzz.messages.shorthand import history
from trimfuzz.oracles.judge.judging import judge

from ..playing import causes, player_of

Dicts = list[dict[str, Any]]
SUMMARY = {"role": "user", "content": "so far", "summary": True}
CONSISTENT = {"state-consistent": 1.0}
NINE = Limit("messages", 9)


def broken(rule: str, trim: Callable[..., Any], given: str, limit: Limit, *, under: str = "openai-chat") -> list[str]:
    """Trim one history and return the cuts by which a rule is broken; watched, since some of these never end."""
    contract = contract_for(Trimmer("mine", trim, limits=(limit.kind,)), provider=under)
    case = contract.case(history(given), limit)
    watch = Watch(0.2)
    with watch.watching():
        outcome = run(contract.trimmer, case, count=contract.count, watch=watch)
        twice = None
        if outcome.output is not None:
            again = contract.case(outcome.output, limit)
            twice = run(contract.trimmer, again, count=contract.count, watch=watch)
    return [found.cut for found in judge(case, outcome, rules=(rule,), runs=Runs(twice=twice))]


def by_hand(rule: str, given: str, output: History, *, under: str) -> list[str]:
    """Judge an output that is written down."""
    case = Case(Example(history(given), profile=profile(under)))
    return [found.cut for found in judge(case, Outcome("ok", output), rules=(rule,))]


# Sessions: what is stored is not what is sent


def repaired(items: Dicts, _limit: Any, _count: Any) -> Dicts:
    """Answers open calls with a stand-in, on a copy."""
    found: Dicts = []
    answered = {item["tool_call_id"] for item in items if item["role"] == "tool"}
    for item in items:
        found.append(item)
        for call in item.get("tool_calls") or ():
            if call["id"] not in answered:
                found.append({"role": "tool", "tool_call_id": call["id"], "content": "interrupted"})
    return found


def test_c18_repair_that_is_not_stored() -> None:
    """The request is repaired in memory alone; after a restart the open call is there again."""
    text = 'user "a"; call x; interrupt; user "b"; send'
    guard = Trimmer("guard", repaired)
    only_sent = evolve(player_of(lambda items, _limit, _count: items, promises=CONSISTENT), then=guard)
    assert causes(only_sent, text, NINE) == ["state-consistent/interleaved/lost"]
    assert causes(player_of(repaired, promises=CONSISTENT), text, NINE) == []


class Store:
    """A memory that shows and saves the same."""

    def __init__(self, _limit: int) -> None:
        self.messages: Dicts = []

    def add(self, message: dict[str, Any]) -> None:
        self.messages.append(message)

    def view(self) -> Dicts:
        return self.messages

    def save(self) -> Dicts:
        return self.messages


class MarksWhatIsLeftOut(Store):
    """What is left out is marked on the stored messages; the summary is put on a list that is thrown away."""

    def view(self) -> Dicts:
        return [*([SUMMARY] if len(self.messages) > 1 else []), *self.messages[-1:]]

    def save(self) -> Dicts:
        return self.messages[-1:]


class NamesTheOldResponse(Store):
    """What is sent is the compacted list and the id of a response that still holds everything: the provider sees both.

    What the program has stored is the compacted list alone.
    """

    def save(self) -> Dicts:
        return self.messages[-1:]


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        pytest.param(MarksWhatIsLeftOut, ["state-consistent/valid/lost"], id="C84"),
        pytest.param(NamesTheOldResponse, ["state-consistent/valid/lost"], id="C88"),
        pytest.param(Store, [], id="the same is saved"),
    ],
)
def test_c84_c88_what_is_stored_is_less_than_what_was_sent(kind: type[Store], expected: list[str]) -> None:
    """After a restart the old turns are gone, and nothing stands in their place."""
    playing = player_of(remembering(kind), promises=CONSISTENT)
    assert causes(playing, 'user "a"; assistant "b"; user "c"; save; send', NINE) == expected


# Sessions: what is in flight, and what is changed while it is


class TakesAnyAnswerForTheLast:
    """C23: a call with an interim result counts as done, and is compacted before the real one comes."""

    def plan(self, _messages: Dicts, point: Limit) -> int:
        return point.index

    def apply(self, messages: Dicts, cut: int) -> Dicts:
        return [SUMMARY, *messages[cut:]]


def test_c23_call_that_still_runs_is_compacted() -> None:
    text = 'user "a"; call x; interrupt; user "b"; {}; apply; result x "done"; send'
    playing = player_of(compacting(TakesAnyAnswerForTheLast), limits=("compaction",))
    assert causes(playing, text.format("plan 2"))[0] == "no-orphan/interleaved/call-dropped"
    assert causes(playing, text.format("plan 1")) == []
    kept = by_hand("pending-call-kept", "U A[x] U", (Message("user", "so far", summary=True),), under="gemini")
    assert kept == ["call-dropped"]


def test_c82_nested_lists_are_shared_with_a_copy() -> None:
    """A shallow copy of each message is edited; its calls are still those of the stored message."""

    def shallow(items: Dicts, _limit: int, _count: Any) -> Dicts:
        copies = [dict(item) for item in items]
        for call in (call for item in copies for call in item.get("tool_calls") or ()):
            call["function"]["arguments"] = '{"short":true}'
        return copies

    def flat(items: Dicts, _limit: int, _count: Any) -> Dicts:
        return [dict(item) for item in items]

    text = 'user "a"; call x; result x "b"; send'
    assert "no-input-mutation/valid/mutated" in causes(player_of(shallow), text, NINE)
    assert causes(player_of(flat), text, NINE) == []


def test_c83_results_are_pruned_while_a_request_is_streamed() -> None:
    """The memory overwrites old results in the objects of which the last request was made."""

    class Prunes(Store):
        def view(self) -> Dicts:
            for item in self.messages[:-3]:
                if item["role"] == "tool":
                    item["content"] = "[pruned]"
            return self.messages

    text = 'user "a"; call x; result x "long"; send; user "b"; assistant "c"; user "d"; send'
    playing = player_of(remembering(Prunes))
    assert causes(playing, text, NINE)[0] == "no-input-mutation/valid/mutated"
    assert causes(playing, text.partition("; user")[0], NINE) == []


# One trim, of an input or a limit that the report's history alone does not hold


def test_c32_item_ids_made_up_by_position() -> None:
    """Items that had no id get one from their place within the turn, which two items share."""
    given = history("U A U A")
    same = tuple(evolve(one, extra={"item_id": "msg_0"}) if one.role == "assistant" else one for one in given)
    each = tuple(evolve(one, extra={"item_id": f"msg_{at}"}) for at, one in enumerate(given))
    assert by_hand("unique-item-id", "U A U A", same, under="openai-responses") == ["edited"]
    assert by_hand("unique-item-id", "U A U A", each, under="openai-responses") == []


def test_c49_each_result_in_a_user_message_of_its_own() -> None:
    given = "U A[a,b] T(a) T(b)"
    lead = history(given)[:2]
    apart = (*lead, *history("U(a) U(b)"))
    assert by_hand("results-together", given, apart, under="anthropic") == ["inserted-between"]
    assert by_hand("results-together", given, (*lead, *history("U(a,b)")), under="anthropic") == []


def condensing(most: int) -> Callable[[Dicts, int], Dicts]:
    """Condense all but the pinned first message, and ask again while it is too much, `most` times."""

    def trim(items: Dicts, limit: int, count: Callable[[Any], int]) -> Dicts:
        for _ in numbers() if most == 0 else range(most):
            if count(items) <= limit:
                break
            items = items[:1]
        return items

    return trim  # pyright: ignore[reportReturnType]


def test_c91_pinned_message_that_is_too_big() -> None:
    """It is condensed again and again; where somebody counts the tries, it stays over the limit."""
    given, limit = f"U!={'a' * 400} A U", Limit("tokens", 50)
    assert broken("terminates", condensing(0), given, limit) == ["hung"]
    assert broken("terminates", condensing(3), given, limit) == []
    assert broken("within-limit", condensing(3), given, limit) == ["over-limit"]
    assert broken("within-limit", condensing(3), "U A U", limit) == []


def test_c93_no_place_to_cut() -> None:
    """Only a plain user turn may start what is kept; one question with many tool steps has no second one."""

    def from_a_user(items: Dicts, limit: int, _count: Any) -> Dicts:
        starts = [at for at, item in enumerate(items) if item["role"] == "user" and len(items) - at <= limit]
        return items[starts[0] :] if starts else items

    one_question, limit = "U A[a] T(a) A[b] T(b)", Limit("messages", 3)
    assert broken("within-limit", from_a_user, one_question, limit, under="bedrock") == ["over-limit"]
    assert broken("within-limit", from_a_user, "U A U A[b] T(b)", limit, under="bedrock") == []


def test_c99_error_is_swallowed_and_nothing_is_trimmed() -> None:
    """Shortening takes every content for text; a message of calls alone has none."""

    def swallowing(items: Dicts, limit: int, _count: Any) -> Dicts:
        try:
            return [{**item, "content": item["content"][:9]} for item in items][-limit:]
        except TypeError:
            return items

    assert broken("within-limit", swallowing, "U A[a] T(a)", Limit("messages", 1)) == ["over-limit"]
    assert broken("within-limit", swallowing, "U A U", Limit("messages", 1)) == []


def test_c105_second_compaction_loses_what_the_first_one_kept() -> None:
    """What was kept lies before the record of the compaction, and the next one begins behind that record."""

    def compacts(items: Dicts, limit: int, _count: Any) -> Dicts:
        if len(items) <= limit and not any(item.get("summary") for item in items):
            return items
        record = max((at for at, item in enumerate(items) if item.get("summary")), default=-1)
        behind = items[record + 1 :]
        kept = behind[-limit:]
        return [*kept[:1], SUMMARY, *kept[1:]]

    assert broken("idempotent", compacts, "U A U A", Limit("messages", 2)) == ["lost"]
    assert broken("idempotent", compacts, "U A", Limit("messages", 2)) == []


def test_c109_nothing_is_compacted_behind_a_summary() -> None:
    """Compaction is refused by the place of the last record, whatever the size."""

    def by_place(items: Dicts, limit: int, count: Callable[[Any], int]) -> Dicts:
        if not items or items[-1].get("summary"):
            return items
        return items if count(items) <= limit else []

    huge = evolve(history("SUM")[0], text="a" * 400)
    contract = contract_for(Trimmer("mine", by_place, limits=("tokens",)), provider="openai-chat")
    for given, expected in (((huge,), ["over-limit"]), ((evolve(huge, summary=False),), [])):
        case = contract.case(given, Limit("tokens", 50))
        outcome = run(contract.trimmer, case, count=contract.count)
        assert [found.cut for found in judge(case, outcome, rules=("within-limit",))] == expected


def test_c104_gap_between_summary_and_tail() -> None:
    """The first two are summarised and the last two kept: what is between is in neither, and the number tells it."""
    given = history("U A U A U")
    marker = Message("user", "Summary of 2 messages.", extra={"inserted": True})
    for kept, expected in ((given[3:], True), (given[2:], False)):
        case = Case(Example(given))
        found = judge(case, Outcome("ok", (marker, *kept)), rules=("truthful-marker",))
        assert bool(found) == expected
