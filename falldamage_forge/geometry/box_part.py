"""Parts made of boxes, which elements declare."""

from __future__ import annotations

import json
from itertools import product

from falldamage_forge.geometry.csg import GeometryError, Solid, hull, union
from falldamage_forge.geometry.design_parameters import DesignParameters
from falldamage_forge.geometry.piece_style import SurfaceFinish
from falldamage_forge.pieces.element_parts import BUILDER
from falldamage_forge.pieces.piece import Piece


def _boxes(piece: Piece) -> list[list[float]]:
    boxes: list[list[float]] = json.loads(str(piece[BUILDER]))
    return boxes


def boxes(piece: Piece, fit: DesignParameters, finish: SurfaceFinish) -> Solid:
    """Return the union of a part's boxes.

    Args:
        piece: Piece with corners (row, col, level) from the north-west corner of its tile.
        fit: Design parameters; the grid gives the size of tiles and levels.
        finish: Unused; boxes have no relief.

    Raises:
        GeometryError: If the part has no boxes.
    """
    own, pitch = _boxes(piece), fit.grid.pitch_mm
    if not own:
        raise GeometryError(f"`{piece.key}` has no boxes")
    return union(
        hull(
            [
                (col * pitch, -row * pitch, level * fit.grid.rise_mm)
                for row, col, level in product((r0, r1), (c0, c1), (z0, z1))
            ]
        )
        for r0, c0, z0, r1, c1, z1 in own
    )


def bed_mm(piece: Piece, fit: DesignParameters) -> float:
    """Return the height of a part's lowest face in mm."""
    return min(box[2] for box in _boxes(piece)) * fit.grid.rise_mm
