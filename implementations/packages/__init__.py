"""Adapters to packages on PyPI: one module each, which calls the package as its documentation says.

A module offers `trimmers() -> list[Trimmer]` and imports its package inside that function only. So importing the module
costs nothing, and a missing package raises ImportError there and nowhere else. `MODULES` lists the modules. The extras
`adapters` and `adapters-more` install their packages. An adapter promises what the documentation of the installed
version promises; its docstring says where.
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
