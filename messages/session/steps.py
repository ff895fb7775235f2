"""Steps and scripts: what happens in the life of one conversation, as plain data and as text.

A step is one line of a script:

    system "s"          the conversation has a system message
    user "a"            somebody says something
    call x y            the model makes calls, in one message
    result y "b"        the result of a call comes in, in any order
    steer "c"           somebody says something while results are still to come
    interrupt           nobody waits for the open calls any more; a result may still come late
    assistant "d"       the model answers
    send                a request is sent: the trimmer is asked, and the provider judges
    trim                the stored list is trimmed, and nothing is sent
    plan 2              a compaction is planned up to message 2 of the stored list
    apply               the planned compaction is applied to what the list is by now
    save                what is stored is written as JSON and read again, as after a restart

A `!` behind the op (`user! "a"`, `call! x y`) pins the message that it adds: it may not be dropped.
`keep` says what becomes of a trim: `stored` puts it in the place of the list, `sent` only sends it.
"""

import json
import re
from collections.abc import Iterable, Mapping
from typing import Any, Literal, TypeAlias, cast

from attrs import field, frozen

from ..errors import BadHistory

Op: TypeAlias = Literal[
    "system", "user", "call", "result", "steer", "interrupt", "assistant", "send", "trim", "plan", "apply", "save"
]
Keep: TypeAlias = Literal["stored", "sent"]
KEEPS: tuple[Keep, ...] = ("stored", "sent")

_SHAPES: Mapping[str, str] = {
    "system": "t", "user": "t", "call": "i+", "result": "it", "steer": "t", "interrupt": "", "assistant": "t",
    "send": "", "trim": "", "plan": "n", "apply": "", "save": "",
}  # fmt: skip
"""What stands behind each op: t a text, i an id, i+ ids, n a number."""
_WORD = re.compile(r'\s*("(?:[^"\\]|\\.)*"|[^\s"]+)')
_BARE = re.compile(r'[^\s"]+')


@frozen
class Step:
    """One step: its op, and the text, call ids or position that it needs; see the head of the module."""

    op: Op
    text: str | None = field(default=None, kw_only=True)
    ids: tuple[str, ...] = field(default=(), kw_only=True)
    at: int | None = field(default=None, kw_only=True)
    pinned: bool = field(default=False, kw_only=True)

    def __str__(self) -> str:
        """Write the step as one line of a script."""
        words: list[str] = [self.op + "!" * self.pinned, *(_word(call_id) for call_id in self.ids)]
        if self.text is not None:
            words.append(json.dumps(self.text, ensure_ascii=False))
        if self.at is not None:
            words.append(str(self.at))
        return " ".join(words)


@frozen
class Script:
    """Steps in order, what becomes of a trim, and the target (if any) that trims what is sent once more."""

    steps: tuple[Step, ...]
    keep: Keep = field(default="stored", kw_only=True)
    then: str | None = field(default=None, kw_only=True)

    def __str__(self) -> str:
        """Write the steps, one in a line."""
        return "\n".join(map(str, self.steps))


def _word(text: str) -> str:
    return text if _BARE.fullmatch(text) else json.dumps(text, ensure_ascii=False)


def step(line: str) -> Step:
    """Read one line of a script; raises `BadHistory` with what is wrong."""
    words = _words(line)
    op = words[0].removesuffix("!") if words else ""
    if op not in _SHAPES:
        raise BadHistory(f"unknown step {op!r}", "known: " + ", ".join(_SHAPES))
    shape, given, pinned = _SHAPES[op], words[1:], words[0].endswith("!")
    if pinned and shape in ("", "n"):
        raise BadHistory(f"{op} adds no message that could be pinned", f"as in {_EXAMPLES[op]}")
    least, most = (1, len(given)) if shape == "i+" else (len(shape), len(shape))
    if not least <= len(given) <= most:
        raise BadHistory(f"{line.strip()!r} has {len(given)} words behind {op}", f"as in {_EXAMPLES[op]}")
    if shape == "n":
        if not given[0].isdecimal():
            raise BadHistory(f"{given[0]!r} is no position", f"as in {_EXAMPLES[op]}")
        return Step(cast("Op", op), at=int(given[0]))
    text = given[-1] if shape.endswith("t") else None
    ids = given[:-1] if text is not None else given
    return Step(cast("Op", op), text=text, ids=tuple(ids), pinned=pinned)


_EXAMPLES = {
    "system": 'system "s"', "user": 'user "a"', "call": "call x y", "result": 'result x "b"', "steer": 'steer "c"',
    "assistant": 'assistant "d"', "plan": "plan 2",
} | {op: op for op, shape in _SHAPES.items() if not shape}  # fmt: skip


def _words(line: str) -> list[str]:
    found: list[str] = []
    place, line = 0, line.strip()
    while place < len(line):
        match = _WORD.match(line, place)
        if match is None:
            raise BadHistory(f"{line!r} has a quote that is not closed", "texts are written as in JSON")
        word, place = match[1], match.end()
        try:
            found.append(json.loads(word) if word.startswith('"') else word)
        except ValueError:
            raise BadHistory(f"{word} is no text", "texts are written as in JSON") from None
    return found


def script(text: str, *, keep: Keep = "stored", then: str | None = None) -> Script:
    """Read a script, one step in a line; empty lines and what follows a `#` at the start of a line are left out."""
    lines = [line for line in text.splitlines() if line.strip() and not line.lstrip().startswith("#")]
    return Script(tuple(map(step, lines)), keep=keep, then=then)


def dump_script(found: Script) -> dict[str, Any]:
    """Write a script as JSON data."""
    return {"keep": found.keep, "then": found.then, "steps": [str(one) for one in found.steps]}


def load_script(data: object) -> Script:
    """Read a script from JSON data; raises `BadHistory`."""
    if not isinstance(data, Mapping):
        raise BadHistory("a script is an object", "with keep, then and steps")
    given = cast("Mapping[str, Any]", data)
    keep, then, steps = given.get("keep", "stored"), given.get("then"), given.get("steps")
    if keep not in KEEPS:
        raise BadHistory(f"unknown keep {keep!r}", "known: " + ", ".join(KEEPS))
    if not isinstance(then, str | None):
        raise BadHistory("then must be a string", "the target that trims what is sent once more")
    if not isinstance(steps, list | tuple) or not all(isinstance(one, str) for one in cast("Iterable[object]", steps)):
        raise BadHistory("steps must be a list of strings", 'as in ["user \\"a\\"", "send"]')
    return Script(tuple(map(step, cast("Iterable[str]", steps))), keep=keep, then=then)
