"""The known histories that run before anything is generated. Run this file to make their data file anew."""

import json
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve

from trimfuzz.messages.formats.neutral import FORMAT as NEUTRAL_FORMAT
from trimfuzz.messages.formats.openai_chat import FORMAT as OPENAI_CHAT
from trimfuzz.messages.formats.registry import format_named, formats
from trimfuzz.messages.model import History
from trimfuzz.messages.neutral import dump_history, load_history
from trimfuzz.messages.reading.pairing import INPUT_CLASSES, read
from trimfuzz.messages.reading.profiles import NEUTRAL, profile
from trimfuzz.messages.reading.survivors import same
from trimfuzz.oracles.rules.lint import lint
from trimfuzz.strategies import known_histories

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "oracles" / "records" / "examples.jsonl"
STORED = ROOT / "strategies" / "known" / "examples.json"


def unfaulted() -> dict[str, Any]:
    """Return what `examples.json` holds: each history of the examples that no rule faults, with its first id."""
    found: list[dict[str, Any]] = []
    seen: list[tuple[str, History]] = []
    for line in EXAMPLES.read_text(encoding="utf-8").splitlines():
        example = json.loads(line)
        provider = example.get("provider", NEUTRAL.name)
        history = tuple(evolve(message, tokens=None) for message in load_history(example["history"]))
        if (provider, history) not in seen and legal(history, provider):
            seen.append((provider, history))
            named = {} if provider == NEUTRAL.name else {"provider": provider}
            found.append({"id": example["id"], **named, "history": dump_history(history)})
    return {"format": 1, "histories": found}


def legal(history: History, provider: str) -> bool:
    """Whether no rule faults a history, but for calls that are open at its end."""
    known = profile(provider)
    rules = {complaint.rule for complaint in lint(history, known)}
    if read(history, merge_items=known.merge_items, one_response=known.one_response).input_class == "pending":
        rules -= {"call-answered", "provider-executed-pair"}
    return not rules


def test_each_example_is_legal_where_it_comes_from() -> None:
    """No rule faults it under its own profile; all are distinct, without sizes, and the shortest come first."""
    found = [known for known in known_histories() if known.url is None]
    assert len(found) > 60
    assert len({(known.provider, repr(known.history)) for known in found}) == len(found)
    sizes = [len(known.history) for known in found]
    assert sizes == sorted(sizes)
    for known in found:
        assert legal(known.history, known.provider), known.id
        assert all(message.tokens is None for message in known.history)


def test_the_reports_come_first() -> None:
    """All 78, with their addresses and what they tell of; the shortest first, of every input class, without sizes."""
    found = known_histories()[:78]
    assert len({known.url for known in found}) == 78
    assert all(known.url and known.about for known in found)
    assert not any(known.url or known.about for known in known_histories()[78:])
    sizes = [len(known.history) for known in found]
    assert sizes == sorted(sizes)
    assert {read(known.history).input_class for known in found} == set(INPUT_CLASSES)
    assert all(message.tokens is None for known in found for message in known.history)


def test_openai_chat_gets_all_reports_but_those_of_other_apis() -> None:
    """Server calls with inline results and reasoning items have no place there, nor have images by number."""
    carried = {known.id for known in known_histories(OPENAI_CHAT)}
    missing = {known.id for known in known_histories() if known.url} - carried
    assert missing == {"C50", "C69", "C70", "C74", "C76", "C77", "C110", "C116", "C117"}


def test_a_list_of_parts_is_one() -> None:
    """A report names the types of its parts; a trimmer is handed the parts."""
    (known,) = (known for known in known_histories(OPENAI_CHAT) if known.id == "C99")
    (written,) = OPENAI_CHAT.write_history(known.history)
    assert written["content"] == [{"type": "text", "text": "lo"}, {"type": "text", "text": "ng"}]


def test_a_format_gets_what_it_can_carry() -> None:
    """Under openai-chat all are read back as they were; without marks none has any."""
    carried = known_histories(OPENAI_CHAT)
    assert 40 < len(carried) < len(known_histories(NEUTRAL_FORMAT))
    for known in carried:
        again = OPENAI_CHAT.read_history(OPENAI_CHAT.write_history(known.history))
        assert again == known.history or known.id == "C117"  # no text is an empty one
    bare = known_histories(OPENAI_CHAT, marks=False)
    assert 0 < len(bare) < len(carried)
    assert not any(message.keep_during_truncation or message.summary for known in bare for message in known.history)


def test_what_is_in_them() -> None:
    """They hold what the public cases are about: parallel calls, reused ids, pins, open tails, nothing at all."""
    found = [known.history for known in known_histories(OPENAI_CHAT)]
    assert () in found
    assert any(len(message.calls) == 3 for history in found for message in history)
    assert any(message.keep_during_truncation for history in found for message in history)
    assert any(read(history).input_class == "pending" for history in found)


def test_the_file_is_what_the_examples_say() -> None:
    """The data file is made from the examples that ship with the rules, by no hand."""
    assert json.loads(STORED.read_text(encoding="utf-8")) == unfaulted()


if __name__ == "__main__":
    made = unfaulted()
    lines = ",\n".join(json.dumps(entry, separators=(",", ":")) for entry in made["histories"])
    STORED.write_text(f'{{"format":1,"histories":[\n{lines}\n]}}\n', encoding="utf-8")


@pytest.mark.parametrize("name", sorted(formats()))
def test_known_histories_come_back_as_they_went(name: str) -> None:
    """A trimmer that returns copies of its messages is not blamed for what a format reads otherwise."""
    form = format_named(name)
    for known in known_histories(form):
        shaped = form.shape(known.history)
        back = form.read_items(form.write_items(shaped))
        assert len(back) == len(shaped), known.id
        assert all(map(same, shaped, back)), known.id
