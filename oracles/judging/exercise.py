"""Exercise: which rules a case could have shown to be broken.

A rule holds for nothing where there was nothing to break: a history without calls says nothing about pairs, one without
pins nothing about pins. What is asked here is of the input, its limit, and whether a list came back: some trim of this
input, by some trimmer, breaks the rule. A rule that no case of a run could have broken was not exercised.
"""

from collections.abc import Callable, Mapping
from typing import TypeAlias, cast

from ...messages.cases import Case, Example, Outcome, Runs
from ...messages.model import SYSTEM_ROLES
from ..facts.views import frame_of
from ..rules.registry import RULES

Condition: TypeAlias = Callable[[Example], bool]
_MEMO = "judging.exercise"


def _answered(example: Example) -> bool:
    return any(answer.slot is not None for answer in example.reading.answers)


def _calls(example: Example) -> bool:
    return bool(example.reading.slots)


def _results(example: Example) -> bool:
    return bool(example.reading.answers)


def _several_results(example: Example) -> bool:
    batches = [answer.batch for answer in example.reading.answers if answer.slot is not None]
    return len(batches) > len(set(batches))


def _open_call(example: Example) -> bool:
    return bool(example.reading.open_batches)


def _conversation(example: Example) -> bool:
    return bool(frame_of(example).conversation)


def _user(example: Example) -> bool:
    return frame_of(example).latest_user is not None


def _system(example: Example) -> bool:
    return any(message.role in SYSTEM_ROLES for message in example.history)


def _system_first(example: Example) -> bool:
    return bool(frame_of(example).head) and _conversation(example)


def _pins(example: Example) -> bool:
    return bool(frame_of(example).pinned)


def _opens_on_user(example: Example) -> bool:
    roles = _roles(example)
    return len(roles) > 1 and roles[0] == "user"


def _ends_on_user_or_tool(example: Example) -> bool:
    roles = _roles(example)
    return len(roles) > 1 and roles[-1] in ("user", "tool")


def _one_role_twice(example: Example) -> bool:
    roles = _roles(example)
    return any(roles.count(role) > 1 for role in ("user", "assistant"))


def _user_behind_results(example: Example) -> bool:
    roles = _roles(example)
    return "tool" in roles and "user" in roles[roles.index("tool") :]


def _roles(example: Example) -> list[str]:
    view = frame_of(example).view
    return [view.roles[at] for at in view.turns]


def _reasoning(example: Example) -> bool:
    profile = example.profile
    if any(message.role == "reasoning" for message in example.history):
        return True
    last = frame_of(example).latest_user if profile.forgets_reasoning else None
    asked = profile.reasoning or profile.turn_reasoning
    behind = example.history[0 if last is None else last :]
    thoughts = any(message.reasoning and (message.calls or not profile.reasoning_of_calls) for message in behind)
    return (asked and thoughts) or _signed_calls(example)


def _signed(example: Example) -> bool:
    thoughts = example.profile.signed and any(message.reasoning for message in example.history)
    return thoughts or _signed_calls(example)


def _signed_calls(example: Example) -> bool:
    last = frame_of(example).latest_user
    running = example.history[0 if last is None else last :]
    return example.profile.signed_calls and any(one.calls and one.extra.get("signature") for one in running)


def _server_calls(example: Example) -> bool:
    return any(slot.provider_executed for slot in example.reading.slots)


def _with_key(key: str) -> Condition:
    return lambda example: any(message.extra and key in message.extra for message in example.history)


def _several(example: Example) -> bool:
    return len(example.history) > 1


def _anything(example: Example) -> bool:
    return bool(example.history)


CONDITIONS: Mapping[str, Condition] = {
    **dict.fromkeys(
        (
            "no-orphan", "call-answered", "result-adjacent", "one-result-per-call",
            "results-before-text", "result-turn-only-results",
        ),
        _answered,
    ),
    **dict.fromkeys(
        (
            "batch-atomic", "unique-call-id", "nonempty-call-id", "invented-call", "call-turn-after-user-or-result",
        ),
        _calls,
    ),
    **dict.fromkeys(("pending-call-kept", "late-result-safe"), _open_call),
    **dict.fromkeys(("keeps-latest-user", "keeps-current-turn", "nonempty-user"), _user),
    **dict.fromkeys(("nonempty-history", "keeps-newest"), _conversation),
    "order-preserved": _several,
    "real-result-not-dropped": _results,
    "results-together": _several_results,
    "keeps-system": _system,
    "system-once-first": _system_first,
    "keeps-pinned": _pins,
    "first-is-user": _opens_on_user,
    "last-is-user-or-tool": _ends_on_user_or_tool,
    "alternate-roles": _one_role_twice,
    "assistant-between-tool-and-user": _user_behind_results,
    "reasoning-kept-with-followup": _reasoning,
    "signed-reasoning-unmodified": _signed,
    "provider-executed-pair": _server_calls,
    "unique-item-id": _with_key("item_id"),
    "approval-pair": _with_key("approval_request"),
}  # fmt: skip
"""What an input must have for a rule to be broken by some trim of it; of the other rules any message is enough."""
_OF_THE_LIMIT = frozenset({"within-limit", "identity-under-limit", "refuses-only-when-needed"})


def could_break(case: Case, outcome: Outcome) -> frozenset[str]:
    """Return the rules that this case could have shown to be broken, further runs aside."""
    if outcome.status == "skipped":
        return frozenset()
    wanted = _of_example(case.example) if outcome.status == "ok" else _REFUSALS
    if case.room is not None:
        wanted |= {"refuses-only-when-needed"}
        if case.input_class == "valid" and case.fits and case.example.history:
            wanted |= {"identity-under-limit"}
        if outcome.status == "ok" and not case.fits:
            wanted |= {"within-limit"}
    return wanted


def could_break_relations(case: Case, outcome: Outcome, runs: Runs) -> frozenset[str]:
    """Return the rules that these further runs, or the request, could have shown to be broken."""
    made = {name for name in ("again", "twice", "larger", "stored") if getattr(runs, name) is not None}
    if case.request is not None or outcome.request is not None:
        made.add("request")
    return frozenset(name for name, rule in RULES.items() if rule.runs and rule.runs <= made)


_REFUSALS = frozenset(name for name, rule in RULES.items() if rule.refusals and not rule.runs) - _OF_THE_LIMIT


def _of_example(example: Example) -> frozenset[str]:
    if _MEMO not in example.memo:
        example.memo[_MEMO] = _REFUSALS | {
            name
            for name in RULES
            if name not in _OF_THE_LIMIT and not RULES[name].runs and CONDITIONS.get(name, _anything)(example)
        }
    return cast("frozenset[str]", example.memo[_MEMO])
