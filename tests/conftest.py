"""Options and settings of the test suite.

Hypothesis draws the same examples in every run and keeps none between runs: a test fails for what the code does.
"""

import os
import signal
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest
from hypothesis import settings

from .links import stale_install

ROOT = Path(__file__).parent.parent
VECTORS = Path(__file__).parent / "vectors"
PRECISION = 400

settings.register_profile("ci", derandomize=True, deadline=None, database=None)
settings.load_profile("ci")

# The suite starts some hundred processes of trimfuzz: each would compile the whole package again.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

# A job in the background of a shell script ignores Ctrl-C, and so would every process that a test interrupts.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add `--vectors DIR` and `--precision N`.

    The first are recorded outputs of the seed systems to check the ports against, the second says for how many cases
    the reference trimmer must stay silent under each pack; each correct trimmer gets a tenth of that.
    """
    _stop_if_stale()
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


def _stop_if_stale() -> None:
    """End the session with one line where the editable install does not show every file: before anything imports it."""
    spec = find_spec("trimfuzz")
    if spec is not None and spec.origin is not None and (said := stale_install(ROOT, Path(spec.origin).parent)):
        raise pytest.UsageError(said)


@pytest.fixture(autouse=True)
def _light(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run a pytest inside of pytest without a plugin that comes with langchain-core: each would import it for 2 s."""
    if "pytester" in request.fixturenames:
        request.getfixturevalue("pytester")  # it clears the variable
        monkeypatch.setenv("PYTEST_ADDOPTS", "-p no:langsmith_plugin")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave `nightly` tests out, unless `-m` speaks of them."""
    if "nightly" in config.option.markexpr:
        return
    left_out = [item for item in items if item.get_closest_marker("nightly")]
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if not item.get_closest_marker("nightly")]
