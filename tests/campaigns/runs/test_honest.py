"""Honest trimmers pass: exit 0 with default options, or the one finding that their author would expect.

The trimmers stand in `honest/`, the numbers in the comments are those of their descriptions.
"""

import re
import shutil
from pathlib import Path

import pytest

from ..checking import Row, check, table

HONEST = Path(__file__).parent / "honest"
REFUSES = "--refuses DoesNotFit"
FORMATS = {
    "chat": "openai-chat", "anthropic": "anthropic", "gemini": "gemini", "bedrock": "bedrock", "ai_sdk": "ai-sdk",
    "responses": "openai-responses",
}  # fmt: skip
FIRST_CALL = r"first call took \d"

WINDOWS = (
    # 1
    Row("windows.py:newest_units_by_messages", REFUSES),
    Row("windows.py:newest_units", f"--limit tokens {REFUSES}"),
    # 2
    Row("windows.py:systems_to_the_front"),
    Row("windows.py:systems_to_the_front_by_tokens", "--limit tokens"),
    # 3
    Row("windows.py:whole_turns", REFUSES),
    Row("windows.py:last_turns", f"--limit turns {REFUSES}"),
    # 4
    Row("windows.py:first_user_for_ever"),
    # 10
    Row("windows.py:zero_is_no_limit"),
    # 14
    Row("windows.py:rounds", "--limit other"),
    # 15
    Row("windows.py:last_user_message_alone"),
    Row("windows.py:last_user_message_alone_by_tokens", "--limit tokens"),
    # 17
    Row("windows.py:conversation_within"),
    Row("windows.py:conversation_within_once_over"),
    # 18
    Row("windows.py:last_turn_whole"),
    Row("windows.py:last_turn_whole_by_tokens", "--limit tokens"),
)
MIDDLES = (
    # 5
    Row("middles.py:both_ends_by_messages", REFUSES),
    Row("middles.py:both_ends", f"--limit tokens {REFUSES}"),
    # 6
    Row("middles.py:by_user", REFUSES),
    Row("middles.py:by_user_marked", REFUSES),
    Row("middles.py:by_system", REFUSES),
    Row("middles.py:by_system_marked", REFUSES),
    Row("middles.py:by_assistant", REFUSES),
    Row("middles.py:by_assistant_marked", REFUSES),
    Row("middles.py:everything", REFUSES, ("utilisation",)),
)
# 7
RESULTS = tuple(
    Row(f"results.py:{change}_{name}", f"--format {form} {REFUSES}")
    for name, form in FORMATS.items()
    for change in ("cleared", "cut", "emptied")
)
PROMISED_RESULTS = tuple(
    Row(
        f"results.py:{change}_{name}",
        f"--format {form} {REFUSES} --promise real-result-not-dropped",
        () if change == "cut" else ("real-result-not-dropped",),
    )
    for name, form in FORMATS.items()
    for change in ("cleared", "cut", "emptied")
)
REBUILT = (
    # 8
    Row("rebuilt.py:rebuilds"),
    Row("rebuilt.py:rebuilds_with_nulls"),
    # 9
    Row("rebuilt.py:without_old_reasoning", "--provider deepseek"),
    Row("rebuilt.py:without_old_reasoning", "--provider kimi"),
    Row("rebuilt.py:without_old_thinking", f"--format gemini {REFUSES}"),
    Row("rebuilt.py:without_old_thinking", f"--format anthropic {REFUSES}"),
    # 12
    Row("rebuilt.py:merges_users", f"--format anthropic {REFUSES}"),
    Row("rebuilt.py:merges_users", f"--format bedrock {REFUSES}"),
)
WAYS = (
    # 11
    Row("ways.py:Budget", "--limit tokens --count ways.py:Budget.count"),
    # 13
    Row("ways.py:in_place", "--in-place"),
    Row("ways.py:asynchronous"),
    Row("ways.py:generator"),
    Row("ways.py:asynchronous_generator"),
    Row("ways.py:Memory"),
    Row("ways.py:Compactor", "--limit compaction"),
    # 16
    Row("ways.py:late"),
)


@pytest.fixture
def here(tmp_path: Path) -> Path:
    """A folder with the trimmers in it, so that a check leaves nothing behind beside them."""
    return shutil.copytree(HONEST, tmp_path / "honest", ignore=shutil.ignore_patterns("__pycache__"))


@pytest.mark.slow
@table(WINDOWS[0], WINDOWS[7], MIDDLES[2], RESULTS[0], REBUILT[0], WAYS[-2])
def test_some_honest_trimmers_pass(row: Row, here: Path):
    """One of each kind, where the night runs all."""
    row.hold(here)


@pytest.mark.nightly
@table(*WINDOWS, *MIDDLES, *REBUILT, *WAYS)
def test_an_honest_trimmer_passes(row: Row, here: Path):
    """Nothing is numbered, or the one rule that its description names."""
    row.hold(here)


@pytest.mark.nightly
@table(*RESULTS)
def test_to_edit_old_results_is_no_fault(row: Row, here: Path):
    """A result that was cleared, cut or emptied is edited: no call was invented, and nobody promised to keep it."""
    row.hold(here)


@pytest.mark.nightly
@table(*PROMISED_RESULTS)
def test_a_promise_to_keep_results_is_broken_by_clearing_them(row: Row, here: Path):
    """Cleared and emptied results are gone for who promised to keep them; the ends of a text that was cut are not."""
    row.hold(here)


@pytest.mark.nightly
def test_a_limit_of_zero_is_reported_and_does_not_fail(here: Path):
    """What "no limit" does at 0 is a line at the end, without a number."""
    found = Row("windows.py:zero_is_no_limit").hold(here)
    assert "within-limit" in found.edge_rules
    assert found.rules == []
    assert "at limits below 1" in check("windows.py:zero_is_no_limit", cwd=here, text=True).stdout


@pytest.mark.nightly
def test_a_limit_of_zero_counts_where_that_is_asked_for(here: Path):
    """With --lowest-limit 0 the same is a bug, at 0, and no line at the end."""
    found = Row("windows.py:zero_is_no_limit", "--lowest-limit 0", ("within-limit",)).hold(here)
    assert found.bugs[0]["limit"] == {"kind": "messages", "value": 0}


@pytest.mark.nightly
def test_the_report_tells_by_how_much_the_last_turn_is_over(here: Path):
    """A limit that held only because the last turn may be larger is reported, with the option that makes it fail."""
    found = check("windows.py:last_turn_whole", cwd=here, text=True)
    assert found.code == 0, found.stdout
    assert re.search(r"over by \d+", found.stdout), found.stdout
    assert "--promise within-limit" in found.stdout


@pytest.mark.nightly
@table(
    Row("windows.py:last_turn_whole", "--promise within-limit", ("within-limit",)),
    Row("windows.py:last_turn_whole_by_tokens", "--limit tokens --promise within-limit", ("within-limit",)),
    Row("windows.py:conversation_within", "--promise within-limit", ("within-limit",)),
)
def test_a_promised_limit_has_its_full_form(row: Row, here: Path):
    """What is excused in a bare function is a bug in one that promises the limit."""
    row.hold(here)


@pytest.mark.nightly
def test_a_slow_first_call_is_reported_and_does_not_hang(here: Path):
    """Four seconds for a first call are an import: the report says so."""
    found = check("ways.py:late", cwd=here, text=True)
    assert found.code == 0, found.stdout
    assert re.search(FIRST_CALL, found.stdout), found.stdout
