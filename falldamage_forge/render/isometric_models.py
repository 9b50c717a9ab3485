"""Models of others in an isometric picture: their parts as triangles, the farthest first."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from falldamage_forge.board import Board, Tile
from falldamage_forge.infra.lazy_dataclass import dataclass
from falldamage_forge.pieces.piece import Placement
from falldamage_forge.render.isometric_projection import Spot, brightness, faces_viewer
from falldamage_forge.render.isometric_shadows import REACH
from falldamage_forge.render.paint_context import PaintContext
from falldamage_forge.render.palette import tone
from falldamage_forge.render.viewer_meshes import TOLERANCE_MM

if TYPE_CHECKING:
    from collections.abc import Mapping

    from shapely.geometry.base import BaseGeometry

    from falldamage_forge.geometry.mesh import Mesh
    from falldamage_forge.printing.printer import Printer

MOST_FACES = 1500
"""Most triangles of a model in a drawing."""
FAMILY = "model"
ON_BORDER = 1e-4
"""Part of a tile by which a corner may lie beyond a border and count as on it."""
LEAST_SHADOW = 1e-4
"""Area of a shadow in tiles below which it is left out."""
STONE = 1
"""Number of the colour of cliffs that a model has."""


class Face(NamedTuple):
    """A triangle: corners counter-clockwise from outside, its light, and how far up it looks."""

    corners: tuple[Spot, ...]
    light: float
    up: float

    @property
    def top(self) -> float:
        """Level of its highest corner."""
        return max(level for _, _, level in self.corners)

    @property
    def high(self) -> float:
        """Levels between its lowest and its highest corner."""
        return self.top - min(level for _, _, level in self.corners)


@dataclass(frozen=True, slots=True, eq=False)
class SeenModel:
    """A model on a board: triangles by tile, and the height of its top in levels."""

    faces: Mapping[Tile, tuple[Face, ...]]
    top: float


def seen_models(
    placements: Iterable[Placement], meshes: Mapping[str, Mesh], printer: Printer
) -> tuple[SeenModel, ...]:
    """Return the models among placed parts as they are drawn.

    Args:
        placements: Parts of a board.
        meshes: Mesh of each in print pose, by key.
        printer: Printer whose gaps the meshes have.
    """
    return tuple(
        _seen(one, meshes[one.piece.key], printer)
        for one in placements
        if one.piece.family == FAMILY
    )


def _seen(placement: Placement, mesh: Mesh, printer: Printer) -> SeenModel:
    import numpy as np

    from falldamage_forge.geometry.piece_mesh import place
    from falldamage_forge.geometry.simplified_mesh import few_faces

    grid = placement.piece.grid
    slim = place(few_faces(mesh, MOST_FACES, TOLERANCE_MM), placement, printer)
    x, y, z = slim.vertices.astype(np.float64).T
    spots = np.stack([-y / grid.pitch_mm, x / grid.pitch_mm, z / grid.rise_mm], axis=1)
    # The joint lies below the surface on which the part stands.
    seen = slim.faces[spots[slim.faces][:, :, 2].max(axis=1) > placement.level + 1e-6]
    spots[:, 2] = np.maximum(spots[:, 2], placement.level)
    corners, points = spots[seen], slim.vertices.astype(np.float64)[seen]
    normals = np.cross(points[:, 1] - points[:, 0], points[:, 2] - points[:, 0])
    tiles = placement.tiles()
    low, high = min(tiles), max(tiles)
    found: dict[Tile, list[Face]] = {tile: [] for tile in tiles}
    for spots_of, normal in zip(corners.tolist(), normals.tolist(), strict=True):
        east, north, up = normal
        light, steep = brightness(east, -north, up), up / (math.hypot(*normal) or 1.0)
        for row, col, piece in _by_tile([(r, c, level) for r, c, level in spots_of]):
            tile = Tile(min(max(row, low.row), high.row), min(max(col, low.col), high.col))
            found[tile].append(Face(piece, light, steep))
    # The viewer is in the south-east, above: what is farthest is painted first.
    for own in found.values():
        own.sort(key=lambda face: sum(map(sum, face.corners)) / len(face.corners))
    faces = {tile: tuple(own) for tile, own in found.items()}
    return SeenModel(faces, float(corners[:, :, 2].max()))


def _by_tile(corners: list[Spot]) -> Iterator[tuple[int, int, tuple[Spot, ...]]]:
    """Yield the parts of a triangle on each tile: row, column and corners.

    A board is painted tile by tile; what reaches over a border would be covered by the next tile.
    """
    for row, band in _bands(corners, 0):
        for col, piece in _bands(band, 1):
            yield row, col, tuple(piece)


def _bands(corners: list[Spot], axis: int) -> Iterator[tuple[int, list[Spot]]]:
    """Yield the parts of a polygon between whole numbers along an axis, each with the lower."""
    places = [corner[axis] for corner in corners]
    first, last = math.floor(min(places) + ON_BORDER), math.ceil(max(places) - ON_BORDER)
    for number in range(first, max(last, first + 1)):
        piece = corners
        if number > first:
            piece = _beyond(piece, axis, float(number), 1.0)
        if number < last - 1:
            piece = _beyond(piece, axis, number + 1.0, -1.0)
        if len(piece) > 2:
            yield number, piece


def _beyond(corners: list[Spot], axis: int, border: float, way: float) -> list[Spot]:
    """Return the part of a convex polygon on one side of a border (Sutherland and Hodgman)."""
    kept: list[Spot] = []
    for one, other in zip(corners, (*corners[1:], corners[0]), strict=True):
        a, b = (way * (spot[axis] - border) for spot in (one, other))
        if a >= 0:
            kept.append(one)
        if (a > 0) != (b > 0) and a != b and 0 < a / (a - b) < 1:
            share = a / (a - b)
            r, c, level = (x + share * (y - x) for x, y in zip(one, other, strict=True))
            kept.append((r, c, level))
    return kept


def without_models(board: Board, models: Sequence[SeenModel]) -> Board:
    """Return a board with the ground below drawn models instead of the columns of the rules.

    Args:
        board: The board.
        models: Models that are drawn.
    """
    if not models:
        return board
    seen = {tile for model in models for tile in model.faces}
    columns = tuple(
        replace(column, level=board.built_level(tile), feature=None) if tile in seen else column
        for tile, column in zip(board.tiles(), board.columns, strict=True)
    )
    return replace(board, columns=columns)


def model_shadows(
    models: Sequence[SeenModel], tile: Tile, level: float
) -> tuple[tuple[tuple[float, float], ...], ...]:
    """Return the shadows of models on a surface of a tile: outlines of (row, col) corners.

    Args:
        models: Models that are drawn.
        tile: The tile.
        level: Level of the surface.
    """
    import shapely

    square = shapely.box(tile.row, tile.col, tile.row + 1, tile.col + 1)
    cast = [_shadow(model, level) for model in models if model.top > level]
    found = shapely.union_all([shadow & square for shadow in cast])
    return tuple(
        tuple((row, col) for row, col, *_ in part.exterior.coords[:-1])
        for part in shapely.get_parts(found)
        if isinstance(part, shapely.Polygon) and part.area > LEAST_SHADOW
    )


@lru_cache(maxsize=64)
def _shadow(model: SeenModel, level: float) -> BaseGeometry:
    """Return the shadow of a model on the plane of a level, rows by columns."""
    import shapely

    faces = []
    for face in (face for own in model.faces.values() for face in own):
        if face.top > level:
            spots = [(r, c + max(h - level, 0.0) * REACH) for r, c, h in face.corners]
            faces.append(shapely.Polygon(spots))
    return shapely.union_all(faces, grid_size=1e-4)


def model_tile(sketch: PaintContext, faces: Iterable[Face]) -> None:
    """Draw the triangles of a model on one tile that face the viewer.

    Args:
        sketch: Where and with what to draw.
        faces: Triangles, the farthest first.
    """
    pen, at = sketch.pen, sketch.at
    stone = sketch.palette.cliffs[STONE]
    for face in faces:
        path = at.path(face.corners)
        if faces_viewer(path):
            pen.face(path, tone(stone, face.light))
