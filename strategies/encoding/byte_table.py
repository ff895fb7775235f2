"""The code table: which op each of the 256 byte values stands for. Codes never move.

A byte is 32 times its variant plus its slot. Slots go from simple to complicated, and next to each other stand ops
where one step down is simpler; variants above 0 are rarer forms of the slot's own op. So clearing high bits makes an op
plain, taking one away makes it smaller, and 0 is the plainest thing of all: a user message. Hypothesis shrinks a byte
that way.

An op whose features are off, or that the input class does not allow, behaves as its plain neighbour. Something new
takes over one of the many codes that stand for the same thing.
"""

from functools import partial

from . import ops
from .catalogue import OPS, DraftChange, Operation
from .features import FEATURES, Features

SLOTS: tuple[tuple[str, dict[int, str]], ...] = (
    ("user", {3: "+large", 5: "+keep", 7: "+huge"}),
    ("assistant", {2: "+reasoning", 3: "+large", 5: "+keep", 6: "+signed"}),
    ("call 1", {1: "+bare signed", 2: "+text", 3: "+huge", 4: "+large", 5: "+keep", 6: "+reasoning", 7: "+signed"}),
    ("call 2", {1: "+bare signed", 2: "+text", 3: "+huge", 4: "+large", 5: "+keep", 6: "+reasoning", 7: "+arguments"}),
    ("call 3", {2: "+text", 3: "+huge", 4: "+large", 5: "+keep", 6: "+reasoning", 7: "+arguments"}),
    ("call 4", {2: "+text", 4: "+large", 6: "+reasoning"}),
    ("call 5", {2: "+text", 4: "+large", 6: "+reasoning"}),
    ("result", {2: "+large", 4: "+huge", 5: "+keep", 7: "+keep huge"}),
    ("last result", {2: "second result", 3: "+large", 5: "+keep", 7: "second result"}),
    ("call 1", {2: "old ids 1", 3: "second ids 1", 4: "old ids 1 text", 5: "oldest ids 1", 6: "old ids 1 equal",
                7: "first ids 1"}),
    ("call 2", {2: "old ids 2", 3: "second ids 2", 4: "old ids 2 text", 5: "oldest ids 2", 6: "old ids 2 equal",
                7: "first ids 2"}),
    ("call 3", {2: "old ids 3", 3: "second ids 3", 6: "old ids 3 equal", 7: "first ids 3"}),
    ("call 1", {2: "inline 1", 3: "approval 1", 4: "item call 1", 5: "+item", 6: "inline 1 first",
                7: "approval apart"}),
    ("call 2", {2: "inline 2", 3: "approval 2", 4: "item call 2", 5: "+item", 6: "inline 2 split", 7: "inline 3"}),
    ("call 1", {2: "provider same", 3: "provider later", 4: "items call 1", 5: "provider tool", 6: "provider mixed",
                7: "provider later"}),
    ("steer user", {2: "+large", 3: "+between", 4: "+between", 5: "+keep", 6: "+between keep", 7: "+between keep"}),
    ("steer system", {1: "steer assistant", 2: "steer developer", 3: "+between", 4: "steer assistant", 5: "+keep",
                      6: "steer summary", 7: "steer assistant between"}),
    ("abandon 1", {1: "abandon 2", 2: "abandon assistant", 3: "abandon part", 4: "nested", 5: "abandon 3",
                   6: "nested", 7: "nested first"}),
    ("late", {4: "+inside", 6: "+inside"}),
    ("orphan", {4: "+inside", 6: "+inside"}),
    ("duplicate", {2: "+oldest", 4: "+inside", 6: "+inside"}),
    ("displaced", {4: "+answered", 6: "+answered"}),
    ("empty 1", {1: "empty 2", 2: "empty mixed", 3: "empty 2", 5: "empty 2", 6: "empty mixed", 7: "empty 3"}),
    ("same ids", {4: "+apart", 6: "+apart"}),
    ("reopened", {}),
    ("system", {2: "developer", 3: "+large", 4: "developer", 6: "developer", 7: "+keep"}),
    ("summary user", {2: "summary system", 3: "summary assistant", 5: "summary assistant", 6: "summary developer",
                      7: "summary result"}),
    ("user", {3: "+large", 5: "+item", 7: "+keep huge"}),
    ("assistant", {2: "item assistant", 3: "+large", 5: "+item", 6: "items assistant"}),
    ("user", {5: "+large", 6: "+item", 7: "+huge"}),
    ("assistant", {4: "+reasoning", 7: "+huge"}),
    ("user", {}),
)  # fmt: skip
"""The op of each slot, and the variants that are something else; a plus sign stands for the slot's own name."""


def _name(code: int) -> str:
    slot, variants = SLOTS[code % 32]
    return variants.get(code // 32, slot).replace("+", f"{slot} ")


CODES: tuple[str, ...] = tuple(map(_name, range(256)))

INTERLEAVED_ENDS = ("abandon 1", "steer user", "front", "nested", "late", "steer system", "steer assistant")
"""What breaks an interleaved history that nothing has broken yet; the header chooses."""
MALFORMED_ENDS = ("orphan", "duplicate", "displaced", "empty 1", "same ids", "reopened", "displaced answered")
"""The same for a malformed one."""
MARKS: tuple[DraftChange, ...] = tuple(
    partial(ops.mark, answered=answered, now=now) for now in (False, True) for answered in range(4)
)
"""What the last 32 codes are where compaction points are wanted."""


def resolve(name: str, allowed: frozenset[str]) -> Operation:
    """Return the op itself if all it needs is allowed, else its nearest plain neighbour."""
    op = OPS[name]
    while missing := op.features - allowed:
        too_many = not missing - {"parallel"}
        op = OPS[op.fewer if op.fewer and too_many else op.instead]
    return op


def allowed_in(features: Features, input_class: str) -> frozenset[str]:
    """Return what ops may need: the features that are on, and what the input class allows to be broken."""
    broken = {"interleaved": ("interleaved",), "malformed": ("interleaved", "malformed")}.get(input_class, ())
    return frozenset((*(name for name in FEATURES if getattr(features, name)), *broken))


def table(features: Features, input_class: str, *, marks: bool = False) -> tuple[DraftChange, ...]:
    """Return what each byte value runs; with `marks` the last 32 of them place compaction points."""
    allowed = allowed_in(features, input_class)
    runs = [resolve(name, allowed).run for name in CODES]
    if marks:
        runs[224:] = [MARKS[code % 8] for code in range(32)]
    return tuple(runs)
