"""`trimfuzz.lint`: what a provider would reject in a list of messages."""

from collections.abc import Mapping, Sequence
from typing import Any

from ...messages.formats.detect import read_request
from ...messages.model import Message
from ...messages.neutral import dump_message
from ...oracles.facts.list_faults import Fault
from ...oracles.judging.request_faults import faults_of_request
from ...oracles.packs import pack
from ..runs.lint import own_provider


def lint(
    messages: Sequence[Mapping[str, Any] | Message] | Mapping[str, Any],
    *,
    format: str | None = None,
    provider: str | None = None,
) -> list[Fault]:
    """Return every fault of a list of messages, or of a request body that has one, as `trimfuzz lint` does.

    The format is read off the messages where none is named; neutral `Message` objects are taken too. Without `provider`
    they are judged by the pack of their own format. Where `fails` is true, the provider would reject them. Raises
    `TrimfuzzError` for what cannot be read.
    """
    data: Any = messages
    if not isinstance(messages, Mapping | str) and any(isinstance(one, Message) for one in messages):
        data = [dump_message(one) if isinstance(one, Message) else one for one in messages]
        format = format or "neutral"
    request = read_request(data, format=format)
    return list(faults_of_request(request, pack(provider or own_provider(request))))
