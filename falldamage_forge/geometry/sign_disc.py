"""Sign disc: the round stone with a side's sign, turned into a start marker from below.

Three lugs of the disc pass three gaps in the marker's socket. A sixth of a turn brings them over
the socket's lips: nothing bends. Disc and socket have one profile; the socket is wider by the
printer's fit. The disc stands on the tile, so that it lies flush at every play. Both are
printed face down. Solids are about (0, 0), z = 0 the tile, and one size fits all tiles.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

from falldamage_forge.geometry.connector_standard import LAYER_MM, STANDARD
from falldamage_forge.geometry.csg import Solid, subtract, translate, union
from falldamage_forge.geometry.design_parameters import DesignParameters
from falldamage_forge.geometry.loft import FLARE, RELIEF, extrude, loft_profile, prism
from falldamage_forge.geometry.piece_style import SurfaceFinish
from falldamage_forge.geometry.relief.apply_relief import keep_of
from falldamage_forge.geometry.relief.groove_solids import groove_solids
from falldamage_forge.geometry.relief.top_patterns import tile_pattern
from falldamage_forge.geometry.stud import LINES_MM, SUNK_MM
from falldamage_forge.geometry.terrain_features import on_tile
from falldamage_forge.lengths import GRID
from falldamage_forge.pieces.piece import Piece
from falldamage_forge.pieces.start_signs import DISC_MM
from falldamage_forge.printing.process import USUAL_TIP_MM

if TYPE_CHECKING:
    from shapely.geometry.base import BaseGeometry

LUGS = 3
LUG_DEG, GAP_DEG = 30.0, 38.0
"""Width of a lug, and of the gap that it passes."""
TURN_DEG = 180.0 / LUGS
"""Turn from where the lugs pass the gaps to the middle of the lips."""
LUG_LAYERS = 3
CREST_MM = 3.5 * LAYER_MM
"""Height of a lug's crest: the middle of a layer, where a slicer cuts it."""
RISE_MM = LUG_LAYERS * LAYER_MM
LUG_MM = RISE_MM * STANDARD.flare
"""Reach of a lug, as steep as the flare of a stud above and below."""


def disc(piece: Piece, fit: DesignParameters, finish: SurfaceFinish) -> Solid:
    """Return the disc as it lies in its marker, hollow below, with a bar to turn it by.

    Args:
        piece: Piece to draw, with its grid and parameters.
        fit: Design parameters of the printer and grid, in mm.
        finish: Looks of its sides and top.
    """
    import shapely

    top, skin = STANDARD.cap_mm, fit.cap_skin_mm
    body = prism(_circle(DISC_MM), 0.0, top, high=RELIEF)
    lugs = _ridge(DISC_MM) ^ extrude(_sectors(DISC_MM + LUG_MM, LUG_DEG, 0.0), 0.0, top)
    inside = _circle(DISC_MM - LINES_MM)
    bar = shapely.box(-DISC_MM, -LINES_MM / 2, DISC_MM, LINES_MM / 2)
    room = extrude(shapely.difference(inside, bar), -1.0, top - skin)
    keep = replace(keep_of(fit.on(GRID), skin), thin=False, tip_mm=USUAL_TIP_MM)
    ribs, strokes = groove_solids(
        tile_pattern(str(piece["sign"]), 0, 0, 0, keep), skin, fit.one_line
    )
    hollow = subtract(union([body, lugs]), [room])
    solid = union([hollow, translate(ribs, z_mm=top)])
    return on_tile(subtract(solid, [translate(strokes, z_mm=top)]), fit)


def socket(fit: DesignParameters) -> tuple[Solid, Solid]:
    """Return (the collar to add, the tool to cut from it) of a disc's socket."""
    top, wide = STANDARD.cap_mm, DISC_MM + fit.fit_mm
    collar = extrude(_circle(wide + LUG_MM + LINES_MM), 0.0, top - SUNK_MM)
    bore = prism(_circle(wide), -1.0, top, high=FLARE, beyond_mm=1.0)
    gaps = extrude(_sectors(wide + LUG_MM, GAP_DEG, TURN_DEG), -1.0, CREST_MM)
    return collar, union([bore, _ridge(wide), gaps])


def _ridge(radius_mm: float) -> Solid:
    """Return a disc with the ridge of lugs all round, its flanks going on into the disc."""
    far = RISE_MM + LAYER_MM
    inset = LAYER_MM * STANDARD.flare
    profile = [(CREST_MM - far, inset), (CREST_MM, -LUG_MM), (CREST_MM + far, inset)]
    return loft_profile(_circle(radius_mm), profile)


def _circle(radius_mm: float) -> BaseGeometry:
    import shapely

    return shapely.Point(0, 0).buffer(radius_mm, quad_segs=24)


def _sectors(radius_mm: float, span_deg: float, from_deg: float) -> BaseGeometry:
    """Return as many sectors as there are lugs, a little longer than the radius of a circle."""
    import shapely

    far = 1.01 * radius_mm

    def sector(middle_deg: float) -> BaseGeometry:
        angles = [math.radians(middle_deg + span_deg * (step / 8 - 0.5)) for step in range(9)]
        return shapely.Polygon([(0, 0), *((far * math.cos(a), far * math.sin(a)) for a in angles)])

    around = [sector(from_deg + 360.0 / LUGS * number) for number in range(LUGS)]
    return shapely.intersection(shapely.union_all(around), _circle(radius_mm))
