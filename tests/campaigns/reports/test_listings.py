"""`trimfuzz list rules --provider`, and the answer of a version in a check."""

from pathlib import Path

import pytest

from trimfuzz.campaigns.reports.finding import answer_words
from trimfuzz.campaigns.reports.listings import listed
from trimfuzz.messages.neutral import load_history
from trimfuzz.oracles.packs import PACKS, VERSIONED_PACKS, pack
from trimfuzz.oracles.rules.registry import RULES
from trimfuzz.strategies import FEATURES
from trimfuzz.strategies.encoding.features_seen import features_in

from ..commandline import trimfuzz


@pytest.mark.parametrize("name", [*PACKS, *VERSIONED_PACKS])
def test_what_fails_is_what_the_pack_says(name: str) -> None:
    """Every rule that fails under a pack is listed as failing, and no other; what else is listed has an entry."""
    known = pack(name)
    rows = {row["name"]: row for row in listed("rules", provider=name)}
    failing = {rule for rule in RULES if RULES[rule].kind == "always" or rule in known.enforces}
    assert {rule for rule, row in rows.items() if row["fails"]} == failing
    assert set(rows) == failing | set(known.answers)
    assert {rule for rule, row in rows.items() if row["severity"]} == set(known.answers)


def test_rows_say_everything_about_an_entry() -> None:
    """As programs read it; a rule of which nothing is known says so."""
    document = trimfuzz("list", "rules", "--provider", "anthropic@4.6", "--json").document
    rows = {row["name"]: row for row in document["rules"]}
    assert document["provider"] == "anthropic@4.6"
    assert rows["last-is-user-or-tool"] == {
        "name": "last-is-user-or-tool",
        "fails": True,
        "severity": "hard",
        "text": "This model does not support assistant message prefill. The conversation must end with a user message.",
        "source": "https://github.com/aws/bedrock-agentcore-sdk-python/issues/547",
        "confidence": "B",
        "status": 400,
        "date": "2026-11",
        "versions": ["4.6"],
        "note": "",
    }
    assert (rows["nonempty-call-id"]["fails"], rows["nonempty-call-id"]["severity"]) == (True, None)
    assert "no request shows it" in rows["terminates"]["note"]


@pytest.mark.parametrize("width", ["80", "120"])
@pytest.mark.parametrize("name", ["anthropic", "mistral@v3", "ai-sdk", "strict"])
def test_it_fits_the_terminal(name: str, width: str) -> None:
    """At 80 and at 120 columns; what fails and what is answered is there."""
    lines = trimfuzz("list", "rules", "--provider", name, env={"COLUMNS": width}).stdout.splitlines()
    assert max(map(len, lines)) <= int(width)
    assert any(line.startswith("no-orphan  fails") for line in lines)
    lines = trimfuzz("list", "providers", env={"COLUMNS": width}).stdout.splitlines()
    assert max(map(len, lines)) <= int(width)
    assert any("anthropic@4.5, anthropic@4.6" in line for line in lines)


def test_a_provider_goes_with_rules_alone() -> None:
    """And it must be one that there is."""
    assert "it goes with rules" in trimfuzz("list", "formats", "--provider", "kimi", code=2).stderr
    said = trimfuzz("list", "rules", "--provider", "anthropic@3", code=2).stderr
    assert said == "trimfuzz: unknown version '3' of anthropic (known: anthropic@4.5, anthropic@4.6)\n"


@pytest.mark.slow
def test_a_check_answers_as_the_version_asked_for(tmp_path: Path) -> None:
    """What a version takes does not fail; its name stands in the report, with status, text and confidence."""
    (tmp_path / "mine.py").write_text("def trim(messages, limit):\n    return messages[:max(limit, 0)]\n")
    asked = ("check", "mine.py:trim", "--examples", "20", "--shrink", "0", "--seed", "1", "--inputs", "valid")
    asked = (*asked, "--limit", "messages", "--provider")
    old = trimfuzz(*asked, "anthropic@4.5", "--json", code=1, cwd=tmp_path).document
    new = trimfuzz(*asked, "anthropic@4.6", "--json", code=1, cwd=tmp_path).document
    assert {one["rule"] for one in new["causes"]} - {one["rule"] for one in old["causes"]} == {"last-is-user-or-tool"}
    shown = " ".join(trimfuzz(*asked, "anthropic@4.6", code=1, cwd=tmp_path).stdout.split())
    assert "anthropic@4.6 answers HTTP 400: `tool_use` ids were found without" in shown
    assert "(from the provider's documentation or code, read 2026-11: https://platform.claude.com" in shown
    assert "enforced by anthropic@4.6" in shown


@pytest.mark.parametrize(
    ("name", "rule", "said"),
    [
        ("kimi", "no-orphan", "answers HTTP 400: tool_call_id  is not found"),
        ("ai-sdk", "call-answered", "answers: Tool result is missing for tool call X."),
        ("ai-sdk", "no-orphan", "takes it without an error: fails all the same: the SDK passes it on"),
        ("gemini", "result-turn-only-results", "rejects it with HTTP 400; the text was not seen"),
        ("gemini@2.5", "reasoning-kept-with-followup", "takes it without an error: no error before Gemini 3"),
    ],
)
def test_the_answer_in_words(name: str, rule: str, said: str) -> None:
    """A text, a rejection of which no text was seen, and what is taken."""
    assert answer_words(pack(name).answers[rule]).startswith(said)


def test_features_are_listed_as_they_are_left_out() -> None:
    """Each switch of `histories()` by the name that --without takes, what it is, and a history that has it."""
    rows = trimfuzz("list", "features", "--json").document["features"]
    assert [row["name"] for row in rows] == [name.replace("_", "-") for name in FEATURES]
    for row in rows:
        feature = row["name"].replace("-", "_")
        assert row["limit"] is not None or features_in(load_history(row["history"]), [feature]) == {feature}
    assert rows[FEATURES.index("steer_user")]["example"] == "U A[a] U T(a)"
    assert rows[FEATURES.index("cut_in_batch")]["limit"] == {"kind": "compaction", "value": 2, "length": 3}
    assert "needs steer-user as well" in rows[FEATURES.index("late_results")]["about"]


@pytest.mark.parametrize("options", [(), ("--long",)])
def test_features_for_people(options: tuple[str, ...]) -> None:
    """A line for each at 120 columns and less, and the signs explained; the help of a check leads there."""
    said = trimfuzz("list", "features", *options, env={"COLUMNS": "120"}).stdout
    assert max(map(len, said.splitlines())) <= 120
    assert "U A[a,b] T(a) T(b)" in said
    assert "A[a,b] calls a and b" in said
    assert "`trimfuzz list features` shows all" in " ".join(trimfuzz("check", "--help").stdout.split())
