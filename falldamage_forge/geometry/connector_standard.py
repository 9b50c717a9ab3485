"""Connector standard: every number of every joint, written once.

The joint is the paving groove. Every top has one *stud* per tile; between studs runs a groove, half
of it belonging to each tile. A piece on a tile stands with a *skirt* (a block all round, other
pieces on four *legs* at the corners) in the tile's half of the groove and snaps with *beads* under
the stud's overhang. A piece from the side (a bridge, a ladder) enters *keyholes* with *blades*
within `side_half_mm` of the middle of an edge. `ConnectorPositions` holds the positions on a grid.

Lengths are in mm. Heights are multiples of a terrain layer of 0.24 mm unless a comment says why.
Outlines that depend on a printer's gaps are fields of `StudSizes`.
"""

from __future__ import annotations

import math
from functools import cache

from falldamage_forge import lengths
from falldamage_forge.geometry.design_parameters import DesignParameters
from falldamage_forge.infra.lazy_dataclass import dataclass
from falldamage_forge.lengths import CAP_MM, PrintGrid, round_to_layers_mm

LAYER_MM = lengths.LAYER_MM
"""Layer height of terrain, including the first layer."""


CORNER_MM = 0.05
"""Lines bulge at corners: so much of the gap is lost across lying blades, and round ties.

PrusaSlicer lays the blades of decks, which stand, as they are drawn.
"""


@dataclass(frozen=True, slots=True)
class ConnectorStandard:
    """Dimensions that do not depend on the printer."""

    # walls and skins
    skin_mm: float = 0.72
    base_skin_mm: float = 0.48
    relief_width_mm: float = 0.3
    relief_height_mm: float = 0.48
    # head: bevel, face, undercut, then a flare that prints face down
    bevel_mm: float = 0.44
    bevel_depth_mm: float = 0.48
    face_depth_mm: float = 0.72
    under_depth_mm: float = 1.02
    throat_depth_mm: float = 1.20  # the layer that closes a neck juts out less at its mouth
    undercut_free_mm: float = 0.02
    flare: float = 1.04  # run for each mm of depth: 43.9 degrees, and 1.08 times less at corners
    corner_mm: float = 0.15
    pit_depth_mm: float = 3.36
    # skirt and seat
    skirt_mm: float = 1.44
    seat_mm: float = 0.95  # how far the seat reaches in from the head's face
    seat_rise_mm: float = 2.40
    bead_half_mm: float = 3.0
    bead_flank: float = (
        0.90  # rise for each mm that a bead reaches in: 42 degrees, printed face down
    )
    bead_high_mm: float = 1.075  # its crest, from there to below, covers the middle of a layer
    bead_foot_mm: float = 1.10
    ring_click: float = (
        0.80  # of the click, on rings: printed upright, a bead's foot is an overhang
    )
    # edge: keyholes and blades
    side_half_mm: float = 7.8  # at most: small tiles leave less between their corners
    key_side_mm: float = 1.8  # from there to the middle of a keyhole
    bulb_from_mm: float = 3.46  # from the tile's edge, to the bulb's far end and its near one
    bulb_to_mm: float = 2.13  # shoulders of a ladder's blades, which lie on its front, meet layers
    blade_mm: float = 0.70  # a little above the ledge it rests on, which is a layer's height
    foot_blade_mm: float = 0.46
    blade_looser_mm: float = 0.02  # the gap round a blade beyond the fit
    rest_tighter_mm: float = 0.10  # less gap at a deck's lowest layer, which lies on a ledge
    hook_looser_mm: float = 0.05  # more gap round the blades of a ladder's hook, which only holds
    foot_looser_mm: float = 0.07  # and round those of its foot
    along_mm: float = 0.29  # gap along a deck's blade at every fit
    lying_along_mm: float = 0.24  # and along a ladder's: a lying bulb keeps three layers
    shoulder_mm: float = 0.27  # each layer of a lying bulb juts out so far: 42 degrees
    # legs, from the tile's edge
    leg_from_mm: float = 6.8
    leg_bead_mm: tuple[float, float] = (6.5, 3.5)
    leg_apart_mm: float = 0.4  # least between a leg and what comes from the side
    parapet_mm: float = 2.05  # walls of battlements reach in so far: 1.95 is four full lines
    parapet_click: float = 0.77  # flanges of battlements, which are shorter
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
    tie_neck_mm: float = 5.3
    tie_wide_mm: float = 6.9
    tie_reach_mm: float = 6.9
    tie_mm: float = 1.68
    tie_neck_height_mm: float = 0.72
    tie_looser_mm: float = 0.05  # the gap round a tie beyond the fit
    tie_lip_mm: float = 0.55
    # overhangs
    slope_deg: float = 52.0
    bridge_mm: float = 12.0


STANDARD = ConnectorStandard()

Steps = tuple[tuple[float, float], ...]
"""(depth, half width) of a keyhole from its mouth down: a V in layers that needs no support."""

BULB: Steps = ((0.24, 1.27), (0.48, 1.21), (0.72, 0.94), (0.96, 0.67), (1.20, 0.41), (1.44, 0.15))
NECK: Steps = ((0.24, 0.73), (0.48, 0.67), (0.72, 0.66), (0.96, 0.39), (1.20, 0.12))
"""Keyholes of tops that bridges hang in."""
SHALLOW_BULB: Steps = ((0.24, 0.92), (0.48, 0.67), (0.72, 0.42), (0.96, 0.17))
SHALLOW_NECK: Steps = ((0.24, 0.74), (0.48, 0.66), (0.72, 0.39), (0.96, 0.14))
"""Keyholes of the baseplate, which only take a ladder's foot."""


@dataclass(frozen=True, slots=True)
class ConnectorPositions:
    """Positions of connectors on a tile, in mm from its middle, and sizes that depend on the rise.

    Connectors have one size on all tiles. Those at the corners are placed from the corners.
    Keyholes keep their depth in the edge; along it they are as far from the middle as the corners
    allow.
    """

    half_mm: float
    side_half_mm: float
    key_at_mm: float
    bulb_from_mm: float
    bulb_to_mm: float
    leg_from_mm: float
    leg_bead_mm: tuple[float, float]
    parapet_mm: float
    step_mm: float
    arch_mm: float

    @property
    def beyond_mm(self) -> float:
        """Slightly past the tile's edge: the end of tools that are open there."""
        return round(self.half_mm + 0.2, 4)


def places(fit: DesignParameters) -> ConnectorPositions:
    """Return the positions on the tiles of a fit."""
    return places_on(fit.grid)


@cache
def places_on(grid: PrintGrid) -> ConnectorPositions:
    """Return the positions on the tiles of a grid; a step is half a level, in whole layers."""
    standard, half = STANDARD, grid.pitch_mm / 2

    def inside(edge_mm: float) -> float:
        return round(half - edge_mm, 4)

    side = min(standard.side_half_mm, inside(standard.leg_from_mm + standard.leg_apart_mm))
    arch = min(standard.arch_mm, round(grid.rise_mm - standard.arch_over_mm, 4))
    low, high = standard.leg_bead_mm
    return ConnectorPositions(
        half,
        side,
        round(side - standard.key_side_mm, 4),
        inside(standard.bulb_from_mm),
        inside(standard.bulb_to_mm),
        inside(standard.leg_from_mm),
        (inside(low), inside(high)),
        inside(standard.parapet_mm),
        round_to_layers_mm(grid.rise_mm / 2, up=True),
        max(arch, standard.arch_least_mm),
    )


@dataclass(frozen=True, slots=True)
class StudSizes:
    """Half sizes of a stud about the tile's middle that follow from a printer's gaps, in mm."""

    outline_mm: float
    skirt_mm: float
    face_mm: float
    top_mm: float
    throat_mm: float
    bead_mm: float
    seat_mm: float
    flare_depth_mm: float
    """Depth below the top at which the flare reaches the outline."""


@cache
def heads(fit: DesignParameters) -> StudSizes:
    """Return the half sizes of a stud: from the outline inwards wall, gap, face, throat.

    The skirt is as thick as other walls even on thinner shells, because it carries the snap fit.
    """
    standard = STANDARD
    outline = fit.grid.pitch_mm / 2 - fit.side_mm
    skirt = outline - 0.84
    face = skirt - fit.fit_mm
    throat = face - fit.click_mm - standard.undercut_free_mm
    return StudSizes(
        outline,
        skirt,
        face,
        face - standard.bevel_mm,
        throat,
        face - fit.click_mm,
        face - standard.seat_mm,
        standard.throat_depth_mm + (outline - throat) / standard.flare,
    )


def corner_mm(half_mm: float, fit: DesignParameters) -> float:
    """Return the chamfer of a stud's corner at a half size, so that all sides grow alike.

    Args:
        half_mm: Half size of the stud.
        fit: Design parameters of the printer and grid, in mm.
    """
    return STANDARD.corner_mm + (2 - math.sqrt(2)) * (half_mm - heads(fit).top_mm)
