"""Dialects: wire formats whose items are a role and a list of blocks, written and read by one pair of functions.

A dialect says what its blocks look like; the order is the same for all: reasoning, text, calls with the results that
the provider gave; in a user item results, then text (`text_first` in `extra` turns that round). An item that is not
just that (an image, two texts, a citation, another order) is carried too: what can be read is, and its blocks ride
along whole, as `parts`. So reading an item and writing it again gives the same item.

Normalised: one plain text block is a string, where the format has strings; a mark that is false is left out. What a
dialect normalises beside that, its own module lists.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple, TypeAlias, cast

from attrs import evolve, field, frozen

from ...errors import BadHistory, CannotCarry, a_kind
from ...model import NO_EXTRA, Call, Message
from ..needs import needs
from .grouping import Grouping, together
from .inline_results import Entry, entries_of, fields, tidy
from .values import copied, mapping, without_false_marks


class Piece(NamedTuple):
    """What one block holds: `text`, `call`, `result` (an entry), `thought`, `signature`, `request` or `response`."""

    kind: str
    value: Any


Block: TypeAlias = dict[str, Any]
_MARKS = ("keep_during_truncation", "summary")
_INSIDE = frozenset({"inline_results", "text_first", "signature", "parts", "approval_request", "approval_response"})


def _as_it_is(value: dict[str, Any]) -> dict[str, Any]:
    return value


@frozen
class Dialect:
    """One wire format of blocks.

    `roles` gives the wire's role for system, user, assistant and results. `key` holds the blocks; `strings` says that
    plain text may stand there as a string. `text`, `call` and `result` make blocks, `pieces` reads one (nothing: it is
    not known, and rides along); `assistant` overrides how the blocks of an assistant are put together. `tidy_block`
    and `tidy_item` normalise what was given, `carries` are features as in `Format`.
    """

    name: str
    roles: Mapping[str, str]
    text: Callable[[str], Block]
    call: Callable[[Call], Block]
    result: Callable[[Mapping[str, Any], bool], Block]
    pieces: Callable[[Mapping[str, Any], bool], Iterable[Piece]]
    thought: Callable[[str, str | None], Block] | None = None
    request: Callable[[str, Message], Block] | None = None
    response: Callable[[Message], Block] | None = None
    sign: Callable[[list[Block], str], None] | None = None
    """Puts the signature of a message on one of its blocks, where it does not stand with the reasoning."""
    key: str = field(default="content", kw_only=True)
    strings: bool = field(default=True, kw_only=True)
    carries: frozenset[str] = field(default=frozenset(), kw_only=True)
    tidy_block: Callable[[dict[str, Any]], dict[str, Any]] = field(default=_as_it_is, kw_only=True)
    tidy_item: Callable[[dict[str, Any]], dict[str, Any]] = field(default=_as_it_is, kw_only=True)

    def write(self, message: Message) -> dict[str, Any]:
        """Write a message as a fresh item; raises `CannotCarry` for what has no place in this format."""
        if "parts" in message.extra:
            return self._write_parts(message)
        return self._composed(message)

    def read(self, item: object) -> Message:
        """Read one item; raises `BadHistory` (without an index) with what to do."""
        given = self.normal(mapping(item, f"an item of {self.name} is a dict"))
        message = self._parsed(given)
        if self._gives_back(message, given):
            return message
        whole = evolve(message, extra={**message.extra, "parts": copied(given[self.key])})
        if self._gives_back(whole, given):
            return whole
        raise BadHistory(f"this item would not come out of {self.name} as it went in", f"its keys: {', '.join(given)}")

    def normal(self, item: Mapping[str, Any]) -> dict[str, Any]:
        """Return an item as this module would have written it, as far as the list of normalisations goes."""
        found = self.tidy_item(without_false_marks(item))
        content = found.get(self.key)
        if isinstance(content, list | tuple):
            blocks = [
                self.tidy_block(dict(cast("Mapping[str, Any]", block))) if isinstance(block, Mapping) else block
                for block in cast("list[Any]", content)
            ]
            text = cast("Block", blocks[0]).get("text") if len(blocks) == 1 and isinstance(blocks[0], dict) else None
            plain = self.strings and isinstance(text, str) and blocks[0] == self.text(text)
            found[self.key] = text if plain else blocks
        return found

    # Writing

    def _composed(self, message: Message) -> dict[str, Any]:
        missing = needs(message) - self.carries
        if missing:
            raise CannotCarry(f"{self.name} has no place for {', '.join(sorted(missing))}")
        if message.role == "tool" and message.call_id is not None:
            return self._composed(together((message,)))
        self._check_fields(message)
        return self._item(message, self._content(message))

    def _check_fields(self, message: Message) -> None:
        role = message.role
        what = ""
        if role not in ("system", "user", "assistant", "tool"):
            what = f"the role {role!r}"
        elif role == "tool" and "approval_response" not in message.extra:
            what = "a tool message that answers nothing"
        elif role != "assistant" and (message.calls or message.reasoning is not None):
            what = f"{'calls' if message.calls else 'reasoning'} on a message of role {role!r}"
        elif message.call_id is not None or message.name is not None:
            what = f"a {'name' if message.call_id is None else 'call id'} on a message of role {role!r}"
        if what:
            raise CannotCarry(f"{self.name} has no place for {what}")

    def _item(self, message: Message, content: Any) -> dict[str, Any]:
        bears = message.role == "user" and "inline_results" in message.extra
        role = "results" if bears or message.role == "tool" else message.role
        found: dict[str, Any] = {"role": self.roles[role], self.key: content}
        for mark in _MARKS:
            if getattr(message, mark):
                found[mark] = True
        for key, value in message.extra.items():
            if key in found or key in (*_MARKS, "role", self.key):
                raise CannotCarry(f"{self.name} has a {key} of its own", "it cannot ride along under that name")
            if key not in _INSIDE and not (key == "approved" and "approval_response" in message.extra):
                found[key] = copied(value)
        return found

    def _content(self, message: Message) -> Any:
        entries = entries_of(message)
        if message.role == "assistant":
            blocks = self._assistant(message, entries)
        else:
            if "approval_request" in message.extra or "signature" in message.extra:
                raise CannotCarry(f"{self.name} has no place for this on a message of role {message.role!r}")
            if entries and message.role != "user":
                raise CannotCarry(f"{self.name} has no place for results in a message of role {message.role!r}")
            blocks = [self.result(entry, False) for entry in entries]
            if "approval_response" in message.extra:
                assert self.response is not None  # `carries` has approvals
                blocks.insert(0, self.response(message))
            elif message.text is not None:
                text = self.text(message.text)
                blocks = [text, *blocks] if message.extra.get("text_first") else [*blocks, text]
        plain = self.strings and message.text is not None and len(blocks) == 1 and blocks[0] == self.text(message.text)
        return message.text if plain else blocks

    def _assistant(self, message: Message, entries: list[Mapping[str, Any]]) -> list[Block]:
        extra = message.extra
        blocks: list[Block] = []
        own = [call.id for call in message.calls if call.provider_executed]
        inside = [entry["call_id"] for entry in entries if entry["call_id"] in own]
        blocks.extend(self.result(entry, True) for entry in entries if entry["call_id"] not in own)
        signature = extra.get("signature")
        if message.reasoning is not None:
            if self.thought is None:
                raise CannotCarry(f"{self.name} has no place for reasoning")
            blocks.append(self.thought(message.reasoning, None if self.sign else signature))
        elif signature is not None and self.sign is None:
            raise CannotCarry(f"{self.name} has no place for a signature without reasoning")
        if message.text is not None:
            blocks.append(self.text(message.text))
        beside = inside == [call_id for call_id in own if call_id in inside]
        for call in message.calls:
            blocks.append(self.call(call))
            if beside and call.provider_executed:
                blocks.extend(self.result(entry, True) for entry in entries if entry["call_id"] == call.id)
        if not beside:
            blocks.extend(self.result(entry, True) for entry in entries if entry["call_id"] in own)
        if "approval_request" in extra:
            assert self.request is not None  # `carries` has approvals
            blocks.append(self.request(str(extra["approval_request"]), message))
        if signature is not None and self.sign is not None:
            self.sign(blocks, str(signature))
        return blocks

    def _write_parts(self, message: Message) -> dict[str, Any]:
        parts = message.extra["parts"]
        bare = evolve(message, extra={key: value for key, value in message.extra.items() if key != "parts"})
        if not isinstance(parts, list | tuple):
            raise CannotCarry(f"{self.name} has no place for these parts", "they are a list of blocks")
        found = self._item(bare, copied(parts))
        read = self._parsed(found)
        if read != evolve(bare, tokens=None):
            raise CannotCarry(
                f"{self.name} has one content", "here the parts say something else than the rest of the message"
            )
        return found

    # Reading

    def _gives_back(self, message: Message, item: Mapping[str, Any]) -> bool:
        try:
            return self.write(message) == item
        except CannotCarry:
            return False

    def _parsed(self, given: Mapping[str, Any]) -> Message:
        role = self._role(given)
        pieces = self._pieces(given, role == "assistant")
        extra = {key: value for key, value in given.items() if key not in (*_MARKS, "role", self.key)}
        texts = [piece.value for piece in pieces if piece.kind == "text"]
        results: list[Entry] = [tidy(piece.value) for piece in pieces if piece.kind == "result"]
        kinds = [piece.kind for piece in pieces]
        emptied = role == "user" and given["role"] != self.roles["user"] and "response" not in kinds
        if results or emptied:
            extra["inline_results"] = results
            if role != "assistant" and "text" in kinds and kinds.index("text") < kinds.index("result"):
                extra["text_first"] = True
        reasoning = [piece.value for piece in pieces if piece.kind == "thought"]
        for kind, key in (("signature", "signature"), ("request", "approval_request")):
            extra.update((key, piece.value) for piece in reversed(pieces) if piece.kind == kind)
        text = "".join(texts) if texts else None
        for piece in pieces:
            if piece.kind == "response":
                extra.update(piece.value)
                reason = extra.pop("reason", None)
                role, text = ("user", text) if results else ("tool", reason)
        return Message(
            role,
            text,
            calls=tuple(piece.value for piece in pieces if piece.kind == "call"),
            reasoning="".join(reasoning) if reasoning else None,
            keep_during_truncation=bool(given.get("keep_during_truncation")),
            summary=bool(given.get("summary")),
            extra=extra or NO_EXTRA,
        )

    def _role(self, given: Mapping[str, Any]) -> str:
        role = given.get("role")
        for neutral, written in self.roles.items():
            if role == written:
                return "user" if neutral == "results" else neutral
        raise BadHistory(f"unknown role {role!r}", "known: " + ", ".join(dict.fromkeys(self.roles.values())))

    def _pieces(self, given: Mapping[str, Any], assistant: bool) -> list[Piece]:
        content = given.get(self.key)
        if isinstance(content, str) and self.strings:
            return [Piece("text", content)]
        if not isinstance(content, list | tuple):
            kinds = "a string or a list of blocks" if self.strings else "a list of blocks"
            raise BadHistory(f"{self.key} must be {kinds}", f"this is {a_kind(content)}")
        found: list[Piece] = []
        for block in cast("list[object]", content):
            found.extend(self.pieces(mapping(block, f"a block of {self.name} is a dict"), assistant))
        return found

    def blocks_of(self, item: Mapping[str, Any], kinds: Iterable[str]) -> list[int]:
        """Return which blocks of an item hold something of these kinds."""
        wanted = frozenset(kinds)
        blocks = cast("list[Mapping[str, Any]]", self.normal(item)[self.key])
        assistant = self._role(item) == "assistant"
        return [
            index for index, block in enumerate(blocks) if any(p.kind in wanted for p in self.pieces(block, assistant))
        ]

    def form(self, grouping: Grouping, lacks: frozenset[str]) -> dict[str, Any]:
        """Return this dialect as the arguments of a `Format`."""
        return {
            "name": self.name,
            "write": self.write,
            "read": self.read,
            "provider": self.name,
            "carries": self.carries,
            "lacks": lacks,
            "shape": grouping.shape,
            "plain": grouping.plain,
            "dicts": True,
        }


def riding(entry: Mapping[str, Any], *known: str) -> dict[str, Any]:
    """Return what rides along in an entry beside its id, text, name and these keys; marks ride as they are."""
    gone = ("call_id", "id", "text", "name", "tokens", *known)
    return {key: copied(value) for key, value in fields(entry).items() if key not in gone}
