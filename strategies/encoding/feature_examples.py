"""Feature examples: what each feature is, in a line, and a small history that has it.

Examples are written in shorthand. Where that has no sign for a feature, words beside the example say what else is in
it. A compaction point stands as `/` in front of the first message that is kept, a stale one with `//` behind what was
there when it was computed.
"""

import ast
import inspect
from collections.abc import Callable
from itertools import pairwise
from textwrap import dedent
from typing import cast

from attrs import evolve, frozen

from ...messages.limits import Limit
from ...messages.model import History
from ...messages.shorthand import history as read_shorthand
from .features import FEATURES, Features

SHORTHAND = (
    "S D U A T R: a system, developer, user, assistant or tool message, a reasoning item. A[a,b] calls a and b, T(a) "
    "is the result of a, U(a) holds it. [a*]: the provider executes it, [a|b]: it has a second id, [a]+: text beside "
    "it, %: text in front of results, !: pinned, SUM: a summary, ~r: reasoning, ^m: an item id, ?a and :a: an approval "
    "asked for and given, /: where a compaction cuts, //: where the history ended when that was computed."
)
"""How the examples are read, in a paragraph."""


@frozen
class FeatureExample:
    """A feature, what it is, and a history that has it. `written` is the history in shorthand, with a remark where that
    does not show all; `point` is there for what a compaction point has.
    """

    name: str
    about: str
    written: str
    history: History
    point: Limit | None = None


def feature_examples() -> tuple[FeatureExample, ...]:
    """Return all features, in the order of their switches."""
    about = _docstrings()
    return tuple(_example(name, about.get(name, "")) for name in FEATURES)


def _example(name: str, about: str) -> FeatureExample:
    written = _WRITTEN[name]
    tokens = written.split()
    cut, end = (tokens.index(sign) if sign in tokens else None for sign in ("/", "//"))
    history = read_shorthand(" ".join(token for token in tokens if token not in ("/", "//")))
    history = _CHANGES[name](history) if name in _CHANGES else history
    point = None
    if cut is not None:
        point = Limit("compaction", cut, len(history) if end is None else end - (cut < end))
    remark = f" ({_REMARKS[name]})" if name in _REMARKS else ""
    return FeatureExample(name, about, written + remark, history, point)


def _docstrings() -> dict[str, str]:
    """Return the sentences under the switches, which are read off the source; none where there is no source."""
    try:
        (tree,) = ast.parse(dedent(inspect.getsource(Features))).body
    except (OSError, SyntaxError):
        return {}
    body = cast("ast.ClassDef", tree).body
    return {
        name.target.id: inspect.cleandoc(text.value.value)
        for name, text in pairwise(body)
        if isinstance(name, ast.AnnAssign)
        and isinstance(name.target, ast.Name)
        and isinstance(text, ast.Expr)
        and isinstance(text.value, ast.Constant)
        and isinstance(text.value.value, str)
    }


def _long_arguments(history: History) -> History:
    return tuple(
        evolve(message, calls=tuple(evolve(call, arguments=f'{{"x": "{"." * 100}"}}') for call in message.calls))
        for message in history
    )


def _named_results(history: History) -> History:
    return tuple(evolve(message, name="f") if message.role == "tool" else message for message in history)


def _long_text(history: History) -> History:
    return (evolve(history[0], text="." * 100), *history[1:])


def _signed(history: History) -> History:
    return tuple(
        evolve(message, extra={"signature": "s"}) if message.reasoning is not None else message for message in history
    )


def _signed_calls(history: History) -> History:
    return tuple(evolve(message, extra={"signature": "s"}) if message.calls else message for message in history)


def _repeated(history: History) -> History:
    return history * 21


_CHANGES: dict[str, Callable[[History], History]] = {
    "arguments": _long_arguments,
    "tool_names": _named_results,
    "sizes": _long_text,
    "long": _repeated,
    "signature": _signed,
    "bare_signature": _signed_calls,
}
_REMARKS = {
    "arguments": "a has 100 letters of arguments",
    "tool_names": "the result has the name of its tool",
    "sizes": "U has 100 letters",
    "long": "and so on, 42 messages",
    "signature": "the reasoning is signed",
    "bare_signature": "the call is signed",
    "empty": "no message",
}
_WRITTEN = {
    "parallel": "U A[a,b] T(a) T(b)",
    "tool_steps": "U A[a] T(a) A[b] T(b)",
    "out_of_order": "U A[a,b] T(b) T(a)",
    "repeated_roles": "U U A",
    "calls_after_text": "U A A[a] T(a)",
    "user_after_result": "U A[a] T(a) U",
    "call_text": "U A[a]+ T(a)",
    "null_content": "U A[a] T(a)",
    "arguments": "U A[a] T(a)",
    "tool_names": "U A[a] T(a)",
    "sizes": "U A",
    "long": "U A",
    "empty": "",
    "keep": "U! A U",
    "summary": "SUM A U",
    "system": "S U",
    "no_system": "U A",
    "system_alone": "S",
    "several_systems": "S S U",
    "developer": "D U",
    "system_midway": "U S U",
    "reasoning": "U A~r",
    "signature": "U A~r",
    "reasoning_items": "U R A",
    "provider_executed": "U A[a*](a)",
    "inline_results": "U A[a] U(a)",
    "split_results": "U A[a,b] U(a) U(b)",
    "text_before_results": "U A[a] U%(a)",
    "approvals": "U A[a]?a T(a):a",
    "approval_apart": "U A[a]?a U:a T(a)",
    "alt_ids": "U A[a|b] T(b)",
    "item_ids": "U A^m",
    "unnamed_results": "U A[a] T(a)",
    "unsigned_reasoning": "U A~r",
    "bare_signature": "U A[a] T(a)",
    "user_results": "U A[a] U(a)",
    "provider_later": "U A[a*] A(a)",
    "provider_tool_results": "U A[a*] T(a)",
    "mixed_calls": "U A[a,b*](b) T(a)",
    "adjacent_calls": "U A[a] A[b] T(a) T(b)",
    "reused_ids": "U A[a] T(a) U A[a] T(a)",
    "open_tail": "U A[a]",
    "ends_on_call": "U A[a]",
    "ends_on_result": "U A[a] T(a)",
    "ends_on_assistant": "U A",
    "steer_user": "U A[a] U T(a)",
    "steer_system": "U A[a] S T(a)",
    "steer_assistant": "U A[a] A T(a)",
    "nested_calls": "U A[a] A[b] T(b) T(a)",
    "abandoned": "U A[a] U",
    "late_results": "U A[a] U A[b] T(b) T(a)",
    "opens_on_assistant": "A U",
    "orphans": "U T(a)",
    "displaced_results": "U T(a) A[a]",
    "duplicate_results": "U A[a] T(a) T(a)",
    "duplicate_ids": "U A[a,a] T(a) T(a)",
    "empty_ids": "U A[] T()",
    "reopened_ids": "U A[a] A[a] T(a) T(a)",
    "cut_in_batch": "U A[a] / T(a)",
    "cut_in_flight": "U A / U A[a] // T(a)",
    "cut_stale": "U A / U // A",
}
"""The smallest history with each feature, in shorthand."""
