"""The reference oracle gives the verdicts of the definitions, and those of the fast rules as well."""

import ast
import json
from pathlib import Path
from random import Random
from typing import Any

import pytest
from attrs import evolve

from trimfuzz import oracles
from trimfuzz.implementations.running import run
from trimfuzz.implementations.trimmer import Trimmer
from trimfuzz.messages.cases import Case, Example, Outcome
from trimfuzz.messages.formats.counting import default_count
from trimfuzz.messages.limits import Limit
from trimfuzz.messages.model import Call, History, Message
from trimfuzz.messages.neutral import load_history
from trimfuzz.messages.reading.profiles import profile
from trimfuzz.oracles.judging.judging import judge
from trimfuzz.oracles.reference import mutated, orphans

from .randoms import random_history, random_trim

ROOM = Path(oracles.__path__[0])
EXAMPLES = [json.loads(line) for line in (ROOM / "records" / "examples.jsonl").read_text(encoding="utf-8").splitlines()]
PROVIDERS = ("neutral", "openai-responses", "openai-responses-anchored", "anthropic")


def wrong(
    history: History, output: History, sources: tuple[int | None, ...] | None = None, provider: str = "neutral"
) -> frozenset[int]:
    """Ask the reference oracle under the flags of a provider."""
    flags = profile(provider)
    merging = {"merge_items": flags.merge_items, "one_response": flags.one_response}
    return orphans(history, output, sources=sources, anchored=flags.anchored, **merging)


def of_rule(rule: str) -> list[Any]:
    """Return the examples of a rule, as test parameters."""
    found = [pytest.param(each, id=each["id"]) for each in EXAMPLES if each["rule"] == rule]
    assert found
    return found


@pytest.mark.parametrize("example", of_rule("no-orphan"))
def test_no_orphan_examples(example: dict[str, Any]) -> None:
    """Every example of no-orphan gets its verdict; late results are appended to both lists."""
    late = tuple(Message("tool", f"late {each}", call_id=each) for each in example.get("late", ()))
    history, output = load_history(example["history"]) + late, load_history(example["output"]) + late
    found = wrong(history, output, provider=example.get("provider", "neutral"))
    assert ("broken" if found else "held") == example["verdict"]


@pytest.mark.parametrize("example", of_rule("no-input-mutation"))
def test_no_input_mutation_examples(example: dict[str, Any]) -> None:
    """Every example of no-input-mutation gets its verdict."""
    found = mutated(load_history(example["history"]), load_history(example["input_after"]))
    assert ("broken" if found else "held") == example["verdict"]


def test_it_imports_the_message_model_and_nothing_else_of_the_suite() -> None:
    """A mistake elsewhere can not hide in it."""
    tree = ast.parse((ROOM / "reference.py").read_text(encoding="utf-8"))
    named = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.level}
    assert named == {"messages.model"}
    assert not [node for node in ast.walk(tree) if isinstance(node, ast.Import)]


U, V = Message("user", "question"), Message("user", "another")
A, B = Message("assistant", "first", calls=(Call("x"),)), Message("assistant", "second", calls=(Call("x"),))
SERVER = Message("assistant", "server", calls=(Call("x", provider_executed=True),))
BARE = Message("assistant", calls=(Call("x"),))
OTHER = Message("assistant", calls=(Call("y"),))
ALSO = Message("assistant", calls=(Call("z", alt_id="x"),))
T, S = Message("tool", "result", call_id="x"), Message("tool", "second result", call_id="x")
INLINE = Message("user", "text", extra={"inline_results": ["x"]})
OWN = Message("assistant", "answer", extra={"inline_results": ["x"]})


@pytest.mark.parametrize(
    ("history", "sources", "provider", "expected"),
    [
        ((U, A, T, B, S), (0, 2, 3, 4), "neutral", {1}),
        ((U, A, T, B, S), (1, 4), "neutral", {1}),
        ((U, BARE, T, U, BARE, S), (1, 5), "neutral", set()),
        ((U, BARE, T, V, BARE, S), (0, 1, 3, 5), "neutral", set()),
        ((U, A, T, V, B, S), (0, 1, 3, 5), "neutral", {3}),
        ((U, SERVER, T), (0, 2), "neutral", {1}),
        ((U, A, INLINE), (0, 2), "neutral", {1}),
        ((U, SERVER, OWN), (0, 2), "neutral", set()),
        ((U, ALSO, T), (0, 2), "neutral", {1}),
        ((U, ALSO, T), (1, 2), "neutral", set()),
        ((U, A, T, S), (0, 3), "neutral", {1}),
        ((U, A, T, S), (0, 1, 3), "neutral", set()),
        ((T, U, A, S), (0, 1), "neutral", set()),
        ((T, U), (0, 0, 1), "neutral", {1}),
        ((U, A, T), (0, 2, 1), "neutral", {1}),
        ((BARE, OTHER, T, U), (1, 2, 3), "openai-responses", {1}),
        ((A, U, BARE, T, S), (0, 2, 3, 4), "openai-responses", set()),
        ((A, U, OTHER, T), (0, 2, 3), "openai-responses", set()),
        ((T, U), (0, 1), "openai-responses-anchored", set()),
        ((U, A, T), (0, 2), "openai-responses-anchored", {1}),
        ((U, T, A), (0, 2, 1), "openai-responses-anchored", set()),
    ],
)
def test_what_a_result_may_lose(history: History, sources: tuple[int, ...], provider: str, expected: set[int]) -> None:
    """Reused ids, second ids, inline results, server calls, surplus results, anchors, moves and copies."""
    output = tuple(history[index] for index in sources)
    assert wrong(history, output, sources, provider) == expected
    assert bool(wrong(history, output, None, provider)) == bool(expected)


def test_shared_objects_tell_more_than_looks() -> None:
    """By looks the newest of two equal results was kept; the object says that it was the one that was lost before."""
    early, late = Message("tool", "same", call_id="x"), Message("tool", "same", call_id="x")
    history = (early, A, late)
    assert orphans(history, (early,), sources=(0,)) == frozenset()
    assert orphans(history, (late,), sources=(2,)) == {0}
    assert orphans(history, (early,)) == {0}


def test_what_looks_right_is_not_blamed() -> None:
    """The object is the result of the call that is gone; but it looks like the result of the call that was kept."""
    early, late = Message("tool", "same", call_id="x"), Message("tool", "same", call_id="x")
    assert orphans((A, early, B, late), (B, early), sources=(2, 1)) == frozenset()
    assert orphans((A, early, B, S), (B, early), sources=(2, 1)) == {1}


def test_a_given_orphan_may_be_moved_and_shortened() -> None:
    """It is known again by how it begins."""
    lost = Message("tool", "a long result", call_id="z")
    assert orphans((lost, U), (U, evolve(lost, text="a long re"))) == frozenset()
    assert orphans((lost, U), (U, evolve(lost, text="another result"))) == {1}


def test_invented_and_renamed_results_were_never_given() -> None:
    """A new orphan is one, and so is a given orphan that was made to answer another id."""
    assert orphans((U, A, T), (U, Message("tool", "new", call_id="z")), sources=(0, None)) == {1}
    given = Message("tool", "lost", call_id="z")
    assert orphans((U, given), (U, evolve(given, call_id="zz")), sources=(0, 1)) == {1}


@pytest.mark.slow
@pytest.mark.parametrize("band", range(4))
def test_the_fast_rule_agrees_on_no_orphan(band: int) -> None:
    """On random trims, with and without shared objects, with texts that differ and texts that do not."""
    broken = held = 0
    for seed in range(band * 500, band * 500 + 500):
        random = Random(seed)
        history = random_history(random, random.randint(0, 10), equal_texts=random.random() < 0.3)
        output, shared = random_trim(random, history)
        for name in random.sample(PROVIDERS, 2):
            case = Case(Example(history, profile=profile(name)))
            for sources in (shared, None):
                fast = judge(case, Outcome("ok", output, sources=sources), rules=("no-orphan",))
                slow = wrong(history, output, sources, name)
                assert bool(fast) == bool(slow), (seed, name, sources, history, output)
                broken, held = broken + bool(slow), held + (not slow)
    assert broken > 200
    assert held > 200


def test_the_fast_rule_agrees_on_whole_unit_trims() -> None:
    """Both hold where whole exchanges are left out: the short way of the judge and the long way of the reference."""
    for seed in range(300):
        random = Random(seed)
        history = random_history(random, 10, well_formed=1.0)
        start = next((index for index, message in enumerate(history[4:], 4) if message.role == "user"), 0)
        sources = tuple(range(start, len(history)))
        outcome = Outcome("ok", history[start:], sources=sources)
        assert not orphans(history, history[start:], sources=sources)
        assert not judge(Case(Example(history)), outcome, rules=("no-orphan",))


FIELDS = (
    {"role": "assistant"}, {"text": "other"}, {"calls": ()}, {"call_id": "y"}, {"name": "g"}, {"reasoning": "other"},
    {"keep_during_truncation": True}, {"summary": True}, {"tokens": 7}, {"extra": {"key": [1, {"deep": 3}]}},
    {"calls": (Call("x", arguments='{"k":2}'),)}, {"calls": (Call("y"),)}, {"calls": (Call("x", "g"),)},
    {"calls": (Call("x", provider_executed=True),)}, {"calls": (Call("x", alt_id="y"),)},
)  # fmt: skip


@pytest.mark.parametrize("change", FIELDS, ids=str)
def test_every_field_counts_as_a_mutation(change: dict[str, Any]) -> None:
    """Down to the arguments of a call and the values inside an unknown key."""
    message = Message("user", "text", calls=(Call("x"),), call_id="x", extra={"key": [1, {"deep": 2}]})
    assert not mutated((U, message), (U, evolve(message)))
    assert mutated((U, message), (U, evolve(message, **change)))


def test_the_list_counts_as_well() -> None:
    """A message less, a message more, another order, other objects."""
    assert mutated((U, V), (V, U))
    assert mutated((U, V), (U,))
    assert mutated((U,), (U, V))
    assert mutated((U, V), (U, V), same_objects=False)
    assert not mutated((), ())


def vandal(random: Random) -> Any:
    """Return a trimmer of message dicts that changes its input in place, or does not."""

    def trim(items: list[Any], limit: int, count: Any) -> list[Any]:
        found = list(items[-limit:]) if limit else []
        for _ in range(random.randrange(3)):
            kind, place = random.randrange(8), random.randrange(len(items) + 1)
            item = items[place % len(items)] if items else {}
            if kind == 0 and items:
                items.pop(place % len(items))
            elif kind == 1 and items:
                items.insert(0, items.pop())
            elif kind == 2 and items:
                items[place % len(items)] = dict(item)
            elif kind == 3 and items:
                item["content"] = (item["content"] or "")[:3]
            elif kind == 4 and item.get("tool_calls"):
                item["tool_calls"][0]["function"]["arguments"] = '{"k":1}'
            elif kind == 5:
                item.pop("keep_during_truncation", None)
            elif kind == 6 and items:
                item["seen"] = True
            elif kind == 7 and items:
                items.append(item)
        return found

    return trim


def test_the_fast_rule_agrees_on_no_input_mutation() -> None:
    """On trimmers that cut, reorder, copy and edit what they are handed, run as any other trimmer is."""
    broken = held = 0
    for seed in range(600):
        random = Random(seed)
        history = tuple(
            message
            for message in random_history(random, 6)
            if message.role != "reasoning" and message.extra.keys() <= {"inserted"}
            if not any(call.alt_id or call.provider_executed for call in message.calls)
        )
        history = tuple(evolve(message, tokens=None) for message in history)
        case = Case(Example(history), Limit("messages", random.randint(0, 4)))
        outcome = run(Trimmer("vandal", vandal(random)), case, count=default_count)
        assert outcome.status == "ok"
        fast = judge(case, outcome, rules=("no-input-mutation",))
        after = history if outcome.after is None else outcome.after
        slow = mutated(history, after, same_objects=not outcome.list_changed)
        assert bool(fast) == slow, (seed, history, outcome)
        broken, held = broken + slow, held + (not slow)
    assert broken > 100
    assert held > 100
