"""The small packages that take OpenAI chat dicts: their known failures, and what they do right."""

import pytest


def test_ctx_compact_drops_pairs_whole(kept):
    """The middle goes in groups, oldest first; both ends stay."""
    pytest.importorskip("ctx_compact")
    history = "S U A[c0] T(c0) A U A"
    assert kept("ctx_compact", "ctx-compact", history, "tokens", 60) == "S A[c0] T(c0) A U A"
    assert kept("ctx_compact", "ctx-compact-tight", history, "tokens", 45) == "S A U A"


def test_ctx_compact_marks_its_summary(kept):
    """The inserted summary is declared, behind the head."""
    pytest.importorskip("ctx_compact")
    assert kept("ctx_compact", "ctx-compact-summary", "S U A[c0] T(c0) A U A", "tokens", 40).startswith("S SUM")


def test_ctx_compact_may_stay_over_the_limit(kept):
    """What is protected may exceed the limit, as documented."""
    pytest.importorskip("ctx_compact")
    assert kept("ctx_compact", "ctx-compact", "U A[c0] T(c0)", "tokens", 1) == "U A[c0] T(c0)"


def test_ctx_compact_refuses_limits_below_one(outcome):
    """Its documented TypeError is a refusal there; an empty history has nothing to refuse."""
    pytest.importorskip("ctx_compact")
    assert outcome("ctx_compact", "ctx-compact", "U", "tokens", 0).status == "refused"
    assert outcome("ctx_compact", "ctx-compact", "", "tokens", 0).status == "ok"


def test_safe_trim_moves_its_cut_back(kept):
    """`keep` is a floor: the pair stays together, over the number asked for."""
    pytest.importorskip("toolrepair")
    assert kept("tool_call_repair", "tool-call-repair", "U A[c0] T(c0) A", "messages", 2) == "A[c0] T(c0) A"


def test_repair_drops_the_orphan_of_a_slice(kept):
    """A plain slice, repaired."""
    pytest.importorskip("toolrepair")
    assert kept("tool_call_repair", "tool-call-repair-slice", "U A[c0] T(c0) A", "messages", 2) == "A"


def test_turnsafe_keeps_whole_turns_or_refuses(kept, outcome):
    """A turn that does not fit is a declared refusal, not a broken pair."""
    pytest.importorskip("turnsafe")
    assert kept("turnsafe", "turnsafe", "S U A[c0] T(c0) A U A", "tokens", 45) == "S U A"
    refused = outcome("turnsafe", "turnsafe", "U A[c0] T(c0)", "tokens", 20)
    assert refused.status == "refused"
    assert refused.failure.type == "ContextBudgetError"


def test_turnsafe_refuses_a_broken_input(outcome):
    """It asks for a valid history, by a declared error."""
    pytest.importorskip("turnsafe")
    assert outcome("turnsafe", "turnsafe", "U T(c9)", "tokens", 100).failure.type == "InvalidHistoryError"


def test_chatfit_orphans_a_result_itself(kept):
    """Dropping a leading assistant makes the orphan; the summary is declared."""
    pytest.importorskip("chatfit")
    history = "U=please_look_this_up_for_me_now_thanks A[c0] T(c0)=short"
    assert kept("chatfit", "chatfit", history, "tokens", 24) == "SUM T(c0)"


def test_chatfit_never_asks_for_a_vocabulary(outcome, monkeypatch):
    """Even with tiktoken there, words are counted: nothing is fetched."""
    pytest.importorskip("chatfit")
    from chatfit import tokens

    def fetched(_model):
        raise AssertionError("asked for an encoder")

    monkeypatch.setattr(tokens, "_tiktoken_encoder", fetched)
    assert outcome("chatfit", "chatfit", "S U A U", "tokens", 20).status == "ok"
    assert tokens._tiktoken_encoder is fetched


def test_agentfit_drops_single_messages(kept, outcome):
    """Oldest first, without a look at pairs; its own error is a refusal."""
    pytest.importorskip("agentfit")
    assert kept("agentfit", "agentfit-py", "U A[c0] T(c0)", "tokens", 8) == "T(c0)"
    assert outcome("agentfit", "agentfit-py", "S U", "tokens", 1).failure.type == "OverBudgetError"


def test_agentfit_middle_splits_pairs_both_ways(kept):
    """From the middle outward a call can lose its result as well."""
    pytest.importorskip("agentfit")
    assert kept("agentfit", "agentfit-py-middle", "U A[c0] T(c0)", "tokens", 15) == "U T(c0)"
    assert kept("agentfit", "agentfit-py-middle", "U A[c0] T(c0) A A", "tokens", 35) == "U A[c0] A A"


def test_prompt_token_trim_skips_what_is_big(kept):
    """A result that does not fit is skipped, its call stays; a call's empty text always fits."""
    pytest.importorskip("prompt_token_trim")
    history = "U=hello A[c0] T(c0)=a_long_result_that_does_not_fit"
    assert kept("prompt_token_trim", "prompt-token-trim-py", history, "tokens", 4) == "U A[c0]"


@pytest.mark.parametrize(
    ("module", "name"), [("agentfit", "agentfit-py"), ("prompt_token_trim", "prompt-token-trim-py")]
)
def test_a_negative_limit_is_refused(outcome, module, name):
    """A TypeError that says so is a refusal at a negative limit."""
    pytest.importorskip(module)
    assert outcome(module, name, "U", "tokens", -1).status == "refused"


def test_turnsafe_refuses_an_empty_id(outcome):
    """An id that matches nothing is refused by documentation; any other ValueError at such a limit would not be."""
    pytest.importorskip("turnsafe")
    assert outcome("turnsafe", "turnsafe", "U A[] T()", "tokens", 100).failure.type == "UnusableId"
