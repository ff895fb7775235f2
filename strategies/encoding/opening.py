"""The header: what the first byte chooses for the whole history.

The input class, how the history opens, whether results carry the tool's name, and what is put at the end of a history
that its ops have not made what it should be. The first header of each class is the simplest one.
"""

from typing import TypeAlias

from attrs import field, frozen

from ...messages.reading.pairing import InputClass
from .byte_table import INTERLEAVED_ENDS, MALFORMED_ENDS, allowed_in, resolve, table
from .catalogue import DraftChange
from .features import Features

SHARES: dict[InputClass, int] = {"valid": 128, "pending": 38, "interleaved": 51, "malformed": 39}
"""How many of the 256 header bytes choose each input class, when all are wanted."""

Opening: TypeAlias = tuple[tuple[str, ...], bool]
"""The roles of the leading system messages, and whether the conversation must begin with a user message."""
OPENINGS: tuple[Opening, ...] = (
    ((), True),
    ((), True),
    (("system",), True),
    (("system",), True),
    ((), True),
    (("developer",), True),
    (("system",), True),
    (("system", "developer"), True),
)
LOOSE_OPENINGS: tuple[Opening, ...] = (
    ((), False),
    ((), True),
    (("system",), True),
    (("system",), False),
    ((), True),
    (("developer",), True),
    (("system",), True),
    (("system", "system"), True),
)
"""Those of interleaved and malformed histories."""


@frozen
class Header:
    """What one header byte chooses.

    `name` is that of the tool, where results carry it. `tail` is the number of calls that a pending history adds, if it
    must; in interleaved and malformed ones it says whether a batch may stay open at the end. `breaker` is the op that
    makes such a history what it should be, if nothing else has.
    """

    input_class: InputClass
    table: tuple[DraftChange, ...] = field(repr=False)
    roles: tuple[str, ...]
    auto_user: bool
    name: str | None
    tail: int
    breaker: DraftChange | None = field(repr=False)


def headers(features: Features, wanted: list[InputClass], *, marks: bool) -> tuple[Header, ...]:
    """Return what each of the 256 header bytes chooses; the classes that are wanted share them."""
    total = sum(SHARES[name] for name in wanted)
    found: list[Header] = []
    share = 0
    for name in wanted:
        share += SHARES[name]
        found.extend(_of_class(features, name, round(256 * share / total) - len(found), marks))
    return tuple(found)


def possible(features: Features, input_class: InputClass) -> bool:
    """Say whether histories of a class can be made with some features."""
    if input_class == "pending":
        return features.open_tail and (features.ends_on_call or (features.parallel and features.ends_on_result))
    if input_class in ("interleaved", "malformed"):
        return bool(_breakers(features, input_class))
    return True


def _breakers(features: Features, input_class: InputClass) -> list[DraftChange]:
    names = {"interleaved": INTERLEAVED_ENDS, "malformed": MALFORMED_ENDS}.get(input_class, ())
    allowed = allowed_in(features, input_class)
    return [op.run for op in (resolve(name, allowed) for name in names) if op.name in names]


def _of_class(features: Features, input_class: InputClass, count: int, marks: bool) -> list[Header]:
    runs = table(features, input_class, marks=marks)
    breakers = _breakers(features, input_class)
    loose = input_class in ("interleaved", "malformed")
    stays_open = features.abandoned and features.open_tail and features.ends_on_call and features.ends_on_result
    found: list[Header] = []
    for offset in range(count):
        roles, auto_user = (LOOSE_OPENINGS if loose else OPENINGS)[offset % 8]
        rest = offset // 8
        tail = rest % 3 == 2 and stays_open if loose else 1 + rest % 3 if features.parallel else 1
        found.append(
            Header(
                input_class,
                runs,
                _opening(roles, features),
                auto_user or not features.opens_on_assistant,
                "f" if features.tool_names and (rest % 2 or not features.unnamed_results) else None,
                int(tail),
                breakers[rest % len(breakers)] if breakers else None,
            )
        )
    return found


def _opening(roles: tuple[str, ...], features: Features) -> tuple[str, ...]:
    kept = tuple(role for role in roles if getattr(features, role))
    if not kept and not features.no_system:
        kept = ("system",) if features.system else ("developer",) if features.developer else ()
    return kept if features.several_systems else kept[:1]
