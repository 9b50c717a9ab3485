"""The connector standard: every number of every joint, once.

The joint is the paving groove. Every top is a field of stones, a *head* to each tile; between the
heads runs a groove, half of it belonging to each tile. What stands on a tile stands with a *skirt*
(a block all round, everything else on four *legs* at the corners) in the tile's own half of the
groove and clicks with *beads* under the head's overhang. What comes from the side (a bridge, a
ladder) enters *keyholes* with *blades* within `side_half_mm` of the middle of an edge. `Places`
says where all of it lies on tiles of a size.

Lengths are in mm. Heights are multiples of a terrain layer of 0.24 mm unless a comment says why.
Outlines that depend on a printer's gaps are properties of `Heads`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache

from falldamage_forge import lengths
from falldamage_forge.geometry.fits import Fit
from falldamage_forge.lengths import CAP_MM, Grid, layered_mm

LAYER_MM = lengths.LAYER_MM
"""The layer that terrain is printed in, the first one too."""


@dataclass(frozen=True, slots=True)
class Standard:
    """The numbers that no printer changes."""

    # walls and skins
    skin_mm: float = 0.72
    base_skin_mm: float = 0.48
    relief_width_mm: float = 0.3
    relief_height_mm: float = 0.48
    # head: bevel, face, undercut, then a flare that prints face down
    bevel_mm: float = 0.40
    bevel_depth_mm: float = 0.48
    face_depth_mm: float = 0.72
    under_depth_mm: float = 0.96
    throat_depth_mm: float = 1.08  # half a layer: a layer is cut at its middle
    undercut_free_mm: float = 0.04
    flare: float = 0.98  # run for each mm of depth: 45.6 degrees, and 1.08 times less at corners
    corner_mm: float = 0.15
    pit_depth_mm: float = 3.12
    # skirt and seat
    skirt_mm: float = 1.20
    seat_mm: float = 0.90  # how far the seat reaches in from the head's face
    seat_rise_mm: float = 2.40
    bead_half_mm: float = 3.0
    bead_low_mm: float = 1.09  # a bead's crest ends past the middle of the skirt's last layer
    # edge: keyholes and blades
    side_half_mm: float = 7.8  # at most: small tiles leave less between their corners
    key_side_mm: float = 1.8  # from there to the middle of a keyhole
    bulb_from_mm: float = 3.20  # from the tile's edge, to the bulb's far end and its near one
    bulb_to_mm: float = 2.10
    blade_mm: float = 0.70  # a little above the ledge it rests on, which is a layer's height
    foot_blade_mm: float = 0.46
    # legs, from the tile's edge
    leg_from_mm: float = 6.8
    leg_mm: float = 5.3
    leg_bead_mm: tuple[float, float] = (6.5, 3.5)
    leg_arch_mm: float = 5.88  # from here on bodies stand on their legs
    leg_apart_mm: float = 0.4  # least between a leg and what comes from the side
    parapet_mm: float = 2.28  # walls of battlements reach in so far
    leg_click: float = 0.8  # of a block's click: flanges of upright bodies, which bend
    parapet_click: float = 0.6  # flanges of battlements, which are shorter
    cap_click_mm: float = 0.04  # legs of caps, which hardly do
    leg_slot_mm: float = 0.5
    leg_free_mm: float = 6.0  # a flange bends from so far above the tile
    # bodies
    base_mm: float = 3.60
    cap_mm: float = CAP_MM
    deck_mm: float = 4.56
    arch_mm: float = 22.08  # at most, and so far above the level below
    arch_over_mm: float = 7.92
    arch_least_mm: float = 6.48
    fin_mm: float = 4.80
    ladder_mm: float = 2.88
    # keys of the base, bow ties pressed in from below
    tie_neck_mm: float = 5.4
    tie_wide_mm: float = 7.0
    tie_reach_mm: float = 7.0
    tie_mm: float = 1.68
    tie_neck_height_mm: float = 0.72
    tie_gap_mm: float = 0.12
    tie_lip_mm: float = 0.32
    # overhangs
    slope_deg: float = 52.0
    bridge_mm: float = 12.0


STANDARD = Standard()

Steps = tuple[tuple[float, float], ...]
"""(depth, half width) of a keyhole from its mouth down: a V in layers, that needs no support."""

BULB: Steps = ((0.24, 0.90), (0.48, 0.84), (0.72, 0.59), (0.96, 0.34), (1.20, 0.09))
NECK: Steps = ((0.24, 0.60), (0.48, 0.54), (0.72, 0.53), (0.96, 0.27))
"""Keyholes of tops that bridges hang in."""
SHALLOW_BULB: Steps = ((0.24, 0.76), (0.48, 0.51), (0.72, 0.25))
SHALLOW_NECK: Steps = ((0.24, 0.58), (0.48, 0.48), (0.72, 0.22))
"""Keyholes of the base: only a ladder's foot stands in them."""


@dataclass(frozen=True, slots=True)
class Places:
    """Where connectors lie on a tile, in mm from its middle, and what follows from a level's rise.

    Connectors have one size on all tiles. What stands at the corners is placed from them; keyholes
    lie as deep in the edge as ever, and along it as far from its middle as the corners leave room.
    """

    half_mm: float
    side_half_mm: float
    key_at_mm: float
    bulb_from_mm: float
    bulb_to_mm: float
    leg_from_mm: float
    leg_bead_mm: tuple[float, float]
    leg_arch_mm: float
    parapet_mm: float
    step_mm: float
    arch_mm: float

    @property
    def beyond_mm(self) -> float:
        """A little past the tile's edge: tools that are open there end here."""
        return round(self.half_mm + 0.2, 4)


def places(fit: Fit) -> Places:
    """The places on the tiles of a fit."""
    return places_on(fit.grid)


@cache
def places_on(grid: Grid) -> Places:
    """The places on the tiles of a grid; a step is half a level, in whole layers."""
    standard, half = STANDARD, grid.pitch_mm / 2

    def inside(edge_mm: float) -> float:
        return round(half - edge_mm, 4)

    side = min(standard.side_half_mm, inside(standard.leg_from_mm + standard.leg_apart_mm))
    arch = min(standard.arch_mm, round(grid.rise_mm - standard.arch_over_mm, 4))
    low, high = standard.leg_bead_mm
    return Places(
        half,
        side,
        round(side - standard.key_side_mm, 4),
        inside(standard.bulb_from_mm),
        inside(standard.bulb_to_mm),
        inside(standard.leg_from_mm),
        (inside(low), inside(high)),
        inside(standard.leg_arch_mm),
        inside(standard.parapet_mm),
        layered_mm(grid.rise_mm / 2, up=True),
        max(arch, standard.arch_least_mm),
    )


@dataclass(frozen=True, slots=True)
class Heads:
    """Half sizes of a tile about its middle that follow from a printer's gaps, in mm."""

    outline_mm: float
    skirt_mm: float
    face_mm: float
    top_mm: float
    throat_mm: float
    bead_mm: float
    seat_mm: float
    flare_depth_mm: float
    """Where the flare reaches the outline, below the top."""


@cache
def heads(fit: Fit) -> Heads:
    """The half sizes: from the outline inwards wall, gap, face; the bead stands in the throat.

    The skirt is as thick as other walls even where shells are thinner: it carries the click.
    """
    standard = STANDARD
    outline = fit.grid.pitch_mm / 2 - fit.side_mm
    skirt = outline - 0.84
    face = skirt - fit.fit_mm
    throat = face - fit.click_mm - standard.undercut_free_mm
    return Heads(
        outline,
        skirt,
        face,
        face - standard.bevel_mm,
        throat,
        face - fit.click_mm,
        face - standard.seat_mm,
        standard.throat_depth_mm + (outline - throat) / standard.flare,
    )


def corner_mm(half_mm: float, fit: Fit) -> float:
    """How much of a head's corner is cut off where it is so large: its sides all grow alike."""
    return STANDARD.corner_mm + (2 - math.sqrt(2)) * (half_mm - heads(fit).top_mm)
