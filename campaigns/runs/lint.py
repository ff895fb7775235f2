"""Linting: a request or a transcript from a file, against the rules of a provider.

Nothing is run and nothing is trimmed. The file is JSON (a request body, or a list of messages) or JSON lines, in any
format that is known; which one is read off the file. A provider's pack says what becomes of each fault: rejected, taken
with a loss, or taken silently.
"""

import json
import sys
from pathlib import Path
from typing import Any

from attrs import frozen

from ...messages.errors import BadFile, BadHistory
from ...messages.formats.detect import Transcript, read_transcript
from ...messages.formats.registry import format_named
from ...oracles.judge.violations import Violation, violations_of
from ...oracles.packs import Pack, pack
from ..defaults import SCHEMA

STDIN = "-"


@frozen
class Linted:
    """A file with all its violations, in the order of its messages."""

    file: str
    transcript: Transcript
    provider: Pack
    violations: tuple[Violation, ...]

    @property
    def failed(self) -> bool:
        """Whether the provider would reject it (exit code 1)."""
        return any(found.fails for found in self.violations)


def lint_file(file: str, *, provider: str | None = None, format: str | None = None) -> Linted:
    """Read a file (`-` is standard input) and judge it; raises `BadFile` with the place of what cannot be read.

    Without `provider` it is judged by the pack of its own format.
    """
    data = _parsed(_text(file), file)
    try:
        transcript = read_transcript(data, format=format)
    except BadHistory as error:
        raise BadFile(f"{file}: {error.problem}", error.hint) from None
    found = pack(provider or own_provider(transcript))
    return Linted(file, transcript, found, violations_of(transcript, found))


def own_provider(transcript: Transcript) -> str:
    """Return the provider that a transcript is for, read off its format."""
    own = "neutral" if transcript.format == "neutral" else format_named(transcript.format).provider
    return "openai-responses-anchored" if transcript.anchored and own == "openai-responses" else own


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
    transcript = linted.transcript
    return {
        "schema": SCHEMA,
        "file": linted.file,
        "format": transcript.format,
        "provider": linted.provider.name,
        "messages": len(transcript.sent),
        "model": transcript.model,
        "failed": linted.failed,
        "violations": [
            {
                "rule": one.rule,
                "messages": list(one.messages),
                "places": list(one.places),
                "ids": list(one.ids),
                "message": one.note,
                "fails": one.fails,
                "severity": None if one.entry is None else one.entry.severity,
                "provider_error": None if one.entry is None else one.entry.text,
                "status": None if one.entry is None else one.entry.status,
                "confidence": None if one.entry is None else one.entry.confidence,
                "source": None if one.entry is None else one.entry.source,
                "advice": one.advice,
            }
            for one in linted.violations
        ],
    }
