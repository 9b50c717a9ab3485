"""Caps: plates of water, lava and start markers, each with a stud like any other top.

Water and lava that go on in the next tile have no groove there: a strip carries them to the tile's
outline. A start marker has a socket for the disc of its side.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from falldamage_forge.geometry.connector_standard import LAYER_MM, STANDARD, corner_mm, heads
from falldamage_forge.geometry.csg import Solid, force_evaluation, subtract, translate, union
from falldamage_forge.geometry.design_parameters import DesignParameters
from falldamage_forge.geometry.footprint import cross, outline, square
from falldamage_forge.geometry.legs import tapered_legs
from falldamage_forge.geometry.loft import RELIEF, extrude, loft_profile, prism
from falldamage_forge.geometry.piece_style import SurfaceFinish
from falldamage_forge.geometry.relief.apply_relief import keep_of
from falldamage_forge.geometry.relief.groove_solids import groove_solids
from falldamage_forge.geometry.relief.top_patterns import tile_pattern
from falldamage_forge.geometry.sign_disc import socket
from falldamage_forge.geometry.stud import (
    engrave_top,
    head_profile,
    keyholes,
    octagon,
    stud,
    tops,
)
from falldamage_forge.pieces.piece import Piece
from falldamage_forge.pieces.variants import BANKS, open_sides
from falldamage_forge.printing.process import USUAL_TIP_MM

CELLS = ((0, 0),)
SOCKETED = "roundel"
"""Pattern of a start marker, whose middle is the socket of a disc."""
STRIP_MM = 0.72
"""Thickness of the strip that carries a flow to its tile's outline."""
FLOWING = (6, 3, 3, 6, 3)
"""Numbers of the drawings of variants without some grooves. With others a slicer lays lines in the
air, where a gap meets a shore at an acute angle."""


def cap(piece: Piece, fit: DesignParameters, finish: SurfaceFinish) -> Solid:
    """Return a cap; it raises its tile by less than 2 mm and accepts all that a tile does.

    Nothing enters the sides on which its flow goes on.

    Args:
        piece: Piece to draw, with its grid and parameters.
        fit: Design parameters of the printer and grid, in mm.
        finish: Looks of its sides and top.
    """
    opened = open_sides(piece)
    number = FLOWING[piece.variant - len(BANKS)] if opened else piece.variant
    return plate(fit, str(piece["pattern"]), number, opened)


@cache
def plate(
    fit: DesignParameters, pattern: str, variant: int = 0, opened: tuple[int, ...] = ()
) -> Solid:
    """Return the plate, hollow below, on legs whose outside follows the flare of its stud.

    A thin plate has a post in its middle that ends a layer above the tile and limits bending; the
    disc of a start marker stands on the tile instead.

    Args:
        fit: Gaps of the printer.
        pattern: Name of the top's pattern.
        variant: Number of its drawing.
        opened: Sides without a groove.
    """
    standard, sizes = STANDARD, heads(fit)
    top, skin = standard.cap_mm, fit.cap_skin_mm
    whole = outline(CELLS, fit)
    plate = translate(tops(CELLS, fit), z_mm=top) ^ extrude(whole, 0.0, top + 1.0)
    half = sizes.throat_mm - fit.wall_mm
    hollow = extrude(octagon(half, max(corner_mm(half, fit), 0.02)), -1.0, top - skin)
    x, y = fit.grid.centre_mm(0, 0)
    if opened:
        plate += translate(_strip(fit, opened), x, y, top)
    legs = tapered_legs(fit, standard.cap_click_mm) ^ translate(stud(fit), z_mm=top)
    closed = [(CELLS[0], side) for side in range(4) if side not in opened]
    bosses, cuts = keyholes(closed, fit)
    # Strokes of full width even on a thin skin.
    keep = replace(keep_of(fit, skin), thin=False, tip_mm=USUAL_TIP_MM, open_sides=opened)
    ribs, strokes = groove_solids(tile_pattern(pattern, variant, 0, 0, keep), skin, fit.one_line)
    below = bosses + (translate(ribs, x, y) ^ extrude(whole, -top, 0.0))
    if pattern == SOCKETED:
        collar, bore = socket(fit)
        below += translate(collar, x, y, -top)
        cuts += translate(bore, x, y, -top)
    elif skin < standard.skin_mm:
        below += translate(extrude(cross(fit.wall_mm), LAYER_MM - top, -0.3), x, y)
    body = engrave_top(
        subtract(plate, [translate(hollow, x, y)]),
        translate(below, z_mm=top),
        translate(cuts + translate(strokes, x, y), z_mm=top),
    )
    return force_evaluation(union([body, translate(legs, x, y)]))


def _strip(fit: DesignParameters, opened: tuple[int, ...]) -> Solid:
    """Return the top layers of a stud that ends at its tile's outline on some sides.

    It lies about (0, 0), its top at z = 0.
    """
    import shapely

    sizes, far = heads(fit), fit.grid.pitch_mm
    north, east, south, west = (far if side in opened else sizes.top_mm for side in range(4))
    profile = [(z, sizes.top_mm - half) for z, half in reversed(head_profile(fit)[:-2])]
    stone = loft_profile(shapely.box(-west, -south, east, north), profile)
    return stone ^ prism(square(sizes.outline_mm), -STRIP_MM, 0.0, high=RELIEF)
