"""Defaults: each stands in one place, also where that place cannot be imported."""

import json
import re
from importlib.resources import files
from pathlib import Path

from trimfuzz.campaigns import schemas
from trimfuzz.campaigns.defaults import SCHEMA, TIMEOUT
from trimfuzz.campaigns.pytest.plugin import OPTIONS

ROOT = Path(__file__).parents[2]


def test_the_number_of_the_document_form_is_one() -> None:
    """In the published schemas, and in the command's last words, which import nothing."""
    for name in ("check.json", "sessions.json"):
        text = (files(schemas) / name).read_text("utf-8")
        json.loads(text)
        assert set(re.findall(r'"schema": \{"const": (\d+)\}', text)) == {str(SCHEMA)}
    assert f'"schema": {SCHEMA},' in (ROOT / "front" / "__main__.py").read_text("utf-8")
    written = [
        path for path in (ROOT / "campaigns").rglob("*.py") if re.search(r'"schema": \d', path.read_text("utf-8"))
    ]
    assert written == []


def test_the_schemas_are_published_as_they_are_shipped() -> None:
    """`docs/schemas` holds the same files, which can be read without an installation."""
    shipped = {path.name: path.read_text("utf-8") for path in (ROOT / "campaigns" / "schemas").glob("*.json")}
    published = {path.name: path.read_text("utf-8") for path in (ROOT / "docs" / "schemas").iterdir()}
    assert published == shipped
    assert set(shipped) == {"check.json", "fixture.json", "sessions.json"}


def test_the_plugin_says_the_default_timeout() -> None:
    """It imports nothing, so the number stands there once more."""
    assert f"default: {TIMEOUT:g}" in OPTIONS["timeout"][1]
