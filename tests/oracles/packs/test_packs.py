"""A pack says which rules a provider enforces, and what it does about each."""

import pytest
from attrs import evolve

from trimfuzz.messages.errors import BadName
from trimfuzz.messages.reading.profiles import PROFILES, VERSIONED, VERSIONS
from trimfuzz.oracles.packs import ANSWERS, PACKS, VERSIONED_PACKS, Pack, pack
from trimfuzz.oracles.rules.registry import RULES

ALL_PACKS = {**PACKS, **VERSIONED_PACKS}
NOT_ESTABLISHED = {
    "openai-responses": {"provider-executed-pair", "approval-pair"},
    "openai-responses-anchored": {"provider-executed-pair", "approval-pair"},
    "ai-sdk": {"approval-pair"},
    "bedrock@llama": {"results-before-text"},
    "bedrock": {"nonempty-history"},
    "bedrock@claude-4.5": {"nonempty-history"},
    "bedrock@claude-4.6": {"nonempty-history"},
}
"""What fails by the design's table although no source says what the provider does."""
NOT_ESTABLISHED["bedrock@llama"] |= NOT_ESTABLISHED["bedrock"]


def fails(known: Pack, rule: str) -> bool:
    """Say whether a trimmer fails by a rule under a pack."""
    return RULES[rule].kind == "always" or rule in known.enforces


@pytest.mark.parametrize("name", [*PROFILES, *VERSIONED])
def test_there_is_a_pack_for_every_profile(name: str) -> None:
    """With the same flags, and only rules that there are."""
    found = pack(name)

    assert found.name == name
    assert found.profile is {**PROFILES, **VERSIONED}[name]
    assert found.profile.shape <= found.enforces
    assert all(RULES[rule].kind == "pack" for rule in found.enforces)
    assert set(found.answers) <= set(RULES)


@pytest.mark.parametrize("name", ANSWERS)
def test_every_entry_has_a_source_a_date_and_a_confidence(name: str) -> None:
    """A text only where something is rejected, and then the status it comes with, except in a client library."""
    for answer in ANSWERS[name]:
        assert answer.source.startswith("https://")
        assert answer.confidence in "ABCD"
        assert answer.date == "2026-11"
        assert set(answer.versions) <= set(VERSIONS.get(name, ()))
        if answer.severity == "hard":
            assert answer.text or answer.note, answer
            assert (answer.status is None) == (name == "ai-sdk")
        else:
            assert (answer.text, answer.status) == (None, None)


@pytest.mark.parametrize("name", ANSWERS)
def test_each_version_has_one_entry_for_a_rule(name: str) -> None:
    """Two for one version would hide one another."""
    for version in VERSIONS.get(name, ("",)):
        rules = [answer.rule for answer in ANSWERS[name] if not answer.versions or version in answer.versions]
        assert len(rules) == len(set(rules)), version


@pytest.mark.parametrize("name", ALL_PACKS)
def test_where_severity_and_failing_disagree_a_note_says_why(name: str) -> None:
    """A rule that is rejected and fails nobody, or that fails though it is taken."""
    found = ALL_PACKS[name]
    for rule, answer in found.answers.items():
        if (answer.severity == "hard") != fails(found, rule):
            assert answer.note, (name, rule)


def test_what_disagrees_is_what_is_known_to() -> None:
    """The whole list, so that a new disagreement is seen."""
    found = {
        (known.name, rule)
        for known in PACKS.values()
        for rule, answer in known.answers.items()
        if (answer.severity == "hard") != fails(known, rule)
    }
    assert found == {
        ("ai-sdk", "no-orphan"),
        ("ai-sdk", "one-result-per-call"),
        ("ai-sdk", "unique-call-id"),
        ("ai-sdk", "provider-executed-pair"),
        ("gemini", "last-is-user-or-tool"),
        ("gemini", "nonempty-message"),
        ("bedrock", "reasoning-kept-with-followup"),
        ("mistral", "system-once-first"),
        ("mistral-old", "system-once-first"),
        ("mistral-old", "unique-call-id"),
    }


@pytest.mark.parametrize("name", [name for name in ALL_PACKS if name != "strict"])
def test_what_is_enforced_has_an_entry(name: str) -> None:
    """Except where no source says what the provider does; those are listed."""
    found = ALL_PACKS[name]
    assert found.enforces - set(found.answers) == NOT_ESTABLISHED.get(name, set())


def test_openai_chat_answers_the_three_ways_to_break_a_pair() -> None:
    """With the texts that people search for."""
    found = pack("openai-chat")

    assert found.text("no-orphan").text.startswith("Invalid parameter: messages with role 'tool' must be")  # type: ignore[union-attr]
    for rule in ("call-answered", "batch-atomic", "result-adjacent"):
        answer = found.text(rule)
        assert answer is not None
        assert answer.text is not None
        assert answer.text.startswith("An assistant message with 'tool_calls' must be followed by tool messages")
        assert answer.status == 400
    assert found.text("first-is-user") is None
    assert found.answers["first-is-user"].severity == "accepted"
    assert found.enforces == {"nonempty-history"}


@pytest.mark.parametrize(
    ("rule", "names"),
    [
        ("provider-executed-pair", {"anthropic", "openai-responses", "openai-responses-anchored", "ai-sdk", "strict"}),
        ("unique-item-id", {"openai-responses", "openai-responses-anchored", "strict"}),
        ("nonempty-message", {"anthropic", "bedrock", "kimi", "mistral-old", "strict"}),
        ("signed-reasoning-unmodified", {"anthropic", "gemini", "strict"}),
        ("nonempty-user", {"strict"}),
        ("first-is-user", {"anthropic", "bedrock", "strict"}),
        ("reasoning-kept-with-followup",
         {"openai-responses", "openai-responses-anchored", "anthropic", "gemini", "deepseek", "kimi", "strict"}),
    ],
)  # fmt: skip
def test_what_is_enforced_by_whom(rule: str, names: set[str]) -> None:
    """The lists under the rules table, and the flags of the profiles."""
    assert {found.name for found in PACKS.values() if rule in found.enforces} == names


def test_strict_enforces_every_shape_rule() -> None:
    """It is all providers at once."""
    wanted = {name for name, rule in RULES.items() if rule.kind == "pack"}

    assert pack("strict").enforces == wanted
    assert pack("neutral").enforces == frozenset()


@pytest.mark.parametrize(
    ("name", "like", "added", "dropped"),
    [
        ("anthropic@4.5", "anthropic", set[str](), {"last-is-user-or-tool"}),
        ("anthropic@4.6", "anthropic", set[str](), set[str]()),
        ("gemini@2.5", "gemini", set[str](), {"reasoning-kept-with-followup", "signed-reasoning-unmodified"}),
        ("gemini@3", "gemini", set[str](), set[str]()),
        ("bedrock@llama", "bedrock", set[str](), set[str]()),
        ("bedrock@claude-4.5", "bedrock", set[str](), {"last-is-user-or-tool"}),
        ("bedrock@claude-4.6", "bedrock", set[str](), set[str]()),
        ("mistral@v3", "mistral", {"nonempty-message"}, set[str]()),
        ("mistral@v7", "mistral", set[str](), set[str]()),
        ("mistral@v11", "mistral", set[str](), set[str]()),
        ("mistral@v13", "mistral", set[str](), set[str]()),
    ],
)
def test_what_a_version_enforces(name: str, like: str, added: set[str], dropped: set[str]) -> None:
    """Against the provider's bare name; the list holds every version."""
    assert pack(name).enforces == (pack(like).enforces | added) - dropped
    assert name in pack(like).versions == pack(name).versions


def test_the_list_of_versions_is_whole() -> None:
    """Of each provider in the table above every version; those of a new vendor are named in tests of its own."""
    marks = test_what_a_version_enforces.pytestmark  # type: ignore[attr-defined]
    listed = {row[0] for mark in marks for row in mark.args[1]}
    providers = {name.partition("@")[0] for name in listed}
    assert listed == {name for name in VERSIONED_PACKS if name.partition("@")[0] in providers}


@pytest.mark.parametrize("base", VERSIONS)
def test_the_bare_name_is_the_newest_version(base: str) -> None:
    """The same entries; the flags are those of the provider's own profile."""
    newest = pack(pack(base).versions[-1])
    assert newest.answers == pack(base).answers
    assert evolve(newest.profile, name=base, signed_calls=False) == evolve(pack(base).profile, signed_calls=False)


def test_versions_differ_where_the_provider_changed() -> None:
    """In flags and in texts."""
    assert pack("anthropic@4.5").answers["last-is-user-or-tool"].severity == "accepted"
    assert pack("anthropic@4.5").text("last-is-user-or-tool") is None
    assert pack("gemini@3").profile.signed_calls
    assert not pack("gemini").profile.signed_calls
    texts = {
        version: answer.text
        for version in ("v3", "v11", "v13")
        if (answer := pack(f"mistral@{version}").text("nonempty-call-id"))
    }
    assert texts["v3"] == texts["v11"] != texts["v13"]
    assert pack("mistral@v3").text("no-orphan") != pack("mistral@v11").text("no-orphan")


def test_an_unknown_provider_is_named_with_the_known_ones() -> None:
    """So a typing error can be seen; likewise an unknown version."""
    with pytest.raises(BadName, match=r"unknown provider 'openia'.*openai-chat"):
        pack("openia")
    with pytest.raises(BadName, match=r"unknown version '3' of anthropic \(known: anthropic@4.5, anthropic@4.6\)"):
        pack("anthropic@3")
    with pytest.raises(BadName, match=r"unknown version '2' of kimi \(known: kimi alone\)"):
        pack("kimi@2")
    with pytest.raises(BadName, match=r"unknown provider 'openia@2'"):
        pack("openia@2")
