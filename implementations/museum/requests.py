"""Faults that one list does not show: in what is sent with the list, and in what is stored.

These pieces declare it in a `Traced`: the tools of the request, the filter that applies, what is stored.
"""

from ...messages.requests import Filter, Request
from ..trimmer import Traced
from .parts import suffix
from .piece import Messages, Piece, planted

shelf: list[Piece] = []


@planted(
    shelf,
    "tools-declared",
    "lost",
    "U A[a] T(a)",
    -1,
    provider="bedrock",
    tells=("request",),
    spared=("U A", -1),
)
def last_request_without_tools(messages: Messages, _limit: int) -> Traced:
    """Asks for a last answer in text alone: it sends no tools, and all the calls that were made so far."""
    return Traced(messages, request=Request(()))


@planted(
    shelf,
    "filter-complete",
    "over-limit",
    "U A[a]+ T(a)",
    -1,
    promise=1,
    tells=("request",),
    spared=("U A[a] T(a)", -1),
)
def handoff_keeps_spoken_calls(messages: Messages, _limit: int) -> Traced:
    """Hands over without tool traffic, and takes a call message that says something for a plain answer."""
    kept = [it for it in messages if it["role"] != "tool" and not (it.get("tool_calls") and it["content"] is None)]
    return Traced(kept, request=Request(remove=Filter()))


@planted(shelf, "state-consistent", "invented", "U", 0, promise=1, tells=("stored",))
def stores_what_it_did_not_send(messages: Messages, limit: int) -> Traced:
    """Trims what it sends, and stores the list as it was."""
    return Traced(suffix(messages, limit), stored=messages)
