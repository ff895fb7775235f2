"""Scripts as text and as JSON: what is written is what is read, and what cannot be meant is said in one line."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trimfuzz.messages.errors import BadHistory
from trimfuzz.messages.session.steps import Script, Step, dump_script, load_script, script, step

LINES = (
    'system "s"', 'user "a"', "call x y", 'result y "b"', 'steer "c"', "interrupt", 'assistant "d"', "send", "trim",
    "plan 2", "apply", "save", 'user! "two words, \\"quoted\\""', "call! x", 'result! x ""',
)  # fmt: skip
TEXTS = st.text(max_size=6)
IDS = st.lists(st.text(max_size=4), min_size=1, max_size=3, unique=True).map(tuple)
STEPS = st.one_of(
    st.builds(Step, st.sampled_from(["system", "user", "steer", "assistant"]), text=TEXTS, pinned=st.booleans()),
    st.builds(Step, st.just("call"), ids=IDS, pinned=st.booleans()),
    st.builds(Step, st.just("result"), text=TEXTS, ids=IDS.map(lambda ids: ids[:1])),
    st.builds(Step, st.just("plan"), at=st.integers(0, 99)),
    st.builds(Step, st.sampled_from(["interrupt", "send", "trim", "apply", "save"])),
)


@pytest.mark.parametrize("line", LINES)
def test_a_line_reads_as_it_is_written(line: str) -> None:
    assert str(step(line)) == line


@pytest.mark.slow
@given(STEPS)
def test_every_step_comes_back_from_its_line(one: Step) -> None:
    assert step(str(one)) == one


def test_a_script_comes_back_from_json() -> None:
    found = script("\n# a comment\n\n".join(LINES), keep="sent", then="codebuff-drop-unanswered")
    assert len(found.steps) == len(LINES)
    assert load_script(json.loads(json.dumps(dump_script(found)))) == found
    assert load_script({"steps": ["send"]}) == Script((Step("send"),))


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("", "unknown step ''"),
        ("shout", "unknown step 'shout'"),
        ("user", "has 0 words behind user"),
        ("user a b", "has 2 words behind user"),
        ("call", "has 0 words behind call"),
        ("result x", "has 1 words behind result"),
        ("plan one", "'one' is no position"),
        ("send now", "has 1 words behind send"),
        ("send!", "send adds no message that could be pinned"),
        ('user "a', "has a quote that is not closed"),
        ('user "\\q"', "is no text"),
    ],
)
def test_what_is_no_step_is_said(line: str, problem: str) -> None:
    with pytest.raises(BadHistory, match=problem.replace("(", r"\(").replace("\\", r"\\")):
        step(line)


@pytest.mark.parametrize(
    "data", [[], {"steps": "send"}, {"steps": [1]}, {"keep": "lost", "steps": []}, {"then": 1, "steps": []}]
)
def test_what_is_no_script_is_said(data: object) -> None:
    with pytest.raises(BadHistory):
        load_script(data)
