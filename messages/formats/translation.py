"""Translation: the items of one format as those of another, by way of the plain history.

For trimmers that speak two formats: trimming and then translating should give what translating and then trimming gives.
"""

from collections.abc import Iterable
from typing import Any

from ..errors import CannotCarry
from .features import message_features
from .format import Format
from .items.inline_results import apart


def translate(items: Iterable[Any], source: Format, target: Format) -> list[Any]:
    """Write the items of one format in another, with the normalisations that both list.

    Results beside text in a user message become messages of their own. Raises `CannotCarry` for what the target has no
    place for, blocks that only the source knows among it.
    """
    history = source.read_history(items)
    if source.name == target.name:
        return target.write_items(target.shape(history))
    for index, message in enumerate(history):
        missing = message_features(message) - target.features - {"inline_results"}
        if "parts" in message.extra or missing:
            what = ", ".join(sorted(missing)) or f"these blocks of {source.name}"
            raise CannotCarry(f"{target.name} has no place for {what}", "", index)
    return target.write_items(target.shape(apart(history)))
