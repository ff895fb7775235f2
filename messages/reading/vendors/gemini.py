"""Google Gemini and Vertex. Thought signatures need not come back before Gemini 3, and must come back unchanged since.

The flag `signed` is that of `gemini@3` alone: a signature belongs to a part, and under the bare name an edit of another
part of the message would be blamed.
"""

from ..profile import Profile, ProfileDeclaration

DECLARED = (
    ProfileDeclaration(
        Profile(
            "gemini",
            shape={"call-turn-after-user-or-result", "result-turn-only-results"},
            reasoning=True,
            whole_batch=True,
            system_outside=True,
        ),
        {"2.5": {"reasoning": False}, "3": {"signed": True}},
    ),
)
