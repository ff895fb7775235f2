"""Which providers correct trimmers cannot serve, and why.

A correct trimmer breaks no pairing and keeps its promises; OpenAI asks for little more. Other providers do, and a
trimmer that never promised it cannot serve them. Each line is one such rule, worked out by hand: the provider is right
to reject the output. `whole-user-turns` and `last-turns`, which cut only at user messages, serve every provider.
"""

from attrs import field, frozen

from ...messages.model import History
from ...messages.shorthand import history
from . import compactors, correct, correct_ways, memories


@frozen
class Unserved:
    """Trimmers, by name, whose outputs break one rule under some packs. Each breaks it on one of the `shown`.

    A pack stands for its versions too, as far as they enforce the rule.
    """

    rule: str
    packs: frozenset[str] = field(converter=frozenset)
    trimmers: frozenset[str] = field(converter=frozenset)
    why: str
    shown: tuple[History, ...] = field(converter=lambda written: tuple(map(history, written)), repr=False)


_SHELVES = (*correct.shelf, *correct_ways.shelf, *compactors.correct_shelf, *memories.correct_shelf)
_AT_ANY_PLACE = {trimmer.name for trimmer in _SHELVES} - {"whole-user-turns", "last-turns"}
_OPENS_ON_A_USER = {"first-and-last", "compacts-whole-exchanges", "keeps-what-the-user-said"}
_WITHOUT_A_USER = _AT_ANY_PLACE - _OPENS_ON_A_USER
_GAPS = {
    "first-and-last", "units-from-the-middle", "keeps-pins", "tool-traffic-first", "declared-summary",
    "marker-at-the-gap", "compacts-whole-exchanges", "keeps-what-the-user-said", "plans-with-room-for-the-summary",
}  # fmt: skip

UNSERVED: tuple[Unserved, ...] = (
    Unserved(
        "first-is-user", ("anthropic", "bedrock", "strict"), _WITHOUT_A_USER,
        "the oldest exchange that it keeps may be an assistant's",
        ("S U A[a] T(a)",),
    ),
    Unserved(
        "call-turn-after-user-or-result", ("gemini", "strict"), _WITHOUT_A_USER,
        "the oldest exchange that it keeps may be a call",
        ("S U A[a] T(a)",),
    ),
    Unserved(
        "nonempty-user", ("strict",), _WITHOUT_A_USER,
        "within a long turn it keeps tool steps alone",
        ("S U A[a] T(a)",),
    ),
    Unserved(
        "reasoning-kept-with-followup", ("anthropic", "strict"), _AT_ANY_PLACE,
        "it cuts inside the running turn, and drops the step that opened it with reasoning",
        ("U A[a]~r T(a) A[b] T(b)",),
    ),
    Unserved(
        "last-is-user-or-tool", ("anthropic", "bedrock", "mistral", "mistral-old", "strict"),
        {"keeps-pins"},
        "a pinned assistant message leaves no room for the newest one",
        ("U A! U",),
    ),
    Unserved(
        "nonempty-history", ("anthropic", "bedrock", "gemini", "strict"),
        {"keeps-pins"},
        "system messages alone are no conversation where the system prompt is sent apart",
        ("S U A[a] T(a)",),
    ),
    Unserved(
        "nonempty-history",
        ("openai-chat", "openai-responses", "anthropic", "bedrock", "gemini", "mistral", "mistral-old", "strict"),
        {"remembers-whole-exchanges"},
        "it lets go of everything when the newest exchange grows beyond the limit, also of what would fit",
        ("S U A[a] T(a)", "S U A[a,b] T(a) T(b)"),
    ),
    Unserved(
        "batch-atomic", ("anthropic", "gemini", "strict"), {"calls-cut-with-their-results"},
        "it cuts calls out of a message, which has to come back as the model wrote it",
        ("U A[a,b] T(a) T(b) U",),
    ),
    Unserved(
        "signed-reasoning-unmodified", ("anthropic", "strict"), {"calls-cut-with-their-results"},
        "it cuts calls out of a message whose reasoning is signed",
        ("U A[a,b]~r T(a) T(b) U",),
    ),
    Unserved(
        "alternate-roles", ("bedrock", "strict"), _GAPS,
        "what stood between two messages of one role goes, or a message of its own comes beside one of its role",
        ("S U A U", "U! A U", "U A[a] T(a) U", "S U A U A U"),
    ),
    Unserved(
        "assistant-between-tool-and-user", ("mistral-old", "strict"), {"units-from-the-middle", "keeps-pins"},
        "the assistant's answer between a result and the next user message goes alone",
        ("U A[a] T(a) A U A U", "U A[a]! T(a) A U"),
    ),
)  # fmt: skip
