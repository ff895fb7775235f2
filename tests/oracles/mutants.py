"""Cases of the random lane whose outputs were spoiled by a simple mutation: drop, double, edit, move, insert."""

from collections.abc import Iterator
from random import Random
from typing import TypeAlias

from attrs import evolve

from trimfuzz.messages.cases import Case, Example, Failure, Outcome, Runs
from trimfuzz.messages.limits import Limit
from trimfuzz.messages.model import Call, History, Message
from trimfuzz.messages.reading.pairing import INPUT_CLASSES
from trimfuzz.messages.reading.profiles import PROFILES
from trimfuzz.messages.requests import Filter, Request
from trimfuzz.strategies import interpret
from trimfuzz.strategies.lane import random_strings

Output: TypeAlias = list[tuple[Message, int | None]]
"""Messages with the input index of each that is an object of the input."""
LONGEST = 12


def mutants(provider: str, *, seed: int = 0, limit: int = 20_000) -> Iterator[tuple[Case, Outcome, Runs]]:
    """Yield at most `limit` cases of short histories, with what a spoiled trimmer made of them."""
    random = Random(f"{provider} {seed}")
    made = 0
    for data in random_strings(seed):
        plain = random.random() < 0.7
        history = interpret(data[: random.randrange(1, 9)], inputs=("valid",) if plain else INPUT_CLASSES).history
        for _ in range(4 if 0 < len(history) <= LONGEST else 0):
            yield _mutant(random, Example(history, profile=PROFILES[provider]))
            made += 1
            if made >= limit:
                return


def _mutant(random: Random, example: Example) -> tuple[Case, Outcome, Runs]:
    history = example.history
    size = random.choice((None, None, None, None, None, len(history), len(history) - 1, 1, 0))
    case = Case(example, None if size is None else Limit("messages", size), request=_request(random))
    kind = random.randrange(16)
    if kind == 0:
        status = random.choice(("refused", "raised", "hung", "crashed"))
        return case, Outcome(status, failure=Failure("Error")), Runs()
    whole = list(zip(history, range(len(history)), strict=True))
    output = _spoiled(random, history) if kind < 14 else whole[-1:] if kind == 15 else whole
    outcome = Outcome(
        "ok",
        tuple(message for message, _ in output),
        sources=tuple(source for _, source in output),
        mutated=(0,) if random.random() < 0.02 else (),
        request=Request(()) if random.random() < 0.1 else None,
    )
    other = Outcome("ok", tuple(message for message, _ in _spoiled(random, history)))
    runs = (Runs(), Runs(again=other), Runs(twice=other), Runs(stored=other), Runs(larger=(case, other)))
    return case, outcome, random.choice(runs if kind > 10 else runs[:1])


def _request(random: Random) -> Request | None:
    return random.choice((None, None, None, None, None, None, Request({"f"}), Request(()), Request(remove=Filter())))


def _spoiled(random: Random, history: History) -> Output:
    """Keep all or the end, and spoil that once or twice."""
    start = random.choice((0, 0, 0, random.randrange(len(history) + 1)))
    found: Output = [(history[index], index) for index in range(start, len(history))]
    for _ in range(random.choice((1, 1, 1, 2))):
        place = _place(random, found)
        kind = random.randrange(11)
        if kind in (0, 10) and found:
            del found[place]
        elif kind == 1 and found:
            found.insert(random.randrange(len(found)), random.choice(found))
        elif kind in (2, 3) and found:
            found[place] = (_edited(random, found[place][0]), None)
        elif kind == 4 and found:
            found.insert(random.randrange(len(found)), found.pop(place))
        elif kind == 5 and found:
            found[place] = (Message("user", "1 left out", extra={"inserted": True}), None)
        elif kind == 6:
            found = [(message, index) for message, index in found if message.role != "user"]
        elif kind in (7, 8, 9):
            place = random.choice((place, len(found)))
            found[place:place] = [(message, None) for message in _new(random, history)]
    return found


def _place(random: Random, found: Output) -> int:
    """Choose a message, more often one that has something special about it."""
    special = [
        at
        for at, (message, _) in enumerate(found)
        if message.keep_during_truncation or message.reasoning or message.extra or message.role in ("tool", "reasoning")
    ]
    if special and random.random() < 0.5:
        return random.choice(special)
    return random.randrange(len(found)) if found else 0


def _edited(random: Random, message: Message) -> Message:
    calls = message.calls
    edits = [
        evolve(message, text=(message.text or "")[:2]),
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


def _new(random: Random, history: History) -> tuple[Message, ...]:
    ids = [call.id for message in history for call in message.calls] or ["z"]
    items = [message.extra["item_id"] for message in history if "item_id" in message.extra] or ["z"]
    told = {"inserted": True}
    call, both = Message("assistant", None, calls=(Call("n"),), extra=told), (Call("n"), Call("m"))
    first, second = ({"inline_results": [each], **told} for each in "nm")
    stub = Message("tool", "stub", call_id=random.choice(ids), extra=told)
    return random.choice(
        (
            (Message(random.choice(("user", "assistant", "system")), "new"),),
            (Message(random.choice(("user", "assistant", "system")), "summary", summary=True),),
            (Message("assistant", "summary", summary=True, extra={"item_id": random.choice(items)}),),
            (Message("user", "7 left out", extra=told),),
            (Message("user", "", extra=told),),
            (call,),
            (stub,),
            (stub, stub),
            (call, Message("tool", "n", call_id="n", extra=told)),
            (evolve(call, calls=(Call(""),)), Message("tool", "n", call_id="", extra=told)),
            (call, Message("user", "n", extra=first)),
            (call, Message("user", "n", extra={**first, "text_first": True})),
            (evolve(call, calls=both), Message("user", extra=first), Message("user", extra=second)),
            (Message("assistant", "s", calls=(Call("p", provider_executed=True),), extra=told),),
            (Message("assistant", "s", extra={"approval_request": "x", **told}),),
        )
    )
