"""Builders of loose pieces that stand: the die, the pawn, and what a unit carries."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from falldamage_forge.geometry.csg import Solid, hull, revolve, subtract, translate
from falldamage_forge.geometry.design_parameters import DesignParameters
from falldamage_forge.geometry.loft import extrude
from falldamage_forge.geometry.piece_style import SurfaceFinish
from falldamage_forge.geometry.terrain_features import on_tile
from falldamage_forge.pieces.piece import Piece

DIE_MM, EDGE_MM = 16.08, 0.96
"""Side of the die, 67 layers, and the chamfer of its edges."""
LARGEST_PIP_MM = 2.7
"""Radius and depth of the only pip of the face 1."""
PIPS: Mapping[int, Sequence[tuple[int, int]]] = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (-1, 1), (1, -1), (1, 1)),
    5: ((-1, -1), (-1, 1), (1, -1), (1, 1), (0, 0)),
    6: ((-1, -1), (-1, 1), (1, -1), (1, 1), (-1, 0), (1, 0)),
}
FACES: Mapping[int, tuple[int, int, int]] = {
    1: (180, 0, 0),
    2: (90, 0, 0),
    3: (0, 90, 0),
    4: (0, -90, 0),
    5: (-90, 0, 0),
    6: (0, 0, 0),
}
"""Rotation about x, y and z in degrees that brings the upper face to each number's place.

Opposite faces add up to seven. The 1 lies on the bed: some slicers want supports in the smaller
pips of other numbers.
"""
SMOOTH = 32
"""Sides of a solid of revolution."""


def pip_radius_mm(count: int) -> float:
    """Return the radius, and depth, of each of `count` pips of a face.

    A cone of radius r takes the moment r³ (s/2 - r/4) off the die's middle, up to a factor. All
    pips of a face together take that of the face 1, so that the centre of mass stays in the middle.
    """

    def moment(radius_mm: float) -> float:
        return radius_mm**3 * (DIE_MM / 2 - radius_mm / 4)

    low, high = 0.0, LARGEST_PIP_MM
    for _ in range(50):
        middle = (low + high) / 2
        low, high = (
            (middle, high) if count * moment(middle) < moment(LARGEST_PIP_MM) else (low, middle)
        )
    return high


def die(piece: Piece, fit: DesignParameters, finish: SurfaceFinish) -> Solid:
    """Return a six-sided die that stands on its 1; it is fair if printed without hollow places.

    Args:
        piece: Piece to draw, with its grid and parameters.
        fit: Design parameters of the printer and grid, in mm.
        finish: Looks of its sides and top.
    """
    half = DIE_MM / 2
    inner = half - EDGE_MM
    signs = [(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]
    reach = [(half, inner, inner), (inner, half, inner), (inner, inner, half)]
    cube = hull([(x * a, y * b, z * c) for x, y, z in signs for a, b, c in reach])
    pips = []
    for number, turn in FACES.items():
        radius = pip_radius_mm(number)
        apart = 4.4 if number > 3 else 3.7
        cone = revolve([(0, half - radius), (radius + 0.5, half + 0.5), (0, half + 0.5)], SMOOTH)
        pips += [translate(cone, x * apart, y * apart).rotate(turn) for x, y in PIPS[number]]
    return on_tile(translate(subtract(cube, pips), z_mm=half), fit)


PROFILES: Mapping[str, Sequence[tuple[float, float]]] = {
    "pawn": [
        *((0, 0), (4.9, 0), (5.2, 0.24), (5.2, 4.8), (2.1, 4.8), (2.1, 6.48), (1.8, 6.96)),
        (0, 6.96),
    ],
    "bomb": [
        *((0, 0), (5.1, 0), (5.4, 0.24), (5.4, 1.2), (3.25, 1.2), (4.3, 2.7), (4.6, 4.4)),
        *((4.3, 6.1), (3.25, 7.6), (1.6, 8.4), (1.6, 9.84), (0, 9.84)),
    ],
    "icon": [
        *((0, 0), (5.1, 0), (5.4, 0.24), (5.4, 1.2), (1.8, 3.4), (1.8, 4.3), (4.8, 7.3)),
        *((4.8, 9.84), (3.2, 9.84), (3.2, 8.16), (0, 8.16)),
    ],
}
"""Halves of solids of revolution as (radius, height) in mm, from below.

The foot of what a unit carries is so small that it stands beside the figure on a unit's stand.
"""
CROWN_MM, NOTCH_MM = 8.64, 1.8
"""Height of the floor of an icon's notches, and their width."""


def turned(piece: Piece, fit: DesignParameters, finish: SurfaceFinish) -> Solid:
    """Return a solid of revolution: the pawn of the round track, the icon or the bomb.

    Args:
        piece: Piece to draw, with its grid and parameters.
        fit: Design parameters of the printer and grid, in mm.
        finish: Looks of its sides and top.
    """
    name = str(piece["form"])
    body = revolve(PROFILES[name], SMOOTH)
    return on_tile(subtract(body, _notches()) if name == "icon" else body, fit)


def _notches() -> list[Solid]:
    """Return the tools that cut an icon's rim into six points of a crown."""
    import shapely

    slot = extrude(shapely.box(-6.0, -NOTCH_MM / 2, 6.0, NOTCH_MM / 2), CROWN_MM, 13.0)
    return [slot.rotate((0, 0, 60 * turn)) for turn in range(3)]
