"""What a program never sends is in no history, wherever histories come from, and is on record wherever findings are."""

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest

from trimfuzz.campaigns.engine.engine import engine_for
from trimfuzz.campaigns.engine.lanes import Item, feed
from trimfuzz.campaigns.engine.shrinking import shrink
from trimfuzz.campaigns.engine.tally import Tally
from trimfuzz.campaigns.target.contract import Contract
from trimfuzz.campaigns.target.left_out import NAMES, SYSTEM_FEATURES, SYSTEM_OUTSIDE
from trimfuzz.campaigns.target.resolve import resolve
from trimfuzz.campaigns.target.spec import Spec
from trimfuzz.messages.errors import BadName
from trimfuzz.messages.limits import Limit
from trimfuzz.messages.model import SYSTEM_ROLES
from trimfuzz.messages.neutral import load_history
from trimfuzz.messages.shorthand import history
from trimfuzz.strategies.encoding.features_seen import POINT_FEATURES, features_in, point_features

from ..commandline import trimfuzz

SLICE = """
def trim(messages, limit):
    return messages[-limit:] if limit > 0 else []
"""


def tail(messages: list[Any], limit: int) -> list[Any]:
    """The newest messages, wherever that cuts."""
    return messages[-limit:] if limit > 0 else []


def behind(messages: list[Any], limit: Any) -> list[Any]:
    """What is behind a compaction point."""
    return messages[limit.index :]


def fails_on_calls(messages: list[Any], limit: Any) -> list[Any]:
    """Raises where there is a call, and two messages or more to compact."""
    if limit.index > 1 and any("tool_calls" in message for message in messages):
        raise RuntimeError
    return messages


def items(contract: Contract, lane: str, examples: int) -> list[Item]:
    """The first histories of a lane."""
    found: list[Item] = []

    def take(item: Item) -> bool:
        found.append(item)
        return True

    feed(lane, contract, seed=1, start=0, examples=examples, step=take)
    return found


@pytest.mark.parametrize("name", NAMES)
def test_no_lane_has_it(name: str) -> None:
    """Neither what is generated nor a public case; and no point at which a compaction is tried."""
    feature = name.replace("-", "_")
    # A late result behind another exchange looks like a call nested in an open batch.
    off = [name, "nested-calls"] if name == "late-results" else [name]
    if feature in POINT_FEATURES:
        contract = resolve(Spec.of(behind, without=off, limit="compaction"))
        engine = engine_for(contract)
        for item in (*items(contract, "random", 60), *items(contract, "known", 30)):
            example = contract.example(item.history)
            drawn = () if item.point is None else (contract.placed(item.history, item.point),)
            for point in (*engine.limits(example), *drawn):
                assert point is not None
                assert feature not in point_features(example.history, point)
        return
    contract = resolve(Spec.of(tail, without=off, format="neutral"))
    for lane, examples in (("known", 1000), ("random", 120), ("hypothesis", 20)):
        found = items(contract, lane, examples)
        assert found
        assert [item for item in found if features_in(item.history, [feature])] == []


@pytest.mark.parametrize("form", SYSTEM_OUTSIDE)
def test_a_system_prompt_outside_leaves_no_message_of_it(form: str) -> None:
    """In lists of a format with a place for it there is none, and nothing about one can be observed to hold."""
    contract = resolve(Spec.of(tail, system="outside", format=form))
    found = [*items(contract, "known", 1000), *items(contract, "random", 300)]
    assert not any(message.role in SYSTEM_ROLES for item in found for message in item.history)
    assert contract.left_out == SYSTEM_FEATURES
    assert contract.kind_of("keeps-system") is None
    assert any(message.role == "system" for item in items(_inside(form), "random", 30) for message in item.history)


def _inside(form: str) -> Contract:
    return resolve(Spec.of(tail, format=form))


def test_a_format_without_such_a_place_has_its_system_prompt_in_the_list() -> None:
    """Outside of an openai-chat list there is nothing."""
    with pytest.raises(
        BadName, match=r"--system outside says nothing about openai-chat \(formats with such a place: an"
    ):
        resolve(Spec.of(tail, system="outside"))
    with pytest.raises(BadName, match="--system beside is neither inside nor outside"):
        Spec.of(tail, system="beside")


@pytest.mark.parametrize(
    ("given", "without", "smallest"),
    [
        ("S U A[c1,c2] T(c1) T(c2) A U", "ends-on-result", "UATU"),
        ("S U A[c1,c2] T(c1) T(c2) A U", "no-system", "SUAT"),
        ("U A[c1,c2] T(c1) T(c2) A", "no-system", "UAT"),
        ("U A[c1,c2]+ T(c1) T(c2) A", "null-content,tool-names", "UAT"),
    ],
)
def test_no_shrunk_case_has_it(given: str, without: str, smallest: str) -> None:
    """But for what the case had from the start, as a fixture of another run may."""
    contract = resolve(Spec.of(tail, without=without, format="neutral"))
    engine = engine_for(contract)
    tally = Tally(contract)
    engine.examine(history(given), tally)
    small = shrink(engine, tally.smallest["no-orphan/valid/call-dropped"]).finding.case.history

    assert "".join(message.role[0].upper() for message in small) == smallest
    assert contract.left_out_in(small) <= contract.left_out_in(history(given))


def test_no_shrunk_point_has_it() -> None:
    """A point inside a batch is the plainest that orphans a result; without those none does."""
    given = history("U A[c1] T(c1) U A")
    for without, found in (((), True), (("cut-in-batch",), False)):
        contract = resolve(Spec.of(behind, limit="compaction", without=without))
        engine, tally = engine_for(contract), Tally(contract)
        engine.examine(given, tally)
        assert ("no-orphan/valid/call-dropped" in tally.smallest) is found
    for without, index in (((), 2), (("cut-in-batch",), 3)):
        engine = engine_for(resolve(Spec.of(fails_on_calls, limit="compaction", without=without)))
        (raised,) = engine.judge_case(engine.contract.case(given, Limit("compaction", 4, 5)))
        small = shrink(engine, raised).finding.case
        assert "".join(message.role[0] for message in small.history) == "uat"
        assert small.limit == Limit("compaction", index, 3)


def test_too_much_left_out_is_an_error_before_anything_runs() -> None:
    """Where no history is left nothing can be green."""
    with pytest.raises(BadName, match="no pending history can be made"):
        resolve(Spec.of(tail, inputs="pending", without="open-tail,ends-on-call"))


def test_a_typo_is_one_line_with_a_suggestion(tmp_path: Path) -> None:
    """And exit code 2."""
    (tmp_path / "mine.py").write_text(SLICE)
    said = trimfuzz("check", "mine.py:trim", "--without", "paralel,reused-ids", code=2, cwd=tmp_path)
    assert said.stderr == (
        "trimfuzz: unknown feature 'paralel' (did you mean parallel? `trimfuzz list features` shows them all)\n"
    )
    assert "--without names no feature" in trimfuzz("check", "mine.py:trim", "--without", ",", code=2).stderr


@pytest.mark.slow
def test_from_the_first_lines_to_a_replay(tmp_path: Path) -> None:
    """A check says it first, shows no case that has it, and its fixture brings it along."""
    (tmp_path / "mine.py").write_text(SLICE)
    without = ("no-system", "ends-on-result", "parallel")
    options = ("mine.py:trim", "--without", ",".join(without), "--seed", "1", "--examples", "120", "--seconds", "0")
    ran = trimfuzz("check", *options, "--fixtures", "kept", "--shrink", "5", code=1, cwd=tmp_path).stdout

    assert "   without      parallel, no-system, ends-on-result: neither generated, nor among the public cases" in ran
    files = list((tmp_path / "kept").glob("*.json"))
    assert files
    for path in files:
        kept = json.loads(path.read_text())
        assert kept["options"]["without"] == ["parallel", "no-system", "ends-on-result"]
        assert features_in(load_history(kept["history"]), [name.replace("-", "_") for name in without]) == set()
    assert "trimfuzz replay kept/" in ran
    replayed = trimfuzz("replay", "kept", "--json", code=1, cwd=tmp_path).document["fixtures"]
    assert {row["state"] for row in replayed} == {"failed"}
    again = trimfuzz("check", *options, "--shrink", "0", "--json", code=1, cwd=tmp_path).document["bugs"][0]
    in_force = json.loads((tmp_path / again["fixture"]).read_text())["options"]
    assert in_force["without"] == ["parallel", "no-system", "ends-on-result"]


def test_a_campaign_says_it_and_writes_it_beside_what_it_accepts(tmp_path: Path) -> None:
    """In its first lines, in its fixtures, and in the file of accepted findings."""
    (tmp_path / "mine.py").write_text(SLICE)
    options = ("campaign", "mine.py:trim", "--without", "steer-user", "--without", "sizes", "--marks", "on")
    options = (*options, "--examples", "20", "--inputs", "valid", "--jobs", "1", "--seed", "2")
    said = trimfuzz(*options, "--accept", cwd=tmp_path).stdout

    first = next(line for line in said.splitlines() if line.startswith("   "))
    assert first == "   without      sizes, steer-user: neither generated, nor among the public cases"
    entries = tomllib.loads((tmp_path / "trimfuzz-known.toml").read_text())["finding"]
    assert {(*entry["without"], entry["marks"], "system" in entry) for entry in entries} == {
        ("sizes", "steer-user", "on", False)
    }
    kept = [json.loads(path.read_text()) for path in (tmp_path / ".trimfuzz" / "fixtures").glob("*.json")]
    assert {tuple(one["options"]["without"]) for one in kept} == {("sizes", "steer-user")}
    again = trimfuzz(*options, "--json", cwd=tmp_path).document["trimmers"][0]
    assert again["notes"][-1].startswith("without sizes, steer-user: ")
    assert not any(one["fails"] for one in again["causes"])
