"""What the tests that run pytest inside of pytest share."""

import pytest


@pytest.fixture(autouse=True)
def _light(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run the inner pytest without a plugin that comes with langchain-core: every run would import it for 2 s."""
    if "pytester" in request.fixturenames:
        request.getfixturevalue("pytester")  # it clears the variable
        monkeypatch.setenv("PYTEST_ADDOPTS", "-p no:langsmith_plugin")
