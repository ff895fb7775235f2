"""Shape: what a provider asks of the list as a whole, beside pairing. Which of these rules a list obeys, its profile
says.

System messages are transparent, and a message that bears results counts as a tool message. A fault of the first or the
last message is one of the list: what was given of it stays given, whoever stands there now. A fault between neighbours
is one of the second message, with whatever neighbour.
"""

from collections.abc import Callable, Iterable, Iterator
from itertools import pairwise

from ..facts.evidence import Breach, Evidence
from ..facts.list_faults import Fault
from ..facts.views import FaultRule, View

SPEAKERS_BEFORE_A_CALL = frozenset({"user", "tool", "reasoning"})


def _first_is_user(view: View) -> Iterator[Fault]:
    if view.turns and view.roles[view.turns[0]] != "user":
        at = view.turns[0]
        yield Fault("list", messages=(at,), note=f"the conversation opens on {_role(view, at)}, messages[{at}]")


def _last_is_user_or_tool(view: View) -> Iterator[Fault]:
    if view.turns and view.roles[view.turns[-1]] == "assistant":
        at = view.turns[-1]
        yield Fault("list", messages=(at,), note=f"the conversation ends on {_role(view, at)}, messages[{at}]")


def _neighbours(view: View, wrong: frozenset[tuple[str, str]]) -> Iterator[Fault]:
    roles = [view.roles[at] for at in view.turns]
    if wrong.isdisjoint(pairwise(roles)):
        return
    for one, other in pairwise(view.turns):
        if (view.roles[one], view.roles[other]) in wrong:
            note = f"{_role(view, other)}, messages[{other}], comes right behind {_role(view, one)}, messages[{one}]"
            yield Fault("message", (other,), messages=(one, other), note=note)


_SAME_ROLES = frozenset({("user", "user"), ("assistant", "assistant")})
_TOOL_THEN_USER = frozenset({("tool", "user")})


def _call_turns(view: View) -> Iterator[Fault]:
    before = ""
    for at, role in enumerate(view.roles):
        if not role:
            continue
        calls = role == "assistant" and any(not call.provider_executed for call in view.history[at].calls)
        if calls and before not in SPEAKERS_BEFORE_A_CALL:
            what = "nothing" if not before else "an assistant message"
            yield Fault("message", (at,), messages=(at,), note=f"messages[{at}] makes calls and comes behind {what}")
        before = role


def _system_once_first(view: View) -> Iterator[Fault]:
    for at, role in enumerate(view.roles):
        if not role and at:
            note = f"messages[{at}] is a system message, and messages[0] stands in front of it"
            yield Fault("message", (at,), messages=(0, at), note=note)


def _results_together(view: View) -> Iterator[Fault]:
    bearers: dict[int, dict[int, str]] = {}
    for answer in view.reading.answers:
        if answer.role == "user" and answer.batch is not None:
            bearers.setdefault(answer.batch, {})[answer.message] = answer.id
    for messages in bearers.values():
        if len(messages) > 1:
            for at, call_id in messages.items():
                note = f"messages[{at}] holds some results of a step, messages[{next(iter(messages))}] others"
                yield Fault("message", (at,), messages=tuple(messages), ids=(call_id,), note=note)


def _results_before_text(view: View) -> Iterator[Fault]:
    for at, message in enumerate(view.history):
        if message.text and view.roles[at] == "tool" and message.role == "user" and message.extra.get("text_first"):
            note = f"messages[{at}] has its text in front of the results that it holds"
            yield Fault("message", (at,), messages=(at,), note=note)


def _only_results(view: View) -> Iterator[Fault]:
    for at, message in enumerate(view.history):
        if message.text and view.roles[at] == "tool" and message.role == "user":
            yield Fault("message", (at,), messages=(at,), note=f"messages[{at}] holds results, and text as well")


def _under_profile(name: str, faults: Callable[[View], Iterable[Fault]]) -> FaultRule:
    return FaultRule(name, lambda view: faults(view) if name in view.profile.shape else ())


FIRST_IS_USER = _under_profile("first-is-user", _first_is_user)
ALTERNATE_ROLES = _under_profile("alternate-roles", lambda view: _neighbours(view, _SAME_ROLES))
LAST_IS_USER_OR_TOOL = _under_profile("last-is-user-or-tool", _last_is_user_or_tool)
CALL_TURNS = _under_profile("call-turn-after-user-or-result", _call_turns)
ASSISTANT_BETWEEN = _under_profile("assistant-between-tool-and-user", lambda view: _neighbours(view, _TOOL_THEN_USER))
SYSTEM_ONCE_FIRST = _under_profile("system-once-first", _system_once_first)
RESULTS_TOGETHER = _under_profile("results-together", _results_together)
RESULTS_BEFORE_TEXT = _under_profile("results-before-text", _results_before_text)
ONLY_RESULTS = _under_profile("result-turn-only-results", _only_results)


def shape_check(rule: FaultRule) -> Callable[[Evidence], Iterable[Breach]]:
    """Return the check of a shape rule: what the output breaks and the input did not."""

    def check(evidence: Evidence) -> Iterable[Breach]:
        if rule.name not in evidence.profile.shape:
            return ()
        return [_breach(evidence, fault) for fault in evidence.introduced(rule)]

    return check


def _breach(evidence: Evidence, fault: Fault) -> Breach:
    """Say how the output came to be like that: something put in, copied, moved or edited there, else something lost."""
    arrivals = [arrival for at in fault.messages if (arrival := evidence.arrival(at)) is not None]
    if "duplicated" in arrivals:
        cut = "duplicated"
    elif arrivals:
        cut = "inserted-between" if fault.kind == "message" else "invented"
    elif not evidence.alignment.ordered:
        cut = "reordered"
    else:
        cut = "edited" if set(fault.messages) & set(evidence.edited) else "lost"
    return Breach(cut, evidence.inputs(*fault.messages), fault.ids, evidence.retold(fault))


def _role(view: View, at: int) -> str:
    role = view.roles[at]
    return "a result" if role == "tool" else "an assistant message" if role == "assistant" else f"a {role} message"
