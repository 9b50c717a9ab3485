"""Decks: plank bridges and arches, that hang by blades in the keyholes of what they join.

A deck's cells are heads like any other top, so that everything may stand on them; between two
cells the planks run on over the groove's middle. Printed top down.
"""

from __future__ import annotations

import math
from functools import cache
from typing import TYPE_CHECKING

from falldamage_forge.geometry.finish.apply import paving
from falldamage_forge.geometry.fits import Fit
from falldamage_forge.geometry.head import (
    INSIDE_MM,
    all_edges,
    engraved,
    hollows,
    keyhole,
    keyholes,
    tops,
)
from falldamage_forge.geometry.loft import RELIEF, extrude, prism
from falldamage_forge.geometry.solids import Solid, cut, made, moved, swept, union
from falldamage_forge.geometry.standard import LAYER_MM, STANDARD, heads, places
from falldamage_forge.geometry.style import Finish
from falldamage_forge.geometry.tiles import Cells, grown, outline, split_edges
from falldamage_forge.pieces.model import Piece

if TYPE_CHECKING:
    from shapely.geometry.base import BaseGeometry

PLANK_MM = 0.96
"""How thick planks are where they run on over a groove."""
BEAM_AT_MM = 4.2
"""Two inner beams lie so far from a deck's middle line."""
ARCH_THICKER_MM, RISE = 0.38, 1.24
"""How much thicker an arch's sides are than other walls, and how steeply they become so."""
BLADE_STEPS = ((0.48, 0.68, 0.42), (0.70, 0.46, 0.42))
"""(depth, half width of the bulb, of the neck) of a blade: a keyhole's, less 0.12 on each side."""
FOOT_STEPS = ((0.24, 0.64, 0.42), (0.46, 0.38, 0.36))
"""The same for a ladder's foot, which stands in shallow keyholes as well."""
LIP_LOW_MM = LAYER_MM - STANDARD.skirt_mm
"""A lip ends a layer above the skirts that stand in the same groove."""
NEARER_MM = 0.02
"""So much nearer to its keyhole a bulb's end may come to lie on a layer."""
LOOSER_MM = 0.03
"""Blades are that much nearer to their keyholes than skirts to heads: they must not wag."""


def blade_slack_mm(fit: Fit) -> float:
    """How much slimmer than `BLADE_STEPS` blades are at a fit."""
    return min(max(fit.fit_mm - 0.15, -0.06), 0.06)


def bulb_ends_mm(fit: Fit, bed_mm: float | None = None) -> tuple[float, float]:
    """Where a blade's bulb begins and has its shoulder, from the middle of the tile it enters.

    Of a part that is printed lying, `bed_mm` is where the bed is: both ends then lie on layers,
    so that a layer that is drawn whole does not fill the keyhole.
    """
    at = places(fit)
    low, high = at.bulb_from_mm + fit.fit_mm, at.bulb_to_mm - (fit.fit_mm - LOOSER_MM)
    if bed_mm is None:
        return low, high
    first = math.ceil(round((low - NEARER_MM - bed_mm) / LAYER_MM, 6))
    last = math.floor(round((high + NEARER_MM - bed_mm) / LAYER_MM, 6))
    return bed_mm + first * LAYER_MM, bed_mm + last * LAYER_MM


def blades(
    fit: Fit,
    steps: tuple[tuple[float, float, float], ...] = BLADE_STEPS,
    *,
    to_mm: float,
    bed_mm: float | None = None,
) -> Solid:
    """The two blades that enter the keyholes of a tile's north edge, round (0, 0), top at z = 0.

    `bed_mm` is where the bed is, along y, of a part that is printed lying.
    """
    import shapely

    slack, at = blade_slack_mm(fit), places(fit)
    half, (low, high) = at.half_mm, bulb_ends_mm(fit, bed_mm)
    room = shapely.box(-half, low, half, high)
    parts = []
    for depth, bulb, neck in steps:
        wide = shapely.intersection(keyhole(fit, bulb - slack, 0.0), room)
        thin = shapely.box(-half, high - 0.1, half, to_mm)
        shape = shapely.union(wide, shapely.intersection(keyhole(fit, 0.0, neck - slack), thin))
        parts.append(extrude(shape, -depth, 0.0))
    return union(parts)


def lip(fit: Fit, to_mm: float) -> Solid:
    """What fills the neighbour's half of the groove round the blades, round (0, 0)."""
    import shapely

    half = places(fit).side_half_mm
    shape = shapely.box(-half, heads(fit).skirt_mm, half, to_mm)
    return prism(shape, LIP_LOW_MM, 0.0, high=RELIEF)


def plank_bridge(piece: Piece, fit: Fit, finish: Finish) -> Solid:
    """A straight deck, west to east, hung at both ends in its supports' keyholes."""
    return deck(piece.footprint, fit, finish.top, piece.variant)


def arch_bridge(piece: Piece, fit: Fit, finish: Finish) -> Solid:
    """A deck on two side walls that end below in one pointed arch over the whole span.

    Printed top down the walls grow upward, so the arch needs no support however flat it is.
    """
    import shapely

    cells = piece.footprint
    gap = fit.side_mm
    length = len(cells) * fit.grid.pitch_mm
    half = length / 2
    deep = places(fit).arch_mm
    rise = deep - STANDARD.deck_mm
    curve = []
    for index in range(13):
        share = index / 12
        lift = rise * (0.7 * (2 * share - share * share) + 0.3 * share)
        curve.append((gap + 1.6 + share * (half - gap - 1.6), lift - deep))
    arch = [*curve, *((length - x, z) for x, z in reversed(curve[:-1]))]
    join = -STANDARD.pit_depth_mm - 3 * LAYER_MM
    sheet = shapely.Polygon(
        [(gap, join), (gap, -deep), *arch, (length - gap, -deep), (length - gap, join)]
    )
    sheet = swept(extrude(sheet, 0.0, fit.wall_mm + ARCH_THICKER_MM), "y")
    side = moved(sheet, y_mm=-gap) ^ _leaning(length, join, fit)
    other = side.rotate((0, 0, 180)).translate((length, -fit.grid.pitch_mm, 0.0))
    return union([deck(cells, fit, finish.top, piece.variant), side, other])


def _leaning(length: float, top: float, fit: Fit) -> Solid:
    """The room of an arch's northern side: at its top as thick as the deck's wall, then thicker.

    A ledge between the two would ask for supports.
    """
    import shapely

    inner = -fit.side_mm - fit.wall_mm + INSIDE_MM
    thick = inner - INSIDE_MM - ARCH_THICKER_MM
    low = top - (inner - thick) * RISE
    points = [(1.0, top), (inner, top), (thick, low), (thick, -40.0), (1.0, -40.0)]
    return swept(extrude(shapely.Polygon(points), -1.0, length + 1.0), "x")


@cache
def deck(cells: Cells, fit: Fit, pattern: str = "bare", variant: int = 0) -> Solid:
    """A deck with its top at z = 0."""
    standard = STANDARD
    shape = outline(cells, fit)
    low = -standard.deck_mm
    stones = tops(cells, fit)
    rim = stones ^ extrude(grown(shape, 1.0), low, 1.0)
    body = cut(rim, [hollows(cells, fit, standard.skin_mm, standard.deck_mm + 1.0)])
    _, inner = split_edges(cells)
    pitch = fit.grid.pitch_mm
    beams = stones ^ extrude(_beams(len(cells) * pitch, pitch, fit), low, -0.3)
    bosses, cuts = keyholes([edge for edge in all_edges(cells) if edge not in inner], fit)
    ribs, strokes = paving(cells, fit, pattern, variant, standard.skin_mm)
    whole = engraved(union([body, beams]), bosses + ribs, cuts + strokes)
    return made(union([whole, *_planks(cells, fit), *_ends(cells, fit)]))


def _beams(length: float, width: float, fit: Fit) -> BaseGeometry:
    import shapely

    half = fit.wall_mm / 2
    inset = fit.side_mm + 0.2
    return shapely.union_all(
        [
            shapely.box(inset, y - half - width / 2, length - inset, y + half - width / 2)
            for y in (-BEAM_AT_MM, BEAM_AT_MM)
        ]
    )


def _planks(cells: Cells, fit: Fit) -> list[Solid]:
    """What runs on over the middle of the grooves between cells."""
    import shapely

    half = places(fit).side_half_mm
    face = heads(fit).throat_mm - 0.5
    reach = fit.grid.pitch_mm / 2
    found = []
    for _, col in cells[1:]:
        x, y = col * fit.grid.pitch_mm, -reach
        gap = reach - face
        shape = shapely.box(x - gap, y - half, x + gap, y + half)
        found.append(prism(shape, -PLANK_MM, 0.0, high=RELIEF))
    return found


def _ends(cells: Cells, fit: Fit) -> list[Solid]:
    """Blades and lip at both ends, each in the frame of the tile that carries it."""
    pitch = fit.grid.pitch_mm / 2
    own = heads(fit).throat_mm - 0.5
    # From the support's half of the groove over the deck's own into its head.
    hand = union([blades(fit, to_mm=pitch + 0.2), lip(fit, 2 * pitch - own)])
    found = []
    for cell, side in (((0, -1), 1), ((0, len(cells)), 3)):
        found.append(moved(hand.rotate((0, 0, -90 * side)), *fit.grid.centre_mm(*cell)))
    return found
