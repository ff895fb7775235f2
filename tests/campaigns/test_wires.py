"""Trimmers in every wire format, from the items that they are handed to the verdict.

A correct trimmer is never blamed, a window over items is, and limits count what the trimmer sees.
"""

from collections.abc import Callable
from contextlib import chdir
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve

from trimfuzz.campaigns.engine.engine import Engine, engine_for
from trimfuzz.campaigns.engine.shrinking import shrink
from trimfuzz.campaigns.engine.tally import Tally
from trimfuzz.campaigns.target.contract import contract_for
from trimfuzz.campaigns.target.spec import Spec
from trimfuzz.campaigns.workers.supervisor import Supervisor
from trimfuzz.implementations.reference import reference
from trimfuzz.implementations.running import run
from trimfuzz.implementations.trimmer import Trimmer
from trimfuzz.messages.errors import TrimfuzzError
from trimfuzz.messages.formats.anthropic import FORMAT as ANTHROPIC
from trimfuzz.messages.formats.counting import native_count
from trimfuzz.messages.formats.format import Format
from trimfuzz.messages.formats.openai_responses import FORMAT as OPENAI_RESPONSES
from trimfuzz.messages.formats.registry import formats
from trimfuzz.messages.limits import Limit, LimitKind
from trimfuzz.messages.neutral import dump_history
from trimfuzz.messages.reading.profiles import profile
from trimfuzz.messages.shorthand import history as h
from trimfuzz.strategies.encoding.features import features_of
from trimfuzz.strategies.lane import random_histories

from .commandline import trimfuzz

WIRES = [form for form in formats().values() if form.shape is not formats()["neutral"].shape]
HISTORIES = 15


def correct(form: Format, kind: LimitKind) -> Trimmer:
    """The reference trimmer, which reads items and gives back those that it keeps."""
    known = reference(profile(form.provider))

    def trim(items: list[Any], limit: int, count: Callable[[Any], int]) -> list[Any]:
        history = list(form.read_items(items))
        kept = known.per_kind[kind](history, limit, lambda message: count(form.write(message)))
        places = {id(message): place for place, message in enumerate(history)}
        return [items[places[id(message)]] for message in kept]

    return evolve(known, name="correct", trim=trim, format=form, limits=(kind,), per_kind={})


def tail(items: list[Any], limit: int, _count: Any) -> list[Any]:
    """The newest items, wherever that cuts."""
    return items[-limit:] if limit > 0 else []


def engine(trimmer: Trimmer) -> Engine:
    return engine_for(contract_for(trimmer), observe=False)


def examined(known: Engine, number: int) -> Tally:
    """Run random histories of what the format carries."""
    tally = Tally(known.contract)
    features = features_of(known.contract.trimmer.format)
    for drawn in islice(random_histories(21, features=features), number):
        known.examine(drawn.history, tally)
    return tally


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["messages", "tokens", "turns"])
@pytest.mark.parametrize("form", WIRES, ids=lambda form: form.name)
def test_a_correct_trimmer_is_never_blamed(form: Format, kind: LimitKind) -> None:
    """Nor is a case skipped: all that is generated for a format can be written in it."""
    tally = examined(engine(correct(form, kind)), HISTORIES)
    assert [finding.cause for finding in tally.smallest.values() if tally.contract.fails(finding)] == []
    assert set(tally.statuses) <= {"ok", "refused"}


@pytest.mark.parametrize("form", WIRES, ids=lambda form: form.name)
def test_a_window_over_items_is_found_out(form: Format) -> None:
    """It keeps results without their calls, and the smallest case of that is one step."""
    known = engine(Trimmer("tail", tail, format=form))
    tally = examined(known, HISTORIES)
    found = shrink(known, tally.smallest["no-orphan/valid/call-dropped"], seconds=10).finding
    assert len(found.case.history) == 3
    assert not [cause for cause in tally.smallest if cause.startswith("within-limit")]


def items_kept(form: Format, written: str, limit: int) -> tuple[Engine, Any]:
    known = engine(Trimmer("tail", tail, format=form, promises={"within-limit": 1.0, "identity-under-limit": 1.0}))
    case = known.contract.case(h(written), Limit("messages", limit))
    return known, case


@pytest.mark.parametrize(
    ("form", "items"), [(ANTHROPIC, 4), (OPENAI_RESPONSES, 7)], ids=lambda value: getattr(value, "name", value)
)
def test_a_limit_of_messages_counts_items(form: Format, items: int) -> None:
    """Two results are one item for Anthropic, two calls and a text three for Responses; at that limit all fits."""
    known, case = items_kept(form, "U A[c1,c2]+ T(c1) T(c2) U", items)
    assert case.example.total == len(case.history) == items
    assert case.fits
    assert run(known.contract.trimmer, case, count=known.contract.count).output == case.history
    assert [found.rule for found in known.judge_case(case)] == []


def test_results_alone_open_no_turn() -> None:
    """They stand in a user message, but nobody speaks."""
    contract = contract_for(Trimmer("tail", tail, format=ANTHROPIC, limits=("turns",)))
    assert contract.example(h("U A[c] T(c) A U A")).costs == (1, 0, 0, 0, 1, 0)


def test_a_block_that_is_changed_in_place_is_seen() -> None:
    """Mutation is judged on items, down to their blocks."""

    def clears(items: list[Any], limit: int, _count: Any) -> list[Any]:
        for item in items:
            for block in item["content"] if isinstance(item["content"], list) else ():
                block.pop("content", None)
        return items

    known = engine(Trimmer("clears", clears, format=ANTHROPIC))
    found = known.judge_case(known.contract.case(h("U A[c1,c2] T(c1) T(c2) U"), Limit("messages", 9)))
    assert "no-input-mutation/valid/mutated" in {finding.cause for finding in found}


def test_a_copy_of_an_item_with_the_same_blocks_is_the_same_message() -> None:
    """So is one whose results were shortened: it is recognised by the ids that it answers."""

    def copies(items: list[Any], _limit: int, _count: Any) -> list[Any]:
        return [{**item, "content": [*item["content"]]} for item in items]

    def shortens(items: list[Any], _limit: int, _count: Any) -> list[Any]:
        short = [[{**block, "content": "-"} for block in item["content"]] for item in items[1:]]
        return [items[0], *({**item, "content": blocks} for item, blocks in zip(items[1:], short, strict=True))]

    for trim in (copies, shortens):
        history = h("A[c1,c2] T(c1) T(c2)")
        known = engine(Trimmer("copies", trim, format=ANTHROPIC))
        assert known.judge_case(known.contract.case(history, Limit("messages", 9))) == []


def test_results_in_one_message_each_are_found_out() -> None:
    """Anthropic wants all results of a step in one message; a trimmer that splits them is told so."""

    def splits(items: list[Any], _limit: int, _count: Any) -> list[Any]:
        found: list[Any] = []
        for item in items:
            blocks = item["content"] if isinstance(item["content"], list) else []
            results = [block for block in blocks if block["type"] == "tool_result"]
            found.extend([{**item, "content": [block]} for block in results] or [item])
        return found

    known = engine(Trimmer("splits", splits, format=ANTHROPIC))
    case = known.contract.case(h("U A[c1,c2] T(c1) T(c2)"), Limit("messages", 9))
    assert "results-together" in {finding.rule for finding in known.judge_case(case)}
    alone = known.contract.case(h("U A[c1] T(c1) U"), Limit("messages", 9))
    assert known.judge_case(alone) == []


def test_a_size_is_that_of_the_items_without_their_marks() -> None:
    """A reasoning item has a summary that is no mark; a mark inside a block is none of the provider's."""
    count = native_count(OPENAI_RESPONSES)
    item = {"type": "reasoning", "id": "r", "summary": [{"type": "summary_text", "text": "x" * 400}]}
    assert count({**item, "keep_during_truncation": True}) == count(item) > 100
    plain, pinned = (ANTHROPIC.write_history(h(f"T(c1)=x T(c2)=y{mark}")) for mark in ("", "!"))
    assert native_count(ANTHROPIC)(plain) == native_count(ANTHROPIC)(pinned)


@pytest.mark.slow
def test_check_takes_a_trimmer_of_anthropic_messages(tmp_path: Path) -> None:
    """From the command line, end to end."""
    (tmp_path / "mine.py").write_text("def trim(messages, limit):\n    return messages[-limit:] if limit > 0 else []\n")
    options = (
        "--format",
        "anthropic",
        "--limit",
        "messages",
        "--inputs",
        "valid",
        "--examples",
        "20",
        "--seconds",
        "0",
        "--json",
    )
    document = trimfuzz("check", "mine.py:trim", *options, code=1, cwd=tmp_path).document
    orphan = next(one for one in document["causes"] if one["cause"] == "no-orphan/valid/call-dropped")
    assert "tool_use_id" in str(orphan)
    assert [sorted(message) for message in orphan["history"]][-1] == ["inline_results", "role"]


def test_a_compaction_point_lies_between_items() -> None:
    """One between two results of an item, in front of it; the length counts items as well."""
    contract = contract_for(Trimmer("tail", tail, format=ANTHROPIC, limits=("compaction",)))
    history = h("U A[c1,c2] T(c1) T(c2) U")
    points = [contract.placed(history, Limit("compaction", index, length)) for index in range(6) for length in (3, 5)]
    assert [(point.index, point.length) for point in points] == [
        (0, 3), (0, 4), (1, 3), (1, 4), (2, 3), (2, 4), (2, 3), (2, 4), (3, 3), (3, 4), (4, 3), (4, 4),
    ]  # fmt: skip
    assert contract.placed(h("U A U"), Limit("compaction", 2, 3)) == Limit("compaction", 2, 3)


def test_a_history_found_in_one_format_is_run_in_another(tmp_path: Path) -> None:
    """Results that were blocks of a message are messages there; what has no place is an error, and never a pass."""
    (tmp_path / "mine.py").write_text("def trim(messages, limit):\n    return messages[-limit:] if limit > 0 else []\n")
    spec = Spec("mine.py:trim", format="openai-chat", limit="messages", timeout=5.0)
    step = ANTHROPIC.shape(h("U A[c1,c2] T(c1)=x T(c2)=y"))
    with chdir(tmp_path), Supervisor(spec) as worker:
        worker.start()
        found = worker.judge(dump_history(step), Limit("messages", 2))
        assert "no-orphan/valid/call-dropped" in {record.cause for record in found}
        with pytest.raises(TrimfuzzError, match="openai-chat has no place for the role 'reasoning'"):
            worker.judge(dump_history(h("U R A")), Limit("messages", 2))
