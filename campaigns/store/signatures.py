"""Signatures: when two findings are the same bug, in words that survive shrinking.

A cause says which rule broke, on which class of input, by which cut. The class is left out where it is valid or
pending: the same cut is the same bug there. Two bugs of one trimmer can share all that, so a signature adds the role
pattern around the break: the messages that the finding names, with all of their units, as they stand in the history.
`A[2]>T>|T` is a batch of two calls whose second result stands on the other side of the cut.

In a pattern a message is its role's letter (S system, D developer, U user, A assistant, T tool, R reasoning item),
with the number of its calls, `!` when it is pinned and `*` when it is a summary. `|` stands between a kept and a
dropped message, `+` before a message that the trimmer put in. Repetitions are written once, with `..` behind them,
and the middle of a very long pattern is left out, so that a history that could not be shrunk to its end still has the
signature of one that was.

An error has no place in a history: its pattern is the whole shape of the history it was raised on. What cannot be
placed or made small by its nature (a hang, a limit, utilisation) has an empty pattern.
"""

import json
from hashlib import sha256

from ...messages.model import History, Message
from ...messages.neutral import load_history
from ...messages.reading.pairing import read
from ...messages.reading.profile import Profile
from ...messages.reading.profiles import PROFILES, VERSIONED
from ...messages.reading.survivors import Alignment, align
from ...messages.reading.units import units
from ...oracles.judging.folding import bug_key
from ..engine.records import JsonHistory, Record

_LETTERS = {"system": "S", "developer": "D", "user": "U", "assistant": "A", "tool": "T", "reasoning": "R"}
LONGEST_PATTERN = 12
_KEPT_ENDS = 5


def signature_of(record: Record) -> str:
    """Return the signature of a finding: its trimmer, its cause, and the role pattern around the break.

    One of a session says so: the same cut at another moment is another bug, and has a script to be played.
    """
    told = "session" if record.script is not None else ""
    return " ".join(part for part in (record.trimmer, bug_key(record.cause), role_pattern(record), told) if part)


def without_class(signature: str, cause: str) -> str:
    """Return a signature of fixture format 1, which has the input class in any case, as it is written today."""
    return signature.replace(f" {cause}", f" {bug_key(cause)}", 1)


def fingerprint_of(signature: str, history: JsonHistory) -> str:
    """Return the first 12 hex digits of the sha256 of a signature and a history."""
    text = json.dumps([signature, history], separators=(",", ":"), sort_keys=True, default=repr)
    return sha256(text.encode()).hexdigest()[:12]


def role_pattern(record: Record) -> str:
    """Return the shape of the history around the break, or the empty string where there is no such place."""
    history = load_history(record.history)
    if record.cut.startswith("raised"):
        return _joined([_token(message) for message in history]) or "(empty)"
    if record.cut in ("hung", "crashed"):
        return ""
    alignment = _alignment(record, history)
    around = _around(record.messages, history, (PROFILES | VERSIONED).get(record.provider))
    if around is None:
        return _joined([f"+{_token(message)}" for _, message in _inserted(record, alignment)])
    first, last = around
    inserted: dict[int, list[str]] = {}
    for behind, message in _inserted(record, alignment):
        inserted.setdefault(behind, []).append(f"+{_token(message)}")
    tokens: list[str] = []
    before: bool | None = None
    for index in range(first, last + 1):
        kept = None if alignment is None else index in alignment.place
        cut = "|" if before is not None and kept is not before else ""
        tokens.append(cut + _token(history[index]))
        tokens.extend(inserted.get(index, ()))
        before = kept
    return _joined(tokens)


def _alignment(record: Record, history: History) -> Alignment | None:
    if record.output is None:
        return None
    return align(history, load_history(record.output), identity=record.sources)


def _around(named: list[int], history: History, profile: Profile | None) -> tuple[int, int] | None:
    """Return the first and last index of the messages that a finding names and of their units."""
    wanted = {index for index in named if 0 <= index < len(history)}
    if not wanted:
        return None
    profile = profile or PROFILES["neutral"]
    found = units(read(history, merge_items=profile.merge_items, one_response=profile.one_response), profile)
    whole = {member for index in wanted for member in found.members[found.unit_of[index]]}
    return min(whole), max(whole)


def _inserted(record: Record, alignment: Alignment | None) -> list[tuple[int, Message]]:
    """Return the new messages of the output, each with the index of the survivor that it stands behind (-1: none)."""
    if alignment is None or record.output is None:
        return []
    output = load_history(record.output)
    behind, found = -1, list[tuple[int, Message]]()
    for place, source in enumerate(alignment.sources):
        if source is None:
            found.append((behind, output[place]))
        elif place not in alignment.duplicates:
            behind = source
    return found


def _token(message: Message) -> str:
    calls = f"[{len(message.calls)}]" if message.calls else ""
    marks = "!" * message.keep_during_truncation + "*" * message.summary
    return _LETTERS.get(message.role, "?") + calls + marks


def _joined(tokens: list[str]) -> str:
    """Join tokens; a token or a pair of tokens that is repeated is written once."""
    short: list[str] = []
    index = 0
    while index < len(tokens):
        for width in (1, 2):
            unit, times = tokens[index : index + width], 1
            while tokens[index + times * width : index + (times + 1) * width] == unit:
                times += 1
            if times > 1:
                short.extend([*unit[:-1], f"{unit[-1]}.."])
                index += times * width
                break
        else:
            short.append(tokens[index])
            index += 1
    if len(short) > LONGEST_PATTERN:
        short = [*short[:_KEPT_ENDS], "...", *short[-_KEPT_ENDS:]]
    return ">".join(short)
