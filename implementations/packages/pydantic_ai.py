"""pydantic-ai-slim: a plain slice, as in a history processor, alone and with `repair_messages` behind it.

It has no trimmer: its documentation lets a function slice the messages. `pydantic-ai-slice` is `messages[-limit:]`,
and `pydantic-ai-slice-repair` is `repair_messages(messages[-limit:])`. The limit counts its own messages: system
prompts and the user prompt behind them are parts of one ModelRequest, all results of a round are one, and a reply
with its calls is one ModelResponse. Parts come back as the objects they were; a synthesized return is marked here as
the stand-in it says it is.

The slice promises nothing. The docstring of `repair_messages` promises a "provider-valid" history (repairs) and that
"the repair is deterministic" (deterministic). Licence MIT. Reports: none for the repair.
"""

from collections.abc import Callable
from typing import Any

from ...messages.model import Message
from ..trimmer import Traced, Trimmer
from .pieces import MESSAGES, ById, MessagePart, marker, rebuilt
from .shared import about, load, promised


def trimmers() -> list[Trimmer]:
    """Return both; raises ImportError without pydantic-ai-slim."""
    package = load("pydantic_ai.messages")

    def written(items: list[Message], known: ById) -> list[Any]:
        messages: list[Any] = []
        before = ""
        for index, item in enumerate(items):
            piece, role, text = MessagePart(index), item.role, item.text or ""
            if role == "assistant":
                parts: list[Any] = [known.known(package.TextPart(text), piece)] if text or not item.calls else []
                for position, call in enumerate(item.calls):
                    made = package.ToolCallPart(call.name, call.arguments, tool_call_id=call.id)
                    parts.append(known.known(made, MessagePart(index, position)))
                messages.append(package.ModelResponse(parts))
            else:
                if role == "tool":
                    part: Any = package.ToolReturnPart(item.name or "f", text, tool_call_id=item.call_id or "")
                else:
                    part = (package.SystemPromptPart if role == "system" else package.UserPromptPart)(text)
                part = known.known(part, piece)
                if (before, role) in (("system", "system"), ("system", "user"), ("tool", "tool")):
                    messages[-1].parts.append(part)
                else:
                    messages.append(package.ModelRequest([part]))
            before = role
        return messages

    def read(items: list[Message], known: ById, messages: list[Any]) -> Traced:
        parts = [part for message in messages for part in message.parts]
        return rebuilt(items, known.pieces(parts, _stand_in))

    def slice_alone(items: list[Message], limit: int, _count: Callable[[Any], int]) -> Traced:
        known = ById()
        messages = written(items, known)
        return read(items, known, messages[-limit:] if limit > 0 else [])

    def slice_then_repair(items: list[Message], limit: int, _count: Callable[[Any], int]) -> Traced:
        known = ById()
        messages = written(items, known)
        return read(items, known, package.repair_messages(messages[-limit:] if limit > 0 else []))

    return [
        Trimmer(
            "pydantic-ai-slice",
            slice_alone,
            format=MESSAGES,
            limits=("messages",),
            source=SOURCE,
            **about("pydantic-ai-slim", licence="MIT", seen="2.68.0", calls="nothing: a slice, as users write it"),
        ),
        Trimmer(
            "pydantic-ai-slice-repair",
            slice_then_repair,
            format=MESSAGES,
            limits=("messages",),
            promises=promised("repairs", "deterministic"),
            source=SOURCE,
            **about("pydantic-ai-slim", licence="MIT", seen="2.68.0", calls="repair_messages behind a slice"),
        ),
    ]


SOURCE = "https://github.com/pydantic/pydantic-ai"


def _stand_in(part: Any) -> Message:
    return marker("tool", str(part.content), call_id=part.tool_call_id, name=part.tool_name)
