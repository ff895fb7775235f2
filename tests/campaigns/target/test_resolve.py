"""Resolving: what a contract is made of beside the trimmer: its counter."""

from typing import Any

import pytest

from trimfuzz.campaigns.engine.engine import engine_for
from trimfuzz.campaigns.engine.tally import Ledger
from trimfuzz.campaigns.target.contract import Contract
from trimfuzz.campaigns.target.resolve import resolve
from trimfuzz.campaigns.target.spec import Spec
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
    ledger = Ledger(made.contract)
    made.examine(history("S U A U A"), ledger)
    seen = {limit.value for limit in made.limits(made.contract.example(history("U"))) if limit is not None}
    assert {2, 3, 4} <= seen
    assert not {found.rule for found in ledger.close()} & set(made.contract.promises)


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
        made.examine(TALK, Ledger(made.contract))
    with pytest.raises(BadCounter, match="only_texts: TypeError"):
        engine_for(contract(asks, only_texts)).trim(made.contract.case(TALK, Limit("tokens", 9)))
