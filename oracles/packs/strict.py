"""All providers at once: every rule that any of them enforces."""

from ..provider import PackDeclaration
from ..provider_features import CHAT, OUTSIDE, STEERS, TAIL

DECLARED = (
    PackDeclaration(
        "strict",
        enforces={
            "provider-executed-pair", "approval-pair", "unique-item-id", "nonempty-message", "tools-declared",
            "signed-reasoning-unmodified", "nonempty-history",
        },
        off=(
            *STEERS, *CHAT, *OUTSIDE, *TAIL, "several_systems", "repeated_roles", "calls_after_text", "call_text",
            "user_after_result",
        ),
    ),
)  # fmt: skip
