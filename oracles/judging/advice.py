"""Advice: what to change in a list that breaks a rule; one sentence for each rule that `lint` can find broken.

It is about the request as it stands, for somebody who has to get it through: what to add, drop, or move.
"""

ADVICE: dict[str, str] = {
    "no-orphan": "put back the message that made the call, or drop this result too: pairs stay or go together",
    "call-answered": "add the missing result (a placeholder will do), or drop the call, before anything else follows",
    "provider-executed-pair": "keep a server call and its result together, or drop both",
    "one-result-per-call": "keep one result for each call, and drop the other",
    "result-adjacent": "move what stands in between behind the last result of the batch",
    "unique-call-id": "give each call of a batch an id of its own, and answer a call before its id is used again",
    "nonempty-call-id": "give the call an id, and its result the same one",
    "results-together": "put all results of one batch into one message",
    "results-before-text": "put the results first in the message, and the text behind them",
    "result-turn-only-results": "send the text in a message of its own, behind the one with the results",
    "reasoning-kept-with-followup": "keep reasoning, and the signature of a call, with what it led to, or drop both",
    "approval-pair": "keep an approval request and its response together, or drop both",
    "unique-item-id": "send each item once, with an id of its own or none",
    "nonempty-message": "drop the message, or give it a text",
    "system-once-first": "join system messages into one, at the beginning",
    "nonempty-history": "send a user message at least: there is nothing for the model to answer",
    "first-is-user": "begin the conversation with a user message: cut at a user turn",
    "last-is-user-or-tool": "end on a user message or a result; nothing is there for the model to answer",
    "alternate-roles": "join neighbours of one role into one message",
    "assistant-between-tool-and-user": "put an assistant message between the results and the user message",
    "call-turn-after-user-or-result": "put a user message or results before the call",
    "tools-declared": "declare the tools in the request, or drop the calls and results from its history",
}
