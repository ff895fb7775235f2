"""Implications: which rules are broken with another one, in the simplest case that breaks that one.

A trim that drops a call and keeps its result breaks no-orphan; it takes a batch apart as well (batch-atomic), and what
it returns still has to be repaired (repairs). Nothing else need be broken. The tests find such a case for every rule:
whatever else a finding comes with is another fault, not the same one under another name.
"""

from collections.abc import Mapping

_LATEST = "keeps-current-turn keeps-latest-user"

COMES_WITH: Mapping[str, frozenset[str]] = {
    rule: frozenset(others.split())
    for rule, others in {
        # The list that comes out is not mended, whoever broke it.
        "no-orphan": "batch-atomic repairs",
        "call-answered": "repairs",
        "batch-atomic": "no-orphan repairs",
        "one-result-per-call": "invented-call repairs",
        "unique-call-id": "call-answered nothing-duplicated repairs",
        "nonempty-call-id": "invented-call repairs",
        "provider-executed-pair": "invented-call repairs",
        "approval-pair": "repairs",
        # Results in another form are calls and results that nobody made.
        "results-together": "invented-call",
        "results-before-text": "invented-call",
        "result-turn-only-results": "invented-call",
        # Something is gone, and nothing says so.
        "call-turn-after-user-or-result": "no-silent-loss",
        "assistant-between-tool-and-user": "no-silent-loss",
        "reasoning-kept-with-followup": "no-silent-loss",
        "keeps-pinned": "no-silent-loss",
        "utilisation": "no-silent-loss",
        "nonempty-history": f"{_LATEST} keeps-newest no-silent-loss",
        "nonempty-user": f"{_LATEST} first-is-user no-silent-loss",
        # An edit is an edit, also where the provider forbids it.
        "signed-reasoning-unmodified": "content-intact",
        "real-result-not-dropped": "content-intact",
        # A refusal of what fits is needless.
        "identity-under-limit": "refuses-only-when-needed",
        # The last user message opens the current turn; a call in flight is the newest message of it.
        "keeps-latest-user": "keeps-current-turn",
        "late-result-safe": "keeps-current-turn keeps-newest pending-call-kept",
    }.items()
}
"""Rules by the rule that they come with; one that is not listed can be broken alone."""
