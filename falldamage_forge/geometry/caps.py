"""Caps: plates of water, lava and start tiles, each with a stud like any other top."""

from __future__ import annotations

from functools import cache

from falldamage_forge.geometry.connector_standard import LAYER_MM, STANDARD, corner_mm, heads
from falldamage_forge.geometry.csg import Solid, force_evaluation, subtract, translate, union
from falldamage_forge.geometry.design_parameters import DesignParameters
from falldamage_forge.geometry.footprint import cross, outline
from falldamage_forge.geometry.legs import tapered_legs
from falldamage_forge.geometry.loft import extrude
from falldamage_forge.geometry.piece_style import SurfaceFinish
from falldamage_forge.geometry.relief.apply_relief import paving
from falldamage_forge.geometry.stud import all_edges, engrave_top, keyholes, octagon, stud, tops
from falldamage_forge.pieces.piece import Piece

CELLS = ((0, 0),)


def cap(piece: Piece, fit: DesignParameters, finish: SurfaceFinish) -> Solid:
    """Return a cap; it raises its tile by less than 2 mm and accepts all that a tile does."""
    return plate(fit, str(piece["pattern"]), piece.variant)


@cache
def plate(fit: DesignParameters, pattern: str, variant: int = 0) -> Solid:
    """Return the plate, hollow below, on legs whose outside follows the flare of its stud.

    A thin plate has a post in its middle that ends a layer above the tile and limits bending.
    """
    standard, sizes = STANDARD, heads(fit)
    top, skin = standard.cap_mm, fit.cap_skin_mm
    plate = translate(tops(CELLS, fit), z_mm=top) ^ extrude(outline(CELLS, fit), 0.0, top + 1.0)
    half = sizes.throat_mm - fit.wall_mm
    hollow = extrude(octagon(half, max(corner_mm(half, fit), 0.02)), -1.0, top - skin)
    x, y = fit.grid.centre_mm(0, 0)
    legs = tapered_legs(fit, standard.cap_click_mm) ^ translate(stud(fit), z_mm=top)
    bosses, cuts = keyholes(all_edges(CELLS), fit)
    ribs, strokes = paving(CELLS, fit, pattern, variant, skin, bold=True)
    below = bosses + ribs
    if skin < standard.skin_mm:
        below += translate(extrude(cross(fit.wall_mm), LAYER_MM - top, -0.3), x, y)
    body = engrave_top(
        subtract(plate, [translate(hollow, x, y)]),
        translate(below, z_mm=top),
        translate(cuts + strokes, z_mm=top),
    )
    return force_evaluation(union([body, translate(legs, x, y)]))
