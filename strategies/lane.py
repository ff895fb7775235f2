"""The random lane: the same strings of bytes as under Hypothesis, drawn at random, some twenty times faster.

Strings come in blocks with a seed of their own, so that the lane can be entered anywhere: number 1,000,000 of a seed
costs no more than number 0, and a campaign that lost a process goes on where that stopped.
"""

from collections.abc import Iterable, Iterator
from random import Random

from ..messages.reading.pairing import INPUT_CLASSES, InputClass
from .encoding.encoding import Drawn, grammar
from .encoding.features import ALL, Features, switched

BANDS: tuple[tuple[int, int], ...] = ((0, 6), (5, 15), (15, 44))
"""How many bytes a string has, least and most, in the three size bands."""
BLOCK = 64


def random_strings(seed: int, *, start: int = 0) -> Iterator[bytes]:
    """Return endless strings for the interpreter, beginning with number `start` of this seed."""
    block, skipped = divmod(start, BLOCK)
    while True:
        rng = Random((seed << 40) + block)
        random, randbytes, count = rng.random, rng.randbytes, len(BANDS)
        for number in range(BLOCK):
            least, most = BANDS[int(random() * count)]
            data = randbytes(least + int(random() * (most - least + 1)))
            if number >= skipped:
                yield data
        block, skipped = block + 1, 0


def random_histories(
    seed: int,
    *,
    start: int = 0,
    features: Features = ALL,
    inputs: Iterable[InputClass] = INPUT_CLASSES,
    compaction: bool = False,
    min_size: int = 0,
    max_size: int | None = None,
    **switches: bool,
) -> Iterator[Drawn]:
    """Return endless histories (with a compaction point where wanted), beginning with number `start` of this seed.

    Options are those of `encoding.grammar`, which raises `ValueError` for what can not be made; `switches` are further
    features by name, as for `histories`.
    """
    made = grammar(
        switched(features, switches), inputs=tuple(inputs), compaction=compaction, min_size=min_size, max_size=max_size
    )
    return map(made.interpret, random_strings(seed, start=start))
