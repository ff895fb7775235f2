"""Linting: a request or a transcript from a file, against the rules of a provider.

Nothing is run and nothing is trimmed. The file is JSON (a request body, or a list of messages) or JSON lines, in any
format that is known; which one is read off the file. A provider's pack says what becomes of each fault: rejected, taken
with a loss, or taken silently.
"""

import json
import re
import sys
from pathlib import Path
from typing import Any

from attrs import frozen

from ..messages.detect import Transcript, read_transcript, refers
from ..messages.errors import BadFile, BadHistory
from ..messages.formats import format_named
from ..messages.model import SYSTEM_ROLES
from ..oracles.advice import ADVICE
from ..oracles.lint import Complaint, lint
from ..oracles.packs import Entry, Pack, pack
from ..oracles.requests import undeclared
from ..oracles.rules import RULES

STDIN = "-"
_INDEX = re.compile(r"messages\[(\d+)\]")
"""A message in a note: an index of items there, and said as the path in the file here."""


@frozen
class Violation:
    """One fault of a list. `places` are paths in the file, `messages` indexes of items, `entry` what the provider does.

    `fails` is false where the provider is known to take it: then it is told, and does not count.
    """

    rule: str
    messages: tuple[int, ...]
    places: tuple[str, ...]
    ids: tuple[str, ...]
    note: str
    fails: bool
    entry: Entry | None
    advice: str


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
    found = pack(provider or _own_provider(transcript))
    return Linted(file, transcript, found, violations_of(transcript, found))


def _own_provider(transcript: Transcript) -> str:
    own = "neutral" if transcript.format == "neutral" else format_named(transcript.format).provider
    return "openai-responses-anchored" if transcript.anchored and own == "openai-responses" else own


def violations_of(transcript: Transcript, found: Pack) -> tuple[Violation, ...]:
    """Return every fault of a transcript under a pack, ordered by the first message that it is about."""
    complaints = [one for one in lint(transcript.sent, found.profile) if not _excused(one, transcript, found)]
    if "nonempty-history" in found.enforces and _is_empty(transcript, found):
        complaints.append(Complaint("nonempty-history", (), (), "there is no conversation in it"))
    if found.name in ("neutral", "strict") or "tools-declared" in found.entries:
        blocks = [index for fault in undeclared(transcript.sent, transcript.request) for index in fault.messages]
        if blocks:  # one fault of the request, wherever its history shows it
            note = "calls and results are in its history, and the request declares no tools"
            complaints.append(Complaint("tools-declared", tuple(blocks), (), note))
    violations = [_violation(one, transcript, found) for one in complaints]
    return tuple(sorted(violations, key=lambda one: (one.messages[:1] or (0,), one.rule)))


def _is_empty(transcript: Transcript, found: Pack) -> bool:
    if not found.profile.system_outside:
        return not transcript.sent
    return all(message.role in SYSTEM_ROLES for message in transcript.sent)


def _excused(one: Complaint, transcript: Transcript, found: Pack) -> bool:
    """Say whether this provider has a way of its own of saying what the rule takes for a fault.

    Gemini pairs calls without ids by their order; an approval may have been asked for on the server, and a call may
    stand there; and a call that the AI SDK asks an approval for is answered when that has been given.
    """
    base = found.name.partition("@")[0]
    extras = [transcript.sent[index].extra for index in one.messages]
    if base == "gemini" and one.rule in ("nonempty-call-id", "unique-call-id"):
        return not any(one.ids)
    if transcript.anchored and one.rule == "approval-pair":
        return any("approval_response" in extra for extra in extras)
    if transcript.anchored and one.rule == "no-orphan":
        return any(map(refers, transcript.items))
    if base == "ai-sdk" and one.rule == "call-answered":
        given = {message.extra.get("approval_response") for message in transcript.sent}
        return any(extra.get("approval_request") in given - {None} for extra in extras)
    if base == "ai-sdk" and one.rule == "result-adjacent":
        return "approval_response" in extras[0]
    return False


def _violation(one: Complaint, transcript: Transcript, found: Pack) -> Violation:
    entry = found.entries.get(one.rule)
    places = tuple(transcript.sent_where[index] for index in one.messages)
    enforced = RULES[one.rule].kind == "always" or one.rule in found.enforces
    fails = enforced if entry is None else entry.severity == "hard"
    note = _INDEX.sub(lambda found: transcript.sent_where[int(found[1])], one.note)
    return Violation(one.rule, one.messages, places, one.ids, note, fails, entry, ADVICE[one.rule])


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
        "schema": 1,
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
