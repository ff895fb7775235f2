"""langchain: the agent middleware SummarizationMiddleware and the edit ClearToolUsesEdit, on langchain-core messages.

`langchain-middleware-summarization` is `SummarizationMiddleware(trigger=(kind, limit), keep=(kind, limit),
summarizer=...)`, by messages and by tokens with the counter in force, and a summarizer that calls no model. It writes
missing message ids in place, which in an agent's state are there already; so it is handed copies that have ids. Its
summary says so of itself. `langchain-middleware-clear-tool-uses` is `ClearToolUsesEdit(trigger=limit,
keep=1).apply(messages, count_tokens=...)`, which edits the list that it is given, by contract: here a copy of the
list, as the middleware does.

The docstring promises "ensuring AI/Tool message pairs remain together". What it keeps it keeps beside a summary, and
a system message in the state is summarised like any other, so neither within-limit nor keeps-system is promised. A
ValueError for a limit below 1 is documented. Licence MIT. Reports: langchain-ai/langchain #38352 (on invalid input,
open).
"""

from collections.abc import Callable
from typing import Any

from ..trimmer import Traced, TrimCall, Trimmer
from .langchain_messages import LANGCHAIN_CORE
from .shared import about, load, remembering


def trimmers() -> list[Trimmer]:
    """Return both; raises ImportError without langchain."""
    package = load("langchain.agents.middleware")
    model = load("langchain_core.language_models.fake_chat_models").FakeListChatModel(responses=["unused"])

    def summarization(kind: Any) -> TrimCall:
        def trim(items: list[Any], limit: int, count: Callable[[Any], int]) -> Any:
            counted = remembering(count)
            middleware = package.SummarizationMiddleware(
                model, trigger=(kind, limit), keep=(kind, limit), token_counter=counted, summarizer=_summarize
            )
            copies = [item.model_copy(update={"id": str(index)}) for index, item in enumerate(items)]
            update = middleware.before_model({"messages": copies}, None)
            if update is None:
                return items
            index_of = {id(copy): index for index, copy in enumerate(copies)}
            sources = [index_of.get(id(message)) for message in update["messages"][1:]]
            kept = zip(sources, update["messages"][1:], strict=True)
            return Traced([message if source is None else items[source] for source, message in kept], sources)

        return trim

    def clear_tool_uses(items: list[Any], limit: int, count: Callable[[Any], int]) -> Traced:
        messages = list(items)
        package.ClearToolUsesEdit(trigger=limit, keep=1).apply(messages, count_tokens=remembering(count))
        return Traced(messages, range(len(messages)))

    story: dict[str, str] = {"licence": "MIT", "seen": "1.5.2"}
    return [
        Trimmer(
            "langchain-middleware-summarization",
            summarization("messages"),
            format=LANGCHAIN_CORE,
            marks=False,
            limits=("messages", "tokens"),
            per_kind={"tokens": summarization("tokens")},
            source=SOURCE,
            **about("langchain", calls="SummarizationMiddleware.before_model", reports="#38352 (open)", **story),
        ),
        Trimmer(
            "langchain-middleware-clear-tool-uses",
            clear_tool_uses,
            format=LANGCHAIN_CORE,
            marks=False,
            limits=("tokens",),
            source=SOURCE,
            **about("langchain", calls="ClearToolUsesEdit.apply with keep=1", **story),
        ),
    ]


SOURCE = "https://github.com/langchain-ai/langchain"


def _summarize(messages: list[Any]) -> str:
    return f"{len(messages)} messages"
