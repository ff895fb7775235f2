"""The best legal trim equals a search through all subsets under every profile and keeps the facts of its definition."""

from random import Random

import pytest

from trimfuzz.messages.cases import Case, Example, Outcome
from trimfuzz.messages.limits import Limit, sweep
from trimfuzz.messages.model import Call, History, Message
from trimfuzz.messages.reading.profiles import PROFILES
from trimfuzz.oracles.best import best, passes
from trimfuzz.oracles.best.best import most, ref
from trimfuzz.oracles.best.legal import legal
from trimfuzz.oracles.judging.judging import judge
from trimfuzz.oracles.rules.registry import RULES

from ..randoms import random_history
from ..search import all_legal, at, cost_kept, example_of, searched


def say(role: str, size: int = 1, *, pin: bool = False) -> Message:
    """Return a message of a size."""
    return Message(role, f"{role} says", tokens=size, keep_during_truncation=pin)


def call(*ids: str, size: int = 1, pin: bool = False) -> Message:
    """Return a bare call message."""
    return Message("assistant", calls=tuple(map(Call, ids)), tokens=size, keep_during_truncation=pin)


def result(call_id: str, size: int = 1, *, pin: bool = False) -> Message:
    """Return a result."""
    return Message("tool", "done", call_id=call_id, tokens=size, keep_during_truncation=pin)


THOUGHT = Message("reasoning", "therefore", tokens=1)
HOLDS_A = Message("reasoning", "therefore", tokens=1, extra={"inline_results": ["a"]})


def kept(history: tuple[Message, ...], limit: int | None, provider: str = "neutral") -> tuple[int, ...] | None:
    """Return what the reference trimmer keeps of a history."""
    return ref(at(example_of(history, provider), limit))


@pytest.mark.slow
@pytest.mark.parametrize("provider", PROFILES)
def test_equals_the_search_through_all_subsets(provider: str) -> None:
    """`ref` and `most` at every limit of random histories of up to 8 messages, equal texts and pins among them."""
    refused = trimmed = 0
    for seed in range(120):
        random = Random(f"{provider} {seed}")
        history = random_history(random, random.randint(0, 8), equal_texts=random.random() < 0.3)
        example = example_of(history, provider)
        trims = all_legal(example)
        for limit in range(-1, example.total + 2):
            expected = searched(example, trims, limit)
            assert (ref(at(example, limit)), most(at(example, limit))) == expected, (seed, limit, history)
            refused += expected[0] is None
            trimmed += expected[0] is not None and len(expected[0]) < len(history)
    assert refused > 100
    assert trimmed > 700


@pytest.mark.parametrize(
    ("provider", "history", "limit", "expected"),
    [
        ("neutral", (say("user"), call("c"), result("c"), say("user")), 3, (1, 2, 3)),
        ("neutral", (say("user"), call("c"), result("c"), say("user")), 2, (0, 3)),
        ("neutral", (say("user"), call("a", "b"), result("a"), result("b")), 2, (0,)),
        ("neutral", (say("system"), say("user"), call("c"), result("c", 9)), 5, (0, 1)),
        ("neutral", (say("user", 2), say("user", 5), say("user", 5), say("user", 5)), 8, (0, 3)),
        ("neutral", (say("user", 2), say("user", 5), say("user", 5), say("user", 5)), 10, (2, 3)),
        ("bedrock", (say("user"), say("assistant"), say("user"), say("assistant"), say("user")), 4, (2, 3, 4)),
        ("bedrock", (say("assistant"), say("user"), say("assistant"), say("user")), 2, (2, 3)),
        ("gemini", (say("user"), say("assistant"), say("user"), call("c"), result("c")), 3, (2, 3, 4)),
        ("gemini", (say("user"), say("assistant"), call("c"), result("c")), 3, (1, 2, 3)),
        ("mistral", (say("user"), say("assistant"), say("user"), say("assistant", 1)), 3, (1, 2, 3)),
        ("mistral-old", (say("user"), call("c"), result("c"), say("assistant"), say("user")), 4, (1, 2, 3, 4)),
        ("mistral-old", (call("c"), result("c"), say("assistant", 2), say("user")), 3, (2, 3)),
        ("mistral-old", (call("c"), result("c"), say("user")), 3, (0, 1, 2)),
        (
            "gemini",
            (say("user"), say("assistant"), say("user", 9), THOUGHT, call("c"), result("c")),
            5,
            (0, 1, 3, 4, 5),
        ),
        ("gemini", (say("user"), say("assistant"), say("user", 9), call("c"), result("c")), 5, (0, 3, 4)),
        ("gemini", (say("user"), call("a"), HOLDS_A, say("user", 9), call("c"), result("c")), 5, (0, 1, 2, 4, 5)),
        ("neutral", (call("a", "b", size=5), result("a"), result("a"), result("b"), say("user")), 7, (4,)),
        ("neutral", (call("a", "b", size=5), result("a"), result("a"), result("b"), say("user", 2)), 9, (0, 1, 3, 4)),
        ("bedrock", (call("a", "b", size=5), result("a"), result("a"), result("b"), say("user", 1)), 7, (4,)),
        ("strict", (say("user"), call("a", "b"), result("a"), result("b")), 3, (0,)),
        ("neutral", (say("user"), say("system")), 1, (0,)),
        ("neutral", (THOUGHT, say("system")), 1, (1,)),
    ],
)
def test_newest_first_within_what_is_legal(
    provider: str, history: History, limit: int, expected: tuple[int, ...]
) -> None:
    """What does not fit is skipped, what was given may stay, what needs more goes; something to answer comes first."""
    assert kept(history, limit, provider) == expected


def test_unknown_limits_ask_for_nothing_to_go() -> None:
    """Without a limit, and for a compaction point, the reference is the whole history."""
    history = (say("user"), say("assistant"), say("user"))
    example = example_of(history)
    for case in (Case(example), Case(example, Limit("compaction", 1, 3))):
        assert ref(case) == (0, 1, 2)
        assert most(case) == 3


def test_a_limit_of_nothing_leaves_nothing() -> None:
    """Zero and less are one, and refused, where there was a conversation."""
    for limit in (0, -1, -7):
        assert kept((say("user"), say("assistant")), limit) is None
        assert kept((say("user"), say("assistant")), limit, "strict") is None
        assert kept((say("system"), say("user")), limit) is None
        assert kept((say("user", pin=True), say("user")), limit) is None
    assert kept((), 0) == ()


@pytest.mark.parametrize(
    ("provider", "history", "limit"),
    [
        ("neutral", (say("system"), say("user", pin=True), call("c", pin=True), result("c"), say("user")), 3),
        ("neutral", (call("c"), result("c", pin=True), say("user")), 1),
        ("bedrock", (say("user"), say("assistant", pin=True), say("user")), 1),
        ("bedrock", (say("user"), say("assistant", pin=True), say("user")), 2),
        ("mistral", (say("user"), say("assistant", pin=True), say("user", 5)), 5),
        ("neutral", (call("c", size=3), result("c", 3), result("c", pin=True), say("user")), 6),
    ],
)
def test_pins_that_cannot_be_kept_are_a_refusal(provider: str, history: History, limit: int) -> None:
    """A pin brings its unit, what that needs, and the neighbours without which it has no legal place."""
    assert kept(history, limit, provider) is None
    assert most(at(example_of(history, provider), limit)) == 0


@pytest.mark.parametrize(
    ("provider", "history", "limit"),
    [
        ("neutral", (say("system"), say("user")), 1),
        ("neutral", (say("user", 2), say("system")), 1),
        ("bedrock", (say("system"), say("user", 3), say("assistant"), say("user", 3)), 2),
        ("strict", (say("user", 2), say("assistant"), say("system")), 1),
    ],
)
def test_a_system_prompt_alone_is_no_request(provider: str, history: History, limit: int) -> None:
    """A legal trim that has nothing of the conversation is refused; `most` is a number all the same."""
    assert kept(history, limit, provider) is None
    assert most(at(example_of(history, provider), limit)) == 1
    assert kept((*history[:1], say("user", 0)), 1, provider) is not None


def test_what_was_promised_stays_as_if_it_were_pinned() -> None:
    """With its unit and what that needs; what cannot be kept is a refusal."""
    history = (say("system"), say("user", 2), call("c"), result("c", 2), say("assistant"))
    case = at(example_of(history), 4)
    assert ref(case) == (0, 1, 4)
    assert ref(case, promised=frozenset({3})) == (0, 2, 3)
    assert ref(case, promised=frozenset({1, 3})) is None
    assert ref(case, promised=frozenset({4})) == (0, 1, 4)
    assert ref(case) == (0, 1, 4)


def test_a_pin_keeps_its_unit_and_leaves_the_rest_to_the_newest() -> None:
    """The pinned result keeps its call, and the older user message goes before the newer one."""
    history = (say("user"), call("c"), result("c", pin=True), say("user"), say("user"))
    assert kept(history, 3) == (1, 2, 4)


def test_turns_cost_nothing_but_the_user_messages_that_open_them() -> None:
    """What costs nothing is kept where it is legal."""
    history = (say("user"), call("c"), result("c"), say("user"), say("assistant"))
    example = Example(history, cost=lambda message: int(message.role == "user"))
    assert ref(Case(example, Limit("turns", 0))) == (1, 2, 4)
    assert ref(Case(example, Limit("turns", 1))) == (1, 2, 3, 4)


def test_one_response_keeps_every_request_that_waited_for_it() -> None:
    """Two requests of one id and a single response stand or fall together."""
    asks, says = {"approval_request": "y"}, {"approval_response": "y"}
    history = (
        Message("assistant", "may I", extra=asks),
        Message("assistant", "may I now", extra=asks),
        Message("tool", extra=says),
        say("user"),
    )
    assert kept(history, 3) == (3,)
    assert not legal(example_of(history), (0, 3))


@pytest.mark.parametrize("provider", ["neutral", "anthropic", "bedrock", "strict"])
def test_the_facts_of_the_definition(provider: str) -> None:
    """On histories of 40 messages: legal, within the limit, the identity on its own output, dearer as limits grow."""
    for seed in range(25):
        random = Random(seed)
        example = example_of(random_history(random, 40), provider)
        before = -1
        for limit in sweep(example.history, "tokens", costs=example.costs, seed=seed):
            case = Case(example, limit)
            found = ref(case)
            if found is None:
                assert before == -1, "a smaller limit was not refused"
                assert most(case) == 0
                continue
            cost = cost_kept(example, found)
            assert legal(example, found)
            assert before <= cost <= most(case) <= max(limit.value, 0)
            before = cost
            output = tuple(example.history[index] for index in found)
            assert kept(output, limit.value, provider) == tuple(range(len(output)))


KEPT_TO = tuple(
    name for name, rule in RULES.items()
    if rule.kind != "promise" or name in {
        "within-limit", "identity-under-limit", "refuses-only-when-needed", "order-preserved", "content-intact",
        "nothing-invented", "real-result-not-dropped", "keeps-system", "keeps-pinned",
    }
)  # fmt: skip
"""The rules that the best legal trim never breaks, whatever it is given."""


@pytest.mark.slow
@pytest.mark.parametrize("provider", PROFILES)
def test_the_rules_find_nothing_in_it(provider: str) -> None:
    """Not in any trim, not in any refusal, of histories of any class; also with nothing to tell messages apart by."""
    for seed in range(80):
        random = Random(seed)
        history = random_history(random, random.randint(0, 20), equal_texts=random.random() < 0.4)
        example = example_of(history, provider)
        for limit in sweep(history, "tokens", costs=example.costs, seed=seed, cap=12):
            case = Case(example, limit)
            found = ref(case)
            trimmed = None if found is None else tuple(history[index] for index in found)
            status = "refused" if found is None else "ok"
            for sources in (found, None):
                assert judge(case, Outcome(status, trimmed, sources=sources), rules=KEPT_TO) == [], (seed, limit)


@pytest.mark.slow
def test_wide_histories_are_cut_short_and_stay_legal(monkeypatch: pytest.MonkeyPatch) -> None:
    """With fewer patterns followed than there are, trims are not always the best, but legal and within the limit."""
    monkeypatch.setattr(passes, "WIDEST", 2)
    worse = 0
    for seed in range(150):
        random = Random(seed)
        example = example_of(random_history(random, 8, well_formed=0), "bedrock")
        trims = all_legal(example)
        for limit in range(example.total + 2):
            expected, top = searched(example, trims, limit)
            found = ref(at(example, limit))
            assert most(at(example, limit)) <= top
            if found is not None:
                assert expected is not None
                assert legal(example, found)
                assert cost_kept(example, found) <= limit
            worse += found != expected
    assert worse, "nothing was cut short: this test is of no use"


def test_many_open_batches_are_no_trouble() -> None:
    """Forty calls, then forty results, under a profile that looks at neighbours: past the widest, and still a trim."""
    ids = [f"c{number}" for number in range(40)]
    history = (say("user"), *map(call, ids), *map(result, ids), say("assistant"), say("user"))
    example = example_of(history, "mistral")
    assert legal(example, ref(at(example, 20)) or ())
    assert ref(at(example, 20)) is not None
    assert ref(at(example, 82)) == (*range(1, 83),)


def test_enormous_costs_are_not_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Above a bound the cost of the reference stands in for the most."""
    history = (say("user", 6), say("user", 5), say("user", 4))
    monkeypatch.setattr(best, "TOO_LARGE", 10)
    assert most(at(example_of(history), 10)) == 10
    assert most(at(example_of(history), 11)) == 9
    assert most(at(example_of((say("user", 10**15), *history)), 10)) == 10
