"""Coordinates on the rim of an isometric picture, where nothing in the picture hides them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from falldamage_forge.board import Board, column_name
from falldamage_forge.render.display_list import PaintedPath, Path, Pen, Point
from falldamage_forge.render.paint_context import PaintContext
from falldamage_forge.render.palette import mix

HIDES = 0.5
"""Opacity from which a face hides what lies behind it; shadows are lighter."""
FREE_PX = 2.0
"""Distance that a label keeps from what stands before it."""
_LEVEL = 1e-6
"""Corners that lie on a line miss it by rounding."""
Bounds = tuple[float, float, float, float]


def rim_labels(sketch: PaintContext, standing: Sequence[PaintedPath]) -> None:
    """Draw letters along the south and north rims, numbers along the east and west ones.

    Nothing stands before the south and east rims. At the others a label is left out if a part of it
    is hidden.

    Args:
        sketch: Collects the shapes.
        standing: Shapes that stand on the board.
    """
    ink = mix(sketch.palette.ink, sketch.palette.frame_top, 0.15)
    faces = [
        (_bounds(path), path)
        for shape in standing
        if shape.fill and shape.opacity > HIDES
        for path in shape.paths
        if len(path) > 2
    ]

    def on_rim(point: Point) -> Point:
        return sketch.at(point[1], point[0], 0.0)

    kept = sketch.drawn
    for label in _labels(sketch.board):
        if ("label", label) not in kept:
            pen, (name, place, size) = Pen(), label
            pen.text(name, place, size, ink, anchor=0.5, weight=1.9, plane=on_rim)
            kept["label", label] = tuple(pen.shapes)
        if not _hidden(kept["label", label], faces):
            sketch.pen.shapes += kept["label", label]


def _labels(board: Board) -> Iterator[tuple[str, Point, float]]:
    """Yield each label's text, its baseline's middle as (column, row), and its height in tiles."""
    for col in range(board.cols):
        for row_at in (board.rows + 0.46, -0.18):
            yield column_name(col), (col + 0.5, row_at), 0.28
    for row in range(board.rows):
        for col_at in (board.cols + 0.31, -0.31):
            yield str(row + 1), (col_at, row + 0.64), 0.26


def _sampled(line: Path) -> Iterator[Point]:
    """Yield points of a line and beside it: its corners and the middles of its strokes."""
    middles = [((x1 + x2) / 2, (y1 + y2) / 2) for (x1, y1), (x2, y2) in pairwise(line)]
    for x, y in (*line, *middles):
        for dx, dy in (
            (0.0, 0.0),
            (-FREE_PX, 0.0),
            (FREE_PX, 0.0),
            (0.0, -FREE_PX),
            (0.0, FREE_PX),
        ):
            yield x + dx, y + dy


def _hidden(label: Sequence[PaintedPath], faces: Sequence[tuple[Bounds, Path]]) -> bool:
    """True if a face lies over a label, or nearer to it than `FREE_PX`."""
    lines = [line for shape in label for line in shape.paths]
    left, top, right, bottom = _bounds([point for line in lines for point in line])
    left, top, right, bottom = left - FREE_PX, top - FREE_PX, right + FREE_PX, bottom + FREE_PX
    near = [
        face
        for (x1, y1, x2, y2), face in faces
        if x1 <= right
        and left <= x2
        and y1 <= bottom
        and top <= y2
        and not _beside(face, (left, top, right, bottom))
    ]
    points = [point for line in lines for point in _sampled(line)] if near else []
    return any(_inside(point, face) for face in near for point in points)


def _beside(face: Path, box: Bounds) -> bool:
    """True if the line of an edge has all of a polygon at one side, and a box at the other.

    It spares the many points of a label that lies beside a slanted face.
    """
    left, top, right, bottom = box
    for (x1, y1), (x2, y2) in pairwise((*face, face[0])):
        a, b = y1 - y2, x2 - x1
        own = [a * (x - x1) + b * (y - y1) for x, y in face]
        across = sorted((a * (left - x1), a * (right - x1)))
        down = sorted((b * (top - y1), b * (bottom - y1)))
        if max(own) < across[0] + down[0] or min(own) > across[1] + down[1]:
            return True
    return False


def _bounds(points: Sequence[Point]) -> Bounds:
    """Return least x, least y, greatest x and greatest y."""
    xs, ys = zip(*points, strict=True)
    return min(xs), min(ys), max(xs), max(ys)


def _inside(point: Point, face: Path) -> bool:
    """True if a point lies in a polygon, by the even-odd rule."""
    (x, y), odd = point, False
    for (x1, y1), (x2, y2) in pairwise((*face, face[0])):
        if (y1 > y) != (y2 > y) and x < x1 + (x2 - x1) * (y - y1) / (y2 - y1):
            odd = not odd
    return odd
