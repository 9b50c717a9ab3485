"""A wall's drawing as a solid: a column whose sides follow stones, joints and openings.

Every stone is a face and a flank; faces are cut out of what they lie on, so the surface is exact
and has few triangles. What looks up on the table looks down in print (pieces lie on their tops) and
gets a slope; what looks down gets one as well, since it hangs inside.

The cavity within follows the same drawing a wall further in. Its stones are smaller by what keeps
the wall as thick as ever, so that two printed lines fill it and no gaps are left between them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from falldamage_forge.geometry.finish.flanks import CORNER_RUN, Shape, followed, inner, outer
from falldamage_forge.geometry.finish.model import Outline, Run, Stone, Wall
from falldamage_forge.geometry.solids import GeometryError, Solid

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from shapely.geometry.base import BaseGeometry

    Floats = NDArray[np.float64]
    Patch = tuple[int, Floats, NDArray[np.int64]]

ROOM_MM = 0.1
"""What is followed in a stone's cavity stays so far inside the stone's face there."""
WELD_MM = 4
"""Decimals of a millimetre in which points are one."""


@dataclass(frozen=True, slots=True)
class _Side:
    """One straight side of a run: maps its (u, inset) to x and y."""

    start: Floats
    along: Floats
    normal: Floats
    length_mm: float
    mitre_start: Floats
    mitre_end: Floats

    def place(self, flat: Floats) -> Floats:
        """(n, 3) of u, v, inset to (n, 3) of x, y, z; ends of the side lie on its mitres."""
        import numpy as np

        u, v, inset = flat.T
        moved = self.start + u[:, None] * self.along
        inward = np.broadcast_to(self.normal, moved.shape).copy()
        inward[u == 0.0] = self.mitre_start
        inward[u == self.length_mm] = self.mitre_end
        return np.column_stack([moved + inset[:, None] * inward, v])


def walled(wall: Wall, inset_mm: float = 0.0) -> Solid:
    """The filled column within a wall, or with `inset_mm` (the wall's thickness) its cavity.

    Both ends are the run's outline, drawn in by `inset_mm` and flat, so it stacks on prisms.
    """
    sides = _sides(wall.run)
    patches = [*_faces(wall, sides, inset_mm), *_bands(wall, sides, inset_mm)]
    return _solid(sides, patches)


def _sides(run: Run) -> tuple[_Side, ...]:
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
            along[index],
            normals[index],
            lengths[index],
            mitres[index],
            mitres[(index + 1) % count],
        )
        for index in range(count)
    )


def margin_mm(floor_mm: float) -> float:
    """What a wall's slopes from its ends to the floor of its joints take of its height."""
    return floor_mm / CORNER_RUN


def _bands(wall: Wall, sides: Sequence[_Side], inset_mm: float) -> Iterator[Patch]:
    """The ends of a wall: slopes from the outline to the joints' plane, and two lids."""
    import numpy as np
    from manifold3d import triangulate

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
    for v, turned in ((low, True), (high, False)):
        rim = np.concatenate([side.place(np.array([[0.0, v, inset_mm]])) for side in sides])
        lid = np.asarray(triangulate([rim[:, :2]]), dtype=np.int64)
        yield -1, rim, lid[:, ::-1] if turned else lid


def _faces(wall: Wall, sides: Sequence[_Side], inset_mm: float) -> Iterator[Patch]:
    """The joints' plane of every side, and all stones on it."""
    margin = margin_mm(wall.floor_mm)
    low, high = wall.low_mm + margin, wall.high_mm - margin
    for index, side in enumerate(sides):
        length = side.length_mm
        plane = ((0.0, low), (length, low), (length, high), (0.0, high))
        stones = [stone for stone in wall.stones if stone.side == index]
        if not inset_mm:
            yield from _level(index, length, plane, wall.floor_mm, stones)
            continue
        known = [_fitted(stone, wall.floor_mm, length, inset_mm, True) for stone in stones]
        kept = [one for one in known if one is not None]
        yield from _hollow(index, length, plane, wall.floor_mm, kept, inset_mm)


def _level(
    index: int,
    length: float,
    plane: Outline,
    depth: float,
    stones: Sequence[Stone],
    soft: bool = True,
) -> Iterator[Patch]:
    """A plane without its stones, and each stone's flank and face."""

    feet = []
    for stone in stones:
        shape = outer(stone, depth, length, soft)
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


Fitted = tuple[Stone, Shape]


def _hollow(
    index: int,
    length: float,
    plane: Outline,
    depth: float,
    stones: Sequence[Fitted],
    wall_mm: float,
) -> Iterator[Patch]:
    """The same in the cavity, a wall further in: what has no room there is left out."""

    for stone, (foot, face, faces_mm) in stones:
        yield index, *_flank(foot, face, depth + wall_mm, faces_mm + wall_mm, length)
        if stone.on:
            flat = tuple((float(u), float(v)) for u, v in face)
            on = _fitting(stone, length, wall_mm, stone.on, flat)
            yield from _hollow(index, length, flat, stone.inset_mm, on, wall_mm)
        else:
            yield index, _inset(face, faces_mm + wall_mm), _triangles([face])
    yield from _rest(index, plane, [shape[0] for _, shape in stones], depth + wall_mm)


def _fitted(stone: Stone, depth: float, length: float, wall_mm: float, soft: bool) -> Fitted | None:
    """A stone and its shape in the cavity; where what is sunk into it finds no room, all of it
    lies as deep."""
    known = followed(stone)
    shape = inner(known, depth, length, wall_mm, soft)
    if shape is not None and known.on:
        flat = tuple((float(u), float(v)) for u, v in shape[1])
        on = _fitting(known, length, wall_mm, known.on, flat)
        sunk = [one for one in known.on if one.inset_mm > known.inset_mm]
        if all(any(one.outline == kept.outline for kept, _ in on) for one in sunk):
            return known, shape
    if known.on:
        known = replace(stone, inset_mm=stone.deepest_mm, on=())
        shape = inner(known, depth, length, wall_mm, soft)
    return None if shape is None else (known, shape)


def _fitting(
    stone: Stone, length: float, wall_mm: float, on: Sequence[Stone], flat: Outline
) -> list[Fitted]:
    """Of the things on a stone those that have room on its face in the cavity."""
    import shapely

    room: BaseGeometry = shapely.buffer(shapely.Polygon(flat), -ROOM_MM)
    found = []
    for one in on:
        fitted = _fitted(one, stone.inset_mm, length, wall_mm, False)
        if fitted is not None and room.contains(shapely.Polygon(fitted[1][0])):
            room = shapely.difference(room, shapely.buffer(shapely.Polygon(fitted[1][0]), ROOM_MM))
            found.append(fitted)
    return found


def _rest(index: int, plane: Outline, feet: Sequence[Floats], depth: float) -> Iterator[Patch]:
    """What is left of a plane."""
    import numpy as np
    import shapely

    left: BaseGeometry = shapely.Polygon(plane)
    if feet:
        left = shapely.difference(left, shapely.union_all([shapely.Polygon(foot) for foot in feet]))
    for polygon in shapely.get_parts(shapely.orient_polygons(left)):
        rings = [np.array(ring.coords)[:-1] for ring in (polygon.exterior, *polygon.interiors)]
        points = np.concatenate(rings)
        yield index, _inset(points, depth), _triangles(rings)


def _inset(flat: Floats, inset_mm: float | Floats) -> Floats:
    """(n, 2) of u, v to (n, 3) of u, v, inset; for so few points `column_stack` takes ten times."""
    import numpy as np

    found = np.empty((len(flat), 3))
    found[:, :2], found[:, 2] = flat, inset_mm
    return found


def _triangles(rings: Sequence[Floats]) -> NDArray[np.int64]:
    import numpy as np
    from manifold3d import triangulate

    return np.asarray(triangulate(list(rings)), dtype=np.int64)


def _flank(
    foot: Floats, face: Floats, foot_mm: float, face_mm: Floats, length: float
) -> tuple[Floats, NDArray[np.int64]]:
    """The strip between two rings; where a stone goes on round a corner there is none."""
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
    """One closed solid of all patches; points that meet are one."""
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
