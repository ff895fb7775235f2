"""The seed systems as trimmers: what each is known to break, and what its fix holds."""

from collections.abc import Iterator
from itertools import islice

import pytest
from attrs import evolve

from trimfuzz.implementations.registry import find
from trimfuzz.implementations.running import run
from trimfuzz.implementations.seeds import codebuff, kimi, kimi_events, merak, oasis
from trimfuzz.implementations.seeds.kimi_projection import project_v1
from trimfuzz.implementations.trimmer import Trimmer
from trimfuzz.messages.cases import Case, Example, Finding
from trimfuzz.messages.formats.counting import cost_in, native_count
from trimfuzz.messages.limits import Limit, cost_of, sweep
from trimfuzz.messages.model import History, Message
from trimfuzz.messages.reading.pairing import InputClass
from trimfuzz.messages.shorthand import history
from trimfuzz.oracles.judging.judging import judge
from trimfuzz.oracles.rules.registry import RULES
from trimfuzz.strategies.encoding.features import features_of
from trimfuzz.strategies.lane import random_histories

ALWAYS = tuple(name for name, rule in RULES.items() if rule.kind == "always")
SEEDS = [trimmer for module in (oasis, codebuff, merak, kimi) for trimmer in module.trimmers()]


def findings(name: str, messages: History, point: Limit | None = None) -> Iterator[Finding]:
    """Run a seed at every limit of a history, and judge what always fails and what it promises."""
    trimmer = find(name)
    count = native_count(trimmer.format)
    kind = trimmer.limits[0]
    example = Example(messages, cost=cost_of(kind, cost_in(trimmer.format, count)))
    points = () if point is None or kind != "compaction" else (point,)
    for limit in (*sweep(messages, kind, costs=example.costs if kind == "tokens" else None, cap=24), *points):
        case = Case(example, limit)
        outcome = run(trimmer, case, count=count)
        yield from judge(case, outcome, rules=(*ALWAYS, *trimmer.promises))


def causes(name: str, inputs: InputClass, histories: int) -> Iterator[str]:
    """Yield the causes that a seed shows on so many random histories of an input class, as they are found."""
    drawn = random_histories(11, features=features_of(find(name).format), inputs=(inputs,), compaction=True)
    for one in islice(drawn, histories):
        yield from (finding.cause for finding in findings(name, one.history, one.point))


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", ["oasis-post", "merak-post", "merak-recent-history-post", "merak-hard-trim-post", "kimi-head-live"]
)
def test_cheap_fixes_hold_on_valid_input(name: str) -> None:
    """Systems that cut between turns, or keep no call at all, break nothing that always fails on valid input."""
    assert set(causes(name, "valid", 50)) == set()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "cause"),
    [
        ("oasis-pre", "no-orphan/valid/call-dropped"),
        ("codebuff-pre", "no-orphan/valid/call-dropped"),
        ("codebuff-post", "no-orphan/valid/call-dropped"),
        pytest.param("codebuff-post", "result-adjacent/valid/inserted-between", marks=pytest.mark.slow),
        ("codebuff-post+drop-unanswered", "no-orphan/valid/call-dropped"),
        ("merak-pre", "no-orphan/valid/call-dropped"),
        ("kimi-pre", "no-orphan/valid/call-dropped"),
        ("kimi-pr1054", "no-orphan/valid/call-dropped"),
        ("kimi-post", "no-orphan/valid/call-dropped"),
        ("kimi-head", "no-orphan/valid/call-dropped"),
        ("kimi-v2", "no-orphan/valid/call-dropped"),
    ],
)
def test_known_bug_is_found_on_valid_input(name: str, cause: str) -> None:
    """What was reported of each system is found, and what its fix leaves broken."""
    assert cause in causes(name, "valid", 800)


@pytest.mark.parametrize("name", ["oasis-post", "merak-post"])
def test_steer_in_a_batch_breaks_the_cheap_fixes(name: str) -> None:
    """A steer between a call and its result shields the result from a fix that looks at the edge alone."""
    assert "no-orphan/interleaved/call-dropped" in causes(name, "interleaved", 800)


@pytest.mark.slow
@pytest.mark.parametrize("trimmer", SEEDS, ids=lambda trimmer: trimmer.name)
def test_seed_leaves_the_input_alone(trimmer: Trimmer) -> None:
    """A port neither changes the list it is given nor raises on what upstream's messages can hold."""
    count = native_count(trimmer.format)
    for drawn in islice(random_histories(5, features=features_of(trimmer.format)), 40):
        for value in (-1, 0, 1, 2, 40, 400):
            case = Case(Example(drawn.history), Limit(trimmer.limits[0], value))
            outcome = run(trimmer, case, count=count)
            assert outcome.status in ("ok", "refused"), (case, outcome)
            assert not outcome.mutated
            assert not outcome.list_changed


def test_oasis_takes_the_first_message_for_the_task() -> None:
    """The first message and the newest ones stay; what has its role at the cut goes."""
    kept = oasis.trim_messages(list(history("S U S U A U")), 4, strip_results=True)
    assert [message.text for message in kept] == ["S0", "U3", "A4", "U5"]


def test_codebuff_placeholder_is_declared_and_made_anew() -> None:
    """A placeholder declares itself; one left by an earlier trim is a message like any other."""
    given = list(history("U A[a] T(a) U U"))
    once = codebuff.trim_messages(given, 40, lambda _message: 10, drop_orphans=True)
    assert once[0] == codebuff.PLACEHOLDER
    assert once[0].extra["inserted"] == "placeholder"
    again = codebuff.trim_messages([once[0], *given], 40, lambda _message: 10, drop_orphans=True)
    assert again[0] is not once[0]


def test_codebuff_shortens_all_but_five_terminal_results() -> None:
    """Older terminal results lose their output and say so; one that failed, or was shortened before, stays as it is."""
    results = [Message("tool", f"t{number}", call_id=str(number), name=codebuff.TERMINAL) for number in range(7)]
    failed = evolve(results[0], extra={"errorMessage": "no"})
    found = codebuff.shorten([failed, *results])
    assert found[0] is failed
    assert [message.text for message in found[1:]] == [None, None, "t2", "t3", "t4", "t5", "t6"]
    assert codebuff.simplified(found[1]) is found[1]


def test_codebuff_guards_compose_into_an_orphan() -> None:
    """A placeholder inside a batch makes the guard delete both calls, and leaves a result alone."""
    call, first, second = history("A[a,b]! T(a) T(b)")
    given = [Message("user", "u"), call, evolve(first, tokens=100), second, Message("assistant", "done")]
    trimmed = codebuff.trim_messages(given, 100, lambda message: message.tokens or 10, drop_orphans=True)
    assert [message.role for message in trimmed] == ["user", "assistant", "user", "tool", "assistant"]
    guarded = codebuff.drop_unanswered(trimmed)
    assert [message.role for message in guarded] == ["user", "user", "tool", "assistant"]


def test_codebuff_guards_differ_by_position() -> None:
    """The newer guard takes a result behind a user message for none; the older one looks for the id anywhere."""
    given = list(history("A[a]+ U T(a)"))
    assert [len(message.calls) for message in codebuff.drop_unanswered(given)] == [0, 0, 0]
    assert codebuff.filter_unfinished(given) == given


def test_merak_reserves_room_for_the_answer() -> None:
    """A small window is always taken for nearly full, so that four rounds are all that is left."""
    given = list(history("U A U A U A U A U A U A"))
    sent, trimmed = merak.assemble(given, 4000, trim_what_is_sent=True)
    assert (len(sent), trimmed) == (8, 0)


def test_merak_before_the_fix_trims_a_list_that_nobody_reads() -> None:
    """The hard trim counts what it deleted, and all of it is sent."""
    given = [Message("user", "x" * 400), Message("assistant", "y" * 400), Message("user", "z" * 400)]
    assert merak.assemble(given, 150, trim_what_is_sent=False) == (given, 1)


def test_kimi_in_flight_batch_loses_its_call() -> None:
    """A batch that is open when the history is compacted is answered later, by results whose call is gone."""
    messages = history("U A[a,b] T(a) T(b) U")
    point = Limit("compaction", 2, 2)
    found = {finding.cause for finding in findings("kimi-pr1054", messages, point) if finding.case.limit == point}
    assert "no-orphan/valid/call-dropped" in found


def test_kimi_fix_of_the_split_batch_strips_leading_results() -> None:
    """The closed fix strips results that lead what is left, at once; nothing of them is found at points of its own."""
    messages = history("U A[a,b] T(a) T(b) U")
    assert not {finding.cause for finding in findings("kimi-pr1054", messages)}
    assert {finding.cause for finding in findings("kimi-pre", messages)}


def test_kimi_id_used_again_keeps_an_orphan_alive() -> None:
    """A repair by id keeps the result of a call that is gone when a later call has the same id; v2 does not."""
    messages = history("U A[k] T(k) A[k] T(k) U")
    point = Limit("compaction", 2, 6)
    broken = {
        name: {finding.rule for finding in findings(name, messages, point) if finding.case.limit == point}
        for name in ("kimi-head", "kimi-v2")
    }
    assert "no-orphan" in broken["kimi-head"]
    assert "no-orphan" not in broken["kimi-v2"]


def test_kimi_summary_that_is_merged_with_a_call_is_no_insertion() -> None:
    """The strict projection merges neighbours; the call survives in the merged message, and its result with it."""
    asked, told, call, answer = history("U A A[a] T(a)")
    merged = project_v1([asked, evolve(told, summary=True), call, answer], strict=True, dedupe=True)

    assert [(it.role, it.summary, len(it.calls)) for it in merged] == [
        ("user", False, 0),
        ("assistant", False, 1),
        ("tool", False, 0),
    ]


def test_kimi_events_of_a_history_make_that_history() -> None:
    """Replayed as events, a sound history is itself again."""
    messages = history("S U A[a,b] T(b) T(a) A U")
    assert kimi_events.replay(kimi.events_of(messages), "head", "restore") == list(messages)


def test_kimi_long_input_is_elided_in_the_middle() -> None:
    """Of much user input the oldest and the newest are kept within their tokens, with a declared marker between."""
    said = [Message("user", f"{number}" * 16_000, extra={"origin": "user"}) for number in range(8)]
    events = [{"type": "user", "message": message} for message in said]
    kept = kimi_events.replay([*events, {"type": "compact", "count": 8, "summary": "s"}], "head", "live")
    assert [len(message.text or "") for message in kept] == [8000, len(kimi_events.ELIDED), 8000, *[16_000] * 4, 1]
    assert kept[1].extra["inserted"] is True
    assert kept[-1].summary
