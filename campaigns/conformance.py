"""The tests of `pytest --pyargs trimfuzz.campaigns.conformance --trimmer TARGET`, under the path that people type."""

from .pytest.conformance import pytest_generate_tests, test_trimmer

__all__ = ["pytest_generate_tests", "test_trimmer"]
