"""Google Gemini and Vertex. Thoughts need not come back.

Since Gemini 3 the signature of a call must, unchanged, while its turn is running: that is the flag of `gemini@3` alone.
"""

from ..profile import Profile, ProfileDeclaration

DECLARED = (
    ProfileDeclaration(
        Profile(
            "gemini",
            shape={"call-turn-after-user-or-result", "result-turn-only-results"},
            whole_batch=True,
            system_outside=True,
        ),
        {"2.5": {}, "3": {"signed_calls": True}},
    ),
)
