"""Mistral, by the vendor's own validator (mistral-common 1.13.1, executed), one version for each that differs.

v3 takes text or calls in an assistant message, never both or neither, and counts results; v7 takes text beside calls;
v11 pairs results by id; v13 takes any id that is not empty. `mistral-old` is v3 as hosts with older validators have
it, which also reject a user message right behind a result.
"""

from attrs import evolve

from ..provider import PackDeclaration, VersionChange
from ..provider_answers import NOT_ENFORCED, ProviderAnswer, accepted, hard
from ..provider_features import CHAT, STEERS, TAIL

_SOURCE = "https://github.com/mistralai/mistral-common/blob/main/src/mistral_common/protocol/instruct/validator.py"
_COUNT = "Not the same number of function calls and responses"
_COUNTED, _BY_ID, _NINE = ("v3", "v7"), ("v11", "v13"), ("v3", "v7", "v11")
_TEXT_OR_CALLS = "Assistant message must have either content or tool_calls, but not both."


def _rejected(rule: str, text: str, *versions: str, note: str = "") -> ProviderAnswer:
    return hard(rule, text, _SOURCE, "A", versions=versions, note=note)


def _taken(rule: str, *versions: str, note: str = "") -> ProviderAnswer:
    return accepted(rule, _SOURCE, "A", versions=versions, note=note)


_ANSWERS = (
    _rejected(
        "no-orphan", "Unexpected tool call id ... in tool results", *_BY_ID,
        note="the validator does not look at the first message: an orphan there passes it",
    ),
    _rejected("no-orphan", _COUNT, *_COUNTED, note="results are counted: an orphan in place of a lost one passes"),
    _rejected("call-answered", _COUNT),
    _rejected("batch-atomic", _COUNT),
    _rejected("result-adjacent", "Unexpected role 'tool' after role 'user'"),
    _rejected("one-result-per-call", "Duplicate tool call id ... in tool results", *_BY_ID),
    _rejected("one-result-per-call", _COUNT, *_COUNTED),
    _rejected("unique-call-id", "Duplicate tool call id ... in assistant message", *_BY_ID),
    _taken("unique-call-id", *_COUNTED, note="fails all the same: which call a result answers can not be told"),
    _rejected(
        "nonempty-call-id",
        "Tool call id must be a non-empty string other than 'null' for tokenizer version 13 or newer.", "v13",
    ),
    _rejected("nonempty-call-id", "Tool call id was ... but must be a-z, A-Z, 0-9, with a length of 9.", *_NINE),
    _rejected(
        "last-is-user-or-tool",
        "Expected last role User or Tool (or Assistant with prefix) for serving but got assistant",
    ),
    _rejected("nonempty-history", "Conversation must have at least one message"),
    _rejected("nonempty-message", _TEXT_OR_CALLS, "v3"),
    _taken("nonempty-message", "v7", *_BY_ID),
    _rejected(
        "system-once-first", "Unexpected role 'system' after role 'assistant'",
        note=f"{NOT_ENFORCED}; behind a user message a system message is taken",
    ),
    _taken("first-is-user"),
    _taken("alternate-roles"),
    _taken("call-turn-after-user-or-result"),
    _taken("assistant-between-tool-and-user"),
)  # fmt: skip

_CHANGED = ("assistant-between-tool-and-user", "nonempty-message")
_OLD_ANSWERS = (
    *(
        evolve(answer, versions=())
        for answer in _ANSWERS
        if answer.rule not in _CHANGED and (not answer.versions or "v3" in answer.versions)
    ),
    hard(
        "assistant-between-tool-and-user",
        "Unexpected role 'user' after role 'tool'",
        "https://github.com/zed-industries/zed/pull/31736",
        "A",
    ),
    _rejected("nonempty-message", _TEXT_OR_CALLS),
)

_OFF = (*STEERS, *CHAT, "developer", "system_midway", "several_systems", "empty", *TAIL)

DECLARED = (
    PackDeclaration(
        "mistral",
        _ANSWERS,
        enforces={"nonempty-history"},
        off=_OFF,
        versions={"v3": VersionChange(added={"nonempty-message"}, off=(*_OFF, "call_text"))},
    ),
    PackDeclaration(
        "mistral-old",
        _OLD_ANSWERS,
        enforces={"nonempty-message", "nonempty-history"},
        off=(*_OFF, "call_text", "user_after_result"),
    ),
)
