"""The reference trimmer: return the best legal trim that the oracles compute.

The only module of `implementations` that imports oracles. It breaks no rule of its profile and keeps the newest
messages that are legal. Other trimmers are compared with it, and a finding against it is a bug of trimfuzz.
"""

from typing import Any

from attrs import evolve

from ..messages.cases import Case, Example
from ..messages.formats.counting import Count
from ..messages.formats.neutral import FORMAT as NEUTRAL_FORMAT
from ..messages.limits import Limit, LimitKind, cost_of
from ..messages.model import Message
from ..messages.reading.profile import Profile
from ..messages.reading.profiles import NEUTRAL
from ..oracles.best.best import ref
from .trimmer import TrimCall, Trimmer

KINDS: tuple[LimitKind, ...] = ("messages", "tokens", "turns")

PROMISES = dict.fromkeys(
    (
        "within-limit", "identity-under-limit", "refuses-only-when-needed", "nonempty-history", "order-preserved",
        "content-intact", "nothing-invented", "real-result-not-dropped", "keeps-system", "keeps-pinned", "idempotent",
        "deterministic", "monotone",
    ),
    1.0,
)  # fmt: skip
UTILISATION = 0.75
"""It keeps the newest, not the most: a large unit that it skips can leave room."""


class NothingLegal(Exception):
    """No legal trim is within the limit: what must stay is too much."""


def _call(kind: LimitKind, profile: Profile) -> TrimCall:
    last: list[Example] = []

    def trim(items: list[Message], limit: int, count: Count) -> list[Message]:
        history = tuple(items)
        if not last or last[0].history != history:
            last[:] = [Example(history, profile=profile, cost=cost_of(kind, count))]
        kept = ref(Case(last[0], Limit(kind, limit)))
        if kept is None:
            raise NothingLegal("no legal trim is within the limit")
        return [items[index] for index in kept]

    return trim


def reference(profile: Profile = NEUTRAL, **fields: Any) -> Trimmer:
    """Return the reference trimmer under a provider's profile; `fields` replace those of the `Trimmer`."""
    calls: dict[LimitKind, TrimCall] = {kind: _call(kind, profile) for kind in KINDS}
    trimmer = Trimmer(
        "reference",
        calls["messages"],
        format=evolve(NEUTRAL_FORMAT, provider=profile.name),
        limits=KINDS,
        promises={**PROMISES, "utilisation": UTILISATION},
        refuses=(NothingLegal,),
        per_kind=calls,
        marks=True,
        story="The best legal trim by the definitions of this suite; MIT.",
    )
    return evolve(trimmer, **fields)
