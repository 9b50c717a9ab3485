"""Profiles of a stone: its foot on the surface below, its face, and the flank between them.

Each stone is drawn twice: outside, and in the cavity one wall thickness further in. Flanks in the
cavity run parallel to those outside, so that the wall stays two printed lines thick.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from falldamage_forge.geometry.relief.elements import Outline, ReliefElement
from falldamage_forge.infra.lazy_dataclass import dataclass

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from shapely.geometry.base import BaseGeometry

    Floats = NDArray[np.float64]

RUN = 0.85
"""Maximum run per mm of rise of a flank that overhangs in print."""
CORNER_RUN = 0.58
"""The same at a corner of the wall, whose edge moves faster than its sides."""
SOFT_MM, SOFT_SHARE = 0.3, 0.5
"""Width of a flank beside a joint: a constant, and a share of its height."""
SHARP_MM, SHARP_SHARE = 0.14, 0.3
"""The same for an element on a stone."""
WIDEST_MM = 0.7
"""Widest flank that need not slope: deep fields keep upright sides and flat undersides."""
SHARPEST_MM = 0.3
"""The same for an element on a stone."""
LEAST_EDGE_MM = 0.02
"""Shorter edges are replaced by a point."""
FOLLOWED_MM = 0.1
"""Elements that stand out by less are not followed in the cavity."""
BESIDE_MM = 0.5
"""A bump that covers elements reaches so far beyond them: its flanks are softer than theirs."""
SUNK_MM = 0.3
"""Elements sunk by less make the whole stone lie deeper in the cavity."""

Shape = tuple["Floats", "Floats", "Floats"]
"""A foot, a face with as many points, and the insets of the face's points."""


def margin_mm(floor_mm: float) -> float:
    """Return the height of the slopes from a wall's ends to the floor of its joints."""
    return floor_mm / CORNER_RUN


def has_profile_room(
    outline: Outline, floor_mm: float, length_mm: float, wall_mm: float = 0.84
) -> bool:
    """True if a stone has room for all its flanks.

    Args:
        outline: Outline of the stone.
        floor_mm: Height of the stone above the floor of the joints.
        length_mm: Length of the wall's side.
        wall_mm: Thickness of the wall.
    """
    stone = ReliefElement(0, outline, 0.0)
    shapes = (
        outer_profile(stone, floor_mm, length_mm),
        cavity_profile(stone, floor_mm, length_mm, wall_mm),
    )
    return all(shape is not None for shape in shapes)


def outer_profile(
    stone: ReliefElement, depth: float, length: float, soft: bool = True
) -> Shape | None:
    """Return the profile of a stone outside.

    Args:
        stone: Stone to draw.
        depth: Inset in mm of the surface below it.
        length: Length of the wall's side in mm.
        soft: True for a stone on a wall; False for one on a stone, with sharper flanks.

    Returns:
        Foot, face and insets; None if the stone is too small.
    """
    import numpy as np

    foot = np.array(stone.outline)
    beside, above, below = _flanks_mm(stone, depth, _at_corner(foot, length), soft)
    face = inset_polygon(foot, _Shift(beside, above, below).of, length)
    return None if face is None else (foot, face, _leaning(stone, face))


def cavity_profile(
    stone: ReliefElement, depth: float, length: float, wall_mm: float, soft: bool = True
) -> Shape | None:
    """Return the profile of a stone in the cavity.

    Along a side the wall's thickness is measured square to the flank, above and below along the
    layer that contains both faces.

    Args:
        stone: Stone to draw.
        depth: Inset in mm of the surface below it.
        length: Length of the wall's side in mm.
        wall_mm: Thickness of the wall.
        soft: True for a stone on a wall; False for one on a stone.

    Returns:
        Foot, face and insets; None if the stone is too small to be followed.
    """
    import numpy as np

    outline = np.array(stone.outline)
    rise = depth - stone.inset_mm
    if abs(rise) < FOLLOWED_MM:
        return None
    corner = _at_corner(outline, length)
    gentle = _slope_mm(abs(rise) + abs(stone.lean_mm) / 2, corner)
    beside, above, below = _flanks_mm(stone, depth, corner, soft)
    if rise > 0:
        flank = _Shift(beside, max(above, gentle), max(below, gentle), wall_mm, rise)
        foot = inset_polygon(outline, flank.behind, length)
        face = inset_polygon(outline, flank.inner, length)
    else:
        # It is a bump in there, whose upper flank hangs as well and so is gentle.
        flank = _Shift(beside, above, below, wall_mm, rise)

        def grown(outward: Floats) -> Floats:
            run = flank.of(outward)
            more: Floats = np.maximum(_hanging_mm(outward, gentle, -rise) - run, 0.0)
            return flank.behind(outward) - more

        foot = inset_polygon(outline, grown, length)
        face = inset_polygon(outline, flank.inner, length)
    return None if foot is None or face is None else (foot, face, _leaning(stone, face))


def cavity_element(stone: ReliefElement) -> ReliefElement:
    """Return a stone as the cavity follows it: fewer elements on it, and deep enough."""
    raised = [on for on in stone.on if on.inset_mm < stone.inset_mm - FOLLOWED_MM]
    sunk = [on for on in stone.on if on not in raised and on.deepest_mm > stone.inset_mm + SUNK_MM]
    rest = [on for on in stone.on if on not in raised and on not in sunk]
    deep = max([stone.inset_mm, *(on.deepest_mm for on in rest)])
    followed = [cavity_element(on) for on in raised]
    if len(sunk) == 1:
        followed.append(cavity_element(sunk[0]))
    elif sunk:
        followed.append(_hull_of(sunk))
    return replace(stone, inset_mm=deep, on=tuple(followed))


def bump_of(stone: ReliefElement, depth: float) -> ReliefElement:
    """Return the bump that covers a stone's sunk elements where they cannot be followed.

    Args:
        stone: Stone with elements on it.
        depth: Inset in mm of the surface below it.
    """
    sunk = [on for on in stone.on if on.deepest_mm > depth]
    if stone.inset_mm < depth and sunk:
        return _hull_of(sunk, BESIDE_MM, inside_box(stone.outline, BESIDE_MM))
    return replace(stone, inset_mm=stone.deepest_mm, on=())


def inside_box(outline: Outline, by_mm: float) -> BaseGeometry:
    """Return the box of an outline, `by_mm` smaller on each side.

    Args:
        outline: Points (x, y) in mm.
        by_mm: Inset of each side.
    """
    import shapely

    across, up = zip(*outline, strict=True)
    low, high = (min(across) + by_mm, min(up) + by_mm), (max(across) - by_mm, max(up) - by_mm)
    box: BaseGeometry = shapely.box(*low, *high)
    return box


def _hull_of(
    stones: Sequence[ReliefElement], more_mm: float = 0.0, room: BaseGeometry | None = None
) -> ReliefElement:
    """Return one element round several and `more_mm` beyond in a room, as deep as the deepest."""
    import numpy as np
    import shapely

    points = np.concatenate([np.array(one.outline) for one in stones])
    hull = shapely.convex_hull(shapely.MultiPoint(points))
    if more_mm:
        hull = shapely.simplify(shapely.buffer(hull, more_mm, join_style="mitre"), more_mm / 4)
    if room is not None:
        hull = shapely.intersection(hull, room)
    ring = shapely.get_coordinates(shapely.orient_polygons(hull))[:-1]
    outline = tuple((float(u), float(v)) for u, v in ring)
    return ReliefElement(stones[0].side, outline, max(one.deepest_mm for one in stones))


def _leaning(stone: ReliefElement, face: Floats) -> Floats:
    """Return the insets of a face's points."""
    low, high = face[:, 1].min(), face[:, 1].max()
    insets: Floats = stone.inset_mm + stone.lean_mm * (0.5 - (face[:, 1] - low) / (high - low))
    return insets


def _flanks_mm(
    stone: ReliefElement, depth: float, corner: bool, soft: bool = True
) -> tuple[float, float, float]:
    """Return the widths of a stone's flanks on a surface at `depth`: at its sides, above, below.

    A flank that faces up on the table faces down in print and gets a slope.
    """
    rise = abs(depth - stone.inset_mm)
    raised = stone.inset_mm < depth
    beside = (
        min(SOFT_MM + SOFT_SHARE * rise, WIDEST_MM)
        if soft
        else min(SHARP_MM + SHARP_SHARE * rise, SHARPEST_MM)
    )
    gentle = max(beside, _slope_mm(rise + abs(stone.lean_mm) / 2, corner))
    if raised:
        return beside, gentle, gentle if soft else beside
    return beside, beside, gentle


def _slope_mm(rise: float, corner: bool) -> float:
    """Return the least width of an overhanging flank."""
    return rise / (CORNER_RUN if corner else RUN)


def _hanging_mm(outward: Floats, gentle_mm: float, rise_mm: float) -> Floats:
    """Return the least widths of flanks by their edges' normals, shape (n, 2).

    A flank hangs by the share of its normal that faces up: one of `gentle_mm` under a level edge
    leans as much as all others may, and steep edges need none.

    Args:
        outward: Outward normals of edges.
        gentle_mm: Least width below a level edge.
        rise_mm: Height of the flank.
    """
    import numpy as np

    facing = np.maximum(outward[:, 1], 0.0) ** 2 * (1.0 + (gentle_mm / rise_mm) ** 2)
    widths: Floats = rise_mm * np.sqrt(np.maximum(facing - 1.0, 0.0))
    return widths


@dataclass(frozen=True, slots=True)
class _Shift:
    """Distances that edges move inwards: edges at the sides, edges that face up, edges facing down.

    Other edges move by the share of each direction, so that worn corners keep their shape, and none
    vanishes before its stone does.

    In a cavity, `wall_mm` within stones of height `rise_mm`, edges move farther, so that in every
    layer the flank inside runs parallel to the one outside, a wall away.
    """

    beside_mm: float
    above_mm: float
    below_mm: float
    wall_mm: float = 0.0
    rise_mm: float = 1.0

    def of(self, outward: Floats) -> Floats:
        """Return the distance of edges with these outward normals, shape (n, 2)."""
        import numpy as np

        across, up = outward.T
        moved: Floats = (
            self.beside_mm * np.abs(across)
            + self.above_mm * np.maximum(up, 0.0)
            + self.below_mm * np.maximum(-up, 0.0)
        )
        return moved

    def behind(self, outward: Floats) -> Floats:
        """Return the distance at which the cavity's flank begins."""
        import numpy as np

        across = np.abs(outward[:, 0])
        run = self.of(outward)
        way: Floats = np.hypot(run, self.rise_mm * across) - run
        return self.wall_mm / self.rise_mm * way

    def inner(self, outward: Floats) -> Floats:
        """Return the distance at which the cavity's flank ends."""
        return self.behind(outward) + self.of(outward)


def _at_corner(foot: Floats, length: float) -> bool:
    return bool((foot[:, 0] == 0.0).any() or (foot[:, 0] == length).any())


def inset_polygon(ring: Floats, way: Callable[[Floats], Floats], length: float) -> Floats | None:
    """Move each edge inwards by a distance that depends on its normal.

    Edges on a corner's line stay, and points on it move along it.

    Args:
        ring: Points of shape (n, 2), counter-clockwise.
        way: Function from outward normals (n, 2) to distances (n,) in mm.
        length: Length of the wall's side in mm.

    Returns:
        The new points; None if nothing is left.
    """
    import numpy as np

    ends = (ring[:, 0] == 0.0) * 1 + (ring[:, 0] == length) * 2
    # Indexing is several times faster than rolling such short rings.
    ahead = np.arange(1, len(ring) + 1) % len(ring)
    back = np.arange(-1, len(ring) - 1)
    along = ring[ahead] - ring
    along /= np.hypot(along[:, 0], along[:, 1])[:, None]
    outward = along[:, ::-1] * (1.0, -1.0)
    fixed = (ends > 0) & (ends == ends[ahead])
    by = np.where(fixed, 0.0, way(outward))
    before = outward[back]
    by_before = by[back]
    # Where the lines n.x = c of both edges meet; nearly parallel ones move straight inwards.
    cross = before[:, 0] * outward[:, 1] - before[:, 1] * outward[:, 0]
    flat = np.abs(cross) < 1e-3
    safe = np.where(flat, 1.0, cross)
    moved_u = (by_before * -outward[:, 1] + by * before[:, 1]) / safe
    moved_v = (by * -before[:, 0] + by_before * outward[:, 0]) / safe
    step = np.array([moved_u, moved_v]).T
    step[flat] = (-outward * np.maximum(by, by_before)[:, None])[flat]
    drawn = ring + step
    drawn[ends > 0, 0] = ring[ends > 0, 0]
    lengths = ((drawn[ahead] - drawn) * along).sum(axis=1)
    # An edge that turned about has vanished: what it joined meets in a point.
    for edge in np.flatnonzero(lengths < LEAST_EDGE_MM):
        meeting = _meeting(int(edge), ring - outward * by[:, None], along)
        if meeting is None or (ends[[edge, (edge + 1) % len(ring)]] > 0).any():
            return None
        drawn[[edge, (edge + 1) % len(ring)]] = meeting
    final_lengths = ((drawn[ahead] - drawn) * along).sum(axis=1)
    return drawn if ((final_lengths >= LEAST_EDGE_MM) | (final_lengths == 0.0)).all() else None


def _meeting(edge: int, lines: Floats, along: Floats) -> Floats | None:
    """Return the crossing of the edges before and after an edge; None if nearly parallel."""
    before, after = edge - 1, (edge + 1) % len(lines)
    turn = along[before, 0] * along[after, 1] - along[before, 1] * along[after, 0]
    if turn < 0.05:
        return None
    way = lines[after] - lines[before]
    share = (way[0] * along[after, 1] - way[1] * along[after, 0]) / turn
    place: Floats = lines[before] + share * along[before]
    return place
