"""How far material reaches along a ray, in a part's layers."""

from __future__ import annotations

from typing import Any

import shapely

from falldamage_forge.geometry.connector_standard import STANDARD
from falldamage_forge.geometry.design_parameters import DesignParameters
from falldamage_forge.geometry.layered_mesh import layers_of
from falldamage_forge.geometry.layered_profile import middle_mm
from falldamage_forge.geometry.piece_mesh import play_to_print
from falldamage_forge.geometry.piece_style import PLAIN, PieceStyle
from falldamage_forge.geometry.slicing import polygons
from falldamage_forge.geometry.snap_fit import SnapFit
from falldamage_forge.pieces.piece import Piece

JOINT = range(round(STANDARD.skirt_mm / 0.24))
"""The layers of a joint, counted from the tile's top down."""
Point = tuple[float, float]


def reach_mm(
    piece: Piece, click: SnapFit, fit: DesignParameters, style: PieceStyle = PLAIN
) -> float:
    """How near to its tile's middle the innermost bead of a part comes in any printed layer."""
    found = []
    for x, y in click.places_mm:
        middle = min((fit.grid.centre_mm(*cell) for cell in piece.footprint or ((0, 0),)),
                     key=lambda c: abs(c[1] - y) + abs(c[0] - x))  # fmt: skip
        way = (1.0 if x > middle[0] else -1.0, 0.0)
        for index in JOINT[2:]:
            section = section_mm(piece, fit, middle_mm(index), style)
            ends = _along(section, (middle[0], y), way, fit)
            found += ends[:1]
    return min(found)


def face_mm(piece: Piece, top_mm: float, fit: DesignParameters, style: PieceStyle = PLAIN) -> float:
    """How wide the head of a part's first tile is on its north side, in its widest layer."""
    middle = fit.grid.centre_mm(*(piece.footprint or ((0, 0),))[0])
    found = []
    for index in JOINT[:4]:
        section = section_mm(piece, fit, top_mm + middle_mm(index), style)
        found += _along(section, middle, (0.0, 1.0), fit)[-1:]
    return max(found)


def section_mm(piece: Piece, fit: DesignParameters, z_mm: float, style: PieceStyle = PLAIN) -> Any:
    """The printed layer of an upright or upside-down part at a height of its own frame."""
    matrix = play_to_print(piece, fit)
    layers = layers_of(piece, fit, style)
    z = float(matrix[2, 2] * z_mm + matrix[2, 3])
    middle = (int(z / layers.layer_mm) + 0.5) * layers.layer_mm
    flat = polygons(layers.cut(middle))
    # Back into the part's own frame: upside down, north and south have changed places.
    return shapely.transform(flat, lambda points: points * (1.0, matrix[1, 1]))


def _along(section: Any, start: Point, way: Point, fit: DesignParameters) -> list[float]:
    """Where material begins and ends on the way out of a tile, from near its edge on."""
    far = fit.grid.pitch_mm / 2
    near = far - 2.0
    ray = shapely.LineString([(start[0] + way[0] * d, start[1] + way[1] * d) for d in (near, far)])
    parts = [part for part in shapely.get_parts(ray.intersection(section)) if part.length > 1e-6]
    points = [point for part in parts for point in part.coords]
    return sorted(shapely.Point(start).distance(shapely.Point(point)) for point in points)
