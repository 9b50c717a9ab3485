"""Builders of loose pieces: tokens."""

from __future__ import annotations

from typing import TYPE_CHECKING

from falldamage_forge.geometry.csg import Solid, subtract
from falldamage_forge.geometry.design_parameters import DesignParameters
from falldamage_forge.geometry.engraved_text import sign_outline
from falldamage_forge.geometry.loft import RELIEF, extrude, prism
from falldamage_forge.geometry.piece_style import SurfaceFinish
from falldamage_forge.geometry.terrain_features import on_tile
from falldamage_forge.pieces.piece import Piece

if TYPE_CHECKING:
    from shapely.geometry.base import BaseGeometry

SIGN_DEPTH_MM = 0.48
TOKEN_MM, TOKEN_RADIUS_MM = 1.92, 10.4


def _disc(radius_mm: float) -> BaseGeometry:
    import shapely

    return shapely.Point(0, 0).buffer(radius_mm, quad_segs=16)


def token(piece: Piece, fit: DesignParameters, finish: SurfaceFinish) -> Solid:
    """Return a round token with an engraved sign: hidden item, push, spring trap."""
    top = TOKEN_MM
    engraving = extrude(sign_outline(str(piece["sign"]), 6.0, 0.9), top - SIGN_DEPTH_MM, top + 1.0)
    return on_tile(subtract(prism(_disc(TOKEN_RADIUS_MM), 0.0, top, high=RELIEF), [engraving]), fit)
