"""The museum: small broken trimmers with one planted fault each, the rule that must catch it, and correct trimmers.

`PIECES` show that the rules find what they are for. `CORRECT` are trimmers that careless rules would report. `UNSERVED`
says which providers those cannot serve.
"""

from ..trimmer import Trimmer
from . import (
    compactors,
    conditions,
    conduct,
    correct,
    correct_ways,
    items,
    memories,
    mutations,
    repairs,
    requests,
    shapes,
    windows,
)
from .piece import Piece
from .unserved import UNSERVED, Unserved

PIECES: tuple[Piece, ...] = (
    *windows.shelf,
    *mutations.shelf,
    *conditions.shelf,
    *repairs.shelf,
    *conduct.shelf,
    *shapes.shelf,
    *items.shelf,
    *compactors.shelf,
    *memories.shelf,
    *requests.shelf,
)
"""Every broken trimmer, in the order of the files."""
CORRECT: tuple[Trimmer, ...] = (*correct.shelf, *correct_ways.shelf, *compactors.correct_shelf, *memories.correct_shelf)
"""Every correct one."""

__all__ = ["CORRECT", "PIECES", "UNSERVED", "Piece", "Unserved"]
