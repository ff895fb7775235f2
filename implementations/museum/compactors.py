"""Broken and correct compactors: the plan is made at one moment and applied at another.

Faults arise between the two: the point falls inside a batch, the batch was in flight when the point was computed, or
the list has grown since.
"""

from ...messages.limits import Limit
from ..trimmer import Trimmer
from .correct import FILLS, SAFE, correct
from .parts import call_ids, exchanges, newest, only, summary_of
from .piece import Messages, Piece, planted

shelf: list[Piece] = []
correct_shelf: list[Trimmer] = []

KEEPS = {"order-preserved": 1.0, "deterministic": 1.0, "content-intact": 1.0, "nothing-invented": 1.0}


def start_of(messages: Messages, cut: int) -> int:
    """Move a cut back until it is inside no exchange; one whose results are still to come is not cut off either."""
    groups = exchanges(messages)
    moved = True
    while moved:
        moved = False
        for group in groups:
            if group[0] < cut <= group[-1] or (group[0] < cut and is_open(messages, group)):
                cut, moved = group[0], True
    return cut


def is_open(messages: Messages, group: list[int]) -> bool:
    """Say whether an exchange waits for a result."""
    return len(call_ids(messages[group[0]])) > len(group) - 1


@planted(shelf, "no-orphan", "call-dropped", "U A[a] T(a)", 2, kind="compaction", spared=("U A[a] T(a)", 1))
class CutsAtTheNumber:
    """Cuts at the recorded number, wherever that falls."""

    def plan(self, _messages: Messages, point: Limit) -> int:
        return point.index

    def apply(self, messages: Messages, cut: int) -> Messages:
        return [summary_of(cut), *messages[cut:]] if cut else messages


@planted(
    shelf,
    "no-orphan",
    "call-dropped",
    "U A[a] T(a)",
    2,
    length=2,
    kind="compaction",
    spared=("U A[a] T(a)", 2),
)
class StripsTheResultsItSaw:
    """Moves the cut behind the results that stand there when the plan is made; those in flight arrive later."""

    def plan(self, messages: Messages, point: Limit) -> int:
        cut = point.index
        while cut < len(messages) and messages[cut]["role"] == "tool":
            cut += 1
        return cut

    def apply(self, messages: Messages, cut: int) -> Messages:
        return [summary_of(cut), *messages[cut:]] if cut else messages


@planted(
    shelf,
    "no-orphan",
    "call-dropped",
    "U A[a] T(a)",
    0,
    length=1,
    kind="compaction",
    spared=("U A[a] T(a)", 0),
)
class CountsFromTheEnd:
    """Plans how many messages stay, at the start of an exchange; by the time it is applied the list is longer."""

    def plan(self, messages: Messages, point: Limit) -> int:
        return len(messages) - start_of(messages, point.index)

    def apply(self, messages: Messages, stay: int) -> Messages:
        gone = len(messages) - stay
        return [summary_of(gone), *messages[gone:]] if gone > 0 else messages


@planted(
    shelf,
    "call-answered",
    "result-dropped",
    "U A[a] T(a)",
    0,
    length=2,
    kind="compaction",
    spared=("U A[a] T(a)", 0),
)
class ForgetsWhatCameLater:
    """Keeps what it planned to keep, and loses what was said between the plan and its use."""

    def plan(self, messages: Messages, point: Limit) -> tuple[int, int]:
        return start_of(messages, point.index), len(messages)

    def apply(self, messages: Messages, planned: tuple[int, int]) -> Messages:
        cut, length = planned
        return [summary_of(cut), *messages[cut:length]] if cut else messages[:length]


@planted(shelf, "nothing-duplicated", "duplicated", "U", 0, length=0, kind="compaction", spared=("U", 0))
class ReplaysTheTailTwice:
    """Puts what came after the plan behind a list that holds it already."""

    def plan(self, messages: Messages, point: Limit) -> tuple[int, int]:
        return start_of(messages, point.index), len(messages)

    def apply(self, messages: Messages, planned: tuple[int, int]) -> Messages:
        cut, length = planned
        lead = [summary_of(cut)] if cut else []
        return [*lead, *messages[cut:], *messages[length:]]


@planted(shelf, "result-adjacent", "inserted-between", "U A[a] T(a)", 2, kind="compaction", spared=("U A[a] T(a)", 1))
class PutsTheSummaryIntoTheBatch:
    """Saves the call message when the cut falls behind it, and puts the summary where the cut was."""

    def plan(self, messages: Messages, point: Limit) -> int:
        return point.index

    def apply(self, messages: Messages, cut: int) -> Messages:
        if not cut:
            return messages
        lead = [group for group in exchanges(messages) if group[0] < cut <= group[-1]]
        saved = [index for group in lead for index in group if index < cut]
        return [*only(messages, saved), summary_of(cut - len(saved)), *messages[cut:]]


@planted(
    shelf,
    "pending-call-kept",
    "call-dropped",
    "U A[a]",
    2,
    kind="compaction",
    input_class="pending",
    promise=1,
    spared=("U A[a]", 1),
)
class FoldsTheOpenCall:
    """Takes a call without any result for one that was given up, and summarises it away."""

    def plan(self, _messages: Messages, point: Limit) -> int:
        return point.index

    def apply(self, messages: Messages, cut: int) -> Messages:
        for group in reversed(exchanges(messages)):
            if group[0] < cut <= group[-1] or (group[0] < cut and len(group) > 1 and is_open(messages, group)):
                cut = group[0]
        return [summary_of(cut), *messages[cut:]] if cut else messages


@planted(
    shelf,
    "no-orphan",
    "call-dropped",
    "U A[a] T(a) A[a] T(a)",
    2,
    kind="compaction",
    spared=("U A[a] T(a) A[b] T(b)", 2),
)
class LooksIdsUpInTheWhole:
    """Strips results whose id no kept call has; an id that a later turn uses again hides the one that lost its call."""

    def plan(self, _messages: Messages, point: Limit) -> int:
        return point.index

    def apply(self, messages: Messages, cut: int) -> Messages:
        kept = messages[cut:]
        made = {known for message in kept for known in call_ids(message)}
        stay = [message for message in kept if message["role"] != "tool" or message["tool_call_id"] in made]
        return [summary_of(cut), *stay] if cut else messages


@planted(shelf, "within-limit", "over-limit", "U", 0, promise=1)
class LeavesNoRoomForTheSummary:
    """Plans for as many messages as fit, and then puts the summary on top."""

    def plan(self, messages: Messages, limit: int) -> set[int]:
        return newest(messages, limit)

    def apply(self, messages: Messages, kept: set[int]) -> Messages:
        gone = len(messages) - len(kept)
        return [summary_of(gone), *only(messages, kept)] if gone else messages


@correct(correct_shelf, KEEPS, limits=("compaction",))
class CompactsWholeExchanges:
    """Moves the cut back to the start of an exchange when the plan is used, so that nothing in flight is cut off."""

    def plan(self, _messages: Messages, point: Limit) -> int:
        return point.index

    def apply(self, messages: Messages, cut: int) -> Messages:
        cut = start_of(messages, cut)
        return [summary_of(cut), *messages[cut:]] if cut else messages


@correct(correct_shelf, {"deterministic": 1.0, "content-intact": 1.0, "nothing-invented": 1.0}, limits=("compaction",))
class KeepsWhatTheUserSaid:
    """Keeps what the user said before the cut, then a summary, then the exchanges that begin behind it."""

    def plan(self, messages: Messages, point: Limit) -> int:
        return start_of(messages, point.index)

    def apply(self, messages: Messages, cut: int) -> Messages:
        cut = start_of(messages, cut)
        said = [message for message in messages[:cut] if message["role"] == "user"]
        return [*said, summary_of(cut - len(said)), *messages[cut:]] if len(said) < cut else messages


@correct(correct_shelf, {**SAFE, **FILLS, "nothing-invented": 1.0})
class PlansWithRoomForTheSummary:
    """Plans for one message less, so that the summary fits; without room for it nothing is said of what went."""

    def plan(self, messages: Messages, limit: int) -> tuple[set[int], bool]:
        kept = newest(messages, limit)
        fewer = newest(messages, limit - 1)
        return (fewer, True) if fewer and len(kept) < len(messages) else (kept, False)

    def apply(self, messages: Messages, planned: tuple[set[int], bool]) -> Messages:
        kept, told = planned
        return [*([summary_of(len(messages) - len(kept))] if told else []), *only(messages, kept)]
