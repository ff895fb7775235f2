"""What only the request can tell: whether its tools are declared, and whether a filter did all that it was told.

Both rules hold where the request is not known; nobody is blamed for what was not seen.
"""

from collections.abc import Iterator

from ...messages.model import History, Message
from ...messages.reading.pairing import Answer, Reading
from ...messages.requests import Filter, Request
from ..facts.evidence import Evidence, RawFinding
from ..facts.list_faults import Fault


def tools_declared(evidence: Evidence) -> Iterator[RawFinding]:
    """The request declares no tools and its history holds calls or results, which was not so before.

    Example: a last request, which is to bring text alone, is sent without tools, and the calls made so far are still in
    it. The trimmer is blamed for a message if it stayed while the tools went, or if it is new; where the request had no
    tools to begin with, a call that stays was given. That a tool is missing among others is not known to be rejected.

    Enforced by bedrock ("The toolConfig field must be defined when using toolUse and toolResult content blocks.",
    https://github.com/nearai/ironclaw/issues/1629) and, by hearsay, anthropic
    (https://portkey.ai/error-library/tool-definition-error-10488).
    """
    given, sent = evidence.case.request, evidence.outcome.request or evidence.case.request
    if not _declares_none(sent):
        return
    for at in _with_tool_blocks(evidence.output):
        arrival = evidence.arrival(at)
        if arrival is not None:
            yield RawFinding(arrival, evidence.inputs(at), (), f"{evidence.name(at)} {_WORDS}")
        elif not _declares_none(given):
            yield RawFinding(
                "lost", evidence.inputs(at), (), f"{evidence.name(at)} {_WORDS}; they were declared before"
            )


_WORDS = "has calls or results, and the request declares no tools"


def undeclared(history: History, request: Request) -> Iterator[Fault]:
    """Yield what a provider would reject in one request, without asking where it came from."""
    if _declares_none(request):
        for at in _with_tool_blocks(history):
            note = f"messages[{at}] {_WORDS}"
            yield Fault("message", (at,), rule="tools-declared", messages=(at,), note=note)


def _declares_none(request: Request | None) -> bool:
    return request is not None and request.tools is not None and not request.tools


def _with_tool_blocks(history: History) -> Iterator[int]:
    """Yield the messages that hold calls of the client's tools, or results; server tools are declared elsewhere."""
    for at, message in enumerate(history):
        results = message.role == "tool" or (message.role == "user" and message.extra.get("inline_results"))
        if results or any(not call.provider_executed for call in message.calls):
            yield at


def filter_complete(evidence: Evidence) -> Iterator[RawFinding]:
    """A filter that was to remove the traffic of some tools left a call, a result or an approval of theirs.

    Example: a handoff removes all tool traffic and lists the kinds of item by name; a newer kind of call stays. Judged
    are calls of every kind, server calls too, results in messages of their own or inline, and approvals. What a filter
    must not touch is a matter of other rules.

    No provider enforces it; it is promised. Source: https://github.com/openai/openai-agents-python/pull/3095.
    """
    asked = evidence.case.request or evidence.outcome.request
    wanted = None if asked is None else asked.remove
    if wanted is None:
        return
    left: dict[int, str] = {}
    for slot in evidence.after.slots:
        call = evidence.output[slot.message].calls[slot.position]
        if wanted.takes(call.name):
            left.setdefault(slot.message, f"a call of {call.name}")
    for answer, source in zip(evidence.after.answers, evidence.answer_origin, strict=True):
        tool = _tool_of(evidence.after, answer)
        if tool is None and source is not None:
            tool = _tool_of(evidence.before, evidence.before.answers[source])
        if wanted.takes(tool or ""):
            left.setdefault(answer.message, "a result" + (f" of {tool}" if tool else ""))
    for at in _approvals(evidence, wanted):
        left.setdefault(at, "an approval")
    for at, what in sorted(left.items()):
        cut = evidence.arrival(at) or "over-limit"  # more was kept than was allowed
        note = f"{evidence.name(at)} came out with {what}, which the filter was to remove"
        yield RawFinding(cut, evidence.inputs(at), (), note)


def _tool_of(reading: Reading, answer: Answer) -> str | None:
    """Return the name of the tool that a result is of: of the call it answers, else as the message says itself."""
    if answer.slot is None:
        return reading.history[answer.message].name
    slot = reading.slots[answer.slot]
    return reading.history[slot.message].calls[slot.position].name


def _approvals(evidence: Evidence, wanted: Filter) -> Iterator[int]:
    """Yield the output messages that ask for, or give, an approval of a call that was to go."""
    asked = {
        message.extra["approval_request"]
        for message in (*evidence.history, *evidence.output)
        if message.extra.get("approval_request") is not None and _calls_any(message, wanted)
    }
    for at, message in enumerate(evidence.output):
        for key in ("approval_request", "approval_response"):
            approval = message.extra.get(key)
            if approval is not None and (wanted.tools is None or approval in asked):
                yield at


def _calls_any(message: Message, wanted: Filter) -> bool:
    return any(wanted.takes(call.name) for call in message.calls)
