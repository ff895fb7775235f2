"""Answers: what a provider does with a list that breaks a rule, with where it was read and how sure it is."""

from typing import Literal, TypeAlias

from attrs import field, frozen

Confidence: TypeAlias = Literal["A", "B", "C", "D"]
"""A: official documentation or the vendor's code. B: the provider's text, quoted in a public report. C: a reporter's
claim without the raw text. D: hearsay, or a third party's imitation."""
Severity: TypeAlias = Literal["hard", "degraded", "accepted"]
"""hard: rejected with an error. degraded: accepted, but the model or the vendor misbehaves. accepted: taken
silently."""

READ = "2026-11"


@frozen
class ProviderAnswer:
    """One rule under one provider. `text` is the exact error; None where there is none, or none was seen.

    `status` is the HTTP status, None for what is accepted and for a check in a client library. `source` is a URL,
    `date` when it was read. `versions` names the versions it holds for; none: all of them. `note` says what the other
    fields can not, and always why where a rule fails a trimmer and `severity` is not hard, or the other way round.
    """

    rule: str
    severity: Severity
    text: str | None
    source: str
    confidence: Confidence = "B"
    status: int | None = field(default=400, kw_only=True)
    date: str = field(default=READ, kw_only=True)
    versions: tuple[str, ...] = field(default=(), kw_only=True)
    note: str = field(default="", kw_only=True)


def hard(
    rule: str,
    text: str | None,
    source: str,
    confidence: Confidence = "B",
    *,
    status: int | None = 400,
    versions: tuple[str, ...] = (),
    note: str = "",
) -> ProviderAnswer:
    """Return the answer to a list that is rejected."""
    return ProviderAnswer(rule, "hard", text, source, confidence, status=status, versions=versions, note=note)


def accepted(
    rule: str, source: str, confidence: Confidence, *, versions: tuple[str, ...] = (), note: str = ""
) -> ProviderAnswer:
    """Return the answer to a list that is taken silently."""
    return ProviderAnswer(rule, "accepted", None, source, confidence, status=None, versions=versions, note=note)


def calls_left_open(
    text: str, source: str, confidence: Confidence = "B", *, status: int | None = 400
) -> tuple[ProviderAnswer, ProviderAnswer]:
    """Return one text for the two ways in which a call is left without a result: alone, or with its batch cut."""
    return (
        hard("call-answered", text, source, confidence, status=status),
        hard("batch-atomic", text, source, confidence, status=status),
    )


OPENAI_UNANSWERED = (
    "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'."
)
NO_PREFILL = "This model does not support assistant message prefill. The conversation must end with a user message."
NO_PREFILL_SOURCE = "https://github.com/aws/bedrock-agentcore-sdk-python/issues/547"
NOT_ENFORCED = "rejected, but no trimmer fails by it: it is not among the rules that this pack enforces"
