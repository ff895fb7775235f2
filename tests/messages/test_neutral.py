"""Neutral JSON: there and back without loss, and one error for each kind of bad input."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trimfuzz.messages.errors import BadHistory
from trimfuzz.messages.model import ROLES, Call, Message
from trimfuzz.messages.neutral import dump_history, dump_message, load_history, load_message

MAYBE_TEXT = st.none() | st.sampled_from(["", "text", "déjà \U0001f600"])
CALLS = st.builds(
    Call,
    st.sampled_from(["", "c1", "c2"]),
    st.sampled_from(["f", "g", ""]),
    arguments=st.sampled_from(["{}", "", '{"a": 1}', "not json"]),
    provider_executed=st.booleans(),
    alt_id=MAYBE_TEXT,
)
EXTRA = st.fixed_dictionaries(
    {},
    optional={
        "inline_results": st.just(["c1"]), "text_first": st.booleans(), "item_id": st.just("i"), "id": st.just("r"),
        "inserted": st.sampled_from([True, "marker"]), "approval_request": st.just("a"), "images": st.integers(0, 3),
        "approval_response": st.just("a"), "parts": st.just([{"type": "text", "text": "t"}]), "src": st.just(3),
        "unheard": st.just({"of": [None, 1.5]}),
    },
)  # fmt: skip
MESSAGES = st.builds(
    Message,
    st.sampled_from(ROLES),
    MAYBE_TEXT,
    calls=st.lists(CALLS, max_size=3).map(tuple),
    call_id=MAYBE_TEXT,
    name=MAYBE_TEXT,
    reasoning=MAYBE_TEXT,
    keep_during_truncation=st.booleans(),
    summary=st.booleans(),
    tokens=st.none() | st.integers(0, 9),
    extra=EXTRA,
)


@pytest.mark.slow
@given(st.lists(MESSAGES, max_size=4).map(tuple))
def test_a_history_comes_back_from_json_as_it_was(history) -> None:
    """Every field and every extra key, through text and all."""
    assert load_history(json.loads(json.dumps(dump_history(history)))) == history


@pytest.mark.slow
@given(st.lists(MESSAGES, max_size=3).map(tuple))
def test_neutral_json_is_written_in_one_way(history) -> None:
    """What was written, read and written again is the same."""
    written = dump_history(history)
    assert dump_history(load_history(written)) == written


def test_only_what_is_set_is_written() -> None:
    """Defaults stay out, an empty text or id does not."""
    assert dump_message(Message("user")) == {"role": "user"}
    assert dump_message(Message("tool", "", call_id="")) == {"role": "tool", "text": "", "call_id": ""}
    assert dump_message(Message("assistant", calls=(Call("c1"),))) == {
        "role": "assistant", "calls": [{"id": "c1", "name": "f"}],
    }  # fmt: skip


def test_names_that_files_use_are_read() -> None:
    """`keep` and `compaction_summary`; null is the same as left out; a call's arguments are `{}` unless given."""
    assert load_message({"role": "user", "keep": True}) == Message("user", keep_during_truncation=True)
    assert load_message({"role": "user", "compaction_summary": True}) == Message("user", summary=True)
    nulls = dict.fromkeys(["text", "calls", "call_id", "name", "reasoning", "keep", "summary", "tokens"])
    assert load_message({"role": "user", **nulls}) == Message("user")
    assert load_message({"role": "assistant", "calls": [{}]}) == Message("assistant", calls=(Call("", "f"),))


GOOD = {"role": "user", "text": "u"}


@pytest.mark.parametrize(
    ("bad", "said"),
    [
        (7, "a message is an object (this is an integer)"),
        (None, "a message is an object (this is null)"),
        ([], "a message is an object (this is a list)"),
        ({}, "unknown role None (known: system, developer, user, assistant, tool, reasoning)"),
        ({"role": "human"}, "unknown role 'human' (known: system, developer, user, assistant, tool, reasoning)"),
        ({"role": ["user"]}, "unknown role ['user']"),
        ({"role": "user", "text": 1}, "text must be a string (this is an integer)"),
        ({"role": "user", "text": ["a"]}, "text must be a string (this is a list)"),
        ({"role": "tool", "call_id": 1}, "call_id must be a string"),
        ({"role": "user", "name": {}}, "name must be a string (this is an object)"),
        ({"role": "user", "reasoning": True}, "reasoning must be a string (this is a boolean)"),
        ({"role": "user", "keep": 1}, "keep_during_truncation must be true or false"),
        ({"role": "user", "summary": "yes"}, "summary must be true or false (this is a string)"),
        ({"role": "user", "tokens": "3"}, "tokens must be an integer"),
        ({"role": "user", "tokens": True}, "tokens must be an integer (this is a boolean)"),
        ({"role": "user", "tokens": 1.5}, "tokens must be an integer (this is a float)"),
        ({"role": "assistant", "calls": {}}, "calls must be a list (this is an object)"),
        ({"role": "assistant", "calls": ["c1"]}, "a call is an object (this is a string)"),
        ({"role": "assistant", "calls": [{"id": 1}]}, "a call's id must be a string"),
        ({"role": "assistant", "calls": [{"name": 1}]}, "a call's name must be a string"),
        (
            {"role": "assistant", "calls": [{"arguments": {}}]},
            "a call's arguments must be a string (this is an object)",
        ),
        ({"role": "assistant", "calls": [{"alt_id": 1}]}, "a call's alt_id must be a string"),
        (
            {"role": "assistant", "calls": [{"provider_executed": 1}]},
            "a call's provider_executed must be true or false",
        ),
        ({"role": "assistant", "calls": [{"function": {}}]}, "unknown key 'function' in a call (known: id, name,"),
        ({"role": "user", "inline_results": "c1"}, "inline_results must be a list (this is a string)"),
        ({"role": "user", "approval_request": ["a"]}, "approval_request must be a string"),
        ({"role": "user", "approval_response": 1}, "approval_response must be a string"),
        ({"role": "user", "item_id": 1}, "item_id must be a string"),
        ({"role": "user", "parts": "p"}, "parts must be a list"),
        ({"role": "user", "text_first": 1}, "text_first must be true or false"),
    ],
)
def test_a_bad_message_is_one_error_with_its_index_and_what_to_do(bad: object, said: str) -> None:
    """Wherever it stands; nothing of the history is read."""
    with pytest.raises(BadHistory) as caught:
        load_history([GOOD, GOOD, bad, {"role": "also bad"}])
    assert caught.value.index == 2
    assert str(caught.value).startswith(f"messages[2]: {said}")


@pytest.mark.parametrize(("bad", "kind"), [({}, "an object"), ("[]", "a string"), (None, "null"), (3, "an integer")])
def test_what_is_no_list_is_no_history(bad: object, kind: str) -> None:
    """The error names no message, since there is none."""
    with pytest.raises(BadHistory) as caught:
        load_history(bad)
    assert str(caught.value) == f"a history is a list of messages (this is {kind})"
