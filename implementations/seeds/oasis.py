"""oasis: keep the first message and the newest ones, by role alone.

Upstream: KryptSec/oasis, `src/lib/runner.ts`, `trimMessages`; broken in issue #69, fixed in PR #70 (commit 03baab7f).
The window is cut wherever it falls. The fix strips results that lead the window; it never looks at an id, so a steer
in front of a result still shields it. Written from a description of the behaviour, not from the source.
"""

from ...messages.formats.neutral import neutral_format
from ...messages.model import Message
from ..trimmer import Trimmer

CAP = 40
"""The window that upstream uses."""

FORMAT = neutral_format(())

_STORY = (
    "KryptSec/oasis, src/lib/runner.ts, trimMessages (TypeScript), {}; licence unknown. Ported from a description. "
    "Upstream's window is always 40: below 2 its arithmetic keeps the whole list, which it can not reach; so a trim to "
    "such a limit is refused here."
)


def trim_messages(messages: list[Message], cap: int = CAP, *, strip_results: bool) -> list[Message]:
    """Return the first message and the newest `cap - 1`, or the very list given when it is short enough.

    Messages of the first one's role are skipped at the start of the window, so that no two stand side by side;
    `strip_results` (the fix) then skips results, once.
    """
    if len(messages) <= cap:
        return messages
    tail = messages[-(cap - 1) :]
    start = 0
    while start < len(tail) and tail[start].role == messages[0].role:
        start += 1
    while strip_results and start < len(tail) and tail[start].role == "tool":
        start += 1
    return [messages[0], *tail[start:]]


class WindowTooSmall(ValueError):
    """A window below 2, for which upstream was never written."""


def _in_domain(messages: list[Message], cap: int, *, strip_results: bool) -> list[Message]:
    if len(messages) > max(cap, 0) and cap < 2:
        raise WindowTooSmall(f"a window of {cap}: upstream's is {CAP}")
    return messages if cap < 2 else trim_messages(messages, cap, strip_results=strip_results)


def _trimmer(variant: str, story: str, *, strip_results: bool) -> Trimmer:
    return Trimmer(
        f"oasis-{variant}",
        lambda items, limit, _count: _in_domain(items, limit, strip_results=strip_results),
        format=FORMAT,
        limits=("messages",),
        refuses=(WindowTooSmall,),
        promises={"identity-under-limit": 1.0, "order-preserved": 1.0, "deterministic": 1.0},
        version=variant,
        source="https://github.com/KryptSec/oasis",
        story=_STORY.format(story),
    )


def trimmers() -> list[Trimmer]:
    """Return oasis as reported in issue #69, and as fixed in PR #70."""
    return [
        _trimmer("pre", "as reported in issue #69", strip_results=False),
        _trimmer("post", "as fixed in PR #70, commit 03baab7f", strip_results=True),
    ]
