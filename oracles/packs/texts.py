"""Texts: what a provider answers to a broken rule, with where it was read and how sure it is."""

from typing import Literal, TypeAlias

from attrs import field, frozen

Confidence: TypeAlias = Literal["A", "B", "C", "D"]
"""A: official documentation or the vendor's code. B: the provider's text, quoted in a public report. C: a reporter's
claim without the raw text. D: hearsay, or a third party's imitation."""

READ = "2026-11"


@frozen
class Text:
    """What a provider answers. `status` is the HTTP status, None for a check in a client library; `source` is a URL."""

    text: str
    source: str
    confidence: Confidence = "B"
    status: int | None = field(default=400, kw_only=True)
    date: str = field(default=READ, kw_only=True)


O1 = "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'."
O2 = "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'."
O2_SOURCE = "https://portkey.ai/error-library/tool-call-response-error-10066"
NO_PREFILL = "This model does not support assistant message prefill. The conversation must end with a user message."
NO_PREFILL_SOURCE = "https://github.com/aws/bedrock-agentcore-sdk-python/issues/547"


def calls_left_open(text: str, source: str, confidence: Confidence = "B") -> dict[str, Text]:
    """Return one text for the two ways in which a call is left without a result: alone, or with its batch cut."""
    found = Text(text, source, confidence)
    return {"call-answered": found, "batch-atomic": found}
