"""Whole frameworks, each with messages of its own: what their trimmers do to calls and results."""

import pytest

REUSED = "U A[x] T(x) A[x,y] T(x) T(y) U"


def test_pydantic_ai_slice_orphans_and_repair_mends(kept):
    """A slice may begin with the results of a round; the repair drops them."""
    pytest.importorskip("pydantic_ai")
    history = "S U A[c0,c1] T(c0) T(c1)"
    assert kept("pydantic_ai", "pydantic-ai-slice", history, "messages", 1) == "T(c0) T(c1)"
    assert kept("pydantic_ai", "pydantic-ai-slice-repair", history, "messages", 1) == ""
    assert kept("pydantic_ai", "pydantic-ai-slice-repair", history, "messages", 3) == history


def test_pydantic_ai_groups_system_and_user(kept):
    """System prompt and user prompt are one message: a slice takes both or none."""
    pytest.importorskip("pydantic_ai")
    assert kept("pydantic_ai", "pydantic-ai-slice", "S U A U", "messages", 3) == "S U A U"


def test_pydantic_ai_answers_an_open_call(kept):
    """A call that nothing answered gets a stand-in, which is declared."""
    pytest.importorskip("pydantic_ai")
    assert kept("pydantic_ai", "pydantic-ai-slice-repair", "U A[c0] U", "messages", 9) == "U A[c0] SUM(c0) U"


def test_openai_agents_keeps_pairs(kept):
    """A pair that does not fit goes; one that is all there is stays, over the limit."""
    pytest.importorskip("openai_agents_context_compaction")
    module, name = "openai_agents_context_compaction", "openai-agents-context-compaction-window"
    assert kept(module, name, "U A[c0] T(c0) A", "messages", 2) == "U A"
    assert kept(module, name, "S U A[c0] T(c0)", "messages", 1) == "S A[c0] T(c0)"


def test_openai_agents_takes_reused_ids_for_one(kept):
    """An id used again leaves the older result without its call."""
    pytest.importorskip("openai_agents_context_compaction")
    module, name = "openai_agents_context_compaction", "openai-agents-context-compaction-window"
    assert kept(module, name, "U A[x] T(x) A[x] T(x) U", "messages", 5) == "T(x) A[x] T(x) U"


def test_langchain_summarization_moves_its_cut_to_the_call(kept):
    """The cut goes back to the call; the summary declares itself; unchanged input comes back as it was."""
    pytest.importorskip("langchain.agents.middleware")
    module, name = "langchain_middleware", "langchain-middleware-summarization"
    assert kept(module, name, "U A[c0] T(c0) A", "messages", 2) == "SUM A[c0] T(c0) A"
    assert kept(module, name, "S U A[c0] T(c0) A U", "messages", 1) == "SUM U"
    assert kept(module, name, "U A", "messages", 5) == "U A"
    assert kept(module, name, "U A[c0] T(c0) A U", "tokens", 20).startswith("SUM")


def test_langchain_clears_old_results_in_place(outcome):
    """The newest result stays; an older one becomes a placeholder, known as the result that it was."""
    pytest.importorskip("langchain.agents.middleware")
    history = "U A[c0] T(c0) A[c1] T(c1)"
    found = outcome("langchain_middleware", "langchain-middleware-clear-tool-uses", history, "tokens", 1)
    assert found.sources == (0, 1, 2, 3, 4)
    assert found.output[2].text == "[cleared]"
    assert found.output[4].text != "[cleared]"
    assert not found.mutated
    assert not found.list_changed


def test_agent_framework_drops_whole_groups(kept, outcome):
    """Tool groups go whole and system messages stay; the newest group stays whatever its size."""
    pytest.importorskip("agent_framework")
    history = "S U A[c0,c1] T(c0) T(c1) A U"
    assert kept("agent_framework", "agent-framework-truncation", history, "messages", 4) == "S A U"
    assert kept("agent_framework", "agent-framework-truncation", "U A[c0] T(c0)", "tokens", 1) == "A[c0] T(c0)"
    assert kept("agent_framework", "agent-framework-sliding-window", history, "messages", 2) == "S A U"
    assert kept("agent_framework", "agent-framework-selective-tools", history, "messages", 0) == "S U A U"
    assert kept("agent_framework", "agent-framework-tool-results", history, "messages", 0) == "S U SUM A U"
    assert kept("agent_framework", "agent-framework-summarization", history, "messages", 2) == "S SUM A U"
    assert kept("agent_framework", "agent-framework-token-budget", history, "tokens", 1) == "U"
    assert outcome("agent_framework", "agent-framework-truncation", "U", "messages", 0).status == "refused"


@pytest.mark.parametrize("name", ["ag2-history-limiter", "ag2-sliding-window", "ag2-tail-window"])
def test_ag2_keeps_a_tail_that_stands_alone(kept, name):
    """No result without its call, as long as ids are not used again; the system prompt is outside."""
    pytest.importorskip("ag2")
    found = kept("ag2", name, "S U A[c0,c1] T(c0) T(c1) A", "messages", 2)
    assert found in ("S A", "S U A")


@pytest.mark.parametrize(
    ("name", "limit", "left"),
    [
        ("ag2-history-limiter", 5, "U T(x) A[x,y] T(x) T(y) U"),
        ("ag2-sliding-window", 4, "T(x) A[x,y] T(x) T(y) U"),
        ("ag2-tail-window", 4, "T(x) A[x,y] T(x) T(y) U"),
    ],
)
def test_ag2_takes_reused_ids_for_one(kept, name, limit, left):
    """A later call of the same id hides that a result lost its own."""
    pytest.importorskip("ag2")
    assert kept("ag2", name, REUSED, "messages", limit) == left


def test_ag2_tokens(kept):
    """Its token limits keep the newest event and cut at events."""
    pytest.importorskip("ag2")
    assert kept("ag2", "ag2-token-limiter", "U A[c0] T(c0) A", "tokens", 3) == "U A"
    assert kept("ag2", "ag2-token-budget", "U A[c0] T(c0) A", "tokens", 3) == "A"


def test_haystack_keeps_steps_whole(kept):
    """System and latest user message stay; older turns go behind a declared note; steps are never split."""
    pytest.importorskip("haystack.hooks.compaction")
    history = "S U A U A[c0] T(c0) A[c1] T(c1)"
    assert kept("haystack", "haystack-sliding-window", history, "tokens", 1) == "S U SUM A[c1] T(c1)"
    assert kept("haystack", "haystack-sliding-window-bare", history, "tokens", 1) == "S U"
    assert kept("haystack", "haystack-summarization", f"S U={'x' * 400} A U A", "tokens", 60) == "S SUM U A"


def test_haystack_note_of_the_same_length_is_no_stub(kept):
    """One message gone and one note inserted is not the same shape."""
    pytest.importorskip("haystack.hooks.compaction")
    history = "U U A[c0,c1] T(c0) T(c1) A[c2] T(c2) A"
    assert kept("haystack", "haystack-sliding-window", history, "tokens", 145) == history.replace("U U", "SUM U", 1)


def test_haystack_prunes_results_in_place(outcome):
    """An older result becomes a placeholder, known as the result that it was."""
    pytest.importorskip("haystack.hooks.compaction")
    history = f"U A[c0] T(c0)={'x' * 100} A[c1] T(c1) A"
    found = outcome("haystack", "haystack-tool-results", history, "tokens", 1)
    assert found.sources == (0, 1, 2, 3, 4, 5)
    assert found.output[2].text == "[removed]"
    assert found.output[4].text != "[removed]"
