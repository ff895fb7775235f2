"""No provider: the core rules alone. Nothing is enforced, and tools that are not declared are mentioned."""

from ..provider import PackDeclaration
from ..provider_features import APART

DECLARED = (PackDeclaration("neutral", inputs=("valid", "interleaved"), off=APART, mentions={"tools-declared"}),)
