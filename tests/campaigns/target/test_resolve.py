"""Resolving: what a contract is made of beside the trimmer: its counter, and what is assumed where none is known."""

from typing import Any

import pytest

from trimfuzz.campaigns.engine.engine import engine_for
from trimfuzz.campaigns.engine.tally import Tally
from trimfuzz.campaigns.target.contract import Contract
from trimfuzz.campaigns.target.resolve import resolve
from trimfuzz.campaigns.target.spec import Spec
from trimfuzz.implementations.registry import registered
from trimfuzz.implementations.trimmer import Trimmer
from trimfuzz.messages.errors import BadCounter
from trimfuzz.messages.limits import Limit
from trimfuzz.messages.shorthand import history

TALK = history("U A U A[c1] T(c1) A")


def cookbook(messages: list[dict[str, Any]]) -> int:
    """Counts lists, with a constant."""
    return 3 + sum(4 + len(str(message["content"])) for message in messages)


def only_texts(message: dict[str, Any]) -> int:
    """Fails on a message without text."""
    return len(message["content"])


def tail(messages: list[Any], limit: int) -> list[Any]:
    """The newest tokens, by a counter of its own."""
    while messages and cookbook(messages) > limit:
        messages = messages[1:]
    return messages


def asks(messages: list[Any], limit: int, count: Any) -> list[Any]:
    """Counts with what it is given, and has an error of its own for what goes wrong."""
    try:
        return messages if count(messages) <= limit else messages[-1:]
    except Exception as error:
        raise LookupError("cannot count") from error


def contract(trim: Any, count: Any, **options: Any) -> Contract:
    """The contract of a function under a token limit."""
    return resolve(Spec.of(trim, limit="tokens", count=count, **options))


def test_a_list_counter_holds_its_constant() -> None:
    """The limit counts lists, and the first lines say so."""
    made = contract(tail, cookbook)
    assert (made.base, made.count_name) == (3, "cookbook")
    assert made.notes[-1] == "cookbook counts lists: asked for them as a whole, and 3 more for each list"
    assert made.case(TALK, Limit("tokens", 10)).room == 7
    assert contract(tail, only_texts).base == 0
    assert resolve(Spec.of(tail, limit="messages", count=cookbook)).base == 0


def test_a_trimmer_with_a_list_counter_is_measured_by_it() -> None:
    """It is within every limit, leaves what fits alone, and the limits are those of whole lists."""
    made = engine_for(contract(tail, cookbook))
    tally = Tally(made.contract)
    made.examine(history("S U A U A"), tally)
    seen = {limit.value for limit in made.limits(made.contract.example(history("U"))) if limit is not None}
    assert {2, 3, 4} <= seen
    assert not {found.rule for found in tally.close()} & set(made.contract.promises)


def test_a_counter_that_fails_is_an_error_before_anything_runs() -> None:
    """Its own, in one line."""

    def broken(_item: object) -> int:
        raise RuntimeError("no vocabulary")

    with pytest.raises(BadCounter, match="broken: RuntimeError: no vocabulary"):
        contract(tail, broken)


@pytest.mark.parametrize("trim", [tail, asks])
def test_a_counter_that_fails_later_ends_the_run(trim: Any) -> None:
    """Whether the suite or the trimmer asked, and whatever the trimmer made of it."""
    made = engine_for(contract(trim, only_texts))
    with pytest.raises(BadCounter, match="'content': None"):
        made.examine(TALK, Tally(made.contract))
    with pytest.raises(BadCounter, match="only_texts: TypeError"):
        engine_for(contract(asks, only_texts)).trim(made.contract.case(TALK, Limit("tokens", 9)))


UNIT = {"within-limit", "identity-under-limit", "refuses-only-when-needed", "utilisation"}


def by_tokens(messages: list[Any], max_tokens: int) -> list[Any]:
    """Counts in a way of its own."""
    return messages[-max_tokens:]


def by_messages(messages: list[Any], limit: int) -> list[Any]:
    """Counts messages."""
    return messages[-limit:]


@pytest.mark.parametrize(
    ("trim", "options", "known"),
    [
        (by_tokens, {}, False),
        (by_messages, {"limit": "tokens"}, False),
        (by_messages, {"call": "f(messages, max_tokens=limit)"}, False),
        (by_tokens, {"count": only_texts}, True),
        (by_tokens, {"limit": "messages"}, True),
        (asks, {}, True),
        (by_messages, {}, True),
        (by_messages, {"call": "f(messages, max_tokens=limit, key=count)"}, True),
        ("a registered one", {}, True),
    ],
)
def test_nothing_is_assumed_of_an_amount_whose_unit_is_not_known(trim: Any, options: Any, known: bool) -> None:
    """Of tokens a counter must be taken or named; the first lines say what is left out, and the option that would."""
    if isinstance(trim, str):
        trim = next(one for one in registered().values() if isinstance(one, Trimmer) and "tokens" in one.limits)
    made = resolve(Spec.of(trim, **options))
    assert made.measured is known
    assert any("--count MODULE:FUNCTION" in note for note in made.notes) is not known
    if made.assumed:
        assert set(made.assumed) & UNIT == (UNIT if known else set())
        assert {"order-preserved", "deterministic", "nonempty-history"} <= set(made.assumed)


def test_what_has_no_unit_is_not_looked_at() -> None:
    """Neither judged nor offered; what is promised all the same is judged by the default counter."""
    plain = resolve(Spec.of(by_tokens))
    promised = resolve(Spec.of(by_tokens, promise="within-limit"))
    assert {name: plain.kind_of(name) for name in (*UNIT, "monotone", "idempotent", "no-orphan")} == {
        **dict.fromkeys((*UNIT, "monotone")), "idempotent": "promise", "no-orphan": "always",
    }  # fmt: skip
    assert promised.kind_of("within-limit") == "promise"
    assert not engine_for(plain).measures
    assert {"within-limit", "monotone"}.isdisjoint((*engine_for(plain).rules, *engine_for(plain).relations))
    assert "within-limit" in engine_for(promised).rules
