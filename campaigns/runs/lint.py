"""Linting: a request or a list of messages from a file, against the rules of a provider.

Nothing is run and nothing is trimmed. The file is JSON (a request body, or a list of messages) or JSON lines, in any
format that is known; which one is read off the file. A provider's pack says what becomes of each fault: rejected, taken
with a loss, or taken silently.
"""

import json
import sys
from pathlib import Path
from typing import Any

from attrs import frozen

from ...implementations.registry import registered
from ...messages.errors import BadFile, BadHistory
from ...messages.formats.detect import ReadRequest, read_request
from ...messages.formats.registry import format_named, formats
from ...messages.reading.profiles import going_on
from ...oracles.facts.list_faults import Fault
from ...oracles.judging.request_faults import faults_of_request
from ...oracles.packs import Pack, pack
from ..defaults import SCHEMA

STDIN = "-"


@frozen
class Linted:
    """A file with all its faults, in the order of its messages."""

    file: str
    request: ReadRequest
    provider: Pack
    faults: tuple[Fault, ...]

    @property
    def failed(self) -> bool:
        """Whether the provider would reject it (exit code 1)."""
        return any(found.fails for found in self.faults)


def lint_file(file: str, *, provider: str | None = None, format: str | None = None) -> Linted:
    """Read a file (`-` is standard input) and judge it; raises `BadFile` with the place of what cannot be read.

    Without `provider` it is judged by the pack of its own format.
    """
    data = _parsed(_text(file), file)
    if format is not None and format not in formats():
        registered()  # adapters bring formats of their own
    try:
        request = read_request(data, format=format)
    except BadHistory as error:
        raise BadFile(f"{file}: {error.problem}", error.hint) from None
    found = pack(provider or own_provider(request))
    return Linted(file, request, found, faults_of_request(request, found))


def own_provider(request: ReadRequest) -> str:
    """Return the provider that a request is for, read off its format."""
    own = "neutral" if request.format == "neutral" else format_named(request.format).provider
    return going_on(own) if request.anchored else own


def _text(file: str) -> str:
    try:
        return sys.stdin.read() if file == STDIN else Path(file).read_text(encoding="utf-8-sig")
    except OSError as error:
        raise BadFile(f"cannot read {file}: {error.strerror or error}") from None
    except UnicodeDecodeError:
        raise BadFile(f"{file} is not UTF-8 text", "a transcript is JSON, or JSON lines") from None


def _parsed(text: str, file: str) -> Any:
    """Parse JSON, else JSON lines; the first line that is neither is named."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        whole = error
    lines: list[Any] = []
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        try:
            lines.append(json.loads(line))
        except (ValueError, RecursionError) as error:
            if not lines:
                raise BadFile(f"{file} is not JSON: {whole}", "a transcript is JSON, or JSON lines") from None
            raise BadFile(
                f"{file}, line {number} is not JSON: {error}", "in JSON lines each line is a message"
            ) from None
    if not lines:
        raise BadFile(f"{file} is empty", "a transcript is JSON, or JSON lines")
    return lines


def lint_document(linted: Linted) -> dict[str, Any]:
    """Say a lint for programs."""
    request = linted.request
    return {
        "schema": SCHEMA,
        "file": linted.file,
        "format": request.format,
        "provider": linted.provider.name,
        "messages": len(request.sent),
        "model": request.model,
        "failed": linted.failed,
        "violations": [
            {
                "rule": one.rule,
                "messages": list(one.messages),
                "places": list(one.places),
                "ids": list(one.ids),
                "message": one.note,
                "fails": one.fails,
                "severity": None if one.answer is None else one.answer.severity,
                "provider_error": None if one.answer is None else one.answer.text,
                "status": None if one.answer is None else one.answer.status,
                "confidence": None if one.answer is None else one.answer.confidence,
                "source": None if one.answer is None else one.answer.source,
                "advice": one.advice,
            }
            for one in linted.faults
        ],
    }
