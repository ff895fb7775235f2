"""Round trips, on random histories of what each format carries: nothing is lost, and nothing is written twice over."""

import json
from copy import deepcopy
from functools import cache
from itertools import islice
from random import Random
from typing import Any

import pytest

from trimfuzz.messages.formats.format import Format
from trimfuzz.messages.formats.registry import formats
from trimfuzz.messages.model import History
from trimfuzz.strategies.encoding.features import FEATURES, features_of
from trimfuzz.strategies.lane import random_histories

HISTORIES = 120
FORMS = [form for form in formats().values() if form.dicts]


@pytest.fixture(params=FORMS, ids=lambda form: form.name)
def form(request: pytest.FixtureRequest) -> Format:
    return request.param


@cache
def histories(form: Format) -> list[History]:
    """Return random histories of all that a format carries."""
    return [drawn.history for drawn in islice(random_histories(11, features=features_of(form)), HISTORIES)]


def test_neutral_to_wire_to_neutral_is_the_identity(form: Format) -> None:
    """What is generated for a format is written whole, and comes back equal."""
    for history in histories(form):
        assert form.read_history(form.write_history(history)) == history


def test_each_item_is_one_message_of_the_shaped_history(form: Format) -> None:
    """And the shape of a history in that shape is itself."""
    for history in histories(form):
        shaped = form.shape(history)
        items = form.write_items(shaped)
        assert len(items) == len(shaped)
        assert form.read_items(items) == shaped == form.shape(shaped)
        assert form.plain(shaped) == form.plain(form.plain(shaped)) == history


def test_items_are_json_and_shared_with_nobody(form: Format) -> None:
    """Changing every dict and list of one copy leaves the next one as it was."""
    for history in histories(form)[:40]:
        items = form.write_history(history)
        assert json.loads(json.dumps(items)) == items
        before = deepcopy(items)
        for item in items:
            _scribble(item)
        assert form.write_history(history) == before


def _scribble(value: Any) -> None:
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    for one in list(inner):
        _scribble(one)
    if isinstance(value, dict):
        value["scribbled"] = True
    elif isinstance(value, list):
        value.append("scribbled")


@pytest.mark.slow
def test_wire_to_neutral_to_wire_is_the_identity_but_for_what_is_listed(form: Format) -> None:
    """On items that say the same in other ways: what comes out is what is written for that history, and stays it."""
    rng = Random(5)
    changed = 0
    for history in histories(form):
        canonical = form.write_history(history)
        other = _said_differently(form, deepcopy(canonical), rng)
        changed += other != canonical
        once = form.write_items(form.shape(form.read_history(other)))
        assert once == canonical
        assert form.write_items(form.shape(form.read_history(once))) == once
    assert changed > HISTORIES / 2


def _said_differently(form: Format, items: list[Any], rng: Random) -> list[Any]:
    """Use every normalisation that a format lists: split results, text as a part, false marks, other spellings."""
    found: list[Any] = []
    key = "parts" if form.name == "gemini" else "content"
    for item in items:
        if isinstance(item.get(key), str) and rng.random() < 0.5 and item.get("role") != "tool":
            kind = "input_text" if form.name == "openai-responses" else "text"
            item[key] = [{"type": kind, "text": item[key]}]
        if rng.random() < 0.3 and "keep_during_truncation" not in item:
            item["keep_during_truncation"] = False
        if form.name == "gemini":
            item = _snake_case(item)
        if form.name == "openai-responses" and "role" in item and "id" not in item:
            item["type"] = "message"
        results = item[key] if isinstance(item.get(key), list) and item[key] else []
        kinds = [block.get("type", next(iter(block))) for block in results]
        one_kind = set(kinds) in ({"tool_result"}, {"toolResult"}, {"function_response"}, {"tool-result"})
        if one_kind and len(results) > 1 and not item.get("keep_during_truncation") and not item.get("summary"):
            found.extend({**item, key: [block]} for block in results)
        else:
            found.append(item)
    return found


def _snake_case(item: dict[str, Any]) -> dict[str, Any]:
    names = {"functionCall": "function_call", "functionResponse": "function_response"}
    parts = [{names.get(key, key): value for key, value in part.items()} for part in item["parts"]]
    return {**item, "parts": parts}


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.name)
def test_a_format_lacks_features_by_their_names(form: Format) -> None:
    """So that `strategies` can turn them off."""
    assert form.missing_features <= set(FEATURES)
