"""Options of the test suite."""

from pathlib import Path

import pytest

VECTORS = Path(__file__).parent / "vectors"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add `--vectors DIR`: recorded outputs of the seed systems to check the ports against."""
    parser.addoption(
        "--vectors",
        metavar="DIR",
        default=str(VECTORS),
        help="directory of recorded outputs of the seed systems (default: tests/vectors)",
    )
