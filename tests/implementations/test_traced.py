"""What adapters need of the runner: sources that are told, and another call for a kind of limit."""

from attrs import evolve

from trimfuzz.implementations.running import run
from trimfuzz.implementations.trimmer import Traced, Trimmer
from trimfuzz.messages.cases import Case, Example
from trimfuzz.messages.formats.counting import default_count
from trimfuzz.messages.formats.neutral import FORMAT as NEUTRAL_FORMAT
from trimfuzz.messages.limits import Limit
from trimfuzz.messages.model import Call, Message

HISTORY = (
    Message("user", "u"),
    Message("assistant", calls=(Call("c0"),)),
    Message("tool", "a long result", call_id="c0"),
)


def stub(items, _limit, _count):
    """Replace the result by a stub, and say of which it is one."""
    stubbed = evolve(items[2], text="[gone]")
    return Traced([items[0], items[1], stubbed, Message("user", "note", summary=True)], [0, 1, 2, None])


def test_told_sources_are_believed():
    """A stub that looks like nothing in the input is known as what it stands for."""
    trimmer = Trimmer("stub", stub, format=NEUTRAL_FORMAT)
    outcome = run(trimmer, Case(Example(HISTORY), Limit("messages", 3)), count=default_count)
    assert outcome.status == "ok"
    assert outcome.sources == (0, 1, 2, None)
    assert outcome.output is not None
    assert outcome.output[2].text == "[gone]"


def test_told_sources_settle_equal_objects():
    """Where an input holds one object twice, the adapter knows which of them came back."""
    twice = (HISTORY[0], HISTORY[0])
    trimmer = Trimmer("first", lambda items, _limit, _count: Traced(items[:1], [0]), format=NEUTRAL_FORMAT)
    assert run(trimmer, Case(Example(twice), Limit("messages", 1)), count=default_count).sources == (0,)


def test_a_kind_of_limit_can_have_a_call_of_its_own():
    """`per_kind` is asked first, `trim` otherwise."""
    trimmer = Trimmer(
        "kinds",
        lambda items, limit, _count: items[:limit],
        format=NEUTRAL_FORMAT,
        limits=("messages", "tokens"),
        per_kind={"tokens": lambda items, limit, _count: items[-limit:]},
    )

    def sources(limit):
        return run(trimmer, Case(Example(HISTORY), limit), count=default_count).sources

    assert sources(Limit("messages", 1)) == (0,)
    assert sources(Limit("tokens", 1)) == (2,)
