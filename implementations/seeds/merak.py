"""merak: the last turns of a stored history, then a hard trim to the model's window, then orphans swept off both ends.

Upstream: ULookup/Merak, `libs/memory` and `libs/context` (C++); issue #171, fixed in PR #174 (commit 06f4b58). Before
the fix the stored history was cut by number, the hard trim worked on a list that nobody read again, and nothing was
swept. After it the cuts fall on user messages, so a steer inside a batch is still taken for the start of a round.
Written from a description of the behaviour, not from the source.
"""

from collections.abc import Callable

from attrs import evolve

from ...messages.formats.neutral import neutral_format
from ...messages.limits import LimitKind
from ...messages.model import Message
from ..trimmer import Trimmer

MAX_TURNS = 20
WINDOW = 200_000
"""The model's window where only turns are limited."""
RESPONSE_TOKENS = 4096
SQUEEZED, AGGRESSIVE = 0.75, 0.90
ROUNDS_KEPT = 4
FULL_RESULTS, RESULT_BYTES = 6, 8000

FORMAT = neutral_format(())


def users_of(messages: list[Message]) -> list[int]:
    """Return the indexes of user messages: the starts of rounds, as merak sees it."""
    return [index for index, message in enumerate(messages) if message.role == "user"]


def last_messages(messages: list[Message], max_turns: int = MAX_TURNS) -> list[Message]:
    """`recent_history` before the fix: the last `2 * max_turns` messages, whatever they are."""
    return messages[max(0, len(messages) - 2 * max(max_turns, 0)) :]


def last_rounds(messages: list[Message], max_turns: int = MAX_TURNS) -> list[Message]:
    """`recent_history` after the fix: from a user message on; without any, by number, and the start is adjusted."""
    if not messages or max_turns <= 0:
        return []
    users = users_of(messages)
    if users:
        return messages[users[-min(max_turns, len(users))] :]
    return messages[_adjusted(messages, max(0, len(messages) - 2 * max_turns), 2 * max_turns + 4) :]


def _adjusted(messages: list[Message], start: int, reach: int) -> int:
    """Move a start that is a result back to the one assistant that made all calls of its run, or behind the run."""
    end = start
    while end < len(messages) and messages[end].role == "tool":
        end += 1
    wanted = {message.call_id for message in messages[start:end] if message.call_id}
    if not wanted:
        return start
    for parent in range(start - 1, -1, -1):
        if messages[parent].role == "assistant" and wanted <= {call.id for call in messages[parent].calls}:
            return parent if start - parent <= reach else end
    return end


def assemble(
    messages: list[Message], window: int, *, model: str = "", system_prompt: str = "", trim_what_is_sent: bool
) -> tuple[list[Message], int]:
    """`planned_assemble`: squeeze by how full the window is predicted to be, then trim hard to it.

    Returns what is sent, and how many messages the hard trim deleted; with `trim_what_is_sent` false (before the fix)
    it deleted them from a list that was thrown away. `window` counts tokens, by merak's own estimate from bytes.
    """
    each = 4.0 if "claude" in model else 3.5
    size = sum(_planned(message, each) for message in messages) + _tokens(system_prompt, each)
    full = (size + RESPONSE_TOKENS) / window if window > 0 else 1.0
    if full >= AGGRESSIVE:
        users = users_of(messages)
        if len(users) > ROUNDS_KEPT:
            messages = messages[users[-ROUNDS_KEPT] :]
    if full >= SQUEEZED:
        messages = _shortened(messages)
    kept = list(messages)
    left = sum(map(_rough, kept)) + int(_bytes(system_prompt) / 3.5)
    while left > window:
        cut = _oldest_round(kept) if trim_what_is_sent else _oldest_message(kept)
        if cut is None:
            break
        left -= sum(map(_rough, kept[cut]))
        del kept[cut]
    return (kept if trim_what_is_sent else messages), len(messages) - len(kept)


def _oldest_round(kept: list[Message]) -> slice | None:
    users = users_of(kept)
    return slice(users[0], users[1]) if len(users) > 1 else None


def _oldest_message(kept: list[Message]) -> slice | None:
    if len(kept) <= 2:
        return None
    found = (index for index in range(1, len(kept)) if kept[index].role != "system")
    index = next(found, None)
    return None if index is None else slice(index, index + 1)


def _shortened(messages: list[Message]) -> list[Message]:
    """Shorten long results, other than the newest; bytes are counted, and a letter cut in two is lost."""
    results = [index for index, message in enumerate(messages) if message.role == "tool"]
    found = list(messages)
    for index in results[:-FULL_RESULTS]:
        whole = (messages[index].text or "").encode()
        if len(whole) > RESULT_BYTES:
            start = whole[:RESULT_BYTES].decode(errors="ignore")
            found[index] = evolve(
                messages[index], text=f"{start}\n[result truncated: {len(whole) - RESULT_BYTES} bytes]"
            )
    return found


def _bytes(text: str | None) -> int:
    return len((text or "").encode())


def _tokens(text: str | None, each: float) -> int:
    return max(1, int(_bytes(text) / each)) if text else 0


def _planned(message: Message, each: float) -> int:
    calls = sum(2 + _tokens(call.arguments, each) for call in message.calls)
    return 1 + _tokens(message.text, each) + calls + _tokens(message.call_id, each)


def _rough(message: Message) -> int:
    return int(_bytes(message.text) / 3.5)


def sanitize_orphans(messages: list[Message]) -> list[Message]:
    """Sweep leading results that answer no call anywhere, and the calls of the last assistant if none is answered."""
    made = {call.id for message in messages if message.role == "assistant" for call in message.calls}
    used = {message.call_id for message in messages if message.role == "tool"}
    start = 0
    while start < len(messages) and messages[start].role == "tool" and messages[start].call_id not in made:
        start += 1
    found = messages[start:]
    for index in range(len(found) - 1, -1, -1):
        if found[index].role == "assistant":
            if found[index].calls and not any(call.id in used for call in found[index].calls):
                found[index : index + 1] = [evolve(found[index], calls=())] if found[index].text else []
            break
    return found


def wire_shape(messages: list[Message], model: str) -> list[str]:
    """Return what a request looks like: its roles, for Claude models with the kinds of blocks.

    There, results that stand together become one user message; a system message stays one, though Claude takes none.
    """
    if "claude" not in model:
        return ["system", *(message.role for message in messages)] if messages else []
    shape: list[str] = []
    before = ""
    for message in messages:
        if message.role == "tool":
            shape[-1:] = [f"{shape[-1]}tool_result,"] if before == "tool" else [*shape[-1:], "user:tool_result,"]
        elif message.role == "user":
            shape.append("user")
        else:
            text = "text," if message.text or not message.calls else ""
            shape.append(f"{message.role}:{text}" + "tool_use," * len(message.calls))
        before = message.role
    return shape


Recent = Callable[[list[Message], int], list[Message]]


def _registered(name: str, what: str, version: str, story: str, kind: LimitKind, trim: Recent) -> Trimmer:
    return Trimmer(
        f"merak{name}-{version}" if version else f"merak{name}",
        lambda items, limit, _count: trim(items, limit),
        format=FORMAT,
        limits=(kind,),
        promises={"order-preserved": 1.0, "deterministic": 1.0},
        version=version,
        source="https://github.com/ULookup/Merak",
        story=f"ULookup/Merak, {what} (C++), {story}; licence unknown. Ported from a description. "
        "Tokens are estimated from bytes and may stay over the limit: the newest round is never cut.",
    )


def _variant(version: str, story: str, recent: Recent, *, fixed: bool) -> list[Trimmer]:
    def sent(items: list[Message], window: int) -> list[Message]:
        kept = assemble(items, window, trim_what_is_sent=fixed)[0]
        return sanitize_orphans(kept) if fixed else kept

    def by_turns(items: list[Message], limit: int) -> list[Message]:
        return sent(recent(items, limit), WINDOW)

    def by_tokens(items: list[Message], limit: int) -> list[Message]:
        return sent(recent(items, MAX_TURNS), limit)

    return [
        _registered("", "the layers in a row, by turns", version, story, "turns", by_turns),
        _registered("-window", "the layers in a row, by tokens", version, story, "tokens", by_tokens),
        _registered("-recent-history", "MemoryStore::recent_history", version, story, "turns", recent),
        _registered("-hard-trim", "ContextPipeline::planned_assemble", version, story, "tokens", sent),
    ]


def trimmers() -> list[Trimmer]:
    """Return merak before and after the fix: all layers, by turns and by tokens, and each layer alone."""
    fixed = "as fixed in PR #174, commit 06f4b58"
    return [
        *_variant("pre", "as reported in issue #171", last_messages, fixed=False),
        *_variant("post", fixed, last_rounds, fixed=True),
        _registered(
            "-sanitize-orphans",
            "ContextSerializer::sanitize_orphans, which takes no limit",
            "",
            fixed,
            "turns",
            lambda items, _limit: sanitize_orphans(items),
        ),
    ]
