"""The Vercel AI SDK (a check in the client)."""

from ...messages.formats.detect import ReadRequest
from ..facts.list_faults import Fault
from ..provider import PackDeclaration
from ..provider_answers import accepted, calls_left_open, hard
from ..provider_features import ITEMS, OPENS_ON_ASSISTANT, STEERS

_MISSING = "Tool result is missing for tool call X."
_MISSING_SOURCE = "https://ai-sdk.dev/docs/troubleshooting/missing-tool-results-error"
_CHECK = "https://github.com/vercel/ai/blob/main/packages/ai/src/prompt/convert-to-language-model-prompt.ts"
_PASSED_ON = "fails all the same: the SDK passes it on, and the provider behind it rejects it"

_ANSWERS = (
    *calls_left_open(_MISSING, _MISSING_SOURCE, "A", status=None),
    hard("result-adjacent", _MISSING, _MISSING_SOURCE, "A", status=None),
    *(
        accepted(rule, _CHECK, "A", note=_PASSED_ON)
        for rule in ("no-orphan", "one-result-per-call", "unique-call-id", "provider-executed-pair")
    ),
)


def _answered_by_approval(fault: Fault, request: ReadRequest) -> bool:
    """A call that an approval is asked for is answered when that has been given, and the response may stand between."""
    extras = [request.sent[index].extra for index in fault.messages]
    if fault.rule == "call-answered":
        given = {message.extra.get("approval_response") for message in request.sent}
        return any(extra.get("approval_request") in given - {None} for extra in extras)
    return fault.rule == "result-adjacent" and "approval_response" in extras[0]


DECLARED = (
    PackDeclaration(
        "ai-sdk",
        _ANSWERS,
        enforces={"provider-executed-pair", "approval-pair"},
        inputs=OPENS_ON_ASSISTANT,
        off=(*STEERS, *ITEMS, "developer"),
        excuses=_answered_by_approval,
    ),
)
