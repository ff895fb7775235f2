"""kimi-code: how a stored history becomes a request. Three generations of the projection.

Upstream: MoonshotAI/kimi-code, `packages/agent-core/src/agent/context` (TypeScript). `pre` (0.19.1, issue #1053) only
drops what is empty and merges neighbouring user messages. `post` (PR #1308) and `head` (0.38.0) pull results up behind
their call and drop those that no call anywhere made; by id, so an id that is used again keeps an orphan alive. `v2`
reads forwards and lets a result answer only a call that is open. Written from a description of the behaviour.
"""

from collections.abc import Sequence

from attrs import evolve

from ...messages.model import NO_EXTRA, Call, Message

MISSING = "Tool result is not available in the current context. Do not assume the tool completed successfully."
ERROR = "<system>ERROR: Tool execution failed.</system>\n"


class EmptyResult(ValueError):
    """A result without any text: upstream throws."""


def missing(call_id: str) -> Message:
    """Return the stand-in for a result that there is not; it declares itself."""
    return Message("tool", MISSING, call_id=call_id, extra={"inserted": True})


def project_pre(history: Sequence[Message]) -> list[Message]:
    """The request of 0.19.1: nothing empty, user messages merged, and no look at pairs."""
    return _plain(_merged_users(_without_empty(history, blank=False)))


def project_v1(
    history: Sequence[Message],
    *,
    drop_orphans: bool = True,
    synthesize: bool = False,
    strict: bool = False,
    dedupe: bool = False,
) -> list[Message]:
    """The request of `post` and `head`; `strict` is what is sent again after a refusal.

    `synthesize` answers also a batch that is open at the end. With `dedupe` (`head`, strict alone) the first call and
    the first result of an id are kept over the whole history, before anything is paired.
    """
    found = _merged_users(_without_empty(history, blank=True))
    if strict and dedupe:
        found = _first_of_each_id(found)
    found = _repaired(found, always=synthesize or strict)
    if strict:
        found = _merged_assistants(found)
    if drop_orphans:
        made = {call.id for message in found for call in message.calls}
        found = [it for it in found if it.role != "tool" or not it.call_id or it.call_id in made]
    return _plain(_from_user(found) if strict else found)


def project_v2(history: Sequence[Message], *, strict: bool = False) -> list[Message]:
    """The request of agent-core-v2: one pass forwards; a result belongs to the call of its id that is open there.

    Results come in call order, and what is missing gets a stand-in. A history without any assistant is left as it is.
    """
    found = _without_empty(history, blank=True)
    if any(message.role == "assistant" for message in found):
        answers = _answers(found)
        if strict:
            found, answers = _first_calls(found, answers)
        found = _with_results(found, answers)
    found = _merged_users(found)
    return _plain(_from_user(_merged_assistants(found)) if strict else found)


# Steps that all of them share


def _without_empty(history: Sequence[Message], *, blank: bool) -> list[Message]:
    """Drop texts that are empty (`blank`: or nothing but white space), then messages that have nothing left."""
    found: list[Message] = []
    for message in history:
        text = _rendered(message)
        if not text or (blank and not text.strip()):
            text = ""
            if message.role == "tool":
                raise EmptyResult(f"the result of {message.call_id!r} is empty")
            if not message.calls:
                continue
        found.append(message if text == message.text else evolve(message, text=text))
    return found


def _rendered(message: Message) -> str:
    text = message.text or ""
    return ERROR + text if message.extra.get("is_error") else text


def _merged_users(history: Sequence[Message]) -> list[Message]:
    """Merge neighbouring user messages, except what was injected and summaries."""
    found: list[Message] = []
    for message in history:
        if found and _is_input(message) and _is_input(found[-1]):
            found[-1] = evolve(found[-1], text=f"{found[-1].text}\n\n{message.text}")
        else:
            found.append(message)
    return found


def _is_input(message: Message) -> bool:
    known = message.extra.get("injection") or message.extra.get("origin", "user") != "user"
    return message.role == "user" and not known and not message.summary


def _merged_assistants(history: Sequence[Message]) -> list[Message]:
    found: list[Message] = []
    for message in history:
        if found and message.role == found[-1].role == "assistant":
            text = (found[-1].text or "") + (message.text or "")
            # What a summary was merged with is more than the summary, and no insertion any more.
            summary = found[-1].summary and message.summary
            found[-1] = evolve(found[-1], text=text, calls=found[-1].calls + message.calls, summary=summary)
        else:
            found.append(message)
    return found


def _from_user(history: list[Message]) -> list[Message]:
    start = next((index for index, message in enumerate(history) if message.role == "user"), len(history))
    return history[start:]


def _plain(history: list[Message]) -> list[Message]:
    """Leave out what is only for ourselves, and keep what declares a message."""
    kept = ("inserted",)
    return [
        evolve(message, extra={key: message.extra[key] for key in kept if key in message.extra} or NO_EXTRA)
        if message.extra
        else message
        for message in history
    ]


# v1: repair by id


def _repaired(history: Sequence[Message], *, always: bool) -> list[Message]:
    """Pull the first later unused result of each call up behind it, in history order; a stand-in for what is missing.

    A batch with nothing but results behind it is left open, unless `always`.
    """
    last = max((index for index, message in enumerate(history) if message.role != "tool"), default=-1)
    used: set[int] = set()
    pulled: dict[int, list[int]] = {}
    for index, message in enumerate(history):
        if message.role == "assistant" and message.calls:
            later = (at for at in range(index + 1, len(history)) if history[at].role == "tool" and at not in used)
            wanted = [call.id for call in message.calls]
            found: list[int] = []
            for at in later:
                if history[at].call_id in wanted:
                    wanted.remove(history[at].call_id or "")
                    found.append(at)
            used.update(found)
            pulled[index] = found
    output: list[Message] = []
    for index, message in enumerate(history):
        if index in used:
            continue
        output.append(message)
        if index in pulled:
            output.extend(history[at] for at in pulled[index])
            if always or index < last:
                answered = {history[at].call_id for at in pulled[index]}
                output.extend(missing(call.id) for call in message.calls if call.id not in answered)
    return output


def _first_of_each_id(history: Sequence[Message]) -> list[Message]:
    made: set[str] = set()
    answered: set[str] = set()
    found: list[Message] = []
    for message in history:
        if message.role == "tool" and message.call_id:
            if message.call_id in answered:
                continue
            answered.add(message.call_id)
        elif message.calls:
            calls = _unseen(message.calls, made)
            if not calls and not message.text:
                continue
            message = evolve(message, calls=calls)
        found.append(message)
    return found


def _unseen(calls: Sequence[Call], made: set[str]) -> tuple[Call, ...]:
    found: list[Call] = []
    for call in calls:
        if call.id not in made:
            made.add(call.id)
            found.append(call)
    return tuple(found)


# v2: one pass forwards

Answers = dict[int, list[Message]]
"""For each call message, its results in call order."""


def _answers(history: Sequence[Message]) -> Answers:
    waiting: dict[str, tuple[int, int]] = {}
    found: Answers = {}
    for index, message in enumerate(history):
        if message.role == "assistant" and message.calls:
            found[index] = [missing(call.id) for call in message.calls]
            waiting.update((call.id, (index, position)) for position, call in enumerate(message.calls))
        elif message.role == "tool" and message.call_id in waiting:
            at, position = waiting.pop(message.call_id or "")
            found[at][position] = message
    return found


def _with_results(history: Sequence[Message], answers: Answers) -> list[Message]:
    found: list[Message] = []
    for index, message in enumerate(history):
        if message.role != "tool":
            found.append(message)
            found.extend(answers.get(index, ()))
    return found


def _first_calls(history: Sequence[Message], answers: Answers) -> tuple[list[Message], Answers]:
    """Keep the first call of each id, with the first real result that any call of the id got."""
    real: dict[str, Message] = {}
    for results in answers.values():
        for result in results:
            if not result.extra.get("inserted"):
                real.setdefault(result.call_id or "", result)
    made: set[str] = set()
    found: list[Message] = []
    kept: Answers = {}
    for index, message in enumerate(history):
        if index in answers:
            calls = _unseen(message.calls, made)
            if not calls and not message.text:
                continue
            kept[len(found)] = [real.get(call.id) or missing(call.id) for call in calls]
            message = evolve(message, calls=calls)
        found.append(message)
    return found, kept
