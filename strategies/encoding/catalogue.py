"""The catalogue of ops: each by name, with the features it needs and the plain neighbour that it is without them."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import TypeAlias

from attrs import field, frozen

from . import breaking_ops, ops
from .draft import Draft

Run: TypeAlias = Callable[[Draft], None]


@frozen
class Op:
    """One op. `needs` are the features it uses, and the input class (interleaved, malformed) that it makes.

    `instead` names its plain neighbour, `fewer` the same op with one call less, for when it is the number that is not
    allowed. Plain ops need nothing.
    """

    name: str
    run: Run = field(repr=False)
    needs: frozenset[str] = field(default=frozenset(), converter=frozenset, kw_only=True)
    instead: str = field(default="user", kw_only=True)
    fewer: str | None = field(default=None, kw_only=True)


def _plain_ops() -> Iterator[Op]:
    large = frozenset({"sizes"})
    keep = frozenset({"keep"})
    yield Op("user", ops.user)
    yield Op("user large", partial(ops.marked_user, size=1), needs=large)
    yield Op("user huge", partial(ops.marked_user, size=2), needs=large)
    yield Op("user keep", partial(ops.marked_user, keep=True), needs=keep)
    yield Op("user keep huge", partial(ops.marked_user, keep=True, size=2), needs=large | keep, instead="user keep")
    yield Op("user item", partial(ops.marked_user, item=True), needs={"item_ids"})
    said = partial(Op, instead="assistant")
    yield Op("assistant", ops.assistant)
    yield said("assistant large", partial(ops.marked_assistant, size=1), needs=large)
    yield said("assistant huge", partial(ops.marked_assistant, size=2), needs=large)
    yield said("assistant keep", partial(ops.marked_assistant, keep=True), needs=keep)
    unsigned = {"reasoning", "unsigned_reasoning"}
    yield said("assistant reasoning", partial(ops.marked_assistant, reasoning=True), needs=unsigned)
    yield Op(
        "assistant signed",
        partial(ops.marked_assistant, reasoning=True, signed=True),
        needs={"reasoning", "signature"},
        instead="assistant reasoning",
    )
    yield said("assistant item", partial(ops.marked_assistant, item=True), needs={"item_ids"})
    yield said("system", ops.system)
    yield Op("developer", partial(ops.system, role="developer"), needs={"developer"}, instead="system")
    yield Op("system large", partial(ops.system, size=1), needs=large, instead="system")
    yield Op("system keep", partial(ops.system, keep=True), needs=keep, instead="system")
    summary = partial(Op, needs={"summary"}, instead="assistant")
    yield Op("summary user", partial(ops.marked_user, summary=True), needs={"summary"})
    yield summary("summary assistant", partial(ops.marked_assistant, summary=True))
    yield summary("summary system", partial(ops.system, summary=True))
    yield Op(
        "summary developer",
        partial(ops.system, role="developer", summary=True),
        needs={"summary", "developer"},
        instead="summary system",
    )
    yield Op("summary result", partial(ops.result, summary=True), needs={"summary"}, instead="result")


def _call_ops() -> Iterator[Op]:
    in_user = {"inline_results", "user_results"}
    for count in range(1, 6):
        plain = f"call {count}"
        yield Op(plain, _step(count), needs=_many(count), instead=f"call {count - 1}" if count > 1 else "user")
        for word, options, needs in (
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
            yield _batch(f"call {{}} {word}", partial(ops.calls, count=count, **options), count, needs, instead)
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


def _batch(name: str, run: Run, count: int, needs: set[str], instead: str) -> Op:
    """An op with a number of calls in its name."""
    fewer = name.format(count - 1) if count > 1 else None
    return Op(name.format(count), run, needs=_many(count) | needs, instead=instead, fewer=fewer)


def _step(count: int) -> Run:
    def run(draft: Draft) -> None:
        draft.step(count)

    return run


def _result_ops() -> Iterator[Op]:
    yield Op("result", ops.result)
    yield Op("result large", partial(ops.result, size=1), needs={"sizes"}, instead="result")
    yield Op("result huge", partial(ops.result, size=2), needs={"sizes"}, instead="result")
    yield Op("result keep", partial(ops.result, keep=True), needs={"keep"}, instead="result")
    yield Op("result keep huge", partial(ops.result, keep=True, size=2), needs={"keep", "sizes"}, instead="result keep")
    shuffled = {"parallel", "out_of_order"}
    last = ops.result_out_of_order
    yield Op("last result", last, needs=shuffled, instead="result")
    yield Op("second result", partial(last, second=True), needs=shuffled, instead="result")
    yield Op("last result large", partial(last, size=1), needs={*shuffled, "sizes"}, instead="last result")
    yield Op("last result keep", partial(last, keep=True), needs={*shuffled, "keep"}, instead="last result")


def _provider_ops() -> Iterator[Op]:
    item = partial(Op, needs={"reasoning_items"})
    yield item("item assistant", ops.reasoning_item, instead="assistant")
    yield item("items assistant", partial(ops.reasoning_item, items=2), instead="assistant")
    yield item("items call 1", partial(ops.reasoning_item, count=1, items=2), instead="call 1")
    executed = {"provider_executed", "inline_results"}
    provider = ops.provider_executed
    yield Op("provider same", provider, needs=executed, instead="provider tool")
    later = {*executed, "provider_later", "repeated_roles"}
    yield Op("provider later", partial(provider, where="later"), needs=later, instead="provider same")
    needs = {*executed, "parallel", "mixed_calls"}
    yield Op("provider mixed", partial(provider, mixed=True), needs=needs, instead="call 2", fewer="provider same")
    needs = {"provider_executed", "provider_tool_results"}
    yield Op("provider tool", partial(provider, where="tool"), needs=needs, instead="call 1")
    first = {"inline_results", "user_results", "text_before_results"}
    yield Op("inline 1 first", partial(ops.inline_user, text_first=True), needs=first, instead="inline 1")
    split = partial(ops.inline_user, count=2, split=True)
    needs = {"inline_results", "user_results", "split_results", "parallel"}
    yield Op("inline 2 split", split, needs=needs, instead="inline 2", fewer="inline 1")
    apart = {"approvals", "approval_apart", "interleaved"}
    yield Op("approval apart", breaking_ops.approval_apart, needs=apart, instead="approval 1")


def _interleaved_ops() -> Iterator[Op]:
    def broken(name: str, run: Run, *needs: str, instead: str) -> Op:
        return Op(name, run, needs={"interleaved", *needs}, instead=instead)

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
    for role, needs in (("system", ("steer_system", "system_midway")), ("assistant", ("steer_assistant",))):
        name = f"steer {role}"
        yield broken(name, partial(steer, role=role), *needs, instead="assistant")
        yield broken(f"{name} between", partial(between, role=role), *needs, "parallel", instead=name)
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
    nested, needs = breaking_ops.nested_calls, ("nested_calls", "adjacent_calls")
    yield broken("nested", nested, *needs, instead="call 1")
    yield broken("nested first", partial(nested, inner_first=True), *needs, instead="call 1")
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


def _malformed_ops() -> Iterator[Op]:
    def broken(name: str, run: Run, *needs: str, instead: str) -> Op:
        return Op(name, run, needs={"malformed", *needs}, instead=instead)

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


OPS: dict[str, Op] = {
    op.name: op
    for make in (_plain_ops, _call_ops, _result_ops, _provider_ops, _interleaved_ops, _malformed_ops)
    for op in make()
}
