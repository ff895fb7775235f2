"""Plain random histories and trims of them, for tests that compare two ways to the same answer.

They are nothing like real traffic on purpose: short lists in which ids are reused, results are displaced, surplus or
lost, batches stay open, steers and system messages stand anywhere, and messages are pinned, carry reasoning, inline
results or approvals.
"""

from random import Random

from attrs import evolve

from trimfuzz.messages.model import Call, History, Message

TEXTS = ("", "a", "b", "the same beginning, one", "the same beginning, two")


def random_history(random: Random, size: int, *, equal_texts: bool = False, well_formed: float = 0.3) -> History:
    """Return a history of at most `size` messages; with `equal_texts` many messages are equal to others.

    A share `well_formed` of the histories keeps every batch together, with fresh ids and results in call order.
    """
    found: list[Message] = []
    while len(found) < size and random.random() < 0.3:
        found.append(Message(random.choice(("system", "system", "developer")), _text(random, found, equal_texts)))
    tidy = random.random() < well_formed
    rare = random.random() < 0.5
    while len(found) < size:
        if tidy:
            found.extend(_tidy_step(random, found, equal_texts))
        else:
            found.append(_any_message(random, found, equal_texts, rare))
    return tuple(_decorated(random, message) for message in found[:size])


def _text(random: Random, found: list[Message], equal_texts: bool) -> str:
    return random.choice(TEXTS) if equal_texts else f"{len(found)} {random.choice(TEXTS)}"


def _tidy_step(random: Random, found: list[Message], equal_texts: bool) -> list[Message]:
    kind = random.randrange(4)
    if kind < 2:
        return [Message("user" if kind else "assistant", _text(random, found, equal_texts) or "x")]
    ids = [f"c{len(found)}{letter}" for letter in "abc"[: random.randint(1, 3)]]
    calls = tuple(Call(each) for each in ids)
    return [
        Message("assistant", random.choice((None, _text(random, found, equal_texts))), calls=calls),
        *(Message("tool", _text(random, found, equal_texts) + each, call_id=each) for each in ids),
    ]


def _any_message(random: Random, found: list[Message], equal_texts: bool, rare: bool) -> Message:
    text = _text(random, found, equal_texts)
    kind = random.randrange(22 if rare else 16)
    if kind < 4:
        return Message("user", text)
    if kind < 6:
        return Message("assistant", text)
    if kind < 9:
        return Message(
            "assistant",
            random.choice((None, None, text)),
            calls=tuple(_call(random, rare) for _ in range(random.choice((1, 1, 1, 2, 3)))),
            reasoning=random.choice((None, None, "thought")),
        )
    if kind < 14:
        return Message("tool", text, call_id=_answered(random, found))
    if kind == 14:
        return Message(random.choice(("system", "developer")), text)
    if kind == 15:
        return Message("assistant", text, reasoning="thought")
    if kind == 16:
        return Message("reasoning", text, extra={"inline_results": ["a"]} if random.random() < 0.1 else {})
    if kind == 17:
        ids = [_answered(random, found) for _ in range(random.randint(1, 2))]
        return Message("user", random.choice((None, text)), extra={"inline_results": ids})
    if kind == 18:
        each = random.choice("pq")
        calls = random.choice(((), (Call(each, provider_executed=True),)))
        return Message("assistant", text, calls=calls, extra={"inline_results": [each]})
    if kind == 19:
        return Message("assistant", text, extra={"approval_request": random.choice("yz")})
    if kind == 20:
        return Message("tool", extra={"approval_response": random.choice("yz")})
    return Message("assistant", text, extra={"item_id": random.choice("mn")})


def _call(random: Random, rare: bool) -> Call:
    return Call(
        random.choice(("a", "b", "c", "p", "")),
        arguments=random.choice(("{}", '{"k":1}')),
        provider_executed=random.random() < 0.15,
        alt_id=random.choice("abc") if rare and random.random() < 0.2 else None,
    )


def _answered(random: Random, found: list[Message]) -> str:
    """Give mostly the id of a call made not long ago."""
    made = [call.id for message in found[-4:] for call in message.calls]
    return random.choice(made) if made and random.random() < 0.85 else random.choice(("a", "b", "c", "p", ""))


def _decorated(random: Random, message: Message) -> Message:
    marked = {"inserted": True} if message.role != "tool" and random.random() < 0.03 else {}
    return evolve(
        message,
        extra={**message.extra, **marked},
        keep_during_truncation=random.random() < 0.04,
        summary=message.role == "user" and random.random() < 0.05,
        tokens=random.choice((0, 1, 1, 1, 2, 3, 5, 9)),
    )


def random_trim(random: Random, history: History) -> tuple[History, tuple[int | None, ...]]:
    """Return an output for a history, with the input index of each message that is the very object of the input.

    Most are subsets; some have second copies, moved, shortened, emptied, renamed and invented messages.
    """
    share = random.choice((0.2, 0.5, 0.8, 1.0))
    kept: list[tuple[Message, int | None]] = [
        (message, index) for index, message in enumerate(history) if random.random() < share
    ]
    for _ in range(random.choice((0, 0, 0, 1, 1, 2, 3))):
        kind = random.randrange(7)
        place = random.randrange(len(kept) + 1)
        if kind == 0 and history:
            index = random.randrange(len(history))
            kept.insert(place, (history[index], index))
        elif kind == 1 and kept:
            kept.insert(place % len(kept), kept.pop(random.randrange(len(kept))))
        elif kind == 2 and kept:
            kept[place % len(kept)] = (_edited(random, kept[place % len(kept)][0]), None)
        elif kind == 3 and kept:
            kept[place % len(kept)] = (evolve(kept[place % len(kept)][0]), None)
        elif kind == 4:
            kept.insert(place, (_invented(random), None))
        elif kind == 5 and kept:
            del kept[: random.randrange(len(kept))]
        elif kind == 6 and kept:
            del kept[random.randrange(len(kept))]
    return tuple(message for message, _ in kept), tuple(index for _, index in kept)


def _edited(random: Random, message: Message) -> Message:
    calls = message.calls
    kind = random.randrange(4)
    if kind == 0:
        return evolve(message, text=(message.text or "")[: random.randrange(4)])
    if kind == 1:
        return evolve(message, text="something else")
    if kind == 2 and calls:
        return evolve(message, calls=calls[1:])
    if kind == 3 and calls:
        return evolve(message, calls=(evolve(calls[0], id=random.choice("abc")), *calls[1:]))
    return evolve(message, reasoning=None)


def _invented(random: Random) -> Message:
    return random.choice(
        (
            Message("user", "a summary", summary=True),
            Message("system", "3 messages left out", extra={"inserted": True}),
            Message("user", "new"),
            Message("tool", "stub", call_id=random.choice("abc")),
            Message("assistant", None, calls=(Call(random.choice("abc")),)),
            Message("user", None, extra={"inline_results": [random.choice("abc")]}),
        )
    )
