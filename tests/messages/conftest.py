"""Histories in shorthand, so that a test reads like an example of the definitions."""

from collections.abc import Callable

import pytest

from trimfuzz.messages.model import History
from trimfuzz.messages.shorthand import history


@pytest.fixture
def h() -> Callable[[str], History]:
    """Read a history in shorthand."""
    return history
