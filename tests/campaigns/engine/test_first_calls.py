"""The first calls of a run: what is a wrong call, and what a trimmer that raises."""

from collections.abc import Callable
from typing import Any

import pytest

from trimfuzz.campaigns.engine.engine import engine_for
from trimfuzz.campaigns.engine.first_calls import FirstCalls
from trimfuzz.campaigns.engine.tally import Tally
from trimfuzz.campaigns.target.resolve import resolve
from trimfuzz.campaigns.target.spec import Spec
from trimfuzz.messages.errors import BadTarget
from trimfuzz.messages.shorthand import history

TOOLS, PLAIN = history("U A[c1] T(c1) A U A[c2] T(c2) A"), history("U A U A U A U A")


class Full(Exception):
    """Nothing fits."""


def always(messages: list[Any], limit: int) -> list[Any]:
    """The same error on every call."""
    raise AttributeError("'dict' object has\nno attribute 'role'")


def value_error(messages: list[Any], limit: int) -> list[Any]:
    """What below a limit of 1 is taken for a refusal."""
    raise ValueError("no")


def with_words(messages: list[Any], limit: int) -> list[Any]:
    """An error about each case."""
    raise AttributeError(str(limit))


def on_results(messages: list[Any], limit: int) -> list[Any]:
    """A fault of its own on every history with a result."""
    if any(message["role"] == "tool" for message in messages):
        raise KeyError("tool")
    return messages


def refuses(messages: list[Any], limit: int) -> list[Any]:
    """Says that nothing fits, always."""
    raise Full


def judged(trim: Callable[..., Any], *, calls: int = 40, **options: Any) -> int:
    """Examine histories with results, then plain ones, until so many calls were made; return how many there were."""
    contract = resolve(Spec.of(trim, **options))
    tally = Tally(contract)
    engine = engine_for(contract, after=FirstCalls(contract).see)
    while tally.trims < calls:
        engine.examine(TOOLS, tally)
        engine.examine(PLAIN, tally)
    return tally.trims


@pytest.mark.parametrize(
    ("trim", "options", "said"),
    [
        (always, {}, "raised AttributeError: 'dict' object has no attribute 'role' (called as always(messages, limit)"),
        (
            value_error,
            {"limit": "tokens"},
            "ValueError: no (called as value_error(messages, limit), format openai-chat",
        ),
        (always, {"call": "f(messages, limit)", "limit": "messages=3"}, "(called as f(messages, limit), format"),
        (always, {"limit": "compaction"}, "limit compaction; --call, --limit, --format or --in-place change that)"),
    ],
)
def test_the_same_error_on_every_call_is_a_wrong_call(trim: Any, options: Any, said: str) -> None:
    """It is said with the error, the call, and the options that change it."""
    with pytest.raises(BadTarget) as caught:
        judged(trim, **options)
    assert "each of the first 20 calls raised" in str(caught.value)
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(("trim", "options"), [(with_words, {}), (on_results, {}), (refuses, {"refuses": Full})])
def test_what_can_be_the_trimmer_is_left_to_the_rules(trim: Any, options: Any) -> None:
    """Errors that differ, an error that plain messages do not get, and a refusal."""
    assert judged(trim, **options) >= 40
