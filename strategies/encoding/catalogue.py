"""The catalogue of ops: each by name, with the features it needs and the plain neighbour that it is without them."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import TypeAlias

from attrs import field, frozen

from . import breaking_ops, ops
from .draft import Draft

DraftChange: TypeAlias = Callable[[Draft], None]


@frozen
class Operation:
    """One op. `features` are those it uses, and the input class (interleaved, malformed) that it makes.

    `instead` names its plain neighbour, `fewer` the same op with one call less, for when it is the number that is not
    allowed. Plain ops need nothing.
    """

    name: str
    run: DraftChange = field(repr=False)
    features: frozenset[str] = field(default=frozenset(), converter=frozenset, kw_only=True)
    instead: str = field(default="user", kw_only=True)
    fewer: str | None = field(default=None, kw_only=True)


def _plain_ops() -> Iterator[Operation]:
    large = frozenset({"sizes"})
    keep = frozenset({"keep"})
    yield Operation("user", ops.user)
    yield Operation("user large", partial(ops.marked_user, size=1), features=large)
    yield Operation("user huge", partial(ops.marked_user, size=2), features=large)
    yield Operation("user keep", partial(ops.marked_user, keep=True), features=keep)
    yield Operation(
        "user keep huge", partial(ops.marked_user, keep=True, size=2), features=large | keep, instead="user keep"
    )
    yield Operation("user item", partial(ops.marked_user, item=True), features={"item_ids"})
    said = partial(Operation, instead="assistant")
    yield Operation("assistant", ops.assistant)
    yield said("assistant large", partial(ops.marked_assistant, size=1), features=large)
    yield said("assistant huge", partial(ops.marked_assistant, size=2), features=large)
    yield said("assistant keep", partial(ops.marked_assistant, keep=True), features=keep)
    unsigned = {"reasoning", "unsigned_reasoning"}
    yield said("assistant reasoning", partial(ops.marked_assistant, reasoning=True), features=unsigned)
    yield Operation(
        "assistant signed",
        partial(ops.marked_assistant, reasoning=True, signed=True),
        features={"reasoning", "signature"},
        instead="assistant reasoning",
    )
    yield said("assistant item", partial(ops.marked_assistant, item=True), features={"item_ids"})
    yield said("system", ops.system)
    yield Operation("developer", partial(ops.system, role="developer"), features={"developer"}, instead="system")
    yield Operation("system large", partial(ops.system, size=1), features=large, instead="system")
    yield Operation("system keep", partial(ops.system, keep=True), features=keep, instead="system")
    summary = partial(Operation, features={"summary"}, instead="assistant")
    yield Operation("summary user", partial(ops.marked_user, summary=True), features={"summary"})
    yield summary("summary assistant", partial(ops.marked_assistant, summary=True))
    yield summary("summary system", partial(ops.system, summary=True))
    yield Operation(
        "summary developer",
        partial(ops.system, role="developer", summary=True),
        features={"summary", "developer"},
        instead="summary system",
    )
    yield Operation("summary result", partial(ops.result, summary=True), features={"summary"}, instead="result")


def _call_ops() -> Iterator[Operation]:
    in_user = {"inline_results", "user_results"}
    for count in range(1, 6):
        plain = f"call {count}"
        yield Operation(
            plain, _step(count), features=_many(count), instead=f"call {count - 1}" if count > 1 else "user"
        )
        for word, options, features in (
            ("text", {"text": True}, {"call_text"}),
            ("large", {"size": 1}, {"sizes"}),
            ("huge", {"size": 2}, {"sizes"}),
            ("keep", {"keep": True}, {"keep"}),
            ("arguments", {"arguments": True}, {"arguments"}),
            ("reasoning", {"reasoning": True}, {"reasoning", "unsigned_reasoning"}),
            ("signed", {"reasoning": True, "signed": True, "text": True}, {"reasoning", "signature"}),
            ("bare signed", {"signed": True}, {"signature", "bare_signature"}),
            ("item", {"item": True}, {"item_ids"}),
        ):
            instead = f"{plain} reasoning" if word == "signed" else plain
            yield _batch(f"call {{}} {word}", partial(ops.calls, count=count, **options), count, features, instead)
        second = partial(ops.calls_with_second_ids, count=count)
        yield _batch("second ids {}", second, count, {"alt_ids"}, plain)
        yield _batch("first ids {}", partial(second, answered_by_first=True), count, {"alt_ids"}, plain)
        old = partial(ops.calls_with_old_ids, count=count)
        yield _batch("old ids {}", old, count, {"reused_ids"}, plain)
        yield _batch("oldest ids {}", partial(old, oldest=True), count, {"reused_ids"}, plain)
        yield _batch("old ids {} equal", partial(old, equal=True), count, {"reused_ids"}, plain)
        text = partial(old, text=True)
        yield _batch("old ids {} text", text, count, {"reused_ids", "call_text"}, f"old ids {count}")
        yield _batch("inline {}", partial(ops.inline_user, count=count), count, in_user, plain)
        yield _batch("approval {}", partial(ops.approval, count=count), count, {"approvals"}, plain)
        item = partial(ops.reasoning_item, count=count)
        yield _batch("item call {}", item, count, {"reasoning_items"}, plain)


def _many(count: int) -> frozenset[str]:
    return frozenset({"parallel"} if count > 1 else ())


def _batch(name: str, run: DraftChange, count: int, features: set[str], instead: str) -> Operation:
    """An op with a number of calls in its name."""
    fewer = name.format(count - 1) if count > 1 else None
    return Operation(name.format(count), run, features=_many(count) | features, instead=instead, fewer=fewer)


def _step(count: int) -> DraftChange:
    def run(draft: Draft) -> None:
        draft.step(count)

    return run


def _result_ops() -> Iterator[Operation]:
    yield Operation("result", ops.result)
    yield Operation("result large", partial(ops.result, size=1), features={"sizes"}, instead="result")
    yield Operation("result huge", partial(ops.result, size=2), features={"sizes"}, instead="result")
    yield Operation("result keep", partial(ops.result, keep=True), features={"keep"}, instead="result")
    yield Operation(
        "result keep huge", partial(ops.result, keep=True, size=2), features={"keep", "sizes"}, instead="result keep"
    )
    shuffled = {"parallel", "out_of_order"}
    last = ops.result_out_of_order
    yield Operation("last result", last, features=shuffled, instead="result")
    yield Operation("second result", partial(last, second=True), features=shuffled, instead="result")
    yield Operation("last result large", partial(last, size=1), features={*shuffled, "sizes"}, instead="last result")
    yield Operation("last result keep", partial(last, keep=True), features={*shuffled, "keep"}, instead="last result")


def _provider_ops() -> Iterator[Operation]:
    item = partial(Operation, features={"reasoning_items"})
    yield item("item assistant", ops.reasoning_item, instead="assistant")
    yield item("items assistant", partial(ops.reasoning_item, items=2), instead="assistant")
    yield item("items call 1", partial(ops.reasoning_item, count=1, items=2), instead="call 1")
    executed = {"provider_executed", "inline_results"}
    provider = ops.provider_executed
    yield Operation("provider same", provider, features=executed, instead="provider tool")
    later = {*executed, "provider_later", "repeated_roles"}
    yield Operation("provider later", partial(provider, where="later"), features=later, instead="provider same")
    features = {*executed, "parallel", "mixed_calls"}
    yield Operation(
        "provider mixed", partial(provider, mixed=True), features=features, instead="call 2", fewer="provider same"
    )
    features = {"provider_executed", "provider_tool_results"}
    yield Operation("provider tool", partial(provider, where="tool"), features=features, instead="call 1")
    first = {"inline_results", "user_results", "text_before_results"}
    yield Operation("inline 1 first", partial(ops.inline_user, text_first=True), features=first, instead="inline 1")
    split = partial(ops.inline_user, count=2, split=True)
    features = {"inline_results", "user_results", "split_results", "parallel"}
    yield Operation("inline 2 split", split, features=features, instead="inline 2", fewer="inline 1")
    apart = {"approvals", "approval_apart", "interleaved"}
    yield Operation("approval apart", breaking_ops.approval_apart, features=apart, instead="approval 1")


def _interleaved_ops() -> Iterator[Operation]:
    def broken(name: str, run: DraftChange, *features: str, instead: str) -> Operation:
        return Operation(name, run, features={"interleaved", *features}, instead=instead)

    steer = breaking_ops.steer
    yield broken("steer user", steer, "steer_user", instead="user")
    yield broken("steer user large", partial(steer, size=1), "steer_user", "sizes", instead="steer user")
    yield broken("steer user keep", partial(steer, keep=True), "steer_user", "keep", instead="steer user")
    between = partial(steer, between=True)
    yield broken("steer user between", between, "steer_user", "parallel", instead="steer user")
    yield broken(
        "steer user between keep",
        partial(between, keep=True),
        "steer_user", "parallel", "keep",
        instead="steer user between",
    )  # fmt: skip
    for role, features in (("system", ("steer_system", "system_midway")), ("assistant", ("steer_assistant",))):
        name = f"steer {role}"
        yield broken(name, partial(steer, role=role), *features, instead="assistant")
        yield broken(f"{name} between", partial(between, role=role), *features, "parallel", instead=name)
    inside = ("steer_system", "system_midway")
    system = partial(steer, role="system")
    yield broken("steer system keep", partial(system, keep=True), *inside, "keep", instead="steer system")
    yield broken("steer summary", partial(system, summary=True), *inside, "summary", instead="steer system")
    developer = partial(steer, role="developer")
    yield broken("steer developer", developer, *inside, "developer", instead="steer system")
    abandon = breaking_ops.abandon
    yield broken("abandon 1", abandon, "abandoned", instead="call 1")
    yield broken("abandon 2", partial(abandon, count=2), "abandoned", "parallel", instead="abandon 1")
    yield broken("abandon 3", partial(abandon, count=3), "abandoned", "parallel", instead="abandon 1")
    part = partial(abandon, count=2, answered=True)
    yield broken("abandon part", part, "abandoned", "parallel", instead="abandon 1")
    gone_on = partial(abandon, role="assistant")
    yield broken("abandon assistant", gone_on, "abandoned", "steer_assistant", instead="abandon 1")
    nested, features = breaking_ops.nested_calls, ("nested_calls", "adjacent_calls")
    yield broken("nested", nested, *features, instead="call 1")
    yield broken("nested first", partial(nested, inner_first=True), *features, instead="call 1")
    yield broken("late", breaking_ops.late_result, "late_results", "steer_user", instead="result")
    yield broken(
        "late inside",
        partial(breaking_ops.late_result, inside=True),
        "late_results",
        "steer_user",
        "nested_calls",
        instead="late",
    )
    yield broken("front", breaking_ops.open_on_assistant, "opens_on_assistant", instead="assistant")


def _malformed_ops() -> Iterator[Operation]:
    def broken(name: str, run: DraftChange, *features: str, instead: str) -> Operation:
        return Operation(name, run, features={"malformed", *features}, instead=instead)

    yield broken("orphan", breaking_ops.orphan, "orphans", instead="result")
    yield broken("orphan inside", partial(breaking_ops.orphan, inside=True), "orphans", instead="result")
    twice = "duplicate_results"
    yield broken("duplicate", breaking_ops.duplicate_result, twice, instead="result")
    yield broken("duplicate oldest", partial(breaking_ops.duplicate_result, oldest=True), twice, instead="result")
    yield broken("duplicate inside", breaking_ops.duplicate_inside, twice, "parallel", instead="duplicate")
    displaced = breaking_ops.displaced_result
    yield broken("displaced answered", partial(displaced, answered=True), "displaced_results", instead="call 1")
    left_open = ("displaced_results", "abandoned", "adjacent_calls")
    yield broken("displaced", displaced, *left_open, instead="displaced answered")
    empty = breaking_ops.empty_ids
    yield broken("empty 1", empty, "empty_ids", instead="call 1")
    yield broken("empty 2", partial(empty, count=2), "empty_ids", "parallel", instead="empty 1")
    yield broken("empty 3", partial(empty, count=3), "empty_ids", "parallel", instead="empty 1")
    yield broken("empty mixed", partial(empty, mixed=True), "empty_ids", "parallel", instead="empty 1")
    same = breaking_ops.duplicate_ids
    yield broken("same ids", same, "duplicate_ids", "parallel", instead="call 2")
    yield broken("same ids apart", partial(same, apart=True), "duplicate_ids", "parallel", instead="call 2")
    yield broken("reopened", breaking_ops.reopened_id, "reopened_ids", "abandoned", instead="call 1")


OPS: dict[str, Operation] = {
    op.name: op
    for make in (_plain_ops, _call_ops, _result_ops, _provider_ops, _interleaved_ops, _malformed_ops)
    for op in make()
}
