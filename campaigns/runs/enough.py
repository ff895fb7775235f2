"""Enough: what must have been judged before "nothing found" is a verdict, and not silence.

All public cases that the format can carry, and a hundred generated histories of valid or pending input, or all that
were asked for. Where that was not reached, the reason names the time that would do.
"""

from math import ceil

from attrs import frozen

ENOUGH_HISTORIES = 100
"""Generated histories of valid or pending input that must have been judged."""
ENOUGH_SESSIONS = 100
"""Sessions that must have been played."""
_MARGIN = 1.5
"""How much more than the time so far promised is named, since machines are not steady."""


@frozen
class Explored:
    """What came of one phase of a search: how many examples were tried, and how many of them count.

    `complete`: it came to its end, all that was asked for was tried. `total` is how many there are, if it is known.
    """

    examples: int = 0
    judged: int = 0
    complete: bool = False
    total: int | None = None


def lacking(
    known: Explored | None, generated: Explored, *, enough: int, what: str, bound: float, option: str = "--seconds"
) -> str:
    """Say in one sentence what too little was judged of; empty where it was enough.

    `known` are the public cases, `generated` what was drawn, of which `enough` are wanted and called `what`. `bound` is
    the time that the search had, 0 for no bound, by which `option`.
    """
    short: list[str] = []
    missing = 0.0
    if known is not None and not known.complete:
        short.append(f"{known.examples} of {known.total} public cases" if known.total else "not all public cases")
        missing += (known.total or known.examples + 1) - known.examples
    if not generated.complete and generated.judged < enough:
        short.append(f"{generated.judged} of {enough} {what}")
        counting = generated.judged / generated.examples if generated.judged else 0.5
        missing += (enough - generated.judged) / counting
    if not short:
        return ""
    done = generated.examples + (known.examples if known is not None else 0)
    said = f"too little was judged: {', '.join(short)}"
    if bound <= 0:
        return f"{said}; it hung or ended its process too often"
    wanted = bound * (1 + missing * _MARGIN / max(done, 1))
    return f"{said}; {option} {ceil(wanted)} would do"
