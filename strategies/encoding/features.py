"""What can happen in a history, as switches: everything is on unless it is turned off.

A switch that is off means that the thing never appears; the byte that stood for it then behaves as its plain neighbour,
so a string of bytes keeps most of its meaning. A wire format turns off what it has no place for (`features_of`).
"""

from collections.abc import Iterable
from typing import Any

from attrs import evolve, fields, frozen

from ...messages.errors import BadName
from ...messages.formats.features import MESSAGE_FEATURES
from ...messages.formats.format import Format


@frozen(kw_only=True, repr=False, cache_hash=True)
class Features:
    """The switches. Each docstring says what is in a history when the switch is on."""

    parallel: bool = True
    """Batches of two to five calls."""
    tool_steps: bool = True
    """Several calls with their results and no user message between them."""
    out_of_order: bool = True
    """Results of a batch in another order than its calls."""
    repeated_roles: bool = True
    """Two user messages, or two assistant messages, side by side (system messages aside)."""
    calls_after_text: bool = True
    """Calls of the client straight behind an assistant message (system messages aside)."""
    user_after_result: bool = True
    """A user message straight behind a result."""
    call_text: bool = True
    """Text beside calls."""
    null_content: bool = True
    """Calls without text. With this and `call_text` off, the text beside calls is empty."""
    arguments: bool = True
    """Calls whose arguments are long."""
    tool_names: bool = True
    """Results that carry the tool's name (all of a history, or none)."""
    sizes: bool = True
    """Texts of very different length: some ten times and some a hundred times as long as the others."""
    long: bool = True
    """More than 40 messages."""
    empty: bool = True
    """The empty history."""

    keep: bool = True
    """Pinned messages: a user message, a call, a result, a steer, a system message, one larger than all the others."""
    summary: bool = True
    """Summaries of earlier compactions, in any role."""
    system: bool = True
    """A leading system message."""
    no_system: bool = True
    """No leading system or developer message. Ignored when neither `system` nor `developer` is on."""
    system_alone: bool = True
    """Histories of nothing but system and developer messages."""
    several_systems: bool = True
    """More than one leading system or developer message."""
    developer: bool = True
    """Developer messages."""
    system_midway: bool = True
    """System or developer messages inside the conversation."""

    reasoning: bool = True
    """Reasoning in assistant messages, with calls and without."""
    signature: bool = True
    """Reasoning that is signed (`signature` in `extra`); needs `reasoning` as well."""
    reasoning_items: bool = True
    """Reasoning items: messages of their own in front of what they led to."""
    provider_executed: bool = True
    """Calls that the provider executes."""
    inline_results: bool = True
    """Results that stand in a user or assistant message."""
    split_results: bool = True
    """Results of one batch in several user messages; needs `inline_results` as well."""
    text_before_results: bool = True
    """A user message with its text in front of the results that it holds; needs `inline_results` as well."""
    approvals: bool = True
    """Approval requests and responses."""
    approval_apart: bool = True
    """An approval response in a message of its own, between the call and its result; needs `approvals` as well."""
    alt_ids: bool = True
    """Calls with a second id, which their results name."""
    item_ids: bool = True
    """Item ids on messages."""

    unnamed_results: bool = True
    """Results that do not carry the tool's name. Ignored when `tool_names` is off."""
    unsigned_reasoning: bool = True
    """Reasoning without a signature; needs `reasoning` as well."""
    bare_signature: bool = True
    """Calls that are signed without reasoning beside them; needs `signature` as well."""
    user_results: bool = True
    """Results that stand in a user message; needs `inline_results` as well."""
    provider_later: bool = True
    """Results of a provider's call in a later assistant message; needs `provider_executed` and `inline_results`."""
    provider_tool_results: bool = True
    """Results of a provider's call in a tool message; needs `provider_executed` as well."""
    mixed_calls: bool = True
    """Calls of the provider and of the client in one message; needs `provider_executed` and `inline_results`."""
    adjacent_calls: bool = True
    """Call messages right behind each other."""

    reused_ids: bool = True
    """Call ids of an answered batch used again in a later one."""
    open_tail: bool = True
    """A batch that is open at the end."""
    ends_on_call: bool = True
    """Histories whose last message makes calls."""
    ends_on_result: bool = True
    """Histories whose last message is a result."""
    ends_on_assistant: bool = True
    """Histories whose last message is an assistant's text."""

    steer_user: bool = True
    """A user message between a call and its results."""
    steer_system: bool = True
    """A system message between a call and its results; needs `system_midway` as well."""
    steer_assistant: bool = True
    """An assistant message between a call and its results."""
    nested_calls: bool = True
    """A call between another call and its results."""
    abandoned: bool = True
    """A batch that stays open in the middle."""
    late_results: bool = True
    """A result that comes when the conversation has gone on; needs `steer_user` as well."""
    opens_on_assistant: bool = True
    """A conversation that does not begin with a user message."""

    orphans: bool = True
    """Results without a call."""
    displaced_results: bool = True
    """Results in front of their call."""
    duplicate_results: bool = True
    """A second result for one call."""
    duplicate_ids: bool = True
    """One call id twice in a batch."""
    empty_ids: bool = True
    """Empty call ids."""
    reopened_ids: bool = True
    """The id of an open call used again; needs `abandoned` as well."""

    cut_in_batch: bool = True
    """Compaction points that lie inside a batch."""
    cut_in_flight: bool = True
    """Compaction points that were computed while a batch was in flight and is answered now."""
    cut_stale: bool = True
    """Compaction points that were computed when the history was shorter."""

    def __repr__(self) -> str:
        off = [name for name in FEATURES if not getattr(self, name)]
        return "Features(" + ", ".join(f"{name}=False" for name in off) + ")"

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        """Print the same under Hypothesis, which would spell out every field."""
        printer.text(repr(self))


FEATURES: tuple[str, ...] = tuple(spec.name for spec in fields(Features))
ALL = Features()


def without(names: Iterable[str], features: Features = ALL) -> Features:
    """Return features with some switched off; an unknown name raises `BadName`."""
    return switched(features, dict.fromkeys(names, False))


def only(names: Iterable[str]) -> Features:
    """Return features with all but these switched off."""
    return switched(Features(**dict.fromkeys(FEATURES, False)), dict.fromkeys(names, True))


def switched(features: Features, switches: dict[str, Any]) -> Features:
    """Return features with some switches set; an unknown name raises `BadName` with the known ones."""
    for name in switches:
        if name not in FEATURES:
            raise BadName(f"unknown feature {name!r}", "known: " + ", ".join(FEATURES))
    return evolve(features, **{name: bool(value) for name, value in switches.items()}) if switches else features


def features_of(form: Format, *, marks: bool = True, features: Features = ALL) -> Features:
    """Return the features that a format can carry; without `marks` also none that need marks on messages."""
    lost = (MESSAGE_FEATURES - form.features) | form.missing_features
    if not marks:
        lost = lost | {"keep", "summary"}
    return without(sorted(lost), features)
