"""A format: how a history is written for a trimmer and read back, and the signs by which it is known in a request.

A format that has no place for something in a message raises `CannotCarry` and names it; nothing is dropped silently.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import zip_longest
from typing import Any, TypeVar

from attrs import evolve, field, fields, frozen

from ..errors import BadHistory, CannotCarry
from ..model import History, Message

Item = TypeVar("Item")
Converted = TypeVar("Converted")


def _never(_given: Any) -> bool:
    return False


def _nowhere(_given: Any) -> str | None:
    return None


def _system_message(prompt: Any) -> dict[str, Any]:
    return {"role": "system", "content": prompt}


@frozen(kw_only=True)
class Signs:
    """What only this format has, so that a request or a list of items is known by it, and how its request is read.

    Keys of a request: `request_keys`, and of those `list_key` (the list of items, beside `messages`; one string is a
    user message where `list_may_be_text`), `system_keys` (a system prompt outside of the list, beside `system`),
    `anchor_keys` (what came before stands on the server), `model_key` (beside `model`), `tools_under` (an object that
    holds the list of tools).
    `system_blocks` knows the format by a system prompt that is a list of blocks, `tool_keys` by a key of a tool.
    `tool_lists` and `tool_specs` are keys of a tool under which further tools, or its definition, stand.

    Items: `item_type` knows a type of items, `item_keys` are keys, `item` returns the path of anything else. `refers`
    says that an item stands for one that the server holds. Blocks: `block_types`, and `block` for what has no type.
    `system_item` makes an item of a system prompt that stands outside of the list. A list without any signs,
    roles and strings alone, is taken for the `plainest` format: every reader can read it.
    """

    request_keys: frozenset[str] = field(default=frozenset(), converter=frozenset)
    list_key: str | None = None
    list_may_be_text: bool = False
    model_key: str | None = None
    system_keys: tuple[str, ...] = ()
    anchor_keys: tuple[str, ...] = ()
    tools_under: str | None = None
    system_blocks: Callable[[Sequence[Mapping[str, Any]]], bool] = _never
    tool_keys: frozenset[str] = field(default=frozenset(), converter=frozenset)
    tool_lists: tuple[str, ...] = ()
    tool_specs: tuple[str, ...] = ()
    item_type: Callable[[str], bool] = _never
    item_keys: tuple[str, ...] = ()
    item: Callable[[Mapping[str, Any]], str | None] = _nowhere
    refers: Callable[[Mapping[str, Any]], bool] = _never
    block_types: frozenset[str] = field(default=frozenset(), converter=frozenset)
    block: Callable[[Mapping[str, Any]], bool] = _never
    system_item: Callable[[Any], dict[str, Any]] = _system_message
    plainest: bool = False


NO_SIGNS = Signs()


def _unchanged(history: History) -> History:
    return history


def _whole(_item: Any) -> Sequence[str]:
    return ()


@frozen
class Format:
    """A wire format. `provider` names the pack that judges it by default.

    `write` makes a fresh item (never shared between two calls) of one message; `read` raises `BadHistory` for an item
    it cannot read. Where items and messages are not the same thing, `shape` brings a history into the form in which
    each message is one item (results that are blocks of one item, calls that are items of their own), and `plain`
    takes it back; a history in that form stays as it is. A trimmer is handed the items of the shaped history, and is
    judged on that: so limits count items, and an item is what was changed or is the same.

    `features` names the optional features of a message that it has a place for, `missing_features` what nearly every
    other format has a place for and this one has not (`strategies` generates only what is a feature and not missing).
    `dicts`: its items are JSON dicts, measured as they stand; `in_files` is how a file holds it where they are not.
    `paths` gives the places in an item of the messages that `plain` takes out of it. `signs`: how it is known.
    """

    name: str
    write: Callable[[Message], Any]
    read: Callable[[Any], Message]
    provider: str = "neutral"
    features: frozenset[str] = frozenset()
    missing_features: frozenset[str] = field(default=frozenset(), kw_only=True)
    shape: Callable[[History], History] = field(default=_unchanged, kw_only=True)
    plain: Callable[[History], History] = field(default=_unchanged, kw_only=True)
    dicts: bool = field(default=False, kw_only=True)
    in_files: "Format | None" = field(default=None, kw_only=True)
    paths: Callable[[Any], Sequence[str]] = field(default=_whole, kw_only=True)
    signs: Signs = field(default=NO_SIGNS, kw_only=True, repr=False)

    def write_history(self, history: History) -> list[Any]:
        """Write a history so that `read_history` gives it back; an error names the message that cannot be carried."""
        shaped = self.shape(history)
        back = self.plain(shaped)
        if back is not history:
            _need_the_same(self.name, history, back)
        return self.write_items(shaped)

    def read_history(self, items: Iterable[Any]) -> History:
        """Read items into a plain history; an error names the item."""
        return self.plain(self.read_items(items))

    def write_items(self, shaped: History) -> list[Any]:
        """Write a history that has been shaped, one item for each message."""
        return _each(self.write, shaped)

    def read_items(self, items: Iterable[Any]) -> History:
        """Read items into a history that has the shape of this format: one message for each item."""
        return tuple(_each(self.read, items))


def _need_the_same(name: str, history: History, back: History) -> None:
    """Raise `CannotCarry` for the first message that would not come back as it was; sizes never travel."""
    for index, (message, other) in enumerate(zip_longest(history, back)):
        if message is None or other is None or evolve(message, tokens=None) != other:
            changed = [] if message is None or other is None else _differences(message, other)
            what = ", ".join(changed) or "message, as it stands there"
            problem = f"{name} would not give back the {what}"
            raise CannotCarry(problem, "what shape() makes of it, it does", index)


def _differences(message: Message, other: Message) -> list[str]:
    names = [spec.name for spec in fields(Message) if spec.name != "tokens"]
    return [name for name in names if getattr(message, name) != getattr(other, name)]


def _each(convert: Callable[[Item], Converted], items: Iterable[Item]) -> list[Converted]:
    """Convert item by item; the first that cannot be converted is named by its index."""
    found: list[Converted] = []
    for index, item in enumerate(items):
        try:
            found.append(convert(item))
        except BadHistory as error:
            raise type(error)(error.problem, error.hint, index) from None
    return found
