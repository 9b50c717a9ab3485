"""Pockets for disc magnets in the edges of the base: open below and to the seam.

A magnet stands on its rim with a face at the seam. Every edge has two pockets at the same distance
from its middle. Clockwise, the first has the sign `+`: its magnet shows its marked face at the
seam. The second has the sign `-` and shows the other face. So whichever edges meet, at every
quarter turn, a marked face meets an unmarked one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from falldamage_forge.geometry.connector_standard import LAYER_MM, STANDARD
from falldamage_forge.geometry.csg import Solid, revolve, stand_upright, union
from falldamage_forge.geometry.design_parameters import DesignParameters
from falldamage_forge.geometry.engraved_text import text
from falldamage_forge.geometry.loft import extrude
from falldamage_forge.geometry.piece_style import SurfaceFinish
from falldamage_forge.geometry.stud import LINES_MM, SUNK_MM
from falldamage_forge.lengths import (
    MAGNETS,
    MagnetSize,
    magnet_size,
    round_to_layers_mm,
)
from falldamage_forge.pieces.piece import Piece

if TYPE_CHECKING:
    from shapely.geometry.base import BaseGeometry

FLOOR_MM = STANDARD.pit_depth_mm
"""Depth of a pocket's end below the top: there the groove's flare is a wall's thickness away."""
BELOW_MM = LAYER_MM
"""Least distance of a magnet from the table."""
RECESS_MM = 0.20
"""Distance of a magnet's face from the outline of its part."""
BESIDE_MM, BEHIND_MM = 0.10, 0.15
"""Room round a magnet beside it, and behind it: sellers name a tolerance of 0.1 mm."""
RIB_MM = 0.30
"""Height of the crush ribs at the mouth; in front of the face they stay, and catch it."""
RIB_DEEP_MM = (0.4, 1.2)
"""Distance from the outline to which a rib has its height, and at which it ends."""
LEAD_MM, LEAD_STEPS = 1.2, 4
"""Height above the table at which ribs begin, and the layers in which they grow."""
SIGN_MM, SIGN_STROKE_MM, SIGN_RISE_MM, SIGN_GAP_MM = 4.2, 0.9, 3.0, 1.2
"""Size, stroke and height of a raised sign, and its distance from the pocket's wall."""
SIGNS = ("+", "-")
"""Signs of an edge's pockets, clockwise: its marked face at the seam, and its other face."""


def magnet_of(piece: Piece) -> MagnetSize | None:
    """Return the size of the magnets that a part of the base holds; None for one with ties."""
    return magnet_size(piece.magnets)


def block_magnet_of(piece: Piece) -> MagnetSize | None:
    """Return the size of the magnets under a part's studs; None for a part without."""
    return magnet_size(piece.magnets) if piece.lying_magnets else None


def magnet(piece: Piece, fit: DesignParameters, finish: SurfaceFinish) -> Solid:
    """Return a magnet in its pocket in the north edge of its tile, for pictures.

    Args:
        piece: The magnet, with its size.
        fit: Design parameters of the printer and grid, in mm.
        finish: Unused; a magnet is bought.
    """
    return _disc(MAGNETS[piece.magnets], fit).translate((fit.grid.pitch_mm / 2, 0.0, 0.0))


def bed_mm(piece: Piece, fit: DesignParameters) -> float:
    """Return the height of a magnet's lowest point."""
    return -FLOOR_MM - MAGNETS[piece.magnets].diameter_mm


def magnet_base_mm(magnet: MagnetSize) -> float:
    """Return the height of a base with pockets for a magnet, in whole layers."""
    return round_to_layers_mm(FLOOR_MM + magnet.diameter_mm + BELOW_MM, up=True)


def magnet_gap_mm(fit: DesignParameters) -> float:
    """Return the distance of the two magnets of a seam from face to face."""
    return 2 * (fit.side_mm + RECESS_MM)


def magnet_places(count: int, fit: DesignParameters) -> tuple[float, ...]:
    """Return the positions of pockets along an edge of `count` tiles, in mm from its start.

    They are the middles of the corner tiles, so that every edge mates with every other.

    Args:
        count: Number of tiles along the edge; 0 for an edge without joints.
        fit: Design parameters of the printer and grid, in mm.
    """
    pitch = fit.grid.pitch_mm
    return (pitch / 2, (count - 0.5) * pitch) if count else ()


def magnet_pockets(
    counts: Sequence[int], magnet: MagnetSize, fit: DesignParameters
) -> tuple[Solid, Solid]:
    """Return the walls of pockets with their signs, and the volume that they remove.

    The body lies below and right of (0, 0), its sides as long as the north and the east edge.

    Args:
        counts: Tiles of the edges north, east, south, west; 0 for an edge without joints.
        magnet: Size of the magnets.
        fit: Gaps of the printer.
    """
    room = pocket_room(magnet, fit)
    walls, rooms = [], []
    for solid, sign in zip(_walls(magnet, fit), SIGNS, strict=True):
        walls += [_placed(solid, *place) for place in _places(counts, fit, sign)]
        rooms += [_placed(room, *place) for place in _places(counts, fit, sign)]
    return union(walls), union(rooms)


def magnet_solids(
    counts: Sequence[int], magnet: MagnetSize, fit: DesignParameters
) -> dict[str, list[Solid]]:
    """Return the magnets of a body in their pockets, by sign; arguments as those of its pockets.

    Args:
        counts: Tiles of the edges north, east, south, west; 0 for an edge without joints.
        magnet: Size of the magnets.
        fit: Gaps of the printer.
    """
    disc = _disc(magnet, fit)
    return {sign: [_placed(disc, *place) for place in _places(counts, fit, sign)] for sign in SIGNS}


Place = tuple[int, float, tuple[float, float]]
"""Side of a pocket, its position along the side, and the middle of the body, in mm."""


def _places(counts: Sequence[int], fit: DesignParameters, sign: str) -> Iterator[Place]:
    width, depth = (count * fit.grid.pitch_mm for count in counts[:2])
    middle = (width / 2, -(depth or width) / 2)
    for side, count in enumerate(counts):
        for at in magnet_places(count, fit)[SIGNS.index(sign) : SIGNS.index(sign) + 1]:
            yield side, at, middle


def _placed(solid: Solid, side: int, at: float, middle: tuple[float, float]) -> Solid:
    """Return a solid of the north edge, about (0, 0), at its place on a side."""
    x, y = middle
    return solid.translate((at - x, -y, 0.0)).rotate((0, 0, -90 * side)).translate((x, y, 0.0))


def _half_mm(magnet: MagnetSize) -> float:
    return magnet.diameter_mm / 2 + BESIDE_MM


def _back_mm(magnet: MagnetSize, fit: DesignParameters) -> float:
    """Return the distance of a pocket's back from the seam."""
    return fit.side_mm + RECESS_MM + magnet.height_mm + BEHIND_MM


def pocket_plan(magnet: MagnetSize, fit: DesignParameters, rib_mm: float = RIB_MM) -> BaseGeometry:
    """Return a pocket seen from above, from slightly beyond the seam at y = 0 towards -y.

    Args:
        magnet: Size of the magnet.
        fit: Gaps of the printer.
        rib_mm: Height of its ribs.
    """
    import shapely

    half, side = _half_mm(magnet), fit.side_mm
    near, far = (-side - deep for deep in RIB_DEEP_MM)
    mouth, back = half - rib_mm, -_back_mm(magnet, fit)
    flank = [(mouth, 0.5), (mouth, near), (half, far), (half, back)]
    return shapely.Polygon([*flank, *((-x, y) for x, y in reversed(flank))])


def pocket_room(magnet: MagnetSize, fit: DesignParameters) -> Solid:
    """Return the volume of a pocket about (0, 0), its edge at y = 0: ribs begin above the mouth.

    Args:
        magnet: Size of the magnet.
        fit: Gaps of the printer.
    """
    low = -magnet_base_mm(magnet)
    heights = [low + LEAD_MM + step * LAYER_MM for step in range(LEAD_STEPS)]
    layers = [
        extrude(pocket_plan(magnet, fit, RIB_MM * step / LEAD_STEPS), low - 1.0, high)
        for step, high in enumerate(heights)
    ]
    return union([*layers, extrude(pocket_plan(magnet, fit), low - 1.0, -FLOOR_MM)])


def _walls(magnet: MagnetSize, fit: DesignParameters) -> tuple[Solid, Solid]:
    """Return the walls of a pocket on the north edge, with each sign."""
    import shapely
    from shapely import affinity

    half, back = _half_mm(magnet) + LINES_MM, _back_mm(magnet, fit) + LINES_MM
    box = extrude(shapely.box(-half, -back, half, -0.4), -magnet_base_mm(magnet), -SUNK_MM)
    at = -back - SIGN_GAP_MM - SIGN_MM / 2
    low = -STANDARD.base_skin_mm - SIGN_RISE_MM
    plus, minus = (
        extrude(affinity.translate(_sign(sign), 0.0, at), low, -SUNK_MM) for sign in SIGNS
    )
    return box + plus, box + minus


def _sign(sign: str) -> BaseGeometry:
    """Return a sign about (0, 0): a cross, or its bar along the edge."""
    return text(sign, SIGN_MM * 1.5, SIGN_STROKE_MM)


def _disc(magnet: MagnetSize, fit: DesignParameters) -> Solid:
    """Return a magnet in the pocket of the north edge: at its end, and its face at the recess."""
    radius, high = magnet.diameter_mm / 2, magnet.height_mm
    flat = revolve([(0.0, 0.0), (radius, 0.0), (radius, high), (0.0, high)], 64)
    face = -fit.side_mm - RECESS_MM
    return stand_upright(flat, "y").translate((0.0, face, -FLOOR_MM - radius))
