"""Contents: what single messages must hold, and what must stand with what: item ids, approvals, reasoning."""

from collections.abc import Iterator

from attrs import evolve

from ...messages.model import Message
from ...messages.reading.pairing import Reading
from ...messages.reading.survivors import same
from ...messages.reading.units import follower, reasoning_steps
from ..facts.evidence import Breach, Evidence
from ..facts.list_faults import Fault
from ..facts.views import FaultRule, View, is_user

CONTENT_KEYS = ("parts", "images", "inline_results", "approval_request", "approval_response")


def has_content(message: Message) -> bool:
    """Say whether a message says anything at all."""
    if message.text or message.calls or message.reasoning:
        return True
    return bool(message.extra) and any(message.extra.get(key) for key in CONTENT_KEYS)


def _empty_messages(view: View) -> Iterator[Fault]:
    for at, message in enumerate(view.history):
        if not message.text and message.role in ("user", "assistant") and not has_content(message):
            yield Fault("message", (at,), messages=(at,), note=f"messages[{at}] is empty")


def _item_ids_again(view: View) -> Iterator[Fault]:
    seen: dict[object, int] = {}
    for at, message in enumerate(view.history):
        item = message.extra.get("item_id") if message.extra else None
        if item is None:
            continue
        if item in seen:
            note = f"messages[{at}] has the item id {item} of messages[{seen[item]}]"
            yield Fault("message", (at,), messages=(seen[item], at), ids=(str(item),), note=note)
        seen.setdefault(item, at)


def _approvals(view: View) -> Iterator[Fault]:
    asked: dict[object, int] = {}
    answered: dict[object, int] = {}
    for at, message in enumerate(view.history):
        if not message.extra:
            continue
        request, response = message.extra.get("approval_request"), message.extra.get("approval_response")
        if response is not None:
            answered[response] = at
            if response not in asked:
                note = f"messages[{at}] answers the approval request {response}, which does not stand before it"
                yield Fault("message", (at,), "response", messages=(at,), ids=(str(response),), note=note)
        if request is not None:
            asked.setdefault(request, at)
    for at, message in enumerate(view.history) if asked else ():
        request = message.extra.get("approval_request")
        if request is not None and answered.get(request, -1) <= at:
            note = f"messages[{at}] asks for the approval {request}, and nothing behind it answers"
            yield Fault("message", (at,), "request", messages=(at,), ids=(str(request),), note=note)


def _stranded_reasoning(view: View) -> Iterator[Fault]:
    for at, message in enumerate(view.history):
        if message.role == "reasoning" and follower(view.reading, at) is None:
            note = f"messages[{at}] is reasoning, and what it led to does not stand behind it"
            yield Fault("message", (at,), messages=(at,), note=note)


EMPTY_MESSAGES = FaultRule("nonempty-message", _empty_messages)
ITEM_IDS = FaultRule("unique-item-id", _item_ids_again)
APPROVALS = FaultRule("approval-pair", _approvals)
STRANDED_REASONING = FaultRule("reasoning-kept-with-followup", _stranded_reasoning)


def nonempty_message(evidence: Evidence) -> Iterator[Breach]:
    """A user or assistant message came out with nothing in it."""
    for fault in evidence.introduced(EMPTY_MESSAGES):
        at = fault.subject[0]
        cut = evidence.arrival(at) or "emptied"
        yield Breach(cut, evidence.inputs(at), (), f"{evidence.name(at)} came out empty")


def unique_item_id(evidence: Evidence) -> Iterator[Breach]:
    """A message has the item id of an earlier one, and had not."""
    for fault in evidence.introduced(ITEM_IDS):
        first, at = fault.messages
        edited = "edited" if at in evidence.edited else None
        cut = evidence.arrival(at) or edited or evidence.arrival(first) or "reordered"
        note = f"{evidence.name(at)} has the item id {fault.ids[0]} of {evidence.name(first)}"
        yield Breach(cut, evidence.inputs(first, at), fault.ids, note)


def approval_pair(evidence: Evidence) -> Iterator[Breach]:
    """An approval is left without what was asked, or a question without its answer."""
    if evidence.clean and not evidence.frame.has_approvals:
        return
    for fault in evidence.introduced(APPROVALS):
        at = fault.subject[0]
        missing = "request" if fault.detail == "response" else "answer"
        cut = evidence.arrival(at) or ("lost" if evidence.alignment.ordered else "reordered")
        note = f"{evidence.name(at)} came out without the {missing} of the approval {fault.ids[0]}"
        yield Breach(cut, evidence.inputs(at), fault.ids, note)


def reasoning_kept_with_followup(evidence: Evidence) -> Iterator[Breach]:
    """Reasoning is parted from what it led to, or stripped where the provider asks for it back."""
    yield from _stranded(evidence)
    yield from _parted_items(evidence)
    if evidence.profile.reasoning:
        yield from _stripped(evidence)
    if evidence.profile.turn_reasoning:
        yield from _turns_opened_without(evidence)


def _stranded(evidence: Evidence) -> Iterator[Breach]:
    for fault in evidence.introduced(STRANDED_REASONING):
        at = fault.subject[0]
        source, behind = evidence.origin[at], at + 1
        led_to = None if source is None else follower(evidence.before, source)
        if led_to is not None and led_to not in evidence.place:
            cut = "lost"
        else:
            cut = evidence.put_there(behind) if behind < len(evidence.output) else "reordered"
        cut = evidence.arrival(at) or cut
        yield Breach(cut, evidence.inputs(at), (), f"{evidence.name(at)} is reasoning; what it led to is not behind it")


def _parted_items(evidence: Evidence) -> Iterator[Breach]:
    before: Reading = evidence.before
    for at, message in enumerate(evidence.history):
        led_to = follower(before, at) if message.role == "reasoning" else None
        if led_to is not None and (at in evidence.place) != (led_to in evidence.place):
            gone, kept = (led_to, at) if at in evidence.place else (at, led_to)
            what = "what it led to" if gone == led_to else "the reasoning that led to it"
            yield Breach("lost", (at, led_to), (), f"messages[{kept}] stayed; {what}, messages[{gone}], was dropped")


def _stripped(evidence: Evidence) -> Iterator[Breach]:
    for index in evidence.edited:
        source = evidence.origin[index]
        if source is not None and evidence.history[source].reasoning and not evidence.output[index].reasoning:
            if _may_be_forgotten(evidence, source):
                continue
            yield Breach("edited", (source,), (), f"messages[{source}] came out without its reasoning")


def _may_be_forgotten(evidence: Evidence, source: int) -> bool:
    """Say whether a message is of a turn that is over, and the provider does not ask for its reasoning any more."""
    if not evidence.profile.forgets_reasoning:
        return False
    said = (at for at in range(len(evidence.history) - 1, source, -1) if is_user(evidence.history[at]))
    return any(not evidence.history[at].summary for at in said)


def _only_forgot(source: Message, output: Message) -> bool:
    extra = {key: value for key, value in source.extra.items() if key != "signature"}
    return same(evolve(source, reasoning=None, extra=extra), output)


def _turns_opened_without(evidence: Evidence) -> Iterator[Breach]:
    for step, opened in reasoning_steps(evidence.before):
        if step in evidence.place and opened not in evidence.place:
            note = f"messages[{step}] stayed; the reasoning that its turn goes by, at messages[{opened}], was dropped"
            yield Breach("lost", (opened, step), (), note)


def signed_reasoning_unmodified(evidence: Evidence) -> Iterator[Breach]:
    """A message whose reasoning is signed came out edited."""
    if evidence.profile.signed:
        for index in evidence.edited:
            source = evidence.origin[index]
            if source is not None and evidence.history[source].reasoning:
                if _may_be_forgotten(evidence, source) and _only_forgot(
                    evidence.history[source], evidence.output[index]
                ):
                    continue
                note = f"messages[{source}] holds signed reasoning and came out edited"
                yield Breach("edited", (source,), (), note)
