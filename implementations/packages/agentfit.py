"""agentfit-py: drop single messages until a budget is met, by one of three strategies; plain OpenAI dicts.

Called as `fit(messages, max_tokens=limit, strategy=...).messages`: `agentfit-py` (drop-oldest, the default),
`agentfit-py-last` (drop-oldest with `preserve_last_n=2`, as its README shows), `agentfit-py-middle` (drop-middle).
Messages carry no priority here, and by that strategy all are equal: it would be drop-oldest again.

Budgets are in agentfit's own tokens, four characters each of text and role and four for a message; a tokenizer can be
given, but sees only those two strings, so that within-limit is not promised here. The docstring promises "never drop
role == 'system'" (keeps-system). OverBudgetError is documented and is the default: a refusal. So is a TypeError for a
negative budget, by its own message. Licence MIT. Reports: none known.
"""

from collections.abc import Callable
from functools import partial
from typing import Any

from ..trimmer import Trimmer
from .shared import CLASSIC_DICTS, about, load, positive_limits, promised

VARIANTS: dict[str, dict[str, Any]] = {
    "agentfit-py": {},
    "agentfit-py-last": {"preserve_last_n": 2},
    "agentfit-py-middle": {"strategy": "drop-middle"},
}


def trimmers() -> list[Trimmer]:
    """Return a trimmer for each setting; raises ImportError without agentfit-py."""
    package = load("agentfit")

    def trim(items: list[Any], limit: int, _count: Callable[[Any], int], *, settings: dict[str, Any]) -> Any:
        return package.fit(items, max_tokens=limit, **settings).messages

    return [
        Trimmer(
            name,
            positive_limits(partial(trim, settings=settings), lowest=0),
            format=CLASSIC_DICTS,
            limits=("tokens",),
            promises=promised("keeps-system"),
            refuses=(package.OverBudgetError,),
            source="https://github.com/MukundaKatta/agentfit-py",
            **about(
                "agentfit-py",
                licence="MIT",
                seen="0.1.0",
                calls=f"fit with {settings}" if settings else "fit with its default settings",
            ),
        )
        for name, settings in VARIANTS.items()
    ]
