"""Cases of the random lane whose outputs were spoiled by a simple mutation: dropped, doubled, edited, moved, inserted."""

from collections.abc import Iterator
from random import Random
from typing import TypeAlias

from attrs import evolve

from trimfuzz.messages.cases import Case, Example, Failure, Outcome, Runs
from trimfuzz.messages.limits import Limit
from trimfuzz.messages.model import Call, History, Message
from trimfuzz.messages.profiles import PROFILES
from trimfuzz.messages.requests import Filter, Request
from trimfuzz.strategies import interpret
from trimfuzz.strategies.lane import random_strings

Output: TypeAlias = list[tuple[Message, int | None]]
"""Messages with the input index of each that is an object of the input."""
LONGEST = 9


def mutants(provider: str, *, seed: int = 0, limit: int = 20_000) -> Iterator[tuple[Case, Outcome, Runs]]:
    """Yield at most `limit` cases of short histories, with what a spoiled trimmer made of them."""
    random = Random(f"{provider} {seed}")
    made = 0
    for data in random_strings(seed):
        history = interpret(data[:LONGEST]).history
        if not 0 < len(history) <= LONGEST:
            continue
        for _ in range(4):
            yield _mutant(random, Example(history, profile=PROFILES[provider]))
            made += 1
            if made >= limit:
                return


def _mutant(random: Random, example: Example) -> tuple[Case, Outcome, Runs]:
    history = example.history
    size = random.choice((None, None, None, len(history), len(history) - 1, 1, 0))
    case = Case(example, None if size is None else Limit("messages", size), request=_request(random))
    kind = random.randrange(12)
    if kind == 0:
        status = random.choice(("refused", "raised", "hung", "crashed"))
        return case, Outcome(status, failure=Failure("Error")), Runs()
    output = _spoiled(random, history) if kind < 9 else list(zip(history, range(len(history)), strict=True))
    outcome = Outcome(
        "ok",
        tuple(message for message, _ in output),
        sources=tuple(source for _, source in output),
        mutated=(0,) if random.random() < 0.03 else (),
        list_changed=random.random() < 0.03,
        request=random.choice((None, None, Request(()))),
    )
    other = Outcome("ok", tuple(message for message, _ in _spoiled(random, history)))
    runs = (Runs(), Runs(again=other), Runs(twice=other), Runs(stored=other), Runs(larger=(case, other)))
    return case, outcome, random.choice(runs if kind > 5 else runs[:1])


def _request(random: Random) -> Request | None:
    return random.choice((None, None, None, Request({"f"}), Request(()), Request(remove=Filter())))


def _spoiled(random: Random, history: History) -> Output:
    """Keep all or the end, and spoil that once or twice."""
    start = random.choice((0, 0, random.randrange(len(history) + 1)))
    found: Output = [(history[index], index) for index in range(start, len(history))]
    for _ in range(random.choice((1, 1, 2))):
        place = random.randrange(len(found) + 1)
        kind = random.randrange(5)
        if kind == 0 and found:
            del found[place % len(found)]
        elif kind == 1 and found:
            found.insert(place, random.choice(found))
        elif kind == 2 and found:
            message = found[place % len(found)][0]
            found[place % len(found)] = (_edited(random, message), None)
        elif kind == 3 and found:
            found.insert(random.randrange(len(found)), found.pop(place % len(found)))
        elif kind == 4:
            found.insert(place, (_new(random, history), None))
    return found


def _edited(random: Random, message: Message) -> Message:
    calls = message.calls
    edits = [
        evolve(message, text=(message.text or "")[:2]),
        evolve(message, text=None, calls=(), reasoning=None),
        evolve(message, reasoning=None),
        evolve(message, extra={}),
    ]
    if message.role == "tool":
        edits.append(evolve(message, text="placeholder"))
    if calls:
        edits += [
            evolve(message, calls=calls[1:]),
            evolve(message, calls=(evolve(calls[0], id=""), *calls[1:])),
            evolve(message, calls=(*calls[:-1], evolve(calls[-1], id=calls[0].id))),
        ]
    return random.choice(edits)


def _new(random: Random, history: History) -> Message:
    ids = [call.id for message in history for call in message.calls] or ["z"]
    items = [message.extra["item_id"] for message in history if "item_id" in message.extra] or ["z"]
    return random.choice(
        (
            Message("user", "new"),
            Message("assistant", "new"),
            Message("system", "new"),
            Message("user", "summary", summary=True),
            Message("system", "summary", summary=True),
            Message("assistant", "summary", summary=True),
            Message("assistant", "summary", summary=True, extra={"item_id": random.choice(items)}),
            Message("user", "7 left out", extra={"inserted": True}),
            Message("user", "", extra={"inserted": True}),
            Message("assistant", None, calls=(Call("new"),), extra={"inserted": True}),
            Message("tool", "stub", call_id=random.choice(ids), extra={"inserted": True}),
            Message("user", "t", extra={"inline_results": [random.choice(ids)], "inserted": True}),
            Message("user", "t", extra={"inline_results": [random.choice(ids)], "text_first": True, "inserted": True}),
        )
    )
