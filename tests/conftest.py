"""Options and settings of the test suite.

Hypothesis draws the same examples in every run and keeps none between runs: a test fails for what the code does.
"""

from pathlib import Path

import pytest
from hypothesis import settings

VECTORS = Path(__file__).parent / "vectors"
PRECISION = 400

settings.register_profile("ci", derandomize=True, deadline=None, database=None)
settings.load_profile("ci")


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add `--vectors DIR` and `--precision N`.

    The first are recorded outputs of the seed systems to check the ports against, the second says for how many cases
    the reference trimmer must stay silent under each pack; each correct trimmer gets a tenth of that.
    """
    parser.addoption(
        "--vectors",
        metavar="DIR",
        default=str(VECTORS),
        help="directory of recorded outputs of the seed systems (default: tests/vectors)",
    )
    parser.addoption(
        "--precision",
        metavar="N",
        type=int,
        default=PRECISION,
        help=f"cases of the reference trimmer under each provider pack (default: {PRECISION})",
    )
