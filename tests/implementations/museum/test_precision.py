"""Precision: who breaks nothing is blamed for nothing, under any pack, on the histories that its provider accepts.

A finding here is a false alarm, or a correct trimmer that can not serve the provider; the latter are data of the
museum.
`pytest tests/implementations/test_precision.py --precision 200000` takes a few minutes for each pack.
"""

from collections import Counter
from collections.abc import Iterator
from math import ceil

import pytest

from trimfuzz.campaigns.engine.engine import engine_for, narrowed
from trimfuzz.campaigns.engine.tally import Tally
from trimfuzz.campaigns.target.contract import contract_for
from trimfuzz.implementations.museum import CORRECT, UNSERVED, Unserved
from trimfuzz.implementations.reference import reference
from trimfuzz.implementations.time_limit import Watch
from trimfuzz.implementations.trimmer import Trimmer
from trimfuzz.messages.cases import Finding
from trimfuzz.messages.limits import LimitKind
from trimfuzz.oracles.packs import PACKS, VERSIONED_PACKS, Pack
from trimfuzz.oracles.rules.registry import RULES
from trimfuzz.strategies import features_of, random_histories

ALL_PACKS = {**PACKS, **VERSIONED_PACKS}
OF_THEIR_OWN = [
    name
    for name in ALL_PACKS
    if "@" not in name or name in ("anthropic@4.5", "gemini@2.5", "gemini@3", "bedrock@claude-4.5", "mistral@v3")
]
"""The packs that judge or accept something else than another one."""
BY_NAME = pytest.mark.parametrize("name", OF_THEIR_OWN)
WATCH = Watch(5)


@pytest.fixture
def cases(request: pytest.FixtureRequest) -> int:
    """The cases that `--precision` asks for."""
    asked: int = request.config.getoption("--precision")  # type: ignore[assignment]
    return asked


@pytest.fixture(autouse=True)
def _watched() -> Iterator[None]:
    """Interrupt trims that hang."""
    with WATCH.watching():
        yield


def tally_of(trimmer: Trimmer, kind: LimitKind, known: Pack, cases: int, rules: list[str] | None = None) -> Tally:
    """Give a trimmer this many cases of the pack's own histories, and judge by these rules or by all it is held to."""
    contract = contract_for(trimmer, kind=kind, provider=known.name)
    engine = engine_for(contract, watch=WATCH, observe=False)
    if rules is not None:
        engine = narrowed(engine, rules)
    tally = Tally(contract)
    compaction = kind == "compaction"
    for drawn in random_histories(17, features=features_of(trimmer.format), compaction=compaction, **known.features):
        if tally.trims >= cases:
            return tally
        engine.examine(drawn.history, tally, seed=tally.examples, point=drawn.point)
    raise AssertionError("the lane is endless")


@pytest.mark.slow
@BY_NAME
def test_reference_is_silent(name: str, cases: int) -> None:
    """The reference trimmer under a pack's profile breaks no rule of the pack and none of its own promises."""
    known = ALL_PACKS[name]
    trimmer = reference(known.profile)
    done = Counter[str]()
    for kind in trimmer.limits:
        tally = tally_of(trimmer, kind, known, ceil(cases / len(trimmer.limits)))
        done.update(tally.statuses)
        assert tally.close() == []
    assert set(done) <= {"ok", "refused"}
    assert done["ok"] > done.total() / 2


def unserved(name: str, rule: str) -> frozenset[str]:
    """The correct trimmers that are known to break a rule under a pack."""
    names = {name, name.partition("@")[0]}
    return frozenset().union(*(one.trimmers for one in UNSERVED if one.rule == rule and names & one.packs))


def compulsory(known: Pack) -> list[str]:
    """The rules by which any trimmer fails under a pack."""
    return [rule for rule in RULES if RULES[rule].kind == "always" or rule in known.enforces]


@pytest.mark.slow
@BY_NAME
def test_correct_trimmers_are_silent(name: str, cases: int) -> None:
    """The museum's correct trimmers break no rule of a pack, but for those that can not serve its provider."""
    known = ALL_PACKS[name]
    rules = compulsory(known)
    for trimmer in CORRECT:
        asked = [rule for rule in rules if trimmer.name not in unserved(name, rule)]
        for kind in trimmer.limits:
            tally = tally_of(trimmer, kind, known, ceil(cases / 10 / len(trimmer.limits)), asked)
            assert tally.close() == [], trimmer.name


@pytest.mark.parametrize("one", UNSERVED, ids=lambda one: one.rule)
def test_what_cannot_be_served_is_shown(one: Unserved) -> None:
    """Each trimmer of the list does break the rule, under each of the packs, on a history that is shown."""
    assert one.packs <= set(OF_THEIR_OWN)
    trimmers = [trimmer for trimmer in CORRECT if trimmer.name in one.trimmers]
    assert {trimmer.name for trimmer in trimmers} == one.trimmers
    for name in one.packs:
        for trimmer in trimmers:
            assert any(finding.rule == one.rule for finding in shown(trimmer, one, name)), (name, trimmer.name)


def shown(trimmer: Trimmer, one: Unserved, name: str) -> Iterator[Finding]:
    """Give what a trimmer breaks on the histories that are shown."""
    for kind in trimmer.limits:
        contract = contract_for(trimmer, kind=kind, provider=name)
        engine = narrowed(engine_for(contract, watch=WATCH), [one.rule])
        tally = Tally(contract)
        for messages in one.shown:
            engine.examine(messages, tally)
        yield from tally.close()


def test_two_correct_trimmers_serve_every_provider() -> None:
    """Cutting at user messages alone is right everywhere."""
    blamed = frozenset().union(*(one.trimmers for one in UNSERVED))
    assert {trimmer.name for trimmer in CORRECT} - blamed == {"whole-user-turns", "last-turns"}


def test_openai_is_served_by_every_correct_trimmer() -> None:
    """And so is whoever asks for no more, but for a memory that can come out empty."""
    asking = frozenset().union(*(one.packs for one in UNSERVED if one.trimmers != {"remembers-whole-exchanges"}))
    assert set(PACKS) - asking == {
        "neutral", "openai-chat", "ai-sdk", "openai-responses", "openai-responses-anchored", "deepseek", "kimi",
    }  # fmt: skip
