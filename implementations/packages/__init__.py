"""Adapters to real packages from PyPI: each in a small file of its own, each called as its own documentation says.

A module here offers `trimmers() -> list[Trimmer]` and imports its package inside that function alone, so that
importing the module costs nothing and a package that is not installed raises ImportError there and nowhere else.
`MODULES` names them. The extras `adapters` and `adapters-more` install what they need. What an adapter promises is
what the documentation of the installed version promises, and its opening docstring says where.
"""

LIGHT = (
    "langchain_core",
    "ctx_compact",
    "tool_call_repair",
    "turnsafe",
    "chatfit",
    "agentfit",
    "prompt_token_trim",
    "agentic_context_compaction",
    "contextclip",
    "nodus_context",
    "tracegc",
    "ctx_slim",
)
"""Modules whose packages the extra `adapters` installs: langchain-core, and small ones without dependencies."""

MORE = (
    "langchain_middleware",
    "pydantic_ai",
    "openai_agents_context_compaction",
    "agent_framework",
    "ag2",
    "haystack",
)
"""Modules whose packages the extra `adapters-more` installs: parts of whole frameworks."""

MODULES: tuple[str, ...] = LIGHT + MORE
"""Every module of this package that offers `trimmers()`."""
