"""Tone changes: the height at which a part goes from its first colour to that of its body.

Tops lie on the bed: they keep their colour below the height at which a piece's wall begins, so that
no wall has a band (`FamilyRole.first_mm`). Trees stand upright: knoll and trunk have the first
colour. Other pieces have one colour, because they stand upright, would show a band, or are paved
among tops of turf.
"""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING, Literal

from falldamage_forge.board.tones import PALETTES, Tone
from falldamage_forge.infra.lazy_dataclass import dataclass
from falldamage_forge.pieces.family_roles import role_of
from falldamage_forge.printing.estimate_model import PrintStatistics
from falldamage_forge.printing.layer_ranges import layer_ranges, layer_tops

if TYPE_CHECKING:
    from falldamage_forge.pieces.piece import Piece
    from falldamage_forge.printing.process import Process

ChangeBy = Literal["ams", "pause"]
"""Means of a change in Bambu Studio and OrcaSlicer: without an AMS a tool change does nothing."""

COST = PrintStatistics(1.5, 4.0)
"""Filament and time of one change at most: purging, or a pause in which the spool is changed."""


@dataclass(frozen=True, slots=True)
class ToneChange:
    """The change on a plate, from a tone to the filament of the group `body`.

    `first_mm` is the height of the first colour, `print_z_mm` the top of the first layer after it.
    """

    tone: Tone
    body: str
    first_mm: float
    print_z_mm: float


def first_height_mm(piece: Piece) -> float | None:
    """Return the greatest height of a piece's first colour; None for a piece of one colour."""
    role = role_of(piece.family)
    if role.first_share is not None:
        return role.first_share * piece.grid.height_mm(piece.levels)
    return role.first_mm


def tone_of(piece: Piece, tops: str) -> Tone | None:
    """Return the tone in which a piece begins; None for a piece of one colour.

    Args:
        piece: The piece.
        tops: Key of `PALETTES`; empty for none.
    """
    if first_height_mm(piece) is None:
        return None
    return next((tone for tone in PALETTES.get(tops, ()) if piece.group in tone.groups), None)


def change_of(piece: Piece, tops: str, body: str, process: Process) -> ToneChange | None:
    """Return the change in the middle of a piece, between two layers of its process.

    Args:
        piece: The piece.
        tops: Key of `PALETTES`; empty for none.
        body: Group whose filament the piece is printed in.
        process: Gives the layers.
    """
    tone, height_mm = tone_of(piece, tops), first_height_mm(piece)
    if tone is None or height_mm is None:
        return None
    # A part of a layer counts as none: the wall may begin right above the height of the table.
    return ToneChange(tone, body, *layers_at(piece, height_mm, process))


def layers_at(piece: Piece, height_mm: float, process: Process) -> tuple[float, float]:
    """Return the tops in mm of the last layer up to a height and of the layer after it.

    Args:
        piece: The piece as it lies on the bed.
        height_mm: Height above the bed.
        process: Gives the layers.
    """
    whole_mm = piece.grid.height_mm(piece.levels)
    ranges = layer_ranges(piece, whole_mm, process)
    layer_mm = process.way(piece.group).layer_mm
    ends = layer_tops(max(whole_mm, height_mm) + 1.0, process.first_layer_mm, layer_mm, ranges)
    last = max(bisect_right(ends, height_mm + 1e-6), 1)
    return ends[last - 1], ends[last]


def with_change(figures: PrintStatistics) -> PrintStatistics:
    """Return the statistics of a plate with one change."""
    return PrintStatistics(figures.grams + COST.grams, figures.minutes + COST.minutes)
