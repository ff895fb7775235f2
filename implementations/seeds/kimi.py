"""kimi-code, in five generations: compaction at a recorded point, projections, and the split point, as trimmers.

Upstream: MoonshotAI/kimi-code, `packages/agent-core` (TypeScript). `pre` (about 0.19.1, issue #1053) cuts by a
recorded number; `pr1054` (closed) strips leading results; `post` (PR #1308) and `head` (0.38.0) repair in the
projection; `v2` is the projection of agent-core-v2. A history and a compaction point are replayed as events: what was
there when the index was computed, the compaction, then the rest.
"""

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import TypeAlias

from ...messages.formats.neutral import neutral_format
from ...messages.limits import Limit, LimitKind
from ...messages.model import Message
from ..trimmer import TrimCall, Trimmer
from .kimi_events import Event, Mode, Variant, replay
from .kimi_projection import project_pre, project_v1, project_v2
from .kimi_strategy import auto_count

FORMAT = neutral_format({"summary"})

Project: TypeAlias = Callable[[Sequence[Message]], list[Message]]
Tokens: TypeAlias = Callable[[Message], int]


def events_of(messages: Iterable[Message]) -> list[Event]:
    """Turn messages into the events that make them; a result that answers nothing open is a raw message."""
    events: list[Event] = []
    pending: set[str] = set()
    for message in messages:
        if message.role == "assistant":
            kind = "step"
            pending = {call.id for call in message.calls}
        elif message.role == "tool":
            kind = "result" if message.call_id in pending else "raw_tool"
            pending.discard(message.call_id or "")
        else:
            kind = "user"
        events.append({"type": kind, "message": message, "call_id": message.call_id})
    return events


def compacted(
    messages: Sequence[Message], point: Limit, variant: Variant, mode: Mode, project: Project
) -> list[Message]:
    """Compact at a recorded point, replay what came behind it, and project the request."""
    events = events_of(messages)
    length = len(messages) if point.length is None else point.length
    count = max(point.index, 0)
    record = {"type": "compact", "count": count, "summary": f"Summary of {count} messages."}
    return project(replay([*events[:length], record, *events[length:]], variant, mode))


def _registered(name: str, version: str, what: str, kind: LimitKind, trim: TrimCall) -> Trimmer:
    return Trimmer(
        name,
        trim,
        format=FORMAT,
        marks=True,
        limits=(kind,),
        promises={"deterministic": 1.0},
        version=version,
        source="https://github.com/MoonshotAI/kimi-code",
        story=f"MoonshotAI/kimi-code, packages/agent-core (TypeScript), {what}; licence unknown. Ported from a "
        "description.",
    )


def _compactor(name: str, version: str, what: str, variant: Variant, mode: Mode, project: Project) -> Trimmer:
    def trim(items: list[Message], limit: Limit, _count: Tokens) -> list[Message]:
        return compacted(items, limit, variant, mode, project)

    return _registered(name, version, what, "compaction", trim)


def _projection(name: str, version: str, what: str, project: Project) -> Trimmer:
    def trim(items: list[Message], _limit: int, _count: Tokens) -> list[Message]:
        return project(items)

    return _registered(name, version, f"{what}, which takes no limit", "messages", trim)


def _by_strategy(items: list[Message], limit: int, count: Tokens) -> list[Message]:
    point = auto_count(items, list(map(count, items)), limit)
    return compacted(items, Limit("compaction", point, len(items)), "pre", "live", project_pre) if point else items


def trimmers() -> list[Trimmer]:
    """Return every generation: compaction of a restored history and of a running one, projections, the split point."""
    head_strict = partial(project_v1, strict=True, dedupe=True)
    pre, post, head, v2 = "0.19.1", "PR #1308", "0.38.0", "agent-core-v2"
    return [
        _compactor("kimi-pre", pre, "as reported in issue #1053", "pre", "restore", project_pre),
        _compactor("kimi-pre-live", pre, "the same, not restored", "pre", "live", project_pre),
        _compactor("kimi-pr1054", "PR #1054", "as fixed in PR #1054 (closed)", "pr1054", "restore", project_pre),
        _compactor("kimi-post", post, "PR #1308, a record of an older version", "post", "restore", project_v1),
        _compactor("kimi-post-live", post, "PR #1308, not restored", "post", "live", project_v1),
        _compactor("kimi-head", head, "0.38.0, a record of an older version", "head", "restore", project_v1),
        _compactor("kimi-head-strict", head, "the same, sent again after a refusal", "head", "restore", head_strict),
        _compactor("kimi-head-live", head, "0.38.0, not restored", "head", "live", project_v1),
        _compactor("kimi-v2", v2, "the projection of agent-core-v2", "head", "restore", project_v2),
        _projection("kimi-projection-pre", pre, "the projection before the fix", project_pre),
        _projection("kimi-projection-post", post, "the projection of PR #1308", project_v1),
        _projection("kimi-projection-strict", head, "the strict projection of 0.38.0", head_strict),
        _projection("kimi-projection-v2", v2, "the projection of agent-core-v2", project_v2),
        _registered("kimi-strategy", pre, "computeCompactCount of 0.19.1, applied at once", "tokens", _by_strategy),
    ]
