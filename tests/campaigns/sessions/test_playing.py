"""Sessions played: what they find in published trimmers, as readable scripts, and where they are silent."""

from typing import Any

import pytest
from attrs import evolve

from trimfuzz.campaigns.sessions.playing import Player
from trimfuzz.campaigns.sessions.script_shrinking import plainness, shrink_script
from trimfuzz.implementations.registry import find
from trimfuzz.implementations.stateful import remembering
from trimfuzz.messages.limits import Limit

from ..playing import causes, player, player_of, read, smallest

CALL_DROPPED = "no-orphan/valid/call-dropped"
STEERED = "no-orphan/interleaved/call-dropped"
IN_FLIGHT = ('plan 2; result x "b"; apply; send', 'plan 2; apply; result x "b"; send')


# Published trimmers


@pytest.mark.parametrize("name", ["kimi-pre", "kimi-pr1054"])
def test_result_that_comes_after_the_compaction(name: str) -> None:
    """The plan is made while a call waits; its result comes later, and its call is gone by then."""
    playing = player(name)
    for rest in IN_FLIGHT:
        assert CALL_DROPPED in causes(playing, f'user "a"; call x; {rest}', keep="sent")
    found, _ = smallest(playing, examples=200)[CALL_DROPPED]
    assert len(found.script.steps) <= 6
    assert [step.op for step in found.script.steps if step.op in ("plan", "apply", "send")] == ["plan", "apply", "send"]
    if name == "kimi-pr1054":  # it strips results that lead what is left, so only one in flight is missed
        assert str(found.script) == str(read('user "a"; call x; plan 2; result x "b"; apply; send'))


@pytest.mark.parametrize("name", ["kimi-post", "kimi-head", "kimi-v2"])
def test_result_that_comes_after_the_compaction_of_a_fixed_version(name: str) -> None:
    playing = player(name)
    for rest in IN_FLIGHT:
        assert causes(playing, f'user "a"; call x; {rest}', keep="sent") == []


def test_steer_inside_a_batch() -> None:
    """merak takes the steer for the start of a round and cuts there; the conversation itself is interleaved."""
    found, limit = smallest(player("merak-post"), examples=100)[STEERED]
    assert str(found.script) == str(read('user "a"; call x; steer "b"; result x "c"; send'))
    assert limit == Limit("turns", 1)
    assert not player("merak-post").contract.fails(found.finding)


def test_placeholder_inside_a_batch_and_then_the_guard() -> None:
    """The trim puts a placeholder where a result was; the guard takes that for the end of the batch."""
    text = f'user! "a"; call! x y; result x "{60 * "b"}"; result y "c"; send'
    alone, both = player("codebuff-post"), player("codebuff-post", then="codebuff-drop-unanswered")
    limit = Limit("tokens", 66)
    stands_between = "result-adjacent/valid/inserted-between"
    assert stands_between in causes(alone, text, limit)
    assert CALL_DROPPED not in causes(alone, text, limit)
    assert CALL_DROPPED in causes(both, text, limit)
    assert CALL_DROPPED in causes(player("codebuff-post+drop-unanswered"), text, limit)
    found, _ = smallest(alone, examples=400)[stands_between]
    assert len(found.script.steps) <= 6


@pytest.mark.parametrize("guard", ["drop-unanswered", "filter-unfinished"])
def test_trim_and_guard_in_a_row(guard: str) -> None:
    """Registered as one trimmer, or one after the other: the random lane finds the same cause, in eight steps."""
    for playing in (player(f"codebuff-post+{guard}"), player("codebuff-post", then=f"codebuff-{guard}")):
        found, _ = smallest(playing, examples=400)[CALL_DROPPED]
        assert len(found.script.steps) <= 8


# Trimmers that are correct

CORRECT = (
    "reference", "museum:compacts-whole-exchanges", "museum:remembers-whole-exchanges", "museum:trims-what-it-shows",
    "museum:keeps-what-the-user-said", "museum:suffix-by-units", "museum:last-turns",
)  # fmt: skip


@pytest.mark.parametrize("name", CORRECT)
def test_correct_trimmers_are_silent(name: str) -> None:
    playing = player(name)
    found = smallest(playing, examples=150, steps=25)
    assert [cause for cause, (one, _) in found.items() if playing.contract.fails(one.finding)] == []


# Shrinking


def test_shrinking_keeps_the_cause_and_ends_plainer() -> None:
    playing = player("kimi-pre")
    text = 'system "s"; user "long text"; call p q; result q "r"; save; plan 3; apply; result p "more"; user "u"; send'
    first = next(one for one in playing.play(read(text, keep="sent"), None) if one.finding.cause == CALL_DROPPED)
    small = shrink_script(playing, first, None)
    assert small.complete
    assert small.found.finding.cause == CALL_DROPPED
    assert plainness(small.found.script) < plainness(first.script)
    assert str(small.found.script) == str(read('user "a"; call x; result x "b"; plan 2; apply; send'))
    assert shrink_script(playing, first, None, seconds=0).found == first


# Loops


class Keeps:
    """A memory that shows its newest messages, and saves what its subclass says."""

    def __init__(self, limit: int) -> None:
        self.limit, self.messages = limit, list[dict[str, Any]]()

    def add(self, message: dict[str, Any]) -> None:
        self.messages.append(message)

    def view(self) -> list[dict[str, Any]]:
        return self.messages


class Forgets(Keeps):
    """Saves the last message alone."""

    def save(self) -> list[dict[str, Any]]:
        return self.messages[-1:]


class SavesNoText(Keeps):
    """Saves something that JSON has no place for."""

    def save(self) -> list[Any]:
        return [{**message, "when": object()} for message in self.messages]


PROMISED = {"state-consistent": 1.0}


def of_memory(kind: type[Keeps]) -> Player:
    return player_of(remembering(kind), promises=PROMISED)


def test_memory_after_a_restart() -> None:
    """What a memory saves is told to a new one, which must show the same; without `save` it is told everything."""
    text = 'user "a"; assistant "b"; user "c"; save; assistant "d"; user "e"; send'
    assert causes(of_memory(Keeps), text, Limit("messages", 3)) == []
    assert causes(of_memory(Forgets), text, Limit("messages", 3)) == ["state-consistent/valid/lost"]
    assert causes(of_memory(SavesNoText), text, Limit("messages", 3)) == ["state-consistent/valid/raised:TypeError"]
    unpromised = player_of(remembering(Forgets))
    assert causes(unpromised, text, Limit("messages", 3)) == []


def test_memory_that_changes_what_it_was_given() -> None:
    class Shortens(Keeps):
        def view(self) -> list[dict[str, Any]]:
            for message in self.messages[:-1]:
                message["content"] = "..."
            return self.messages

    found = causes(of_memory(Shortens), 'user "a"; assistant "b"; user "c"; send', Limit("messages", 9))
    assert found == ["no-input-mutation/valid/mutated"]


def test_asynchronous_memory(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "slow_memory.py").write_text(ASYNCHRONOUS)
    monkeypatch.chdir(tmp_path)
    playing = player("slow_memory.py:Pops", limit="messages")
    text = 'user "a"; call x; result x "b"; save; send'
    assert CALL_DROPPED in causes(playing, text, Limit("messages", 1))
    assert causes(playing, text, Limit("messages", 3)) == []
    planned = player("slow_memory.py:Cuts", limit="compaction")
    assert CALL_DROPPED in causes(planned, 'user "a"; call x; plan 2; result x "b"; apply; send')
    assert causes(planned, 'user "a"; call x; plan 1; result x "b"; apply; send') == []


ASYNCHRONOUS = """
class Pops:
    def __init__(self, limit):
        self.limit, self.messages = limit, []

    async def add(self, message):
        self.messages.append(message)
        del self.messages[: max(len(self.messages) - self.limit, 0)]

    async def view(self):
        return self.messages


class Cuts:
    async def plan(self, messages, limit):
        return limit.index

    async def apply(self, messages, cut):
        return [{"role": "user", "content": "earlier", "summary": True}, *messages[cut:]]
"""


def newest_one(messages: list[Any], _limit: int, _count: Any) -> list[Any]:
    """Keep an exchange or a message, whichever is the newest."""
    start = len(messages) - 1
    while start > 0 and messages[start]["role"] == "tool":
        start -= 1
    return messages[start:]


def test_stored_or_only_sent() -> None:
    """A trimmed list that is stored has no place for a late result; one that is only sent still has the call."""
    text = 'user "a"; call x; interrupt; user "b"; send; result x "c"; user "d"; send'
    playing = player_of(newest_one)
    assert causes(playing, text, Limit("messages", 1), keep="sent") == []
    assert "no-orphan/interleaved/call-dropped" in causes(
        playing, text.replace('; user "d"', ""), Limit("messages", 1), keep="stored"
    )


def test_trim_in_flight_is_asked_of_those_who_promise_it() -> None:
    def whole(messages: list[Any], limit: int, _count: Any) -> list[Any]:
        """Drops an open call as readily as anything else."""
        return [] if len(messages) > limit else messages

    text = 'user "a"; call x; trim; result x "b"; send'
    promising = player_of(whole, promises={"late-result-safe": 1.0})
    assert "trim" in promising.moves.ops
    assert "trim" not in player_of(whole).moves.ops
    assert causes(promising, text, Limit("messages", 1))[0] == "late-result-safe/pending/call-dropped"
    assert causes(promising, text, Limit("messages", 3)) == []


def test_stored_list_and_what_the_guard_made_of_it() -> None:
    """A guard behind the trim repairs what is sent, and not what is stored."""
    repairing = evolve(find("codebuff-drop-unanswered"), promises={})
    playing = player_of(lambda items, _limit, _count: items, promises=PROMISED, format=repairing.format)
    playing = evolve(playing, then=repairing)
    text = 'user "a"; call x; interrupt; user "b"; send'
    assert causes(playing, text, Limit("tokens", 100)) == ["state-consistent/interleaved/invented"]
    assert causes(playing, 'user "a"; call x; result x "b"; send', Limit("tokens", 100)) == []


def test_refusal_sends_nothing_and_an_error_ends_the_session() -> None:
    class TooMuch(Exception):
        pass

    def refusing(messages: list[Any], limit: int, _count: Any) -> list[Any]:
        if len(messages) > limit:
            raise TooMuch(len(messages))
        return messages

    text = 'user "a"; assistant "b"; user "c"; send; send'
    assert causes(player_of(refusing, refuses=(TooMuch,)), text, Limit("messages", 2)) == []
    found = player_of(refusing).play(read(text), Limit("messages", 2))
    assert [one.finding.cause for one in found] == ["total-no-raise/valid/raised:TooMuch"]
    assert len(found[0].script.steps) == 4


def test_edited_and_copied_messages_keep_their_place() -> None:
    """A list of copies is stored as the messages that they are; one that was shortened is no new message."""

    def copies(messages: list[Any], _limit: int, _count: Any) -> list[Any]:
        return [{**message, "content": message["content"] and message["content"][:9]} for message in messages]

    text = f'user "a"; call x; result x "{20 * "b"}"; send; save; assistant "c"; user "d"; send'
    assert causes(player_of(copies), text, Limit("messages", 9)) == []
