"""Decks: plank bridges and arches that hang by blades in the keyholes of their supports.

A deck's cells are studs like any other top, so that other pieces may stand on them; planks span the
middle of the groove between two cells. Decks are printed upside down.
"""

from __future__ import annotations

import math
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING

from falldamage_forge.geometry.connector_standard import (
    BULB,
    LAYER_MM,
    NECK,
    SHALLOW_BULB,
    SHALLOW_NECK,
    STANDARD,
    Steps,
    heads,
    places,
)
from falldamage_forge.geometry.csg import (
    Solid,
    force_evaluation,
    stand_upright,
    subtract,
    translate,
    union,
)
from falldamage_forge.geometry.design_parameters import DesignParameters
from falldamage_forge.geometry.footprint import Cells, offset_polygon, outline, split_edges
from falldamage_forge.geometry.loft import RELIEF, extrude, prism
from falldamage_forge.geometry.piece_style import SurfaceFinish
from falldamage_forge.geometry.relief.apply_relief import paving
from falldamage_forge.geometry.relief.deck_sides import ARCHES, BEAMS, arch_joints, span
from falldamage_forge.geometry.relief.groove_solids import v_joint
from falldamage_forge.geometry.stud import (
    INSIDE_MM,
    all_edges,
    engrave_top,
    keyhole,
    keyholes,
    stud_cavities,
    tops,
)
from falldamage_forge.infra.lazy_dataclass import dataclass
from falldamage_forge.pieces.piece import Piece

if TYPE_CHECKING:
    from shapely.geometry.base import BaseGeometry

PLANK_MM = 0.96
"""Thickness of planks over a groove."""
BEAM_AT_MM = 4.2
"""Distance of the two inner beams from a deck's middle line."""
ARCH_THICKER_MM, RISE = 0.38, 1.24
"""Extra thickness of an arch's sides over other walls, and the slope of that transition."""
ARCH_FOOT_MM, BEAM_RISE_MM = 1.6, 1.2
"""Width of an arch's foot, and how far the lower edge of a plank bridge rises."""
LIP_LOW_MM = LAYER_MM - STANDARD.skirt_mm
"""A lip ends a layer above the skirts that stand in the same groove."""
NEARER_MM = 0.02
"""Allowed reduction of the gap so that a bulb's end lies on a layer boundary."""


@dataclass(frozen=True, slots=True)
class BladeKind:
    """Blades by the keyholes they enter: half widths of these from the mouth down.

    A ladder's foot also stands in the shallow keyholes of the baseplate. Blades have `looser_mm`
    more gap than a deck's. The lowest layer of those that carry has `tighter_mm` less: a keyhole
    narrows by 0.27 mm from layer to layer, and the ledge is as wide as the gap leaves.
    """

    bulb: Steps
    neck: Steps
    depth_mm: float
    looser_mm: float = 0.0
    tighter_mm: float = 0.0

    def gap_mm(self, fit: DesignParameters) -> float:
        """Return the gap all round a blade in its keyhole, but for the layer it rests on."""
        follows = fit.fit_mm + STANDARD.blade_looser_mm
        return self.looser_mm + (follows if fit.blade_mm is None else fit.blade_mm)

    def steps(self, fit: DesignParameters) -> tuple[tuple[float, float, float], ...]:
        """Return (depth, half width of the bulb, of the neck) of a blade from its top down."""
        found = []
        for (depth, wide), (_, narrow) in zip(self.bulb, self.neck, strict=False):
            lowest = depth > self.depth_mm
            gap = self.gap_mm(fit) - self.tighter_mm * lowest
            found.append((min(depth, self.depth_mm), wide - gap, narrow - gap))
            if lowest:
                break
        return tuple(found)


BLADE = BladeKind(BULB, NECK, STANDARD.blade_mm, tighter_mm=STANDARD.rest_tighter_mm)
HOOK_BLADE = BladeKind(BULB, NECK, STANDARD.blade_mm, STANDARD.hook_looser_mm)
WIDE_HOOK_BLADE = replace(HOOK_BLADE, depth_mm=0.585)
"""A hook's blade for wide lines: a slicer lays its upright neck only if it is longer than wide."""
FOOT_BLADE = BladeKind(SHALLOW_BULB, SHALLOW_NECK, STANDARD.foot_blade_mm, STANDARD.foot_looser_mm)


def hook_blade(fit: DesignParameters) -> BladeKind:
    """Return the blades of a ladder's hook.

    Args:
        fit: Gaps and lines of the printer.
    """
    return WIDE_HOOK_BLADE if fit.one_line else HOOK_BLADE


def bulb_ends_mm(fit: DesignParameters, bed_mm: float | None = None) -> tuple[float, float]:
    """Return the start and the shoulder of a blade's bulb, in mm from the middle of its tile.

    Args:
        fit: Gaps of the printer.
        bed_mm: Position of the bed for a part printed on its side; both ends then lie on layer
            boundaries, so that no layer fills the keyhole. None for other parts.
    """
    at = places(fit)
    gap = STANDARD.along_mm if bed_mm is None else STANDARD.lying_along_mm
    low, high = at.bulb_from_mm + gap, at.bulb_to_mm - gap
    if bed_mm is None:
        return low, high
    first = math.ceil(round((low - NEARER_MM - bed_mm) / LAYER_MM, 6))
    last = math.floor(round((high + NEARER_MM - bed_mm) / LAYER_MM, 6))
    return bed_mm + first * LAYER_MM, bed_mm + last * LAYER_MM


def blades(
    fit: DesignParameters,
    kind: BladeKind = BLADE,
    *,
    to_mm: float,
    bed_mm: float | None = None,
) -> Solid:
    """Return the two blades for the keyholes of a tile's north edge, about (0, 0), top at z = 0.

    Args:
        fit: Gaps of the printer.
        kind: Blades of a deck, of a ladder's hook, or of its foot.
        to_mm: y at which the necks end.
        bed_mm: y of the bed for a part printed on its side; None for other parts.
    """
    import shapely

    half, (low, high) = places(fit).half_mm, bulb_ends_mm(fit, bed_mm)
    room = shapely.box(-half, low, half, high)
    shoulder = high - (LAYER_MM if bed_mm is not None else 0.0)
    parts = []
    for depth, bulb, neck in kind.steps(fit):
        full = shapely.box(-half, low, half, shoulder)
        first = keyhole(fit, min(bulb, neck + STANDARD.shoulder_mm), 0.0)
        wide = shapely.union(
            shapely.intersection(keyhole(fit, bulb, 0.0), full), shapely.intersection(first, room)
        )
        thin = shapely.box(-half, high - 0.1, half, to_mm)
        shape = shapely.union(wide, shapely.intersection(keyhole(fit, 0.0, neck), thin))
        parts.append(extrude(shape, -depth, 0.0))
    return union(parts)


def lip(fit: DesignParameters, to_mm: float) -> Solid:
    """Return the solid that fills the neighbour's half of the groove round the blades.

    Args:
        fit: Design parameters of the printer and grid, in mm.
        to_mm: Height of its upper side.
    """
    import shapely

    half = places(fit).side_half_mm
    shape = shapely.box(-half, heads(fit).skirt_mm, half, to_mm)
    return prism(shape, LIP_LOW_MM, 0.0, high=RELIEF)


def plank_bridge(piece: Piece, fit: DesignParameters, finish: SurfaceFinish) -> Solid:
    """Return a straight deck, west to east, whose ends hang in the keyholes of its supports.

    Args:
        piece: Piece to draw, with its grid and parameters.
        fit: Design parameters of the printer and grid, in mm.
        finish: Looks of its sides and top.
    """
    import shapely

    cells, edge = piece.footprint, BEAMS[piece.variant % len(BEAMS)]
    whole = deck(cells, fit, finish.top, piece.variant)
    if not edge:
        return whole
    length, low = len(cells) * fit.grid.pitch_mm, -STANDARD.deck_mm
    line = span(edge, fit.side_mm, length - fit.side_mm, low, BEAM_RISE_MM)
    notch = shapely.Polygon([(0.0, low - 1.0), *line, (length, low - 1.0)])
    cuts = stand_upright(extrude(notch, -1.0, fit.side_mm + fit.wall_mm + INSIDE_MM), "y")
    far = cuts.rotate((0, 0, 180)).translate((length, -fit.grid.pitch_mm, 0.0))
    return subtract(whole, [cuts, far])


def arch_bridge(piece: Piece, fit: DesignParameters, finish: SurfaceFinish) -> Solid:
    """Return a deck on two side walls whose lower edge is one arch over the whole span.

    Printed upside down the walls grow upward, so that even a flat arch needs no support.

    Args:
        piece: Piece to draw, with its grid and parameters.
        fit: Design parameters of the printer and grid, in mm.
        finish: Looks of its sides and top.
    """
    import shapely

    cells = piece.footprint
    gap = fit.side_mm
    length = len(cells) * fit.grid.pitch_mm
    deep = places(fit).arch_mm
    form, foot = ARCHES[piece.variant % len(ARCHES)], gap + ARCH_FOOT_MM
    edge = span(form, foot, length - foot, -deep, deep - STANDARD.deck_mm)
    join = -STANDARD.pit_depth_mm - 3 * LAYER_MM
    outline = [(gap, join), (gap, -deep), *edge, (length - gap, -deep), (length - gap, join)]
    sheet = extrude(shapely.Polygon(outline), 0.0, fit.wall_mm + ARCH_THICKER_MM)
    wall = translate(stand_upright(sheet, "y"), y_mm=-gap) ^ _leaning(length, join, fit)
    joints = arch_joints(finish.wall, edge, join - ARCH_THICKER_MM * RISE)
    side = subtract(wall, [v_joint(a, b, -gap) for a, b in joints])
    other = side.rotate((0, 0, 180)).translate((length, -fit.grid.pitch_mm, 0.0))
    return union([deck(cells, fit, finish.arch or finish.top, piece.variant), side, other])


def _leaning(length: float, top: float, fit: DesignParameters) -> Solid:
    """Return the envelope of an arch's northern side: at its top as thick as the deck's wall.

    A ledge between the two thicknesses would need supports.
    """
    import shapely

    inner = -fit.side_mm - fit.wall_mm + INSIDE_MM
    thick = inner - INSIDE_MM - ARCH_THICKER_MM
    low = top - (inner - thick) * RISE
    points = [(1.0, top), (inner, top), (thick, low), (thick, -40.0), (1.0, -40.0)]
    return stand_upright(extrude(shapely.Polygon(points), -1.0, length + 1.0), "x")


@cache
def deck(cells: Cells, fit: DesignParameters, pattern: str = "bare", variant: int = 0) -> Solid:
    """Return a deck with its top at z = 0.

    Args:
        cells: (row, col) of the tiles covered, in one row.
        fit: Gaps of the printer.
        pattern: Relief of the top.
        variant: Number of the relief's variant.
    """
    standard = STANDARD
    shape = outline(cells, fit)
    low = -standard.deck_mm
    stones = tops(cells, fit)
    rim = stones ^ extrude(offset_polygon(shape, 1.0), low, 1.0)
    body = subtract(rim, [stud_cavities(cells, fit, standard.skin_mm, standard.deck_mm + 1.0)])
    _, inner = split_edges(cells)
    pitch = fit.grid.pitch_mm
    beams = stones ^ extrude(_beams(len(cells) * pitch, pitch, fit), low, -0.3)
    bosses, cuts = keyholes([edge for edge in all_edges(cells) if edge not in inner], fit)
    ribs, strokes = paving(cells, fit, pattern, variant, standard.skin_mm)
    whole = engrave_top(union([body, beams]), bosses + ribs, cuts + strokes)
    return force_evaluation(union([whole, *_planks(cells, fit), *_ends(cells, fit)]))


def _beams(length: float, width: float, fit: DesignParameters) -> BaseGeometry:
    import shapely

    half = round(500 * fit.wall_mm) / 1000  # vertices are rounded so; both flanks alike
    inset = fit.side_mm + 0.2
    return shapely.union_all(
        [
            shapely.box(inset, y - half - width / 2, length - inset, y + half - width / 2)
            for y in (-BEAM_AT_MM, BEAM_AT_MM)
        ]
    )


def _planks(cells: Cells, fit: DesignParameters) -> list[Solid]:
    """Return the planks over the middle of the grooves between cells."""
    import shapely

    half = places(fit).side_half_mm
    face = heads(fit).throat_mm - 0.5
    reach = fit.grid.pitch_mm / 2
    planks = []
    for _, col in cells[1:]:
        x, y = col * fit.grid.pitch_mm, -reach
        gap = reach - face
        shape = shapely.box(x - gap, y - half, x + gap, y + half)
        planks.append(prism(shape, -PLANK_MM, 0.0, high=RELIEF))
    return planks


def _ends(cells: Cells, fit: DesignParameters) -> list[Solid]:
    """Return blades and lip at both ends, each in the frame of the tile that supports it."""
    pitch = fit.grid.pitch_mm / 2
    own = heads(fit).throat_mm - 0.5
    # From the support's half of the groove over the deck's own into its head.
    hand = union([blades(fit, to_mm=pitch + 0.2), lip(fit, 2 * pitch - own)])
    ends = []
    for cell, side in (((0, -1), 1), ((0, len(cells)), 3)):
        ends.append(translate(hand.rotate((0, 0, -90 * side)), *fit.grid.centre_mm(*cell)))
    return ends
