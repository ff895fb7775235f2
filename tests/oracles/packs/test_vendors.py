"""A vendor is two modules of one name: how it reads a list, and what it enforces and answers."""

from importlib import import_module
from pathlib import Path

import pytest

from trimfuzz.messages.reading.profiles import PROFILES, VERSIONS
from trimfuzz.oracles.packs import PACKS, VERSIONED_PACKS

ROOT = Path(__file__).parents[3]
READING, PACK = "messages/reading/vendors", "oracles/packs"


def modules(folder: str) -> set[str]:
    """Return the vendors that have a module in a folder."""
    return {path.stem for path in (ROOT / folder).glob("*.py")} - {"__init__"}


@pytest.mark.parametrize("name", sorted(modules(READING) | modules(PACK)))
def test_a_vendor_has_both_of_its_modules(name: str) -> None:
    """Profiles with their versions in one, packs in the other, of the same providers."""
    lacking = [f"{folder}/{name}.py" for folder in (READING, PACK) if name not in modules(folder)]
    assert lacking == []
    reading = import_module(f"trimfuzz.messages.reading.vendors.{name}").DECLARED
    packs = import_module(f"trimfuzz.oracles.packs.{name}").DECLARED
    assert [one.profile.name for one in reading] == [one.name for one in packs]
    for profile, pack in zip(reading, packs, strict=True):
        assert set(pack.versions) <= set(profile.versions), f"versions of {pack.name}"


@pytest.mark.parametrize("name", [*PACKS, *VERSIONED_PACKS])
def test_a_provider_is_named_in_the_tests_of_packs(name: str) -> None:
    """What it takes and rejects is said by hand, beside what holds for all."""
    text = "".join(path.read_text("utf-8") for path in Path(__file__).parent.glob("*.py"))
    assert f'"{name}"' in text, f"no test in {Path(__file__).parent.relative_to(ROOT)} names {name}"


def test_every_vendor_is_found_by_looking_and_listed_in_order() -> None:
    """No list names them all but the one of their order, which others follow."""
    declared = {
        one.profile.name
        for name in modules(READING)
        for one in import_module(f"trimfuzz.messages.reading.vendors.{name}").DECLARED
    }
    assert declared == set(PROFILES) == set(PACKS)
    assert list(PACKS) == list(PROFILES)
    assert list(PROFILES)[:3] == ["neutral", "openai-chat", "ai-sdk"]
    assert list(VERSIONS)[:4] == ["anthropic", "gemini", "bedrock", "mistral"]
