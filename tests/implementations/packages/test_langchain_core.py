"""langchain-core: what its four settings do to calls and results, and its format."""

import pytest

from trimfuzz.messages.errors import BadHistory, CannotCarry
from trimfuzz.messages.formats.registry import format_named
from trimfuzz.messages.model import Call, Message

messages = pytest.importorskip("langchain_core.messages")

MODULE = "langchain_core"


@pytest.fixture(scope="module")
def form():
    """The format, which importing the adapters registers."""
    import trimfuzz.implementations.packages.langchain_core  # noqa: F401

    return format_named("langchain-core")


@pytest.mark.slow
def test_default_orphans_a_result(kept):
    """With default settings the last message alone may be a result without its call."""
    assert kept(MODULE, "langchain-core-default", "U A[c0] T(c0)", "messages", 1) == "T(c0)"


@pytest.mark.slow
def test_default_orphans_a_result_by_tokens(kept):
    """The same with the counter in force."""
    assert kept(MODULE, "langchain-core-default", "U A[c0] T(c0)", "tokens", 20) == "T(c0)"


def test_recommended_keeps_the_pair_or_drops_it(kept):
    """The recommended settings never start on a result: nothing is left here."""
    assert kept(MODULE, "langchain-core-recommended", "U A[c0] T(c0)", "messages", 1) == ""
    assert kept(MODULE, "langchain-core-recommended", "U A[c0] T(c0)", "messages", 3) == "U A[c0] T(c0)"


def test_recommended_is_not_idempotent(kept):
    """A lone system message survives beside a user message, and is lost on its own, whatever the limit."""
    assert kept(MODULE, "langchain-core-recommended", "S U", "messages", 1) == "S"
    assert kept(MODULE, "langchain-core-recommended", "S", "messages", 100) == ""


def test_recommended_keeps_a_system_message_over_the_limit(kept):
    """include_system is stronger than the limit."""
    assert kept(MODULE, "langchain-core-recommended", "S=some_long_text U", "tokens", 1) == "S"


def test_first_leaves_a_call_unanswered(kept):
    """strategy="first" stops between a call and its result."""
    assert kept(MODULE, "langchain-core-first", "U A[c0] T(c0)", "messages", 2) == "U A[c0]"


def test_first_with_end_on_fails_for_parallel_calls_alone(kept):
    """Ending on a tool message is enough for one call, not for two."""
    assert kept(MODULE, "langchain-core-first-end-on", "U A[c0] T(c0)", "messages", 2) == "U"
    assert kept(MODULE, "langchain-core-first-end-on", "U A[c0,c1] T(c0) T(c1)", "messages", 3) == "U A[c0,c1] T(c0)"


def test_output_is_known_by_identity(outcome):
    """The trimmer returns the very objects, so that survivors need no guessing."""
    assert outcome(MODULE, "langchain-core-default", "U A[c0] T(c0)", "messages", 2).sources == (1, 2)


@pytest.mark.parametrize(
    "message",
    [
        Message("system", "s"),
        Message("developer", "d"),
        Message("user", "u", name="ann"),
        Message("assistant", "a", reasoning="why"),
        Message("assistant", "a", reasoning=""),
        Message("assistant", calls=(Call("c0"), Call("c1", "g", arguments='{"q":"é"}'))),
        Message("assistant", "both", calls=(Call("c0", arguments='{"q": 1}'),)),
        Message("assistant", calls=(Call("c0", arguments="not json"), Call("c1"), Call("c2", arguments="[1]"))),
        Message("assistant", calls=(Call(""),)),
        Message("tool", "r", call_id="c0", name="f"),
        Message("tool", "", call_id=""),
        Message("user", "u", keep_during_truncation=True),
        Message("user", "u", summary=True, extra={"note": {"a": [1]}}),
        Message("user", "ab", extra={"parts": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]}),
    ],
)
def test_round_trip_is_the_identity(form, message):
    """What is written is read back as it was."""
    assert form.read(form.write(message)) == message


def test_written_twice_is_equal_and_not_shared(form):
    """Two writes of one message are equal objects that share nothing that can change."""
    message = Message("assistant", calls=(Call("c0", arguments='{"q":{"a":1}}'),), extra={"note": {"a": 1}})
    one, other = form.write(message), form.write(message)
    assert one == other
    one.tool_calls[0]["args"]["q"]["a"] = 2
    one.additional_kwargs["note"]["a"] = 2
    assert other == form.write(message)
    assert one != other


def test_edited_arguments_are_read_as_edited(form):
    """A raw string that no longer says what the parsed arguments say is not believed."""
    item = form.write(Message("assistant", calls=(Call("c0", arguments='{"q": 1}'),)))
    item.tool_calls[0]["args"]["q"] = 2
    assert form.read(item).calls[0].arguments == '{"q":2}'


@pytest.mark.parametrize(
    "message",
    [
        Message("reasoning", "r"),
        Message("user", "u", call_id="c0"),
        Message("assistant", calls=(Call("c0", provider_executed=True),)),
        Message("assistant", calls=(Call("c0", alt_id="f0"),)),
        Message("user", "u", extra={"inline_results": [{"call_id": "c0"}]}),
        Message("assistant", "a", extra={"item_id": "m1"}),
    ],
)
def test_what_has_no_place_raises(form, message):
    """Nothing is dropped silently."""
    with pytest.raises(CannotCarry):
        form.write(message)


def test_reads_nothing_else(form):
    """A dict, or a message that only deletes another, is no message of a history."""
    for item in ({"role": "user", "content": "u"}, messages.RemoveMessage(id="1")):
        with pytest.raises(BadHistory):
            form.read(item)
