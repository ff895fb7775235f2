"""The histories that a pack's features make are accepted by its provider, and are no poor ones."""

from collections.abc import Iterator
from itertools import islice

import pytest
from attrs import evolve
from hypothesis import given, settings
from hypothesis import strategies as st

from trimfuzz.messages.model import SYSTEM_ROLES, History
from trimfuzz.messages.reading.profile import SHAPE_RULES
from trimfuzz.oracles.packs import PACKS, VERSIONED_PACKS, Pack
from trimfuzz.oracles.rules.lint import lint
from trimfuzz.strategies import FEATURES, histories, random_histories

EXAMPLES = pytest.mark.parametrize("examples", [600, pytest.param(5000, marks=pytest.mark.nightly)])
ALL_PACKS = {**PACKS, **VERSIONED_PACKS}
OF_THEIR_OWN = [
    name
    for name, known in ALL_PACKS.items()
    if name in PACKS or known.features != PACKS[name.partition("@")[0]].features
]
"""The packs whose histories are not those of another one."""
BY_NAME = pytest.mark.parametrize("name", OF_THEIR_OWN)


def rejected(known: Pack, messages: History) -> Iterator[str]:
    """Name the rules by which a list is rejected: those of lint, with what is hard beside the flags, and emptiness."""
    for complaint in lint(messages, evolve(known.profile, shape=known.profile.shape | (known.hard & set(SHAPE_RULES)))):
        if complaint.rule in known.enforces | known.hard or complaint.rule not in SHAPE_RULES:
            yield complaint.rule
    outside = known.profile.system_outside
    if "nonempty-history" in known.enforces and not [
        message for message in messages if not outside or message.role not in SYSTEM_ROLES
    ]:
        yield "nonempty-history"


@pytest.mark.slow
@EXAMPLES
@BY_NAME
def test_features_make_what_the_provider_accepts(name: str, examples: int) -> None:
    """By the random lane: lint has nothing to say, of any rule of pairing, enforced or hard."""
    known = ALL_PACKS[name]
    for drawn in islice(random_histories(11, **known.features), examples):
        assert list(rejected(known, drawn.history)) == []


@BY_NAME
def test_features_are_keywords_of_histories(name: str) -> None:
    """Hypothesis draws by them too, and every name is one that there is."""
    known = ALL_PACKS[name]
    assert set(known.features) - {"inputs"} <= set(FEATURES)

    @settings(max_examples=30)
    @given(histories(**known.features))
    def drawn(messages: History) -> None:
        assert list(rejected(known, messages)) == []

    drawn()


@pytest.mark.parametrize("name", [name for name in OF_THEIR_OWN if name not in ("deepseek", "kimi")])
def test_what_is_off_would_be_rejected(name: str) -> None:
    """Were everything on, lint would complain; for deepseek and kimi the switches only name what has no place there."""
    known = ALL_PACKS[name]
    everything = random_histories(11, inputs=known.features["inputs"])
    assert any(True for drawn in islice(everything, 300) for _rule in rejected(known, drawn.history))


@BY_NAME
def test_the_histories_are_rich(name: str) -> None:
    """Parallel batches, several turns, results behind results: what trimmers break is still there."""
    drawn = [one.history for one in islice(random_histories(11, **ALL_PACKS[name].features), 300)]
    parallel = sum(any(len(message.calls) > 1 for message in one) for one in drawn)
    turns = sum(sum(message.role == "user" for message in one) > 3 for one in drawn)
    long = sum(len(one) > 40 for one in drawn)
    assert (parallel > 200, turns > 60, long > 30) == (True, True, True), (parallel, turns, long)


@settings(max_examples=50)
@given(data=st.data(), name=st.sampled_from(sorted(ALL_PACKS)))
def test_a_pending_history_is_rejected_for_its_open_calls_alone(data: st.DataObject, name: str) -> None:
    """That is why pending is not among the inputs; whoever adds it gets nothing else that is rejected."""
    known = ALL_PACKS[name]
    features = {**known.features, "inputs": ("pending",), "ends_on_call": True}
    complaints = set(rejected(known, data.draw(histories(**features))))
    assert complaints & {"call-answered", "provider-executed-pair"}
    assert complaints <= {"call-answered", "provider-executed-pair", "last-is-user-or-tool"}
