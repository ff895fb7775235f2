"""Small files that showed a fault of the verdict: what `check`, `lint` and `judge` must put out for each of them now.

The files stand in `tests/data/repro`. A comment says what was put out before, where the row does not.
"""

import shutil
from pathlib import Path

import pytest

from ..checking import Row, check, table
from ..commandline import trimfuzz

REPRO = Path(__file__).parents[2] / "data" / "repro"
ANTHROPIC = "--format anthropic --no-promise within-limit"
REASONING = ("reasoning-kept-with-followup", "signed-reasoning-unmodified")


@pytest.fixture
def here(tmp_path: Path) -> Path:
    """A folder with the files in it, so that a check leaves nothing behind beside them."""
    return shutil.copytree(REPRO, tmp_path / "repro", ignore=shutil.ignore_patterns("__pycache__"))


@pytest.mark.nightly
@table(
    # Ended with exit 2: "openai-chat has one content ...", since a candidate was priced before it was written.
    Row("count_one.py:trim", "--limit tokens --count count_one.py:count", ("no-orphan",)),
    Row("edits_parts_count.py:trim", "--limit tokens", ("no-orphan",)),
    # A counter that takes a list alone; nothing was found.
    Row("list_counter.py:trim", "--limit tokens --count list_counter.py:num_tokens", ("no-orphan",)),
)
def test_a_counter_never_ends_a_run(row: Row, here: Path):
    """Whatever a counter is given while a finding is shrunk, the findings come."""
    row.hold(here)


@pytest.mark.nightly
def test_tokens_of_openai_responses_are_judged(here: Path):
    """Ended with exit 2, always: "has no place for results in a message of role 'assistant'"."""
    row = Row(
        "resp_tail.py:trim", "--format openai-responses --limit tokens", ("no-orphan",),
        may=("reasoning-kept-with-followup",),  # a slice parts an item from its reasoning in cases of their own
    )  # fmt: skip
    row.hold(here)


@pytest.mark.nightly
def test_a_slice_under_a_list_counter_is_found(here: Path):
    """Four histories, "9 not found again" and exit 0, though it is a slice."""
    row = Row(
        "tail_list_count.py:trim",
        "--limit tokens --count tail_list_count.py:num_tokens_from_messages",
        ("no-orphan",),
        # `limit // 40` messages are more than fit where texts are long, few where they are short, none below 40.
        may=("within-limit", "identity-under-limit", "utilisation", "nonempty-history"),
    )
    row.hold(here)


@pytest.mark.slow
def test_a_counter_that_raises_is_told_with_its_own_error(here: Path):
    """Exit 0 "nothing found" in 6 s, "ended its process too often" in 10 s."""
    found = check(
        "always_raises_count.py:trim", "--limit", "tokens", "--count", "always_raises_count.py:count", cwd=here
    )
    assert found.code == 2
    assert "no vocabulary" in found.document["error"]
    assert found.document["schema"] == 2


@pytest.mark.nightly
@table(
    Row("clears_old_results.py:trim", "--no-promise within-limit", never=("new result",)),
    # These clear at every limit, also where all fits; that is no matter of invented calls.
    *(
        Row(f"clears_variants.py:{name}", "--no-promise within-limit --no-promise identity-under-limit")
        for name in ("prefix", "suffixed", "wrapped", "emptied")
    ),
    Row("clears_variants.py:clear_anthropic", f"{ANTHROPIC} --no-promise identity-under-limit"),
    Row("contents/t_clear_results_any.py:trim", "--no-promise within-limit"),
)
def test_a_cleared_result_is_no_invented_call(row: Row, here: Path):
    """invented-call on valid input, always, and not to be withdrawn."""
    found = row.hold(here)
    assert "invented-call" not in {cause["rule"] for cause in found.document["causes"]}


@pytest.mark.nightly
@table(
    # "refused, although the empty list would be legal", and utilisation 0.18.
    Row("refuses_rightly.py:trim", "--limit tokens --refuses refuses_rightly.py:DoesNotFit"),
    # "the whole history fits (0 of 0), but messages[0] is gone".
    Row("turns_of_a_user.py:trim", "--limit turns"),
    # Writes a string as a block of text, which is the same request.
    Row("blocks_of_text.py:trim", ANTHROPIC),
    # identity-under-limit and nonempty-message, for keys of trimfuzz's own.
    Row("rebuilds_anthropic.py:trim", ANTHROPIC),
    Row("rebuilds_anthropic.py:trim", f"{ANTHROPIC} --marks off"),
)
def test_what_is_no_fault_passes(row: Row, here: Path):
    """Findings that no author would have changed anything for."""
    row.hold(here)


@pytest.mark.nightly
def test_a_window_that_rebuilds_its_messages_changes_nothing(here: Path):
    """Rebuilt messages are the same request. That nothing is left of a question and an answer at a limit of 1, where
    the answer alone would fit, is another matter."""
    found = Row("rebuilds.py:trim", bugs=("nonempty-history",)).hold(here)
    assert {"identity-under-limit", "nonempty-message"}.isdisjoint(found.rules)


@pytest.mark.nightly
def test_a_limit_of_zero_that_means_none_is_a_line_at_the_end(here: Path):
    """within-limit at 0 came first. Its window ends as that of `rebuilds.py` does."""
    found = Row("zero_is_off.py:trim", bugs=("nonempty-history",)).hold(here)
    assert "within-limit" in found.edge_rules
    assert "at limits below 1" in check("zero_is_off.py:trim", cwd=here, text=True).stdout


@pytest.mark.nightly
def test_system_messages_over_the_limit_are_excused_in_a_bare_function(here: Path):
    """What it keeps of the conversation is within the limit, as it counts."""
    found = Row("system_over.py:trim").hold(here)
    assert "within-limit" not in found.edge_rules, "it refuses limits below 1"


@pytest.mark.nightly
def test_system_messages_over_the_limit_break_a_promise(here: Path):
    """One bug, at a limit that counts."""
    found = Row("system_over.py:trim", "--promise within-limit", ("within-limit",)).hold(here)
    assert found.bugs[0]["limit"]["value"] >= 1
    higher = Row("system_over.py:trim", "--promise within-limit --lowest-limit 2", ("within-limit",)).hold(here)
    assert higher.bugs[0]["limit"]["value"] >= 2


@pytest.mark.slow
def test_a_slice_of_items_is_one_bug_told_truly(here: Path):
    """Nine causes for one slice; "messages[3] was put behind it", though it stood there before."""
    row = Row(
        "resp_tail.py:trim", "--format openai-responses", ("no-orphan",),
        may=("reasoning-kept-with-followup",),  # as above
        never=("was put behind it", "was put between"),
    )  # fmt: skip
    found = row.hold(here)
    assert found.cuts[0] == ("no-orphan", "call-dropped")
    assert "batch-atomic" in " ".join(found.bugs[0]["also"])


@pytest.mark.nightly
def test_a_list_that_has_no_system_message_is_not_blamed_for_one(here: Path):
    """`[system]` alone was blamed, in a list that Converse never has; and "nothing but system messages is left" was
    said of an empty list."""
    row = Row(
        "bedrock_first_user.py:trim",
        "--format bedrock --no-promise nonempty-history --no-promise utilisation --system outside",
        may=("nonempty-history",),  # an empty list is rejected, whatever was promised; it ends as `rebuilds.py` does
        never=("system message",),
    )
    row.hold(here)


@pytest.mark.nightly
def test_an_empty_list_is_not_said_to_hold_system_messages(here: Path):
    """A sentence is true of the case that it stands under."""
    options = "--format bedrock --no-promise nonempty-history --no-promise utilisation"
    found = check("bedrock_first_user.py:trim", *options.split(), cwd=here)
    assert found.document["schema"] == 2
    for finding in (*found.document["bugs"], *found.document["causes"]):
        if not finding["output"]:
            assert "system messages is left" not in finding["message"], finding["message"]


@pytest.mark.nightly
@pytest.mark.parametrize("name", ["strips_thinking.py", "strips_only_tool_turn.py"])
def test_stripped_thinking_is_found_or_was_not_exercised(name: str, here: Path):
    """Ticks stood beside both rules of reasoning after 200 histories."""
    found = check(f"{name}:trim", *ANTHROPIC.split(), cwd=here)
    assert found.document["schema"] == 2
    told = {cause["rule"] for cause in found.document["causes"]} | set(found.document["not_exercised"])
    assert told.issuperset(REASONING), found.document["not_exercised"]
    # Thinking of turns that are over may go for the provider's sake, but not out of a list that fits.
    assert set(found.rules) <= {*REASONING, "identity-under-limit"}
    assert found.code == 1


@pytest.mark.nightly
@pytest.mark.xfail(reason="no result with a list of parts is generated yet")
def test_a_python_repr_of_content_parts_is_found(here: Path):
    """Nothing was found: a result's content was never a list."""
    Row("repr_of_parts.py:trim", "--no-promise within-limit --promise content-intact", ("content-intact",)).hold(here)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["G0_cleared_result_is_invented_call.jsonl", "ex_summary_mark.jsonl"])
def test_a_replaced_result_is_judged_an_edit(name: str):
    """invented-call was broken for a cleared result, with whatever mark; a shortened one with a mark too."""
    told = trimfuzz("judge", "--examples", str(REPRO / "contents" / name), "--json", code=0).document
    assert told


@pytest.mark.slow
def test_lint_blames_an_orphan_and_not_the_opening_that_it_stands_in():
    """first-is-user was said of an item of role user."""
    told = trimfuzz("lint", str(REPRO / "contents" / "G5_first_is_user_false_text.json"), "--json", code=1).document
    rules = [one["rule"] for one in told["violations"]]
    assert "no-orphan" in rules
    # The text before the result and the missing tools of this request are other faults, and true ones.
    assert set(rules) <= {"no-orphan", "results-before-text", "tools-declared"}


@pytest.mark.slow
def test_lint_reports_results_of_two_items_once():
    """results-together came twice, and once as "messages[2] holds some results of a step, messages[2] others"."""
    told = trimfuzz("lint", str(REPRO / "contents" / "G14_results_together_twice.json"), "--json", code=1).document
    [apart] = [one["message"] for one in told["violations"] if one["rule"] == "results-together"]
    assert "messages[2]" in apart
    assert "messages[3]" in apart
    assert apart.count("messages[2]") == 1
