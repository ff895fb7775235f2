"""Windows that are cut at any message: slices, pops, and repairs that look only at the edge."""

from .parts import call_ids, exchanges, head, newest, only, suffix
from .piece import Messages, Piece, planted

shelf: list[Piece] = []


@planted(shelf, "no-orphan", "call-dropped", "U A[a] T(a)", 1, spared=("U A[a] T(a)", 2))
def tail_slice(messages: Messages, limit: int) -> Messages:
    """The last `limit` messages. The commonest trimmer there is, and the commonest bug."""
    return messages[-limit:] if limit > 0 else []


@planted(shelf, "call-answered", "result-dropped", "U A[a] T(a)", 2, spared=("U A[a] T(a)", 1))
def head_slice(messages: Messages, limit: int) -> Messages:
    """The first `limit` messages: the last of them may be a call whose result was cut off."""
    return messages[: max(limit, 0)]


@planted(shelf, "no-orphan", "call-dropped", "U A[a] T(a)", 2, spared=("U A[a] T(a)", 1))
def head_and_tail_slice(messages: Messages, limit: int) -> Messages:
    """The first message, because it is the task, and the last ones."""
    if len(messages) <= limit or limit < 2:
        return messages[: max(limit, 0)]
    return [messages[0], *messages[1 - limit :]]


@planted(shelf, "no-orphan", "call-dropped", "U A[a] T(a)", 1, spared=("U A[a] T(a)", 2))
def pop_from_a_copy(messages: Messages, limit: int) -> Messages:
    """Drops the oldest message that is no system message, one at a time, until the rest fits."""
    kept = list(messages)
    while len(kept) > limit and any(message["role"] != "system" for message in kept):
        kept.remove(next(message for message in kept if message["role"] != "system"))
    return kept


@planted(shelf, "no-orphan", "call-dropped", "U A[a] T(a)", 2, spared=("U A U A[a] T(a)", 3))
def drop_two_at_a_time(messages: Messages, limit: int) -> Messages:
    """Drops the oldest question and its answer as a pair; a pair is two messages here."""
    start = 0
    while len(messages) - start > max(limit, 0):
        start += 2
    return messages[start:]


@planted(shelf, "no-orphan", "call-dropped", "A[a] U T(a)", 2, input_class="interleaved", spared=("U A[a] T(a)", 1))
def strip_leading_results(messages: Messages, limit: int) -> Messages:
    """Slices, then strips results from the front: anything that stands before an orphan shields it."""
    kept = messages[-limit:] if limit > 0 else []
    while kept and kept[0]["role"] == "tool":
        kept = kept[1:]
    return kept


@planted(shelf, "no-orphan", "call-dropped", "U A[x] T(x) A[x] T(x)", 3, spared=("U A[x] T(x) A[y] T(y)", 3))
def repair_by_id_set(messages: Messages, limit: int) -> Messages:
    """Slices, then keeps calls and results whose ids are on both sides: an id that is used again hides an orphan."""
    kept = messages[-limit:] if limit > 0 else []
    answered = {message["tool_call_id"] for message in kept if message["role"] == "tool"}
    made = {call for message in kept for call in call_ids(message)}
    return [
        message
        for message in kept
        if (message["role"] != "tool" or message["tool_call_id"] in made)
        and all(call in answered for call in call_ids(message))
    ]


@planted(
    shelf,
    "no-orphan",
    "call-dropped",
    "U A[a] U T(a)",
    1,
    kind="turns",
    input_class="interleaved",
    spared=("U A[a] T(a) U", 1),
)
def turns_from_a_user_message(messages: Messages, limit: int) -> Messages:
    """Keeps the last turns, each from its user message on; a steer in the middle of a batch looks like a new turn."""
    users = [index for index, it in enumerate(messages) if it["role"] == "user" and not it.get("summary")]
    if len(users) <= max(limit, 0):
        return messages
    return messages[users[-limit] :] if limit > 0 else []


@planted(shelf, "within-limit", "over-limit", "U", 0, promise=1)
def minus_zero(messages: Messages, limit: int) -> Messages:
    """Counts how many exchanges fit, and takes that many from the end: `[-0:]` is everything."""
    groups = exchanges(messages)
    kept = newest(messages, limit)
    fitting = sum(1 for group in groups if group[0] in kept)
    return only(messages, [index for group in groups[-fitting:] for index in group])


@planted(shelf, "within-limit", "over-limit", "U", 0, promise=1)
def one_too_many(messages: Messages, limit: int) -> Messages:
    """Compares with `>` before it drops: one message more than the limit stays."""
    return only(messages, newest(messages, max(limit, 0) + 1))


@planted(shelf, "nothing-duplicated", "duplicated", "S", 2, spared=("S U", 1))
def system_twice(messages: Messages, limit: int) -> Messages:
    """Puts the system messages in front of the newest ones, though these may hold them already."""
    lead = head(messages)
    if lead > limit:
        return suffix(messages, limit)
    return messages[:lead] + suffix(messages, limit - lead)


@planted(shelf, "no-orphan", "call-dropped", "U A[a] T(a)", 1)
def trailing_results_exempt(messages: Messages, limit: int) -> Messages:
    """Sets the results at the end aside, since they were just asked for, and trims what stands before them."""
    cut = len(messages)
    while cut and messages[cut - 1]["role"] == "tool":
        cut -= 1
    rest = messages[:cut]
    return only(rest, newest(rest, limit - (len(messages) - cut))) + messages[cut:] if limit > 0 else []
