"""Wall drawings as solids: a column whose sides follow stones, joints and openings.

Each stone is a face and a flank; its outline is cut out of the surface below it, so the result is
exact and has few triangles. Surfaces that face up on the table face down in print (pieces lie on
their tops) and get a slope; so do those that face down, which overhang in the cavity.

The cavity follows the same drawing a wall further in. Its stones are smaller, so that the wall
keeps its thickness and two printed lines fill it without gaps.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from falldamage_forge.geometry.csg import GeometryError, Solid
from falldamage_forge.geometry.relief.crags import cavity_depths
from falldamage_forge.geometry.relief.elements import (
    Crag,
    Outline,
    ReliefElement,
    WallDrawing,
    WallPath,
)
from falldamage_forge.geometry.relief.stone_profiles import (
    Shape,
    bump_of,
    cavity_element,
    cavity_profile,
    margin_mm,
    outer_profile,
)
from falldamage_forge.infra.lazy_dataclass import dataclass

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from shapely.geometry.base import BaseGeometry

    Floats = NDArray[np.float64]
    Patch = tuple[int, Floats, NDArray[np.int64]]

ROOM_MM = 0.1
"""Distance that an element keeps from its stone's edge in the cavity."""
WELD_MM = 4
"""Decimals of a millimetre to which points are rounded and merged."""


@dataclass(frozen=True, slots=True)
class _Side:
    """One straight side of a wall path: maps its (u, inset) to x and y."""

    start: Floats
    end: Floats
    along: Floats
    normal: Floats
    length_mm: float
    mitre_start: Floats
    mitre_end: Floats

    def place(self, flat: Floats) -> Floats:
        """Map (n, 3) of u, v, inset to (n, 3) of x, y, z; ends of the side lie on its mitres.

        The next side starts at exactly the points where this one ends: rounding welds no others.
        """
        import numpy as np

        u, v, inset = flat.T
        moved = self.start + u[:, None] * self.along
        moved[u == self.length_mm] = self.end
        inward = np.broadcast_to(self.normal, moved.shape).copy()
        inward[u == 0.0] = self.mitre_start
        inward[u == self.length_mm] = self.mitre_end
        return np.column_stack([moved + inset[:, None] * inward, v])


def wall_column(wall: WallDrawing, inset_mm: float = 0.0) -> Solid:
    """Return the filled column within a wall, or its cavity.

    Both ends are flat outlines, inset by `inset_mm`, so the column stacks on prisms.

    Args:
        wall: Drawing of the wall.
        inset_mm: 0 for the column, the wall's thickness for its cavity.
    """
    sides = _sides(wall.run)
    if wall.crag:
        patches = [*_facets(wall.crag, inset_mm), *_lids(wall, sides, inset_mm)]
    else:
        patches = [
            *_faces(wall, sides, inset_mm),
            *_bands(wall, sides, inset_mm),
            *_lids(wall, sides, inset_mm),
        ]
    return _solid(sides, patches)


def _sides(run: WallPath) -> tuple[_Side, ...]:
    import numpy as np

    corners = np.array(run.corners)
    along = np.roll(corners, -1, axis=0) - corners
    lengths = run.lengths_mm
    along /= np.array(lengths)[:, None]
    normals = np.column_stack([-along[:, 1], along[:, 0]])
    before = np.roll(normals, 1, axis=0)
    mitres = (normals + before) / (1.0 + (normals * before).sum(axis=1))[:, None]
    count = len(corners)
    return tuple(
        _Side(
            corners[index],
            corners[(index + 1) % count],
            along[index],
            normals[index],
            lengths[index],
            mitres[index],
            mitres[(index + 1) % count],
        )
        for index in range(count)
    )


def _bands(wall: WallDrawing, sides: Sequence[_Side], inset_mm: float) -> Iterator[Patch]:
    """Yield the slopes at the ends of a wall, from the outline to the joints' plane."""
    import numpy as np

    floor, margin = inset_mm + wall.floor_mm, margin_mm(wall.floor_mm)
    low, high = wall.low_mm, wall.high_mm
    quad = np.array([[0, 1, 2], [0, 2, 3]])
    for index, side in enumerate(sides):
        for (v0, d0), (v1, d1) in (
            ((low, inset_mm), (low + margin, floor)),
            ((high - margin, floor), (high, inset_mm)),
        ):
            end = side.length_mm
            yield index, np.array([[0, v0, d0], [end, v0, d0], [end, v1, d1], [0, v1, d1]]), quad


def _lids(wall: WallDrawing, sides: Sequence[_Side], inset_mm: float) -> Iterator[Patch]:
    """Yield the flat ends of a wall."""
    import numpy as np
    from manifold3d import triangulate

    for v, turned, row in ((wall.low_mm, True, 0), (wall.high_mm, False, -1)):
        ends = [[u for u, _, _ in grid[row][:-1]] for grid in wall.crag] or [[0.0]] * len(sides)
        rim = np.concatenate(
            [
                side.place(np.array([[u, v, inset_mm] for u in along]))
                for side, along in zip(sides, ends, strict=True)
            ]
        )
        lid = np.asarray(triangulate([rim[:, :2]]), dtype=np.int64)
        yield -1, rim, lid[:, ::-1] if turned else lid


def _facets(crag: Crag, inset_mm: float) -> Iterator[Patch]:
    """Yield each side of a wall of earth or rock."""
    for index, (part, depths) in enumerate(cavity_depths(crag, inset_mm)):
        yield index, _inset(part.places, depths), part.triangles


def _faces(wall: WallDrawing, sides: Sequence[_Side], inset_mm: float) -> Iterator[Patch]:
    """Yield the joints' plane of every side, and all stones on it."""
    margin = margin_mm(wall.floor_mm)
    low, high = wall.low_mm + margin, wall.high_mm - margin
    for index, side in enumerate(sides):
        length = side.length_mm
        plane = ((0.0, low), (length, low), (length, high), (0.0, high))
        stones = [stone for stone in wall.stones if stone.side == index]
        if not inset_mm:
            yield from _level(index, length, plane, wall.floor_mm, stones)
            continue
        fitted = [_fitted(stone, wall.floor_mm, length, inset_mm, True) for stone in stones]
        for stone, known in zip(stones, fitted, strict=True):
            if known is None and stone.deepest_mm > wall.floor_mm + inset_mm / 2:
                raise GeometryError(f"a wall is thin behind a field: {stone.outline}")
        kept = _clear([one for one in fitted if one is not None], wall.floor_mm, length)
        yield from _hollow(index, length, plane, wall.floor_mm, kept, inset_mm)


def _level(
    index: int,
    length: float,
    plane: Outline,
    depth: float,
    stones: Sequence[ReliefElement],
    soft: bool = True,
) -> Iterator[Patch]:
    """Yield a plane without its stones, and each stone's flank and face."""
    feet = []
    for stone in stones:
        shape = outer_profile(stone, depth, length, soft)
        if shape is None:
            raise GeometryError(f"a stone of a wall is too small for its flanks: {stone.outline}")
        foot, face, faces_mm = shape
        feet.append(foot)
        yield index, *_flank(foot, face, depth, faces_mm, length)
        if stone.on:
            flat = tuple((float(u), float(v)) for u, v in face)
            yield from _level(index, length, flat, stone.inset_mm, stone.on, False)
        else:
            yield index, _inset(face, faces_mm), _triangles([face])
    yield from _rest(index, plane, feet, depth)


Fitted = tuple[ReliefElement, Shape]


def _hollow(
    index: int,
    length: float,
    plane: Outline,
    depth: float,
    stones: Sequence[Fitted],
    wall_mm: float,
) -> Iterator[Patch]:
    """Yield the same in the cavity, a wall further in; stones without room are omitted."""
    for stone, (foot, face, faces_mm) in stones:
        yield index, *_flank(foot, face, depth + wall_mm, faces_mm + wall_mm, length)
        if stone.on:
            flat = tuple((float(u), float(v)) for u, v in face)
            on = _fitting(stone, length, wall_mm, stone.on, flat)
            yield from _hollow(index, length, flat, stone.inset_mm, on, wall_mm)
        else:
            yield index, _inset(face, faces_mm + wall_mm), _triangles([face])
    yield from _rest(index, plane, [shape[0] for _, shape in stones], depth + wall_mm)


def _clear(fitted: Sequence[Fitted], floor_mm: float, length: float) -> list[Fitted]:
    """Return the stones of a cavity without those, but for corners, that a bay's bump overlaps."""
    import shapely

    bumps = [shapely.Polygon(shape[0]) for stone, shape in fitted if stone.inset_mm > floor_mm]
    if not bumps:
        return list(fitted)
    taken = shapely.union_all(bumps)
    return [
        (stone, shape)
        for stone, shape in fitted
        if stone.inset_mm > floor_mm
        or ((shape[0][:, 0] == 0.0) | (shape[0][:, 0] == length)).any()
        or not taken.intersects(shapely.Polygon(shape[0]))
    ]


def _fitted(
    stone: ReliefElement, depth: float, length: float, wall_mm: float, soft: bool
) -> Fitted | None:
    """Return a stone and its profile in the cavity.

    If the elements sunk into it do not fit, one bump covers them.
    """
    known = cavity_element(stone)
    shape = cavity_profile(known, depth, length, wall_mm, soft)
    if shape is not None and known.on:
        flat = tuple((float(u), float(v)) for u, v in shape[1])
        on = _fitting(known, length, wall_mm, known.on, flat)
        sunk = [one for one in known.on if one.deepest_mm > known.inset_mm]
        if all(any(one.outline == kept.outline for kept, _ in on) for one in sunk):
            return known, shape
    if known.on:
        known = bump_of(stone, depth)
        shape = cavity_profile(known, depth, length, wall_mm, soft)
    return None if shape is None else (known, shape)


def _fitting(
    stone: ReliefElement, length: float, wall_mm: float, on: Sequence[ReliefElement], flat: Outline
) -> list[Fitted]:
    """Return the elements on a stone that have room on its face in the cavity."""
    import shapely

    room: BaseGeometry = shapely.buffer(shapely.Polygon(flat), -ROOM_MM)
    placed = []
    for one in on:
        fitted = _fitted(one, stone.inset_mm, length, wall_mm, False)
        if fitted is not None and room.contains(shapely.Polygon(fitted[1][0])):
            room = shapely.difference(room, shapely.buffer(shapely.Polygon(fitted[1][0]), ROOM_MM))
            placed.append(fitted)
    return placed


def _rest(index: int, plane: Outline, feet: Sequence[Floats], depth: float) -> Iterator[Patch]:
    """Yield the plane without its stones."""
    import numpy as np
    import shapely

    rest: BaseGeometry = shapely.Polygon(plane)
    if feet:
        rest = shapely.difference(rest, shapely.union_all([shapely.Polygon(foot) for foot in feet]))
    for polygon in shapely.get_parts(shapely.orient_polygons(rest)):
        rings = [np.array(ring.coords)[:-1] for ring in (polygon.exterior, *polygon.interiors)]
        points = np.concatenate(rings)
        yield index, _inset(points, depth), _triangles(rings)


def _inset(flat: Floats, inset_mm: float | Floats) -> Floats:
    """Map (n, 2) of u, v to (n, 3) of u, v, inset; ten times faster than `column_stack` here."""
    import numpy as np

    points = np.empty((len(flat), 3))
    points[:, :2], points[:, 2] = flat, inset_mm
    return points


def _triangles(rings: Sequence[Floats]) -> NDArray[np.int64]:
    import numpy as np
    from manifold3d import triangulate

    return np.asarray(triangulate(list(rings)), dtype=np.int64)


def _flank(
    foot: Floats, face: Floats, foot_mm: float, face_mm: Floats, length: float
) -> tuple[Floats, NDArray[np.int64]]:
    """Return the strip between two rings, open where a stone continues round a corner."""
    import numpy as np

    count = len(foot)
    points = np.concatenate([_inset(foot, foot_mm), _inset(face, face_mm)])
    here = np.arange(count)
    ahead = (here + 1) % count
    at_end = (foot[:, 0] == 0.0) * 1 + (foot[:, 0] == length) * 2
    open_ = ~((at_end > 0) & (at_end == at_end[ahead]))
    here, ahead = here[open_], ahead[open_]
    strip = np.array([[here, ahead, ahead + count], [here, ahead + count, here + count]])
    return points, strip.transpose(0, 2, 1).reshape(-1, 3)


def _solid(sides: Sequence[_Side], patches: Sequence[Patch]) -> Solid:
    """Return one closed solid of all patches; coincident points are merged."""
    import numpy as np
    from manifold3d import Manifold, Mesh64

    counts = [len(flat) for _, flat, _ in patches]
    firsts = np.cumsum([0, *counts])
    faces = [own + first for (_, _, own), first in zip(patches, firsts, strict=False)]
    placed = np.concatenate([flat for _, flat, _ in patches])
    owners = np.repeat([index for index, _, _ in patches], counts)
    for index, side in enumerate(sides):
        own = owners == index
        placed[own] = side.place(placed[own])
    placed = np.round(placed, WELD_MM)
    corners, which = np.unique(placed, axis=0, return_inverse=True)
    joined = which.reshape(-1)[np.concatenate(faces)]
    thin = (
        (joined[:, 0] == joined[:, 1])
        | (joined[:, 1] == joined[:, 2])
        | (joined[:, 2] == joined[:, 0])
    )
    solid = Manifold(Mesh64(corners, joined[~thin].astype(np.uint64)))
    if solid.is_empty():
        raise GeometryError(f"a wall is not closed: {solid.status()}")
    return solid
