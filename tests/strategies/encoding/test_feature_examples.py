"""Each feature has a line of what it is and an example that has it."""

import pytest

from trimfuzz.messages.limits import Limit
from trimfuzz.strategies import FEATURES
from trimfuzz.strategies.encoding.feature_examples import FeatureExample, feature_examples
from trimfuzz.strategies.encoding.features_seen import POINT_FEATURES, SEEN, features_in, point_features

EXAMPLES = feature_examples()


def test_every_feature_has_one_in_order() -> None:
    """A new switch cannot be forgotten."""
    assert tuple(example.name for example in EXAMPLES) == FEATURES


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.name)
def test_it_has_the_feature(example: FeatureExample) -> None:
    """The history, or the compaction point in it, is read as what it is shown for; and a sentence says what that is."""
    if example.name in POINT_FEATURES:
        assert example.point is not None
        assert example.name in point_features(example.history, example.point)
    else:
        assert example.name in SEEN
        assert features_in(example.history, [example.name]) == {example.name}
        assert example.point is None
    assert example.about.endswith(".")
    assert "\n" not in example.about


def test_a_point_stands_where_it_is_written() -> None:
    """`/` is in front of the first message kept, `//` behind what was there then."""
    found = {example.name: example.point for example in EXAMPLES if example.point is not None}
    assert found == {
        "cut_in_batch": Limit("compaction", 2, 3),
        "cut_in_flight": Limit("compaction", 2, 4),
        "cut_stale": Limit("compaction", 2, 3),
    }
