"""The second row of small packages: their known failures, and what they do right."""

import pytest


def test_agentic_context_compaction_slices(kept):
    """Keeping the newest, or first and last, looks at no pair."""
    pytest.importorskip("context_compactor")
    module, name = "agentic_context_compaction", "agentic-context-compaction-"
    assert kept(module, name + "recent", "U A[c0] T(c0)", "messages", 1) == "T(c0)"
    assert kept(module, name + "first-last", "U A[c0] T(c0)", "messages", 2) == "U T(c0)"
    assert kept(module, name + "drop-oldest", "U A[c0] T(c0) A", "tokens", 1) == "T(c0) A"
    assert kept(module, name + "window", "U A[c0] T(c0)", "tokens", 20) == "T(c0)"


def test_agentic_context_compaction_takes_minus_zero_for_everything(kept):
    """Keeping none of the last keeps them all, and the first twice."""
    pytest.importorskip("context_compactor")
    assert kept("agentic_context_compaction", "agentic-context-compaction-first-last", "U A", "messages", 1) == "U U A"


def test_contextclip_cuts_anywhere(kept):
    """The tail is two messages whatever they are; what was in front becomes a declared summary."""
    pytest.importorskip("contextclip")
    assert kept("contextclip", "contextclip", "S U A[c0] T(c0) A", "tokens", 1) == "SUM T(c0) A"
    assert kept("contextclip", "contextclip", "S U A[c0] T(c0) A", "tokens", 500) == "S U A[c0] T(c0) A"


def test_nodus_drops_pairs_whole(kept):
    """Old calls go with their results, parallel ones too; texts stay."""
    pytest.importorskip("nodus_context")
    history = "U A[c0,c1]=look T(c0) T(c1) A U"
    assert kept("nodus_context", "nodus-context-drop-internals", history, "messages", 1) == "U A[c1] T(c1) A U"
    assert kept("nodus_context", "nodus-context-drop-internals", history, "messages", 0) == "U A A U"
    assert kept("nodus_context", "nodus-context-guard", history, "messages", 1) == "U A[c1] T(c1) A U"


def test_nodus_takes_reused_ids_for_one(kept):
    """An id used again in a later turn keeps a call without its result, or a result without its call."""
    pytest.importorskip("nodus_context")
    history = "U A[x] T(x) A U A[x] T(x) A"
    assert kept("nodus_context", "nodus-context-drop-internals", history, "messages", 1) == "U A[x] A U A[x] T(x) A"
    assert kept("nodus_context", "nodus-context-guard", history, "messages", 1) == "U A U T(x) A"


def test_nodus_summarize_splits_pairs(kept):
    """Head and tail are plain slices; the placeholder between them is declared."""
    pytest.importorskip("nodus_context")
    assert kept("nodus_context", "nodus-context-summarize", "U A[c0] T(c0)", "messages", 3) == "U SUM T(c0)"
    assert kept("nodus_context", "nodus-context-summarize", "U A[c0] T(c0)", "messages", 4) == "U A[c0] T(c0)"


def test_tracegc_removes_a_repeated_call_with_its_result(kept):
    """The same call with the same result is there once."""
    pytest.importorskip("tracegc")
    assert kept("tracegc", "tracegc", "U A[c0] T(c0)=same A[c1] T(c1)=same A", "messages", 1) == "U A[c0] T(c0) A"


def test_tracegc_is_deterministic_with_a_cache_of_its_own(outcome):
    """With the cache that all calls share an earlier history changes which value is kept; with a fresh one not."""
    tracegc = pytest.importorskip("tracegc")
    from tracegc.api import _default_semantic_cache

    def values(messages):
        return [message["content"] for message in tracegc.compact(messages).messages]

    two = [{"role": "user", "content": "x = 1"}, {"role": "user", "content": "x = 2"}]
    earlier = [{"role": "user", "content": text} for text in ("a", "b", "c", "x = 1")]
    _default_semantic_cache.clear()
    assert values(two) == ["x = 2"]
    _default_semantic_cache.clear()
    tracegc.compact(earlier)
    assert values(two) == ["x = 1"]
    _default_semantic_cache.clear()
    outcome("tracegc", "tracegc", "U=a U=b U=c U=x_=_1", "messages", 1)
    found = outcome("tracegc", "tracegc", "U=x_=_1 U=x_=_2", "messages", 1)
    assert [message.text for message in found.output] == ["x = 2"]


def test_ctx_slim_leaves_a_stub_in_place(outcome):
    """A stub is known as the result that stood there, and nothing is dropped."""
    pytest.importorskip("context_slim")
    history = f"U A[c0] T(c0)={'x' * 4000} A U"
    found = outcome("ctx_slim", "ctx-slim", history, "messages", 1)
    assert found.sources == (0, 1, 2, 3, 4)
    assert found.output[2].text.startswith("[tool result elided")
    assert found.output[2].call_id == "c0"
    assert not found.mutated


def test_ctx_slim_aligned_leaves_the_beginning_alone(outcome, history_of):
    """Nothing within the first 1,024 tokens is touched."""
    pytest.importorskip("context_slim")
    history = history_of(f"U A[c0] T(c0)={'x' * 400} A U")
    assert outcome("ctx_slim", "ctx-slim-aligned", history, "messages", 1).output == history
