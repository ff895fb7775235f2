"""All providers at once: a list that passes here passes everywhere."""

from ..profile import SHAPE_RULES, Profile, ProfileDeclaration

DECLARED = (
    ProfileDeclaration(
        Profile(
            "strict",
            shape=SHAPE_RULES,
            reasoning=True,
            turn_reasoning=True,
            signed=True,
            whole_batch=True,
            need_user=True,
            system_outside=True,
        )
    ),
)
