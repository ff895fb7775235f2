"""Messages and calls: the one form of a history that every other room reads.

A history is a tuple of messages. A message has a role (`system`, `developer`, `user`, `assistant`, `tool`, or
`reasoning` for a reasoning item that stands alone) and text. An assistant message may carry calls; a tool message
answers one call id. What only some systems know (`inline_results`, `item_id`, `approval_request`, ...) rides in
`extra`, which is read beside the rule that needs it. Everything is immutable, can be hashed, copied and sent to
another process; a trimmer is never handed these objects unless it asked for them.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, TypeAlias

from attrs import AttrsInstance, field, fields, frozen

SYSTEM_ROLES = frozenset({"system", "developer"})
ROLES = ("system", "developer", "user", "assistant", "tool", "reasoning")

Extra: TypeAlias = Mapping[str, Any]
NO_EXTRA: Extra = MappingProxyType({})


def _frozen_extra(value: Extra) -> Extra:
    if value is NO_EXTRA or isinstance(value, MappingProxyType):
        return value
    return MappingProxyType(dict(value)) if value else NO_EXTRA


def _short_repr(self: AttrsInstance) -> str:
    """Print what was said and nothing else, so that a failing history can be read and pasted back."""
    parts: list[str] = []
    for spec in fields(type(self)):
        value = getattr(self, spec.name)
        if spec.name in ("role", "id") or value != spec.default:
            shown = repr(dict(value)) if spec.name == "extra" else repr(value)
            parts.append(shown if not spec.kw_only else f"{spec.name}={shown}")
    return f"{type(self).__name__}({', '.join(parts)})"


def _pretty(self: AttrsInstance, printer: Any, _cycle: bool) -> None:
    """Print the same under Hypothesis (and IPython), which would spell out every field of an attrs class."""
    printer.text(repr(self))


@frozen(repr=False)
class Call:
    """One tool call: its id, the tool's name, and the arguments as the raw string that the model wrote.

    `provider_executed` marks a call that the provider runs itself; `alt_id` is a second id that a result may name.
    """

    id: str
    name: str = "f"
    arguments: str = field(default="{}", kw_only=True)
    provider_executed: bool = field(default=False, kw_only=True)
    alt_id: str | None = field(default=None, kw_only=True)

    __repr__ = _short_repr
    _repr_pretty_ = _pretty


@frozen(repr=False)
class Message:
    """One message. Only `role` is required; `text` is None where a message has none (a bare call message)."""

    role: str
    text: str | None = None
    calls: tuple[Call, ...] = field(default=(), kw_only=True)
    call_id: str | None = field(default=None, kw_only=True)
    name: str | None = field(default=None, kw_only=True)
    reasoning: str | None = field(default=None, kw_only=True)
    keep_during_truncation: bool = field(default=False, kw_only=True)
    summary: bool = field(default=False, kw_only=True)
    tokens: int | None = field(default=None, kw_only=True)
    extra: Extra = field(default=NO_EXTRA, converter=_frozen_extra, kw_only=True, hash=False)

    __repr__ = _short_repr
    _repr_pretty_ = _pretty

    def __reduce__(self) -> tuple[Any, ...]:
        """Travel as plain values: the read-only view that holds `extra` can neither be pickled nor copied."""
        values = {spec.name: getattr(self, spec.name) for spec in fields(Message)}
        return _rebuilt, ({**values, "extra": dict(self.extra)},)


def _rebuilt(values: dict[str, Any]) -> Message:
    return Message(**values)


History: TypeAlias = tuple[Message, ...]


def head_length(history: History) -> int:
    """Return how many messages lead the history with a system or developer role."""
    for index, message in enumerate(history):
        if message.role not in SYSTEM_ROLES:
            return index
    return len(history)


def is_declared_insertion(message: Message) -> bool:
    """Say whether an output message declares itself new: a summary, or a marker with `inserted` set."""
    return message.summary or bool(message.extra.get("inserted"))
