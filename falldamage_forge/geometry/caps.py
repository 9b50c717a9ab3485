"""Caps: plates of water, lava and starts on a tile, each with a head like any other top."""

from __future__ import annotations

from functools import cache

from falldamage_forge.geometry.finish.apply import paving
from falldamage_forge.geometry.fits import Fit
from falldamage_forge.geometry.head import (
    all_edges,
    engraved,
    head,
    keyholes,
    octagon,
    tops,
)
from falldamage_forge.geometry.legs import haunched
from falldamage_forge.geometry.loft import extrude
from falldamage_forge.geometry.solids import Solid, cut, made, moved, union
from falldamage_forge.geometry.standard import LAYER_MM, STANDARD, corner_mm, heads
from falldamage_forge.geometry.style import Finish
from falldamage_forge.geometry.tiles import cross, outline
from falldamage_forge.pieces.model import Piece

CELLS = ((0, 0),)


def cap(piece: Piece, fit: Fit, finish: Finish) -> Solid:
    """A cap; it raises its tile by less than two millimetres and takes all that a tile takes."""
    return plate(fit, str(piece["pattern"]), piece.variant)


@cache
def plate(fit: Fit, pattern: str, variant: int = 0) -> Solid:
    """The plate, hollow below, on legs whose outside follows the flare, for it prints top down.

    A thin one has a post in its middle, which ends a layer above the tile: a thumb does not bend it
    further than that.
    """
    standard, sizes = STANDARD, heads(fit)
    top, skin = standard.cap_mm, fit.cap_skin_mm
    plate = moved(tops(CELLS, fit), z_mm=top) ^ extrude(outline(CELLS, fit), 0.0, top + 1.0)
    half = sizes.throat_mm - fit.wall_mm
    hollow = extrude(octagon(half, max(corner_mm(half, fit), 0.02)), -1.0, top - skin)
    x, y = fit.grid.centre_mm(0, 0)
    legs = haunched(fit, standard.cap_click_mm) ^ moved(head(fit), z_mm=top)
    bosses, cuts = keyholes(all_edges(CELLS), fit)
    ribs, strokes = paving(CELLS, fit, pattern, variant, skin, bold=True)
    below = bosses + ribs
    if skin < standard.skin_mm:
        below += moved(extrude(cross(fit.wall_mm), LAYER_MM - top, -0.3), x, y)
    body = engraved(
        cut(plate, [moved(hollow, x, y)]),
        moved(below, z_mm=top),
        moved(cuts + strokes, z_mm=top),
    )
    return made(union([body, moved(legs, x, y)]))
