"""langchain-core: `trim_messages`, in the four settings people use, by number of messages and by tokens.

Called as `trim_messages(messages, max_tokens=limit, token_counter=...)`: for messages with `len`, as its
documentation says, for tokens with the counter in force. `default` adds nothing; `recommended` is what the
documentation advises for a valid history (`strategy="last"`, `start_on="human"`, `end_on=("human", "tool")`,
`include_system=True`); `first` keeps the oldest; `first-end-on` with `end_on=("human", "tool")`.

The docstring promises to "trim messages to be below a token count", and that a message is not split unless
`allow_partial` is set: within-limit and content-intact. It promises no pairing; of a valid history it says "should
usually", given the recommended settings. `include_system` is about index 0 alone, so keeps-system is not promised.
Licence MIT. Reports: langchain-ai/langchain #33245 (orphan under default settings, open; PRs #33265 closed, #35313
open).
"""

from typing import Any

from ..trimmer import TrimCall, Trimmer
from .langchain_messages import LANGCHAIN_CORE
from .shared import about, load, promised, remembering

RECOMMENDED = {"strategy": "last", "start_on": "human", "end_on": ("human", "tool"), "include_system": True}
VARIANTS: dict[str, dict[str, Any]] = {
    "default": {},
    "recommended": RECOMMENDED,
    "first": {"strategy": "first"},
    "first-end-on": {"strategy": "first", "end_on": ("human", "tool")},
}


def trimmers() -> list[Trimmer]:
    """Return a trimmer for each setting; raises ImportError without langchain-core."""
    trim_messages = load("langchain_core.messages").trim_messages

    def by_messages(settings: dict[str, Any]) -> TrimCall:
        return lambda items, limit, _count: trim_messages(items, max_tokens=limit, token_counter=len, **settings)

    def by_tokens(settings: dict[str, Any]) -> TrimCall:
        return lambda items, limit, count: trim_messages(
            items, max_tokens=limit, token_counter=remembering(count), **settings
        )

    return [
        Trimmer(
            f"langchain-core-{variant}",
            by_messages(settings),
            format=LANGCHAIN_CORE,
            marks=False,
            limits=("messages", "tokens"),
            per_kind={"tokens": by_tokens(settings)},
            promises=promised("within-limit", "content-intact"),
            source="https://github.com/langchain-ai/langchain",
            **about(
                "langchain-core",
                licence="MIT",
                seen="1.8.3",
                calls=f"trim_messages with {settings}" if settings else "trim_messages with its default settings",
                reports="langchain-ai/langchain #33245 (open), #33265 (closed), #35313 (open)",
            ),
        )
        for variant, settings in VARIANTS.items()
    ]
