"""The wire: JSON between the processes of a run, by an encoder and a decoder that were bound before any trimmer came.

A trimmer shares its process with the worker, and may have put something else in the place of `json.dumps`. It may also
have written into pipes that are not its own, so what cannot be read is an answer too: somebody garbled it.
"""

from json import JSONDecoder, JSONEncoder
from typing import Any, cast

encode = JSONEncoder().encode
_decode = JSONDecoder().decode


class Garbled(Exception):
    """What came over a pipe is not what trimfuzz wrote into it."""


def decode(text: bytes | str) -> Any:
    """Read JSON; raises `Garbled`."""
    try:
        return _decode(text.decode() if isinstance(text, bytes) else text)
    except (ValueError, RecursionError):
        raise Garbled from None


def decode_event(line: bytes) -> dict[str, Any]:
    """Read one event, an object with a name; raises `Garbled`."""
    found = decode(line)
    if not isinstance(found, dict) or not isinstance(cast("dict[str, Any]", found).get("event"), str):
        raise Garbled
    return cast("dict[str, Any]", found)
