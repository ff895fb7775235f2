"""Google Gemini and Vertex, before and since Gemini 3.

It enforces the two rules about reasoning, while the profile of the bare name has no flag by which they could find
anything. Both are right, each for its models: thoughts need not come back; since Gemini 3 the signature of a call must,
unchanged, while its turn is running, and before that it need not either. So the flag is that of `gemini@3`. The
signature belongs to the call: it is asked for without a thought beside it too, and an edit of another part is no fault.
"""

from ...messages.formats.detect import ReadRequest
from ..facts.list_faults import Fault
from ..provider import PackDeclaration, VersionChange
from ..provider_answers import NOT_ENFORCED, ProviderAnswer, calls_left_open, hard
from ..provider_features import CHAT, OUTSIDE, STEERS, TAIL

_COUNT = (
    "Please ensure that the number of function response parts is equal to the number of function call parts "
    "of the function call turn."
)
_COUNT_SOURCE = "https://github.com/google-gemini/gemini-cli/issues/3814"
_RESPONSE = "Please ensure that function response turn comes immediately after a function call turn."
_RESPONSE_SOURCE = "https://github.com/GoogleCloudPlatform/generative-ai/pull/368"
_SIGNATURES = "https://ai.google.dev/gemini-api/docs/thought-signatures"
_SIGNATURE_TEXTS = "https://docs.apiyi.com/en/faq/gemini-thought-signature-missing"
_EMPTY_SOURCE = "https://github.com/vercel/ai/issues/3775"
_OPTIONAL = "no error before Gemini 3; the model goes on without its earlier thoughts"
_REASONING = ("reasoning-kept-with-followup", "signed-reasoning-unmodified")

_ANSWERS = (
    hard("no-orphan", _RESPONSE, _RESPONSE_SOURCE),
    *calls_left_open(_COUNT, _COUNT_SOURCE),
    hard("one-result-per-call", _COUNT, _COUNT_SOURCE),
    hard("result-adjacent", _RESPONSE, _RESPONSE_SOURCE),
    hard(
        "call-turn-after-user-or-result",
        "Please ensure that function call turn comes immediately after a user turn or after a function response turn.",
        "https://github.com/google-gemini/gemini-cli/issues/11814",
    ),
    hard(
        "result-turn-only-results", None, "https://github.com/anomalyco/opencode/pull/43479", "C",
        note="the text was not seen",
    ),
    hard(
        "last-is-user-or-tool", None, "https://github.com/crewAIInc/crewAI/pull/6973", "C",
        note=f"{NOT_ENFORCED}; the text was not seen",
    ),
    hard(
        "nonempty-message", "GenerateContentRequest.contents[...].parts: contents.parts must not be empty",
        _EMPTY_SOURCE, note=NOT_ENFORCED,
    ),
    hard("nonempty-history", "GenerateContentRequest.contents: contents is not specified", _EMPTY_SOURCE),
    hard(
        "reasoning-kept-with-followup", "Function call is missing a thought_signature in functionCall parts.",
        _SIGNATURE_TEXTS, "D", versions=("3",),
        note=f"that it must come back is documented: {_SIGNATURES}",
    ),
    hard(
        "signed-reasoning-unmodified", "Invalid thought signature.", _SIGNATURE_TEXTS, "D", versions=("3",),
        note=f"found under gemini@3 alone; that it must come back unchanged is documented: {_SIGNATURES}",
    ),
    *(
        ProviderAnswer(rule, "degraded", None, _SIGNATURES, "A", status=None, versions=("2.5",), note=_OPTIONAL)
        for rule in _REASONING
    ),
)  # fmt: skip


def _paired_by_order(fault: Fault, _request: ReadRequest) -> bool:
    """Calls without ids are paired by their order."""
    return fault.rule in ("nonempty-call-id", "unique-call-id") and not any(fault.ids)


DECLARED = (
    PackDeclaration(
        "gemini",
        _ANSWERS,
        enforces={*_REASONING, "nonempty-history"},
        off=(*STEERS, *CHAT, *OUTSIDE, *TAIL, "calls_after_text"),
        versions={"2.5": VersionChange(dropped=_REASONING)},
        excuses=_paired_by_order,
    ),
)
